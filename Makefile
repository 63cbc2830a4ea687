# Set-up and main job in one command, set-up and tests in another:
#
#   make figures/fig9.pdf              build a figure (SCALE=smoke|laptop|paper, CORES=N)
#   make figures                       build them all
#   make claims                        test every claim of the paper, building what that needs
#   make results/laptop/scores/...     build any other file
#   make test                          lint, format, types and all tests
#   make why TARGET=figures/fig9.pdf   what would run, why, and what it would cost
#   make plan SCALE=paper TARGET=all   jobs, hours and disk by stage, and what is done already
#   make watch                         how far a running workflow is (also from another machine)
#   make audit TARGET=figures/fig9.pdf what it was made from and whether that still holds, as a page too
#   make browser-deps                  install the browser of the tests (Debian, as root)
#   make pack TARGET=figures/fig9.pdf  what is built, for another clone (FILE=fig9.pack.zip)
#   make unpack FILE=fig9.pack.zip     take a pack in, checked
#   make verify TARGET=…               make it again elsewhere and compare (SAMPLE=1: one job a step)
#   make report.html                   all that is built, with captions, verdicts and an audit (or report.zip)
#   make cluster-plugin                install what profiles/slurm and generic need into .venv
#   make cluster-deps                  install that and Slurm itself, for tests (Debian, as root)
#   make report FILE=mine.npz          which latents of a representation of yours are passive
#   make crate-check                   is figures/fig9.crate.zip (or FILE=…) a valid RO-Crate?
#   make gpu-check                     is this machine's GPU fit for paper scale?
#   make lock                          resolve envs/requirements.in anew

PYTHON ?= python3
SCALE ?=
CORES ?= all
TARGET ?= figures/fig9.pdf
# Where pip finds PyTorch; empty is pip's own choice. See README.md, "Installing PyTorch".
TORCH_INDEX ?=

VENV := .venv
BIN := $(VENV)/bin
LOCK := envs/requirements.lock
# Named after the lock's content: a touched file installs nothing, a changed lock does.
READY := $(VENV)/ready-$(shell cksum < $(LOCK) | cut -d ' ' -f 1)
TORCH := $(shell grep '^torch==' $(LOCK))
CONFIG := $(if $(SCALE),--config scale=$(SCALE))

.PHONY: help figures claims test lint why plan watch audit pack unpack verify report browser-deps \
  cluster-plugin cluster-deps crate-check gpu-check lock clean FORCE

help:
	@sed -n '/^#   make/s/^#   //p' Makefile

define BUILD
@$(BIN)/python scripts/clear_lock.py
@$(BIN)/snakemake --cores $(CORES) $@ $(CONFIG)
@$(BIN)/python scripts/show_result.py $@
endef

# Snakemake decides what is up to date; an existing file never keeps it from being asked.
figures/%: $(READY) FORCE
	$(BUILD)

results/%: $(READY) FORCE
	$(BUILD)

# Every figure of the papers; plain targets, so that Snakemake plans them together.
figures: $(READY)
	@$(BIN)/python scripts/clear_lock.py
	@$(BIN)/snakemake --cores $(CORES) all $(CONFIG)

claims: figures/claims.pdf

# Snakemake's own report; nothing is built for it.
report.html report.zip: $(READY) FORCE
	@$(BIN)/snakemake built --report $@ $(CONFIG)

why: $(READY)
	@$(BIN)/python scripts/why.py $(TARGET) $(CONFIG)

plan: $(READY)
	@$(BIN)/python scripts/plan.py $(TARGET) $(CONFIG)

watch: $(READY)
	@$(BIN)/python scripts/watch.py

audit: $(READY)
	@$(BIN)/python scripts/audit.py $(TARGET) --html results/audit.html

pack: $(READY)
	@$(BIN)/python scripts/pack.py $(TARGET) $(FILE)

unpack: $(READY)
	@test -n "$(FILE)" || { echo "Name a pack: make unpack FILE=fig9.pack.zip"; exit 1; }
	@$(BIN)/python scripts/clear_lock.py
	@$(BIN)/python scripts/unpack.py "$(FILE)"

verify: $(READY)
	@$(BIN)/python scripts/verify.py $(TARGET) --cores $(CORES) \
	  $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed $(SEED))

# A representation made elsewhere; its name is the file's.
NAME := $(basename $(notdir $(FILE)))
report: $(READY)
	@test -n "$(FILE)" || { echo "Name a file: make report FILE=mine.npz"; exit 1; }
	@$(BIN)/python scripts/clear_lock.py
	@$(BIN)/snakemake --cores $(CORES) --config 'representations={"$(NAME)": "$(FILE)"}' \
	  --quiet progress rules -- results/own/$(NAME)/report.csv
	@cat results/own/$(NAME)/advice.txt
	@echo "Scores, types and heat map are in results/own/$(NAME)/"

test: $(READY) lint
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check --compact-diff Snakefile rules
	$(BIN)/mypy

# Tests of pages are skipped without it.
browser-deps:
	apt-get update
	apt-get install --yes --no-install-recommends chromium chromium-driver

# Not in the lock, because every start of Snakemake takes a third longer with it. All that it needs
# is in the lock.
cluster-plugin: $(READY)
	$(BIN)/python -m pip install --quiet --no-deps \
	  snakemake-executor-plugin-slurm==2.8.0 snakemake-executor-plugin-slurm-jobstep==0.6.1 \
	  snakemake-executor-plugin-cluster-generic==1.0.9

# Tests of clusters are skipped without it. Nothing of it is started here.
cluster-deps: cluster-plugin
	apt-get update
	apt-get install --yes --no-install-recommends \
	  slurmctld slurmd slurm-client munge slurm-wlm-basic-plugins

# The lock without torch is installed with hashes; torch comes alone, in the build that fits.
$(READY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed")'
	@echo "Setting up $(VENV): $$(grep -c == $(LOCK)) packages, a minute or two, this once"
	@$(PYTHON) -m venv $(VENV)
	@grep -v '^torch==' $(LOCK) > $(VENV)/hashed.txt
	@$(BIN)/python -m pip install --quiet --no-deps --require-hashes -r $(VENV)/hashed.txt
	@$(BIN)/python -m pip install --quiet $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) $(TORCH)
	@touch $@

# An environment of its own, because the validator needs older packages than we do.
CRATE := $(or $(FILE),figures/fig9.crate.zip)
crate-check: .venv-crate/ready
	@test -f "$(CRATE)" || { echo "No $(CRATE) is here: snakemake --cores 1 $(CRATE)"; exit 1; }
	@.venv-crate/bin/python scripts/check_crate.py "$(CRATE)"

.venv-crate/ready:
	@$(PYTHON) -m venv .venv-crate
	@.venv-crate/bin/python -m pip install --quiet roc-validator==0.13.0
	@.venv-crate/bin/python -m pip install --quiet --no-deps rocrate==0.13.0
	@touch $@

gpu-check: $(READY)
	@$(BIN)/python benchmarks/gpu_check.py

lock: $(READY)
	$(BIN)/python -m pip install --quiet pip-tools
	$(BIN)/python envs/lock.py

clean:
	rm -rf $(VENV) .venv-crate .snakemake

FORCE:
