# Everything you do with Prorata from a checkout. `make` alone lists it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PEERS := $(VENV)/peers
PIP := $(PYTHON) -m pip --python $(BIN)/python --disable-pip-version-check --quiet
# The program that builds packages lies beside what the product needs, not among it.
BUILDER := PYTHONPATH=$(CURDIR)/$(VENV)/build
# What `make test` and `make check` run, and in how many processes: more than two cores, as many tests wait for others,
# and most do of those that only `make check` runs.
TESTS ?=
AT_ONCE ?= $(if $(filter check,$(MAKECMDGOALS)),4,3)
# BEHIND=test leaves out of `make check` the tests that `make test` has just run, as `.ci/run` does.
BEHIND ?=
# What `make bench` measures (benchmarks/README.md): ONLY="sqlite one reads", SCALE=0.1 ROUNDS=3 SECONDS=2.
ONLY ?=
SCALE ?= 1
ROUNDS ?= 5
SECONDS ?= 2
# AGAIN=1 measures what ONLY names again for the last whole run, where others disturbed it; both figures are kept.
AGAIN ?=

# What is compiled once need not be compiled by every run, whatever an image's settings say.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup ocr demo test domain check bench scale format soak openapi clients messages release lock clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/run.stamp ## install what the product needs into .venv; the command is then .venv/bin/prorata

ocr: $(VENV)/ocr.stamp ## install what reads scans and photos too

demo: PORT ?= 8000
demo: $(VENV)/run.stamp ## serve a demo account with a year of data on http://127.0.0.1:8000 (or PORT=9000)
	@$(BIN)/prorata demo --port $(PORT)

test: $(VENV)/dev.stamp ## run the tests, but for what only `make check` does: the longest, and most on PostgreSQL
	@PRORATA_QUICK=1 $(BIN)/pytest -n $(AT_ONCE) --dist worksteal $(TESTS)

domain: $(VENV)/domain.stamp ## the tests of the domain alone, with little installed (PYTHON=python3.13 VENV=.venv/3.13)
	@PRORATA_QUICK=1 $(BIN)/python -m pytest -n $(AT_ONCE) --dist worksteal tests/domain

check: $(VENV)/dev.stamp ## format, lint, types, import contracts, then the tests with the house rules among them
	@echo "== format"
	@$(BIN)/ruff format --check
	@echo "== lint"
	@$(BIN)/ruff check
	@echo "== types"
	@$(BIN)/mypy
	@echo "== import contracts"
	@$(BIN)/lint-imports --no-logo --no-cache --config .importlinter
	@echo "== tests, on SQLite and PostgreSQL$(if $(BEHIND), that make $(BEHIND) has not run)"
	@PRORATA_BEHIND=$(BEHIND) $(BIN)/pytest -n $(AT_ONCE) --dist worksteal $(TESTS)

bench: $(VENV)/run.stamp $(VENV)/peers.stamp ## measure against what others would build (40 min.; ONLY="sqlite reads" SCALE=0.1 less)
	@$(BIN)/python -m benchmarks --only "$(ONLY)" --scale $(SCALE) --rounds $(ROUNDS) --seconds $(SECONDS) $(if $(AGAIN),--again)

scale: SIZE ?= 1000000
scale: $(VENV)/run.stamp ## a million units, two processes behind nginx (15 min.; SIZE=20000 less)
	@$(BIN)/python -m benchmarks.scale --size $(SIZE)

format: $(VENV)/dev.stamp ## put the code into its one format, and mend what ruff can
	@$(BIN)/ruff format
	@$(BIN)/ruff check --fix

openapi: $(VENV)/run.stamp ## write docs/openapi.json again after a change of the API
	@$(BIN)/python -c 'from prorata.web.api import OPERATIONS; from prorata.web.http.described.openapi import written; \
		said = written(OPERATIONS); open("docs/openapi.json", "w", encoding="utf-8").write(said)'

clients: $(VENV)/run.stamp ## make the Python client and, with npm, the TypeScript client: packages in clients/dist
	@mkdir -p clients/dist
	@$(BIN)/python -m clients.generate
	@$(BUILDER) $(BIN)/python -c 'import os; os.chdir("clients/python"); import sys; sys.path.insert(0, "."); import build_backend; \
		print("clients/dist/" + build_backend.build_wheel("../dist"))'
	@if command -v npm >/dev/null; then cd clients/typescript && npm install --silent --no-package-lock && npm run --silent build && \
		npm pack --silent --pack-destination ../dist | sed s,^,clients/dist/,; else echo "npm is not here: clients/typescript is not built"; fi

messages: LANGUAGES ?= $(filter-out en_GB,$(basename $(notdir $(wildcard prorata/web/dashboard/catalogs/*.po))))
messages: $(VENV)/run.stamp ## find the texts of pages again for their catalogs (LANGUAGES="de es fr" begins those)
	@$(BIN)/pybabel -q extract -F pyproject.toml --no-default-keywords -k say -k say_n:1,2 -k _ -k _n:1,2 \
		--omit-header --no-location --sort-output -o $(VENV)/messages.pot prorata
	@for l in $(LANGUAGES); do touch prorata/web/dashboard/catalogs/$$l.po && $(BIN)/pybabel -q update -i $(VENV)/messages.pot \
		-o prorata/web/dashboard/catalogs/$$l.po -l $$l --no-fuzzy-matching --ignore-obsolete --omit-header --no-wrap || exit 1; done

soak: $(VENV)/dev.stamp ## the tests that take minutes, many more examples for each property, and faults of the money core
	@PRORATA_SOAK=1 $(BIN)/pytest -m soak --timeout 0
	@$(BIN)/python -m tests.mutation

release: ## check a clean checkout of the last commit, and build, install and hash its packages (25 min.; into dist)
	@.ci/release

$(VENV)/run.stamp: requirements/run.txt requirements/build.txt pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv --without-pip $(VENV)
	@echo "installing what Prorata needs into $(VENV)"
	@$(PIP) install --require-hashes -r requirements/run.txt
	@$(BIN)/python -m compileall -q prorata
	@$(PIP) install --require-hashes --upgrade --target $(VENV)/build -r requirements/build.txt
	@$(BUILDER) $(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

# Without what the packages ask for: all of it is named, and OpenCV in the build that needs no screen.
$(VENV)/ocr.stamp: requirements/ocr.txt $(VENV)/run.stamp
	@echo "installing what reads scans and photos into $(VENV)"
	@$(PIP) install --require-hashes --no-deps -r requirements/ocr.txt
	@touch $@

$(VENV)/dev.stamp: requirements/dev.txt $(VENV)/run.stamp
	@echo "installing what the tests need into $(VENV)"
	@$(PIP) install --require-hashes -r requirements/dev.txt
	@touch $@

$(VENV)/domain.stamp: requirements/domain.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv --without-pip $(VENV)
	@echo "installing what the tests of the domain need into $(VENV)"
	@$(PIP) install --require-hashes -r requirements/domain.txt
	@touch $@

$(VENV)/peers.stamp: requirements/bench.txt
	@test -x $(PEERS)/bin/python || $(PYTHON) -m venv --without-pip $(PEERS)
	@echo "installing what Prorata is measured against into $(PEERS)"
	@$(PYTHON) -m pip --python $(PEERS)/bin/python --disable-pip-version-check --quiet install \
		--require-hashes -r requirements/bench.txt
	@touch $@

lock: ## pin the requirement files again (needs uv)
	@for f in run build ocr dev domain bench generators; do uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate --no-emit-index-url requirements/$$f.in -o requirements/$$f.txt; done

clean: ## remove what the commands above made, but no data
	@rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
