# Everything a newcomer needs, on a machine with Python 3.11 or later, make and access to the package registries.
SHELL := /bin/sh
BIN := .venv/bin
SETUP := .venv/.set-up
JOBS ?= 2
export PYTHONDONTWRITEBYTECODE = # empty: otherwise each of hundreds of test processes would compile its imports

.DEFAULT_GOAL := help
.PHONY: help setup demo docs wheel test test-all browser spark proxies lint format bench models soak lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(SETUP) ## create the virtual environment in .venv, from the hashed lock

$(SETUP): requirements.lock pyproject.toml # the package was named himalaya before
	@python=$$(.ci/find-python) && \
	echo "himalaya: setting up .venv with $$($$python --version); the first time takes about a minute" && \
	{ [ -x $(BIN)/pip ] || "$$python" -m venv .venv; } && \
	$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock && \
	$(BIN)/python -m pip uninstall -qq --disable-pip-version-check --yes himalaya && \
	$(BIN)/python -m pip install -qq --disable-pip-version-check --no-index --no-deps --no-build-isolation --editable .
	@touch $@

demo: setup ## play 200 matches, load them and the samples, show them in the browser
	@$(BIN)/himalaya demo

docs: setup ## build the documentation, which `himalaya serve` shows at /docs, and run its examples
	@$(BIN)/sphinx-build -qW --keep-going -n -j auto -b html -d .cache/doctrees docs dashboards/documentation
	@$(BIN)/pytest -n $(JOBS) --dist worksteal -m "slow or not slow" tests/docs

wheel: docs ## build dist/himalaya_replay-….whl, with the documentation in it
	@$(BIN)/python -m hatchling build --target wheel

test: setup browser ## test what users rely on; make test ARGS="-k scoring" for some
	@TMPDIR=$$(.ci/scratch) $(BIN)/pytest -n $(JOBS) --dist worksteal $(ARGS)

test-all: setup browser ## the same and the slow tests, before a large change is finished
	@TMPDIR=$$(.ci/scratch) LOOKS=all HYPOTHESIS_PROFILE=all $(BIN)/pytest -n $(JOBS) --dist worksteal -m "not soak" $(ARGS)
	@.ci/lowest

browser: ## install a headless Chromium and Pango from Debian's packages if missing
	@.ci/find-debian

spark: setup ## install Spark, and a Java runtime if missing, to test `derive --on spark`
	@.ci/find-spark

proxies: ## install nginx and Caddy if missing, to test the recipes
	@.ci/find-proxies

lint: setup ## ruff, the import contracts, mypy, pyright, the types of the JavaScript, the prose
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/lint-imports --cache-dir .cache/import-linter --no-logo
	@$(BIN)/mypy
	@PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(BIN)/pyright
	@.ci/check-javascript
	@.ci/prose

format: setup ## format the code
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

bench: setup browser ## measure the figures of benchmarks/README.md on this machine
	@for name in play judge load scale readers scrub; do $(BIN)/python benchmarks/$$name.py || exit 1; done

models: setup ## play matches, fit the win-probability models and check them on other matches (a quarter of an hour)
	@$(BIN)/python benchmarks/models.py

soak: setup browser spark proxies ## the long tests: an ingest killed 200 times, a cluster, two thousand cases for each generated test
	@$(BIN)/pytest -n 0 --timeout=0 --log-cli-level=INFO -m soak $(ARGS) || [ $$? = 5 ] # no test selected
	@HYPOTHESIS_PROFILE=soak $(BIN)/pytest -n $(JOBS) --timeout=0 --hypothesis-show-statistics \
		-m "not browser and not soak" $(ARGS)

COMPILE := $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header \
	--no-annotate
ALL := --extra dev pyproject.toml

lock: setup ## resolve the newest versions into requirements.lock, the lowest into requirements-lowest.lock
	@$(BIN)/python -m pip install --quiet uv
	@$(COMPILE) $(ALL) --output-file requirements.lock
	@$(COMPILE) $(ALL) --resolution lowest-direct --output-file requirements-lowest.lock
	@echo 'pyspark>=4.3' | $(COMPILE) - --output-file requirements-spark.lock

clean: ## remove everything that these targets made, including the environment
	@rm -rf .venv .cache build dist dashboards/documentation .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
