# Everything a newcomer needs: `make demo`, `make test`. A bare Debian 12 with git, make, python3 and python3-venv
# is enough; what else is needed is installed into .venv, and again only when pyproject.toml has changed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PLAYERS ?=

.DEFAULT_GOAL := help
.PHONY: help demo test soak bench lint clean

help:  ## what there is to make
	@sed -n 's/^\([a-z]*\):.*  ## /\1: /p' $(MAKEFILE_LIST)

$(VENV)/installed: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/installed-dev: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $(VENV)/installed $@

demo: $(VENV)/installed  ## a whole game by real mail on this machine (PLAYERS=2, 3 or 4; ARGS='--seat me' or '--solo')
	$(BIN)/pbem demo $(if $(PLAYERS),--players $(PLAYERS)) $(ARGS)

test: $(VENV)/installed-dev  ## all tests with seeded samples (ARGS='-k name')
	$(BIN)/python -m pytest $(ARGS)

soak: $(VENV)/installed-dev  ## the full numbers: whole games, kills, hostile letters; long
	$(BIN)/python -m pytest -m soak -s $(ARGS)

bench: $(VENV)/installed-dev  ## figures and ratios
	$(BIN)/python -m tests.bench $(ARGS)

lint: $(VENV)/installed-dev  ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/mypy

clean:  ## throw the environment and what was built away
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache
