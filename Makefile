# `make serve` and `make test` set up all they need on a machine with Python 3.11 or newer and make.
PYTHON ?= python3
BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help serve test try e2e page bench bench-short chaos chaos-short hostile tools check lint types imports proto generate coverage lock clean

help: ## Show this list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

serve: .venv/serve.stamp ## Run the server; settings are environment variables KEYSTEAD_*
	$(BIN)/keystead serve

test: .venv/dev.stamp ## Run the test suite
	$(BIN)/python -m pytest $(PARALLEL)

try: .venv/dev.stamp ## Start a server in a temporary folder and call it with grpcurl, step by step
	$(BIN)/python -m examples.tour

e2e: .venv/dev.stamp e2e/node_modules/.stamp ## The server with clients in Node and Chromium, curl, haproxy and postfix, which must be there
	$(MAKE) page
	git diff --exit-code --stat -- bridge/pages/assets
	test -z "$$(git ls-files --others --exclude-standard -- bridge/pages/assets)"
	$(BIN)/python -m e2e.schema | $(BIN)/buf generate --template e2e/buf.gen.yaml
	$(BIN)/python -m pytest e2e

page: .venv/dev.stamp web/node_modules/.stamp ## Build the pages into bridge/pages/assets, which is committed; needs Node.js
	$(BIN)/python -m e2e.schema | $(BIN)/buf generate --template web/buf.gen.yaml
	cd web && npm run build

bench: .venv/dev.stamp ## How fast the server is, beside one that does nothing else; about five minutes
	$(BIN)/python -m bench

bench-short: .venv/dev.stamp ## The tests of the bench; it measures everything once and for a moment
	$(BIN)/python -m pytest bench

chaos: .venv/dev.stamp ## What the server survives: faults under load; about two minutes
	$(BIN)/python -m chaos

chaos-short: .venv/dev.stamp ## The tests of chaos: every scenario with small numbers
	$(BIN)/python -m pytest chaos

hostile: .venv/dev.stamp ## 200,000 mutated credentials against a running server; about ten minutes
	$(BIN)/python -m tests.hostile --credentials 200000

tools: .venv/dev.stamp ## Install grpcurl, buf and what development needs into .venv/bin

check: lint types imports proto coverage ## All that CI asks for

lint: .venv/dev.stamp ## Style, format and the rules about who imports what
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: .venv/dev.stamp ## mypy, strict
	$(BIN)/mypy

imports: .venv/dev.stamp ## The layers of ARCHITECTURE.md
	$(BIN)/lint-imports

proto: .venv/dev.stamp ## The schema is well-formed and the generated code is its
	$(BIN)/buf lint
	$(MAKE) generate
	git diff --exit-code --stat -- protos/gen
	test -z "$$(git ls-files --others --exclude-standard -- protos/gen)"

coverage: .venv/dev.stamp ## The tests of decisions cover all of their branches
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest $(PARALLEL) --quiet tests/idp tests/mail tests/org tests/passkey tests/session tests/smtp tests/user \
		tests/store/test_eventstore.py tests/crypto/test_encryption.py
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --show-missing --fail-under=100 --include='server/*/commands.py,server/*/events.py,server/store/eventlog.py,server/crypto/keyring.py,server/passkey/c*.py,server/access/admission.py,server/passkey/link*.py,server/passkey/refusals.py,server/passkey/signin/commands.py,server/passkey/webauthn/*.py'

generate: .venv/dev.stamp ## Generate code from the .proto files, without a network
	$(BIN)/buf generate
	$(EDITABLE)

lock: .venv/dev.stamp ## Resolve the dependencies anew
	$(BIN)/uv pip compile $(LOCK) -o requirements.lock pyproject.toml
	$(BIN)/uv pip compile $(LOCK) --group dev -c requirements.lock -o requirements-dev.lock pyproject.toml

# Tests wait for processes, deadlines and PostgreSQL half of the time, so there are more workers than
# the two cores of a small machine. Each worker has a PostgreSQL and servers of its own. The tests of
# a file stay together, because they share what it starts.
#
# No run hangs. A test that takes four minutes ends its worker, even if it holds the interpreter's
# lock, after the stacks of all threads are printed. A lost worker fails its test and is not
# replaced, because pytest-xdist 3.8 assigns a replacement no tests and waits for it; the others
# finish their files. Tracebacks are Python's: those of pytest parse the source, and Python before
# 3.11.8 fails at it (SystemError) if the garbage collector logs a traceback meanwhile.
PARALLEL := --numprocesses 4 --dist loadfile --no-loadscope-reorder --max-worker-restart 0 \
	--timeout 0 --override-ini faulthandler_timeout=240 --override-ini faulthandler_exit_on_timeout=true

# By what `tool.uv` in pyproject.toml says of sonora. Names, versions and hashes only; what was resolved for Python 3.11 on any machine.
LOCK := --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	--no-emit-index-url --extra embedded --group build

%/node_modules/.stamp: %/package.json %/package-lock.json %/.npmrc
	@command -v npm >/dev/null || { echo "npm is missing. Install Node.js 20.19 or newer with npm."; exit 1; }
	cd $* && npm ci
	touch $@

clean: ## Remove the virtual environment and caches; the data of the server stays
	rm -rf e2e/node_modules e2e/gen e2e/artifacts web/node_modules web/gen .venv .googleapis .coverage* .mypy_cache .pytest_cache .ruff_cache .import_linter_cache

.venv/python.stamp:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Keystead needs Python 3.11 or newer: make PYTHON=python3.11")'
	@$(PYTHON) -c 'import ensurepip' || { echo "Python lacks ensurepip, which makes virtual environments. Install it, on Debian by: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv .venv
	touch $@

# Installed without looking for anything that the lock file does not name: what a package asks for
# beyond that, it needs for parts that nothing here imports (decision 28).
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
EDITABLE := $(INSTALL) --no-deps --no-build-isolation --no-index -e .

.venv/serve.stamp: .venv/python.stamp requirements.lock pyproject.toml
	@echo "Installing what requirements.lock names; this may take some minutes."
	$(INSTALL) --no-deps --require-hashes --only-binary :all: -r requirements.lock
	$(EDITABLE)
	touch $@

# google/api/*.proto are files of the installed googleapis-common-protos; see buf.yaml.
.venv/dev.stamp: .venv/python.stamp requirements.lock requirements-dev.lock pyproject.toml
	@echo "Installing what requirements-dev.lock names; this may take some minutes."
	$(INSTALL) --no-deps --require-hashes --only-binary :all: -r requirements.lock
	$(INSTALL) --no-deps --require-hashes --no-build-isolation -r requirements-dev.lock
	$(EDITABLE)
	ln -sfn "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" .googleapis
	touch .venv/serve.stamp $@
