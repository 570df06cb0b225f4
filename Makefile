# Every target sets up what it needs, on a machine with Python 3.11 or newer and nothing else.
VENV ?= .venv
PYTHON ?= python3
BIN = $(VENV)/bin
READY = $(VENV)/.ready

.PHONY: demo test test-slow test-all checks lint types tests tests-all notebooks notebooks-renew contract site tables benchmark

demo: $(READY)  ## Trains a small agent on basic rummy, compares it with the baselines, draws the plots.
	$(BIN)/python -m training.fit basic --minutes 3 --evaluations 5 \
		--out runs/demo-$$(date +%Y%m%d-%H%M%S)

test: checks  ## What must pass before every commit.
	@$(MAKE) --no-print-directory tests

test-slow: $(READY)  ## Tests of whole programs: training, clusters, browsers, the documentation.
	$(BIN)/pytest -n auto --dist worksteal -m slow

test-all: checks  ## The same with all rule sets, longer play, and the notebooks.
	@$(MAKE) --no-print-directory notebooks tests-all

checks: $(READY)
	@$(MAKE) --no-print-directory --jobs=2 lint types contract

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

notebooks: $(READY)
	PYTHONPATH=$(CURDIR) $(BIN)/pytest --nbmake --nbmake-timeout=300 notebooks

notebooks-renew: $(READY)  ## The notebooks with their outputs, from the texts beside them.
	PYTHONPATH=$(CURDIR) $(BIN)/python notebooks/renew.py

contract: $(READY)  ## The checks of people who build on the public names, where they are at hand.
	if [ -f ../shared/check_contract.py ]; then $(BIN)/python ../shared/check_contract.py; fi

tests: $(READY)
	$(BIN)/pytest -n auto --dist worksteal -m "not slow"

tests-all: $(READY)
	$(BIN)/pytest -n auto --dist worksteal --all-rules

site: $(READY)  ## The documentation as pages, without network: build/site/index.html.
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet -c docs . build/site

tables: $(READY)  ## The tables of the documentation, worked out anew.
	$(BIN)/python -m docs.tables

benchmark: $(READY)
	$(BIN)/python -m benchmarks.throughput --out build/benchmark

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[train,ray,video,replay,play,notebooks,site,dev]"
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[peers]" \
		|| echo "OpenSpiel and RLCard cannot be installed here: tests against them are skipped"
	touch $(READY)
