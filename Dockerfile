# One image for the API, the workers and the migration: `api` (the default), `worker`, `migrate`. Beside it: compose.yaml
FROM python:3.12-slim-bookworm AS build
WORKDIR /build
COPY requirements.lock ./
RUN python -m venv /opt/tapete \
 && /opt/tapete/bin/pip install --no-cache-dir --require-hashes -r requirements.lock
COPY pyproject.toml README.md ./
COPY api api
COPY domain domain
COPY store store
COPY workers workers
RUN /opt/tapete/bin/pip install --no-cache-dir --no-deps --no-build-isolation --no-index .

FROM python:3.12-slim-bookworm
RUN useradd --system --uid 10001 --create-home --home-dir /srv/tapete tapete
COPY --from=build /opt/tapete /opt/tapete
ENV PATH=/opt/tapete/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 TAPETE_HOST=0.0.0.0
WORKDIR /srv/tapete
USER 10001
EXPOSE 8000
# For the API; compose.yaml switches it off for the others
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
  CMD ["python", "-c", "import os, urllib.request as r; r.urlopen('http://127.0.0.1:' + os.environ.get('TAPETE_PORT', '8000') + '/healthz', timeout=4)"]
ENTRYPOINT ["tapete"]
CMD ["api"]
