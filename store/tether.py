"""Becomes another program that dies with its parent: `python tether.py PARENT SIGNAL UID GID PROGRAM ARGUMENT …`.

The kernel forgets the wish for a signal at the parent's death when the user changes, so the user comes first; and the
parent may be gone before the wish is heard, so it is looked for once more after it. Beside it: child.py.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1  # <linux/prctl.h>


def main() -> None:
    """Drop to the user, tie this process to its parent and become the program."""
    parent, farewell, uid, gid = map(int, sys.argv[1:5])
    libc = ctypes.CDLL(None, use_errno=True)
    if uid != os.getuid():
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)
    if sys.platform == "linux" and libc.prctl(PR_SET_PDEATHSIG, farewell, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")
    if os.getppid() != parent:
        sys.exit("the parent is gone already")
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python had it ignored, and a program inherits that
    os.execv(sys.argv[5], sys.argv[5:])


if __name__ == "__main__":
    main()
