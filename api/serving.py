"""How gunicorn serves the API: its settings, as its configuration file. Beside it: app.py, processes.py.

Everything must be imported after gevent has patched the standard library, or a waiting query would hold up all
requests of a process. It is imported here, before the processes fork, so that they share its memory; the application
itself, with its connections, is made in each of them.
"""

from gevent import monkey

monkey.patch_all()

import gc  # noqa: E402
import os  # noqa: E402
import resource  # noqa: E402
import shutil  # noqa: E402
import tempfile  # noqa: E402
from threading import Thread  # noqa: E402
from time import sleep  # noqa: E402
from typing import Any  # noqa: E402

# Where the processes add up what they have counted. One that is given is emptied: whoever left it may have been killed.
METRICS = os.environ.get("PROMETHEUS_MULTIPROC_DIR") or tempfile.mkdtemp(prefix="tapete-metrics-")
shutil.rmtree(METRICS, ignore_errors=True)
os.makedirs(METRICS, mode=0o700)
os.environ["PROMETHEUS_MULTIPROC_DIR"] = METRICS

from gunicorn.glogging import Logger  # noqa: E402
from prometheus_client import multiprocess  # noqa: E402

import api.app  # noqa: E402, F401
from store.logs import to_json  # noqa: E402
from store.settings import Settings  # noqa: E402

ASKING = 1000  # connections a process takes beside its streams
LOOK_SECONDS = 0.1


class Lines(Logger):  # type: ignore[misc]
    """What gunicorn itself says, as JSON with all other lines."""

    def setup(self, cfg: Any) -> None:
        """In each process, before anything is said."""
        super().setup(cfg)
        to_json()
        self.error_log.handlers.clear()
        self.error_log.propagate = True


wsgi_app = "api.app:create_app()"
logger_class = Lines
worker_class = "gevent"
worker_connections = Settings.from_env().streams + ASKING
workers = int(os.environ.get("TAPETE_API_PROCESSES", "2"))
graceful_timeout = 2
timeout = 30
keepalive = 5
proc_name = "tapete-api"
control_socket_disable = True


def pre_fork(_server: Any, _worker: Any) -> None:
    """Leave what all processes share alone: a collection would touch, and so copy, every page of it."""
    gc.freeze()


def post_fork(_server: Any, _worker: Any) -> None:
    """Each stream is an open file: as many as the system lets us have."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def post_worker_init(worker: Any) -> None:
    """Streams would go on for ever: they are ended as soon as the process is told to end."""

    def watch() -> None:
        while worker.alive:
            sleep(LOOK_SECONDS)
        worker.wsgi.extensions["tapete"].hub.stop()

    Thread(target=watch, name="streams", daemon=True).start()


def worker_exit(_server: Any, worker: Any) -> None:
    """Let go of the database, in the process that ends, while its greenlets can still run.

    The parent calls it too, with a worker that is no application there, when it kills one that has just gone.
    """
    if wsgi := getattr(worker, "wsgi", None):
        wsgi.extensions["tapete"].pool.close(timeout=1)


def child_exit(_server: Any, worker: Any) -> None:
    """What a process has counted stays; what it was doing does not."""
    multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def on_exit(_server: Any) -> None:
    """The counts go with the last process."""
    shutil.rmtree(METRICS, ignore_errors=True)
