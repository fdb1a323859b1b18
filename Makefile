# Two commands on a fresh machine: `make demo` and `make test`. Each builds .venv by itself.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
# Empty: the tests start many interpreters, so bytecode is kept for them.
export PYTHONDONTWRITEBYTECODE =

.PHONY: help demo test check docs browser fuzz coverage mutants bench schemas install wheels lock sbom clean
help:            ## say what there is
	@grep -E '^[a-z]+: .*##|^[a-z]+:  *##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $(READY)

install: $(READY) ## build .venv with everything the tests and the demo need
	@echo "pathveil is in $(BIN)/pathveil"

demo: $(READY)    ## the paper's running example, end to end
	@$(BIN)/pathveil demo

test: $(READY)    ## all tests
	$(BIN)/python -m pytest -n 3 --dist worksteal

check: $(READY)   ## lint, format, types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

coverage: $(READY) ## branch coverage of all tests, room by room; below cli/ at least 95 %
	$(BIN)/python -m pytest -n 2 --dist worksteal --cov=pathveil --cov-branch --cov-report=term:skip-covered
	$(BIN)/coverage report --skip-covered --omit='*/cli/*,*/layering/kernels/*' --fail-under=95

mutants: $(READY) ## what the tests are worth: sixty random mutations, and how many are caught
	$(BIN)/python -m tests.mutation

cases:           ## what was once wrong and is shown right, by test module
	@grep -ro 'mark.regression(".*")' tests --include=*.py | sed -E 's/mark.regression\("(.*)"\)/ \1/'

fuzz: $(READY)    ## spoil files of every kind for ten minutes, and read them; then ten megabytes in each place
	$(BIN)/python -m tests.fuzzing --minutes 10
	$(BIN)/python -m tests.fuzzing.bombs all

docs: $(READY)    ## the site, in docs/_build/html; warnings are errors
	$(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt -e '.[docs]'
	$(BIN)/python -m docs.generated
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html

bench: $(READY)   ## speed, as ratios against the limit or the peer, in one run
	$(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt -e '.[bench]'
	$(BIN)/python -m benchmarks

schemas: $(READY) ## write the generated JSON Schemas again, after a change of shape
	$(BIN)/python -c "from pathveil.files.publications import veil_schema as s; \
	  s.SCHEMA_PATH.write_text(s.schema_text(), encoding='utf-8'); \
	  s.GROUPS_SCHEMA_PATH.write_text(s.groups_schema_text(), encoding='utf-8')"

wheels: $(READY)  ## build wheel and sdist, install each in clean environments for all interpreters there are, try them
	$(BIN)/python -m tests.installing

lock: $(READY)    ## write uv.lock, the one truth about versions (with hashes), and constraints.txt from it
	$(BIN)/python -m pip install -qq --disable-pip-version-check uv
	$(BIN)/uv lock
	$(BIN)/uv export -q --all-extras --no-hashes --no-annotate --no-header --no-emit-project -o constraints.txt

sbom: $(READY)    ## a bill of materials of what is installed, as CycloneDX JSON
	$(BIN)/python -m pip install -qq --disable-pip-version-check cyclonedx-bom
	$(BIN)/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible -o sbom.cdx.json $(BIN)/python

browser:         ## install Chromium (Debian, Ubuntu), in which the studio is tested; without it these tests are skipped
	apt-get install -y --no-install-recommends chromium

clean:           ## remove .venv and caches
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
