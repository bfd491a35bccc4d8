# Every target sets up what it needs in .venv; nothing is installed outside this folder.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
PLAY_READY := .venv/.play-ready
# uv, where it works, installs in a fraction of the time; --no-config, since our constraint is no pinned version.
UV := $(shell command -v uv)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
install = $(if $(UV),$(UV) pip install --no-config --quiet --python $(BIN)/python $(1) 2>/dev/null ||) $(PIP) $(1)
COMPILE := uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate
BENCH_READY := .venv/.bench-ready
SITE_READY := .venv/.site-ready
# More workers than processors: tests of the server and of the pages often wait.
WORKERS := $(shell $(PYTHON) -c "import os; print(min(4, 1 + (os.cpu_count() or 1)))")
# Keep the bytecode of the tests, or every worker compiles it again.
unexport PYTHONDONTWRITEBYTECODE
PYTEST := $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist worksteal

.PHONY: help setup play paper test check bench proof gpu torture pictures docs site pages lock clean
.DEFAULT_GOAL := help

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# A new environment, unless there is one that works: with this Python or a newer one, and with pip.
define ENVIRONMENT
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || \
	  { echo "$$($(PYTHON) --version) is too old: Python 3.11 or newer is needed, for example: make play PYTHON=python3.12"; exit 1; }
	@$(BIN)/python -c "import sys, pip; sys.exit(sys.version_info < (3, 11))" 2>/dev/null || $(PYTHON) -m venv --clear .venv || \
	  { rm -rf .venv; echo "no environment in .venv: is the venv module of $(PYTHON) installed? (Debian: apt-get install python3-venv)"; exit 1; }
endef

$(PLAY_READY): play.lock
	$(ENVIRONMENT)
	@echo "Installing the game into .venv: about 130 MB to download, once; half a minute"
	@$(call install,--require-hashes -r play.lock)
	@touch $@

$(READY): requirements.lock pyproject.toml
	$(ENVIRONMENT)
	@echo "Installing everything into .venv: about 400 MB to download, once; a minute or two"
	@$(call install,--require-hashes -r requirements.lock)
	@$(call install,--no-deps --no-build-isolation --editable .)
	@touch $(PLAY_READY) $@

setup: $(READY) ## Prepare .venv

play: $(PLAY_READY) ## The game in the browser; Ctrl-C stops it
	@PYTHONPATH=src $(BIN)/python -m tentimes18 serve --open --no-access-log

paper: $(READY) ## The paper's numbers next to ours
	@$(BIN)/ten18 paper

test: $(READY) ## All tests
	@$(BIN)/python -m tools.browser
	$(PYTEST)

check: $(READY) ## ruff, mypy --strict, import-linter, the language of all texts, and the fast tests
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tools.prose
	@$(BIN)/python -m tools.browser
	$(PYTEST) -q -m "not slow"

$(BENCH_READY): $(READY) benchmarks/requirements.lock
	@$(call install,--require-hashes -r benchmarks/requirements.lock)
	@touch $@

proof: $(READY) ## The classic duel, solved and certified (minutes); writes docs/research/duel.md
	$(BIN)/python -m tools.proof
	$(BIN)/python -m tools.bot_chances

torture: $(READY) ## Stress tests of the server (an hour); writes docs/server/stress-tests.md
	$(BIN)/python -m tools.torture

bench: $(BENCH_READY) ## Benchmarks, with peers in the same run
	$(BIN)/python -m benchmarks

gpu: $(READY) ## On a machine with a GPU: agreement with the processor, and timings; writes docs/research/gpu.md
	TEN18_MEMORY=64G $(BIN)/python -m tools.gpu

pictures: $(READY) ## The pictures in README and docs
	@$(BIN)/python -m tools.browser
	$(BIN)/python -m tools.pictures
	$(BIN)/python -m tools.page_pictures

docs: $(READY) ## The output of every command shown in README and docs
	$(BIN)/python -m tools.console
	$(BIN)/python -m tools.command_pages
	$(BIN)/python -m tools.service_docs
	$(BIN)/python -m tools.peer_check
	$(BIN)/python -m tools.results

$(SITE_READY): $(READY) tools/site/requirements.lock
	@$(call install,--require-hashes -r tools/site/requirements.lock)
	@touch $@

site: $(SITE_READY) ## The documentation as a site, checked; `ten18 serve` shows it under /docs
	$(BIN)/python -m tools.site

pages: $(PLAY_READY) ## The game as plain files in ./pages, for any static host
	@PYTHONPATH=src $(BIN)/python -m tentimes18 export page pages

lock: ## Pin all versions again (needs uv)
	$(COMPILE) --extra assignment --extra cluster --extra plot --extra postgres --extra rl --extra web --group dev pyproject.toml -o requirements.lock
	$(COMPILE) -c requirements.lock --extra web pyproject.toml -o play.lock
	$(COMPILE) -c requirements.lock benchmarks/requirements.in -o benchmarks/requirements.lock
	$(COMPILE) -c requirements.lock benchmarks/learning/requirements.in -o benchmarks/learning/requirements.lock
	$(COMPILE) -c requirements.lock tools/site/requirements.in -o tools/site/requirements.lock

clean: ## Remove .venv, the site and caches
	rm -rf .venv site pages test-results .mypy_cache .pytest_cache .ruff_cache .hypothesis .schemathesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
