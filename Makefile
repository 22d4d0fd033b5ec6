# `make serve` and `make test` need only Python 3.11 to 3.14 and make; they install everything else.
PYTHON ?= python3
# Another directory keeps the environment of another Python: make test VENV=.venv-3.13 PYTHON=python3.13
VENV ?= .venv
BIN := $(VENV)/bin

# Without bytecode, each worker of pytest rewrites the assertions of all tests again: 7 s of CPU.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help serve test test-differences test-pythons try e2e e2e-apps page lint-pages pictures clients bench bench-short chaos chaos-short chaos-ha chaos-ha-short upgrade upgrade-short proofs hostile tools dist deb deb-test sbom audit check lint types imports proto breaking generate released-schema released-statements coverage lock clean

help: ## Show this list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

serve: $(VENV)/serve.stamp ## Run the server; its settings are environment variables KEYSTEAD_* or a file
	$(BIN)/keystead serve

test: $(VENV)/dev.stamp ## Run the test suite
	$(BIN)/python -m pytest $(PARALLEL)

test-differences: $(VENV)/dev.stamp ## Run the tests that depend on parts of Python that its releases change, and import everything
	$(BIN)/python -m pytest $(PARALLEL) -m python_differs

# Before a release: the whole suite on each Python of PYTHONS.
PYTHONS ?= python3.11 python3.12 python3.13 python3.14
test-pythons: ## Run the whole suite on several Pythons, each in an environment of its own: make test-pythons PYTHONS="python3.12 python3.14"
	for python in $(PYTHONS); do $(MAKE) test PYTHON=$$python VENV=.venv-$${python##*/} || exit; done

try: $(VENV)/dev.stamp ## Start a server in a temporary directory and call it with grpcurl, step by step
	$(BIN)/python -m examples.tour

e2e: $(VENV)/dev.stamp e2e/node_modules/.stamp clients ## Run the end-to-end tests; needs Node.js, Go, Chromium, certutil, curl, haproxy, nginx, caddy, Apache and postfix
	$(MAKE) lint-pages page
	git diff --exit-code --stat -- bridge/pages/assets
	test -z "$$(git ls-files --others --exclude-standard -- bridge/pages/assets)"
	$(BIN)/python -m e2e.schema | $(BIN)/buf generate --template e2e/buf.gen.yaml
	$(BIN)/python -m pytest e2e --numprocesses 3 --dist loadgroup --no-loadscope-reorder --max-worker-restart 0

e2e-apps: $(VENV)/dev.stamp e2e/node_modules/.stamp ## Before a release: sign in to programs of others with their recipes; needs Go, Maven, Java, Chromium and downloads; about half an hour
	$(BIN)/python -m e2e.schema | $(BIN)/buf generate --template e2e/buf.gen.yaml
	$(BIN)/python -m pytest e2e/apps/programs_sign_in.py
	$(BIN)/python -m tests.support.software

page: $(VENV)/dev.stamp web/node_modules/.stamp ## Build the pages into bridge/pages/assets, which is committed; needs Node.js
	$(BIN)/python -m e2e.schema | $(BIN)/buf generate --template web/buf.gen.yaml
	$(BIN)/buf generate --template web/console/buf.gen.yaml
	$(BIN)/python -m tests.support.console_schema
	cd web && npm run build

lint-pages: web/node_modules/.stamp ## Check the format of the pages, which `npm run format` in web changes; needs Node.js
	cd web && npm run --silent format:check

pictures: $(VENV)/dev.stamp e2e/node_modules/.stamp ## Draw the pictures of docs/console; needs Node.js, Chromium and pngquant
	$(BIN)/python -m pytest e2e/pictures.py

clients: $(VENV)/dev.stamp clients/typescript/node_modules/.stamp ## Generate and build the clients in Go and TypeScript; needs Go and Node.js
	$(BIN)/buf generate --template clients/go/buf.gen.yaml
	$(BIN)/python -m e2e.schema | $(BIN)/buf generate --template clients/typescript/buf.gen.yaml
	cd clients/typescript && npm run build

bench: $(VENV)/dev.stamp ## Measure the server and a minimal server for comparison; about ten minutes
	$(BIN)/python -m bench

bench-short: $(VENV)/dev.stamp ## Run the tests of the benchmark, with one very short round
	$(BIN)/python -m pytest bench --numprocesses 5 --dist loadgroup --no-loadscope-reorder --max-worker-restart 0

chaos: $(VENV)/dev.stamp ## Test the server with faults under load, and judge the histories; about six minutes
	$(BIN)/python -m chaos

chaos-short: $(VENV)/dev.stamp ## Run every chaos scenario with small numbers
	$(BIN)/python -m pytest chaos --numprocesses 2 --dist loadgroup --no-loadscope-reorder --max-worker-restart 0

chaos-ha: $(VENV)/dev.stamp ## Test the failover of PostgreSQL under Patroni with five faults; needs etcd and haproxy; about five minutes
	$(BIN)/python -m chaos.ha

chaos-ha-short: $(VENV)/dev.stamp ## Test the failover with one fault, a switch-over; about half a minute
	$(BIN)/python -m chaos.ha --fault switch-over

upgrade: $(VENV)/dev.stamp ## Upgrade installed older releases under load, and go back; about four minutes
	$(BIN)/python -m chaos.upgrade

upgrade-short: $(VENV)/dev.stamp ## The same with few callers
	$(BIN)/python -m chaos.upgrade --small

proofs: $(VENV)/dev.stamp ## Search all states of the models of proofs/, with and without their guards; needs spin and gcc
	$(BIN)/python -m pytest proofs --numprocesses 2

hostile: $(VENV)/dev.stamp ## Send mutated inputs of eleven kinds to a running server, and add to the fuzz corpus; about ten minutes
	$(BIN)/python -m tests.hostile --mutations 20000

dist: $(VENV)/serve.stamp ## Build wheel and source distribution into dist; the same commit always gives the same bytes
	rm -rf dist
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(BIN)/hatchling build -d dist

deb: ## Build the Debian package of a release for the Debian of this machine into dist; the same commit always gives the same bytes
	@dpkg-checkbuilddeps -I || { echo "Packages for the build are missing. Install them, on Debian by: apt-get install dpkg-dev debhelper python3-venv"; exit 1; }
	$(MAKE) dist
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) debian/build dist/keystead-*.whl dist

DEBIAN ?= bookworm trixie

deb-test: ## Build, install, run, upgrade and remove the package on Debian 12 and 13, under systemd; needs root; about ten minutes
	@command -v debootstrap >/dev/null && command -v systemd-nspawn >/dev/null || { echo "debootstrap or systemd-nspawn is missing. Install them, on Debian by: apt-get install debootstrap systemd-container"; exit 1; }
	$(MAKE) dist
	for suite in $(DEBIAN); do SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) debian/test dist/keystead-*.whl $$suite || exit; done

# The packages of a release in an environment of their own, and a tool that is locked apart from them.
sbom: $(VENV)/python.stamp ## Write the bill of materials (CycloneDX) of a release into dist, and check the licences; the same lock always gives the same bytes
	rm -rf .sbom && mkdir -p dist
	$(PYTHON) -m venv --without-pip .sbom/release
	$(BIN)/python -m pip --python .sbom/release install --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary :all: -r requirements.lock
	$(PYTHON) -m venv .sbom/tool
	.sbom/tool/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary :all: -r .ci/sbom.lock
	.sbom/tool/bin/cyclonedx-py environment .sbom/release/bin/python --pyproject pyproject.toml --output-reproducible --output-file dist/keystead.cdx.json
	$(BIN)/python .ci/licences.py dist/keystead.cdx.json

# All lock files: what a release contains, and the programs that build and test it.
audit: $(VENV)/dev.stamp ## Compare the locks with advisories: make audit DATABASE="pypi.zip npm.zip go.zip", exports of osv.dev
	@test -n "$(DATABASE)" || { echo "DATABASE is missing. SECURITY.md says how to get the exports."; exit 1; }
	$(BIN)/python .ci/vulnerabilities.py $(DATABASE) -- $$(git ls-files '*.lock' '*package-lock.json' '*go.mod')

tools: $(VENV)/dev.stamp ## Install grpcurl, buf and the development tools into .venv/bin

check: lint types imports proto coverage ## Run the static checks and the coverage check of CI

lint: $(VENV)/dev.stamp ## Check style, format and banned imports
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(VENV)/dev.stamp ## Check types with mypy (strict)
	$(BIN)/mypy

imports: $(VENV)/dev.stamp ## Check the layers of ARCHITECTURE.md
	$(BIN)/lint-imports

# Written by `make generate`, and committed.
GENERATED := protos/gen bridge/pages/documentation docs/completion docs/man docs/software.md docs/federation.md server/cli/outline.json

proto: $(VENV)/dev.stamp ## Check the schema, also against the last release, and that the committed generated files match it
	$(BIN)/buf lint
	$(MAKE) breaking
	$(MAKE) generate
	git diff --exit-code --stat -- $(GENERATED)
	test -z "$$(git ls-files --others --exclude-standard -- $(GENERATED))"

# Long tests of files that the coverage does not count or that other tests cover; `make test` runs them.
UNCOUNTED := tests/application/test_earlier_builds.py tests/application/test_recipes.py tests/configuration/test_convergence.py \
	tests/event/test_watch_events.py tests/idp/test_providers.py tests/idp/test_relying_party.py tests/idp/test_sign_in_by_web.py \
	tests/idp/test_updates_at_sign_in.py tests/passkey/test_mails.py tests/passkey/test_second_opinion.py \
	tests/push/test_failing_targets.py tests/session/test_introspection.py tests/session/test_sign_in_refusals.py \
	tests/session/test_watch.py tests/smtp/test_transport.py tests/user/test_expired_tokens.py tests/user/test_role_ends.py \
	tests/user/test_roles.py tests/user/test_workload_credentials.py

coverage: $(VENV)/dev.stamp ## Check that tests cover all branches of the commands and other decisions
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest $(PARALLEL) --quiet tests/application tests/configuration tests/event tests/gate tests/group tests/idp tests/moving/test_import.py tests/moving/test_import_attacks.py tests/oauth tests/org tests/passkey tests/push tests/session tests/signing tests/signup tests/smtp tests/system tests/user \
		tests/mail/test_mails.py tests/mail/test_captured.py tests/crypto/test_encryption.py tests/validation/test_uris.py tests/validation/test_logos.py tests/log/test_append.py tests/log/test_turns_of_large_events.py tests/test_used_once.py $(UNCOUNTED:%=--ignore=%)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --show-missing --fail-under=100 --include='server/*/commands.py,server/*/events.py,server/application/claims.py,server/application/configuration.py,server/application/fields.py,server/application/keys.py,server/application/secrets.py,server/cli/configuration/*.py,server/gate/*.py,server/group/mapped_store.py,server/idp/mappings.py,server/idp/signin/mapped.py,server/oauth/*.py,server/relying_party/workload*.py,server/validation/uris.py,server/oauth/client_documents/*.py,server/oauth/device/*.py,server/oauth/grants/*.py,server/oauth/preview/*.py,server/log/append.py,server/log/event.py,server/crypto/keyring.py,server/crypto/sealed.py,server/passkey/c*.py,server/access/admission.py,server/session/jwt.py,server/signing/*.py,server/signup/*.py,server/user/attributes/*.py,server/user/email_change/*.py,server/validation/images.py,server/user/person.py,server/passkey/inviting.py,server/passkey/link*.py,server/passkey/refusals.py,server/passkey/signin/commands.py,server/passkey/webauthn/*.py'

generate: $(VENV)/dev.stamp ## Generate code from the .proto files, the OpenAPI document, the manual page, the completion scripts, the outline of the commands, the page of programs and the table of providers
	$(BIN)/buf generate
	$(EDITABLE)
	$(BIN)/python -m tests.support.openapi.served
	$(BIN)/python -m tests.support.openapi.configuration
	$(BIN)/python -m tests.support.outline
	$(BIN)/python -m tests.support.man_page
	$(BIN)/python -m tests.support.completion
	$(BIN)/python -m tests.support.software
	$(BIN)/python -m tests.support.providers

# As soon as the changelog has a release with a date, its schema must be there. Image against image: buf compares a folder of
# two modules with no image.
breaking: $(VENV)/dev.stamp ## Check that the schema keeps what clients of the last release use
	@if grep -qE '^## [0-9.]+ - [0-9]' CHANGELOG.md; then \
		$(SCHEMA) -o - | $(BIN)/buf breaking - --against protos/released.binpb; \
	else echo "There is no release yet, so the schema is compared with none."; fi

SCHEMA := $(BIN)/buf build --path protos/keystead

released-schema: $(VENV)/dev.stamp ## Record the schema of this release, which the next ones must keep
	$(SCHEMA) --exclude-source-info -o protos/released.binpb

released-statements: $(VENV)/dev.stamp ## Record the statements and calls of this release, which must run on the next schema
	$(BIN)/python -m tests.store.released

lock: $(VENV)/dev.stamp ## Resolve the dependencies again and write the lock files
	$(BIN)/uv pip compile $(LOCK) --extra embedded --extra telemetry --group build -o requirements.lock pyproject.toml
	$(BIN)/uv pip compile $(LOCK) -o .ci/sbom.lock .ci/sbom.in
	$(BIN)/uv pip compile $(LOCK) --extra telemetry -c requirements.lock -o deploy/requirements.lock pyproject.toml
	$(BIN)/uv pip compile $(LOCK) --extra embedded --extra telemetry --group build --group dev -c requirements.lock -o requirements-dev.lock pyproject.toml

# Tests wait half of the time, so four workers suit two cores. The tests of a file share its fixtures, so they stay together.
# A test that takes four minutes ends its worker, after the stacks of all threads are printed. A lost worker fails its test,
# and is not replaced: pytest-xdist 3.8 gives the replacement no tests and waits for it. Tracebacks are Python's, since those
# of pytest parse the source: Python before 3.11.8 fails at that (SystemError) if the garbage collector logs a traceback.
PARALLEL := --numprocesses 4 --dist loadfile --no-loadscope-reorder --max-worker-restart 0 \
	--timeout 0 --override-ini faulthandler_timeout=240 --override-ini faulthandler_exit_on_timeout=true

# Lock files have only names, versions and hashes, resolved for Python 3.11 on any platform. `tool.uv` in pyproject.toml
# lists the dependencies of sonora and of fastapi-swagger.
LOCK := --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	--no-emit-index-url

%/node_modules/.stamp: %/package.json %/package-lock.json %/.npmrc
	@command -v npm >/dev/null || { echo "npm is missing. Install Node.js 20.19 or newer with npm."; exit 1; }
	cd $* && npm ci
	touch $@

clean: ## Remove the virtual environments and caches; the data of the server stays
	rm -rf clients/go/keystead clients/typescript/node_modules clients/typescript/dist clients/typescript/src/gen e2e/node_modules e2e/gen e2e/artifacts web/node_modules web/gen .venv* .googleapis .coverage* .mypy_cache .pytest_cache .ruff_cache .import_linter_cache

$(VENV)/python.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Keystead needs Python 3.11 or newer: make PYTHON=python3.11")'
	@$(PYTHON) -c 'import ensurepip' || { echo "Python lacks ensurepip, which makes virtual environments. Install it, on Debian by: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	touch $@

# Packages are installed without dependencies that the lock file does not name: only parts of packages
# that Keystead does not import need them (decision 17).
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
EDITABLE := $(INSTALL) --no-deps --no-build-isolation --no-index -e .

$(VENV)/serve.stamp: $(VENV)/python.stamp requirements.lock pyproject.toml
	@echo "Installing the packages of requirements.lock; this may take some minutes."
	$(INSTALL) --no-deps --require-hashes --only-binary :all: -r requirements.lock
	$(EDITABLE)
	touch $@

# google/api/*.proto are files of the installed googleapis-common-protos; see buf.yaml.
$(VENV)/dev.stamp: $(VENV)/python.stamp requirements.lock requirements-dev.lock pyproject.toml
	@echo "Installing the packages of requirements-dev.lock; this may take some minutes."
	$(INSTALL) --no-deps --require-hashes --only-binary :all: -r requirements.lock
	$(INSTALL) --no-deps --require-hashes --no-build-isolation -r requirements-dev.lock
	$(EDITABLE)
	ln -sfn "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" .googleapis
	touch $(VENV)/serve.stamp $@
