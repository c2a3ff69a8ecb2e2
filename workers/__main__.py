"""`python -m workers`: one worker."""

import sys

from workers.app import start

sys.exit(start(int(sys.argv[1]) if len(sys.argv) > 1 else 1))
