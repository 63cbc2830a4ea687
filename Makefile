# Set-up and main job in one command, set-up and tests in another:
#
#   make figures/fig9.pdf              build a figure (SCALE=smoke|laptop|paper, CORES=N)
#   make figures                       build them all
#   make claims                        test every claim of the paper, building what that needs
#   make results/laptop/scores/...     build any other file
#   make test                          lint, format, types and all tests
#   make check                         lint, format, types and unit tests, for those who develop
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
#   make diagnose FILE=mine.npz        which latents of a representation of yours are passive
#   make gpu-check                     is this machine's GPU fit for paper scale?
#   make lock                          resolve envs/requirements.in anew
#
# why, plan, watch, audit, pack, unpack, verify and diagnose are commands of `latents`, which is
# installed into .venv: source .venv/bin/activate, then latents --help tells more.

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
# Of this clone, whichever one was installed.
LATENTS := $(BIN)/python -m latents.commands

# What the user names reaches recipes through the environment, where neither make nor the shell
# reads anything into it.
GIVEN := SCALE CORES TARGET FILE SAMPLE SEED TORCH_INDEX
$(foreach name,$(GIVEN),$(eval override $(name) := $$(value $(name))))
export $(GIVEN)
CONFIG = $(if $(SCALE),--config "scale=$$SCALE")

.PHONY: help figures claims test check lint why plan watch audit pack unpack verify diagnose browser-deps \
  cluster-plugin cluster-deps gpu-check lock clean FORCE

help:
	@sed -n '/^#   make/s/^#   //p' Makefile

# Snakemake says itself what is wrong with a lock that could not be cleared.
define BUILD
@$(LATENTS) unlock 2> /dev/null || true
@$(BIN)/snakemake --cores "$$CORES" "$$GOAL" $(CONFIG)
@$(LATENTS) show "$$GOAL"
endef

# Snakemake decides what is up to date; an existing file never keeps it from being asked.
figures/%: export GOAL = $@
figures/%: $(READY) FORCE
	$(BUILD)

results/%: export GOAL = $@
results/%: $(READY) FORCE
	$(BUILD)

# Every figure of the papers; plain targets, so that Snakemake plans them together.
figures: $(READY)
	@$(LATENTS) unlock 2> /dev/null || true
	@$(BIN)/snakemake --cores "$$CORES" all $(CONFIG)

claims: figures/claims.pdf

# Snakemake's own report; nothing is built for it.
report.html report.zip: $(READY) FORCE
	@$(BIN)/snakemake built --report $@ $(CONFIG)

why: $(READY)
	@$(LATENTS) why "$$TARGET" $(CONFIG)

plan: $(READY)
	@$(LATENTS) plan "$$TARGET" $(CONFIG)

watch: $(READY)
	@$(LATENTS) watch

audit: $(READY)
	@$(LATENTS) audit "$$TARGET" --html results/audit.html

pack: $(READY)
	@$(LATENTS) pack "$$TARGET" $(if $(FILE),"$$FILE")

unpack: $(READY)
	@$(LATENTS) unpack $(if $(FILE),"$$FILE")

verify: $(READY)
	@$(LATENTS) verify "$$TARGET" --cores "$$CORES" \
	  $(if $(SAMPLE),--sample "$$SAMPLE") $(if $(SEED),--seed "$$SEED")

diagnose: $(READY)
	@$(LATENTS) diagnose --cores "$$CORES" $(CONFIG) $(if $(FILE),-- "$$FILE")

test: $(READY) lint
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder

check: $(READY) lint
	$(BIN)/python -m pytest tests/unit -m "not slow" --numprocesses 2 --dist loadfile

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check --compact-diff Snakefile rules
	$(BIN)/mypy
	$(BIN)/snakemake --lint

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
	@$(BIN)/python -m pip install --quiet $(if $(TORCH_INDEX),--index-url "$$TORCH_INDEX") $(TORCH)
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

gpu-check: $(READY)
	@$(BIN)/python benchmarks/gpu_check.py

lock: $(READY)
	$(BIN)/python -m pip install --quiet pip-tools
	$(BIN)/python envs/lock.py

clean:
	rm -rf $(VENV) .venv-crate .snakemake

FORCE:
