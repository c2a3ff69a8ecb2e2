# Everything, from nothing but Python 3.11 or newer: each target first sets up what it needs, once.
# Beside it: .ci/run, which says what must pass.

.DEFAULT_GOAL := help
.PHONY: help demo up test bench chaos compiled openapi examples lock clean

BIN := .venv/bin
# What needs the machine to itself.
ALONE := tests/store/test_db.py tests/e2e/test_chaos.py tests/e2e/test_hosts.py tests/e2e/test_kill.py tests/ops tests/api/test_streams_under_stress.py
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PROJECT := $(INSTALL) --no-deps --no-build-isolation --no-index --editable .
LOCK := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --python-version 3.11

# What bots spend their time in.
HOT := $(wildcard $(addprefix domain/,arena.py cards.py imagine.py secrecy.py bots/*.py games/[!_]*.py games/_[!_]*.py))

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile
	@echo 'TAPETE_PORT, TAPETE_HOME, DATABASE_URL and REDIS_URL are honoured: see .venv/bin/tapete up --help'

demo: .venv/runtime ## a server, with matches and a season played on it, until Ctrl-C; ONCE=1 ends with them
	@exec $(BIN)/tapete demo $(if $(ONCE),--once)

up: .venv/runtime ## a server until Ctrl-C
	@exec $(BIN)/tapete up

test: .venv/dev ## lint, types, import contracts, the API's description, all tests; ARGS="tests/store -x" for some
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/tapete openapi | diff -u openapi.yaml - || { echo 'make openapi brings openapi.yaml up to date'; exit 1; }
ifdef ARGS
	$(BIN)/pytest $(ARGS)
else
	$(BIN)/pytest --numprocesses auto --maxprocesses 4 --dist loadfile $(addprefix --ignore=,$(ALONE))
	$(BIN)/pytest $(ALONE)
endif

bench: .venv/bench $(wildcard .venv/compiled/made) ## measure, and print the table of docs/performance.md
	$(BIN)/python -m bench

chaos: .venv/dev ## kill everything at random while it is played on, and compare; ARGS="--seconds 20 --seed 7"
	$(BIN)/python -m bench.chaos $(ARGS)

compiled: .venv/compiled/made ## a copy in .venv/compiled whose games and bots mypyc has compiled: docs/operations.md

openapi: .venv/runtime ## write openapi.yaml anew
	$(BIN)/tapete openapi > openapi.yaml

examples: .venv/dev ## record the examples of openapi.yaml anew, and write it
	$(BIN)/tapete openapi > openapi.yaml
	$(BIN)/python -m tests.api.examples 2>/dev/null
	$(BIN)/tapete openapi > openapi.yaml

lock: .venv/dev ## bring the lock files up to pyproject.toml; UPGRADE=1 takes newer versions too
	$(LOCK) $(if $(UPGRADE),--upgrade) --extra build pyproject.toml -o requirements.lock
	$(LOCK) $(if $(UPGRADE),--upgrade) --extra build --extra dev --extra otel pyproject.toml -o requirements-dev.lock
	$(LOCK) $(if $(UPGRADE),--upgrade) --extra build --extra dev --extra otel --extra bench pyproject.toml -o requirements-bench.lock

clean: ## remove what the other targets made, but not the data folder
	rm -rf .venv bench/boardgame_io/node_modules build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find api bench domain examples store tests workers -name __pycache__ -prune -exec rm -rf {} +

.venv/runtime: requirements.lock pyproject.toml | $(BIN)/python
	@echo 'installing what requirements.lock names into .venv'
	@$(INSTALL) --require-hashes -r requirements.lock && $(PROJECT) && touch $@

.venv/dev: requirements-dev.lock pyproject.toml | $(BIN)/python
	@echo 'installing what requirements-dev.lock names into .venv'
	@$(INSTALL) --require-hashes -r requirements-dev.lock && $(PROJECT) && touch $@

.venv/bench: requirements-bench.lock pyproject.toml | $(BIN)/python
	@echo 'installing what requirements-bench.lock names into .venv'
	@$(INSTALL) --require-hashes -r requirements-bench.lock && $(PROJECT) && touch $@

.venv/compiled/made: $(shell find api domain store tests workers -name '*.py' -o -name '*.json') $(wildcard bench/*.py) pyproject.toml | .venv/dev
	rm -rf $(@D) && mkdir -p $(@D)/bench && cp bench/*.py $(@D)/bench
	cp -r api docs domain examples store tests workers pyproject.toml $(@D)
	cd $(@D) && MYPYC_OPT_LEVEL=2 MYPYC_DEBUG_LEVEL=0 ../bin/mypyc $(HOT) && rm -rf build
	touch $@

$(BIN)/python:
	@for python in "$(PYTHON)" python3 python3.14 python3.13 python3.12 python3.11; do \
	  if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    "$$python" -m venv --clear .venv || { rm -rf .venv; exit 1; }; exit 0; \
	  fi; \
	done; echo 'Python 3.11 or newer is needed; PYTHON=/path/to/it names one' >&2; exit 1
