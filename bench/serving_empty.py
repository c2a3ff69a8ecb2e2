"""gunicorn's settings for the empty view: the API's own, with another application."""

from api.serving import *  # noqa: F403

wsgi_app = "bench.empty:create_app()"
