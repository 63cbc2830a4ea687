# Set-up and main job in one command, set-up and tests in another:
#
#   make figures/fig9.pdf              build a figure (SCALE=smoke|laptop|paper, CORES=N)
#   make results/laptop/scores/...     build any other file
#   make test                          lint, format, types and all tests
#   make why TARGET=figures/fig9.pdf   what would run, why, and what it would cost
#   make lock                          resolve envs/requirements.in anew

PYTHON ?= python3
SCALE ?=
CORES ?= all
TARGET ?= figures/fig9.pdf
# Where pip finds PyTorch; empty is pip's own choice. See README.md, "Installing PyTorch".
TORCH_INDEX ?=

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
LOCK := envs/requirements.lock
TORCH := $(shell grep '^torch==' $(LOCK))
CONFIG := $(if $(SCALE),--config scale=$(SCALE))

.PHONY: help test lint why lock clean FORCE

help:
	@sed -n '/^#   make/s/^#   //p' Makefile

figures/% results/%: $(READY) FORCE
	@$(BIN)/python scripts/clear_lock.py
	@$(BIN)/snakemake --cores $(CORES) $@ $(CONFIG)
	@$(BIN)/python scripts/show_result.py $@

why: $(READY)
	@$(BIN)/python scripts/why.py $(TARGET) $(CONFIG)

test: $(READY) lint
	$(BIN)/python -m pytest

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check --compact-diff Snakefile rules
	$(BIN)/mypy

# The lock without torch is installed with hashes; torch comes alone, in the build that fits.
$(READY): $(LOCK)
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed")'
	$(PYTHON) -m venv $(VENV)
	grep -v '^torch==' $(LOCK) > $(VENV)/hashed.txt
	$(BIN)/python -m pip install --quiet --no-deps --require-hashes -r $(VENV)/hashed.txt
	$(BIN)/python -m pip install --quiet $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) $(TORCH)
	touch $@

lock: $(READY)
	$(BIN)/python -m pip install --quiet pip-tools
	$(BIN)/python envs/lock.py

clean:
	rm -rf $(VENV) .snakemake

FORCE:
