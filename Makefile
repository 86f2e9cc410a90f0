# `make help` lists what there is. Everything lives in .venv; nothing needs root.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ROBOTO := $(BIN)/python -m sim.entry
PYTEST := $(BIN)/python -m pytest -q -n 2 --dist loadfile
# The locks are complete, so pip adds nothing that they do not name.
HASHED := -q --disable-pip-version-check --require-hashes --no-deps

.DEFAULT_GOAL := help
.PHONY: help sim demo quick test lint bench voice image flash doctor hil hardware table print site release lock clean

help: ## this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(BIN)/.run: requirements.lock
	@echo "setting up $(VENV) (once, about a minute)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=python3.11 …"; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install $(HASHED) -r requirements.lock
	@echo "$(CURDIR)" > "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/roboto.pth"
	@printf '#!/bin/sh\nexec "%s/python" -m sim.entry "$$@"\n' "$(CURDIR)/$(BIN)" > $(BIN)/roboto
	@chmod +x $(BIN)/roboto
	@touch $@

$(BIN)/.test: $(BIN)/.run requirements-test.lock
	@echo "adding what the tests need (once, about a minute)"
	@$(BIN)/python -m pip install $(HASHED) -r requirements-test.lock
	@touch $@

sim: $(BIN)/.run ## play with the robot in the browser
	$(BIN)/python -m sim play

demo: $(BIN)/.run ## a party of four, as a transcript and a WAV
	@mkdir -p build
	$(BIN)/python -m sim run sim/demo/party.toml --wav build/party.wav

table: $(BIN)/.run ## a hundred games of cards around the robot, and a report
	$(BIN)/python -m sim table --games 100

quick: $(BIN)/.voices ## lint, types and the fast tests, in under two minutes
	$(PYTEST) --tier quick --dist worksteal $(ARGS)

test: $(BIN)/.voices ## all tests, the quick ones first; REQUIRE=all makes a skip a failure
	$(PYTEST) --tier quick --dist worksteal $(ARGS)
	$(PYTEST) --tier rest $(if $(filter all,$(REQUIRE)),--device emulator) $(ARGS)

.PHONY: $(BIN)/.voices
$(BIN)/.voices: $(BIN)/.test
	@$(BIN)/python -c 'from host_tools.voice import ensure_pack; ensure_pack("es"); ensure_pack("en")'

lint: $(BIN)/.test ## ruff and pyright
	$(BIN)/python -m pytest tests/test_style.py

bench: $(BIN)/.test ## figures: speed, cycles, latency
	@for bench in tests/bench/bench_*.py; do echo "== $$bench"; $(BIN)/python $$bench || exit 1; done

voice: $(BIN)/.run ## build the voice packs: make voice LANGS="es en"
	$(ROBOTO) voice build $(foreach lang,$(or $(LANGS),es en),--lang $(lang))

image: $(BIN)/.run ## one UF2 for a bare Pico: make image LANGS="es"
	$(ROBOTO) image $(foreach lang,$(or $(LANGS),es),--lang $(lang)) -o build/roboto.uf2

flash: $(BIN)/.run ## onto a board that runs MicroPython, only what changed
	$(ROBOTO) flash $(ARGS)

doctor: $(BIN)/.run ## checks a built robot, part by part
	$(ROBOTO) doctor $(ARGS)

hil: $(BIN)/.test ## tests on a board: make hil DEVICE=auto
	$(BIN)/python -m pytest tests/hil --device $(or $(DEVICE),auto) $(ARGS)

hardware: $(BIN)/.test ## regenerate wiring, board and body
	$(BIN)/python -m hardware.build

print: $(BIN)/.run ## leaflet, House Rule cards and stickers, into build/print/: make print ARGS="--lang es"
	$(BIN)/python -m sim print $(ARGS)

site: $(BIN)/.run ## the robot as static files, for any host, into build/site/: make site ARGS="--lang es"
	$(BIN)/python -m sim.site.build $(ARGS)

release: $(BIN)/.test ## all that is given away, into dist/: make release MICROPYTHON=FOLDER
	$(BIN)/python -m host_tools.release $(if $(MICROPYTHON),--micropython "$(MICROPYTHON)") $(ARGS)
	$(BIN)/python -m sim.site.build --release dist

lock: ## write the locks anew from pyproject.toml
	$(PYTHON) tests/lock.py

clean: ## forget everything that was built
	rm -rf $(VENV) build .pytest_cache .ruff_cache .hypothesis
