# Everything a newcomer needs: `make demo`, `make test`. A bare Debian 12 with git, make, python3 and python3-venv
# is enough; what else is needed is installed into .venv, and again only when a lock or pyproject.toml has changed.
#
# Installed are the versions of the locks, each file checked by its hash, on any Python that pyproject.toml allows.
# `LOCKED=no`, on a fresh .venv, takes the newest versions within the ranges of pyproject.toml instead.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
PLAYERS ?=
WORKERS ?= auto
LOCKED ?= yes

# Tests start many processes: compiled modules are kept, whatever the surroundings say.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo play check test samples soak month year bench arena waits understood gallery measure house language lint lock matrix release clean

help:  ## what there is to make
	@sed -n 's/^\([a-z]*\):.*  ## /\1: /p' $(MAKEFILE_LIST)

$(VENV)/installed: pyproject.toml requirements-demo.lock requirements-build.lock
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
ifeq ($(LOCKED),yes)
	$(PIP) install --require-hashes --requirement requirements-demo.lock --requirement requirements-build.lock
	$(PIP) install --no-deps --no-build-isolation --editable .
else
	$(PIP) install --upgrade --upgrade-strategy eager --editable '.[demo]'
endif
	touch $@

$(VENV)/installed-dev: pyproject.toml requirements-dev.lock requirements-build.lock
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
ifeq ($(LOCKED),yes)
	$(PIP) install --require-hashes --requirement requirements-dev.lock --requirement requirements-build.lock
	$(PIP) install --no-deps --no-build-isolation --editable .
else
	$(PIP) install --upgrade --upgrade-strategy eager --editable '.[dev]'
endif
	touch $(VENV)/installed $@

demo: $(VENV)/installed  ## a whole game by real mail on this machine (PLAYERS=2, 3 or 4; ARGS='--seat me' or '--solo')
	$(BIN)/pbem demo $(if $(PLAYERS),--players $(PLAYERS)) $(ARGS)

play: $(VENV)/installed  ## a game for you against two computers, in the terminal or any mail program (ARGS='--game troyes-dice')
	@$(BIN)/pbem play $(ARGS)

# What fails soonest and runs in seconds; TESTS names the folder or file of what you change.
TESTS ?= tests/kit tests/reading $(wildcard tests/test_*.py)

check: lint  ## ruff, mypy and the fast tests, within a minute (TESTS=tests/troyes for others)
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder $(TESTS) $(ARGS)

test: $(VENV)/installed-dev  ## all tests with seeded samples, on all cores (ARGS='-k name', WORKERS=1)
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder $(ARGS)

soak: $(VENV)/installed-dev  ## the full numbers: whole games, kills, hostile letters; long
	$(BIN)/python -m pytest -m soak -s $(ARGS)

month: $(VENV)/installed-dev  ## a simulated month of tables, and the promises it keeps (ARGS='--seed 2 --json')
	$(BIN)/python -m tests.month $(ARGS)

year: $(VENV)/installed-dev  ## a simulated year of one host, and how much room it takes (ARGS='--tables 20 --months 2 --json')
	$(BIN)/python -m tests.year $(ARGS)

bench: $(VENV)/installed-dev  ## figures and ratios
	$(BIN)/python -m tests.bench $(ARGS)

arena: $(VENV)/installed-dev  ## how good the computers are: rows like README's, in an hour on two quiet cores (ARGS='--share 0.1')
	@$(BIN)/python -m tests.tools.strength $(ARGS)

waits: $(VENV)/installed-dev  ## how often tables wait, with and without standing orders (ARGS='troyes-3 --games 6', ARGS=--json)
	@$(BIN)/python -m tests.tools.waits $(ARGS)

understood: $(VENV)/installed-dev  ## how much of what people write is read (ARGS=--red names what is not, ARGS=--json)
	@$(BIN)/python -m tests.understood $(ARGS)

lint: $(VENV)/installed-dev  ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/mypy

# The versions of a lock are kept where they still fit; ARGS=--upgrade looks for newer ones.
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-emit-find-links --custom-compile-command 'make lock' $(ARGS)

lock: $(VENV)/installed-dev  ## the locks anew: requirements*.lock, with the hash of every file
	$(COMPILE) --extra dev pyproject.toml --output-file requirements-dev.lock
	$(COMPILE) --constraint requirements-dev.lock pyproject.toml --output-file requirements.lock
	$(COMPILE) --constraint requirements-dev.lock --extra demo pyproject.toml --output-file requirements-demo.lock
	$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' \
	| $(COMPILE) --constraint requirements-dev.lock - --output-file requirements-build.lock

matrix: $(VENV)/installed-dev  ## demo and server tests on Debian 12, 13 and testing, as root with mmdebstrap (ARGS=trixie)
	$(BIN)/python -m tests.tools.matrix $(ARGS)

release: $(VENV)/installed-dev  ## check, date the change log, tag and build (VERSION=0.2.0)
	$(BIN)/python -m tests.tools.release $(VERSION)

samples: $(VENV)/installed  ## play the recorded games of games/samples anew
	$(call sample,troyes-3,--players 3)
	$(call sample,troyes-ladies-3,--players 3 --ladies all)
	$(call sample,troyes-solo,--solo)
	$(call sample,troyes-dice-3,--game troyes-dice --players 3)

define sample
	work=$$(mktemp -d) && $(BIN)/pbem demo $(2) --seed 1 --dir $$work/game >/dev/null 2>&1 \
	&& game=$$(ls $$work/game/games | grep -v ^_) \
	&& $(BIN)/pbem --store $$work/game/games export $$game --view full --output games/samples/$(1).json; rm -rf $$work
endef

gallery: $(VENV)/installed-dev  ## a picture of every kind of mail into build/gallery, by Chromium (ARGS='solo dice')
	$(BIN)/python -m tests.tools.gallery build/gallery $(ARGS)

measure: $(VENV)/installed-dev  ## words, lines and bytes of the mails of whole games (ARGS='solo --games 3')
	$(BIN)/python -m tests.tools.measure_mails $(ARGS)

# The word after `language` is the language, not something to make.
ifeq ($(firstword $(MAKECMDGOALS)),language)
LANGUAGE := $(word 2,$(MAKECMDGOALS))
$(eval $(LANGUAGE):;@:)
endif

language: $(VENV)/installed-dev  ## a catalogue brought up to the program and compiled, and what is missing in it (make language fr)
	@$(BIN)/python -m tests.tools.language $(or $(LANGUAGE),fr)

house: $(VENV)/installed-dev  ## the measures of the house, and which of them hold
	$(BIN)/python -m tests.house

clean:  ## throw the environment and what was built away
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache
