# Every target sets up what it needs in .venv; nothing is installed outside this folder.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
PLAY_READY := .venv/.play-ready
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
COMPILE := uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate
BENCH_READY := .venv/.bench-ready
SITE_READY := .venv/.site-ready
# More workers than processors: tests of the server and of the pages often wait.
WORKERS := $(shell $(PYTHON) -c "import os; print(min(4, 2 + (os.cpu_count() or 1)))")
# Keep the bytecode of the tests, or every worker compiles it again.
unexport PYTHONDONTWRITEBYTECODE
PYTEST := $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist worksteal

.PHONY: help setup play paper test check bench proof gpu torture pictures docs site lock clean
.DEFAULT_GOAL := help

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(PLAY_READY): play.lock
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(INSTALL) --require-hashes -r play.lock
	@touch $@

$(READY): requirements.lock pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(INSTALL) --require-hashes -r requirements.lock
	$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $(PLAY_READY) $@

setup: $(READY) ## Prepare .venv

play: $(PLAY_READY) ## The game in the browser; Ctrl-C stops it
	@PYTHONPATH=src $(BIN)/python -m tentimes18 serve --open --no-access-log

paper: $(READY) ## The paper's numbers beside ours
	@$(BIN)/ten18 paper

test: $(READY) ## All tests
	@$(BIN)/python -m tools.browser
	$(PYTEST)

check: $(READY) ## ruff, mypy --strict, import-linter and the fast tests
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	@$(BIN)/python -m tools.browser
	$(PYTEST) -q -m "not slow"

$(BENCH_READY): $(READY) benchmarks/requirements.lock
	$(INSTALL) --require-hashes -r benchmarks/requirements.lock
	@touch $@

proof: $(READY) ## The classic duel, solved and certified (minutes); writes docs/duel.md
	$(BIN)/python -m tools.proof
	$(BIN)/python -m tools.bot_chances

torture: $(READY) ## What the service stands, class by class (an hour); writes docs/torture.md
	$(BIN)/python -m tools.torture

bench: $(BENCH_READY) ## The benchmarks, with the peers in the same run
	$(BIN)/python -m benchmarks

gpu: $(READY) ## On a machine with a GPU: agreement with the processor, and timings; writes docs/gpu.md
	$(BIN)/python -m tools.gpu

pictures: $(READY) ## The pictures in README and docs
	@$(BIN)/python -m tools.browser
	$(BIN)/python -m tools.pictures
	$(BIN)/python -m tools.page_pictures

docs: $(READY) ## The output of every command shown in README and docs
	$(BIN)/python -m tools.console
	$(BIN)/python -m tools.service_docs
	$(BIN)/python -m tools.peer_check
	$(BIN)/python -m tools.results

$(SITE_READY): $(READY) tools/site/requirements.lock
	$(INSTALL) --require-hashes -r tools/site/requirements.lock
	@touch $@

site: $(SITE_READY) ## The documentation as a site, checked; `ten18 serve` shows it under /docs
	$(BIN)/python -m tools.site

lock: ## Pin all versions again (needs uv)
	$(COMPILE) --extra assignment --extra cluster --extra dev --extra plot --extra rl --extra web pyproject.toml -o requirements.lock
	$(COMPILE) -c requirements.lock --extra web pyproject.toml -o play.lock
	$(COMPILE) -c requirements.lock benchmarks/requirements.in -o benchmarks/requirements.lock
	$(COMPILE) -c requirements.lock benchmarks/learning/requirements.in -o benchmarks/learning/requirements.lock
	$(COMPILE) -c requirements.lock tools/site/requirements.in -o tools/site/requirements.lock

clean: ## Remove .venv, the site and caches
	rm -rf .venv site test-results .mypy_cache .pytest_cache .ruff_cache .hypothesis .schemathesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
