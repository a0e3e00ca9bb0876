# Every target sets up what it needs by itself, in .venv: Python 3.11+ and a C++20 compiler suffice.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
NATIVE := $(shell git ls-files 'cpp/*.h' 'cpp/*.cpp' 2>/dev/null)
SIGNATURE := benchmarks/signature.txt
# With a build directory of its own, a later install recompiles only what has changed.
INSTALL := $(PIP) install --constraint constraints.txt --no-build-isolation \
	--config-settings=build-dir=build/editable --editable
DEVELOP := ".[dev,deep,web]" --config-settings=cmake.define.GLAUX_WERROR=ON

.PHONY: help demo check test lint signature sanitize sanitize-memory sanitize-threads bench build page page-test stubs format clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

demo: $(VENV)/run ## Train Connect Four from scratch, let it play MCTS, and say how to play it: two minutes
	rm -rf runs/demo
	$(BIN)/glaux train connect_four --minutes 1.25 --run runs/demo --set strength.every=15
	$(BIN)/glaux match connect_four ubfms:value=runs/demo,seconds=0.1 mcts:iterations=1000 --games 20 --opening 2
	@echo
	@echo "Play it in the browser:   $(BIN)/glaux serve   (New match, Connect Four, opponent: demo)"
	@echo "Or in the terminal:       $(BIN)/glaux play connect_four ubfms:value=runs/demo,seconds=1"
	@echo "Another game:             $(BIN)/glaux train hex:size=7 --minutes 10"

check: lint ## Before every commit: lint, types, the signature, and a case of every test that is fast
	$(BIN)/glaux bench signature --expected $(SIGNATURE)
	$(BIN)/python -m pytest -n auto --fast

test: lint page-test ## Lint, types, import order, all the tests, and the native tests under sanitizers
	$(BIN)/glaux bench signature --expected $(SIGNATURE)
	$(BIN)/python -m pytest -n auto
	$(MAKE) sanitize

signature: build ## Write benchmarks/signature.txt anew, for a commit that changes behaviour and says why
	$(BIN)/glaux bench signature --write $(SIGNATURE)

lint: build ## Ruff, mypy, import order, clang-format
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/clang-format --dry-run -Werror $(NATIVE)

sanitize: sanitize-memory sanitize-threads ## The native tests under the address, undefined-behaviour and thread sanitizers

NATIVE_TESTS = $(BIN)/cmake -S . -B build/$@ -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja \
	-DCMAKE_BUILD_TYPE=RelWithDebInfo -DGLAUX_BINDINGS=OFF -DGLAUX_TESTS=ON -DGLAUX_WERROR=ON \
	-DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -g"

sanitize-memory: $(VENV)/dev
	$(NATIVE_TESTS) -DGLAUX_SANITIZE=address,undefined > /dev/null
	$(BIN)/cmake --build build/$@
	build/$@/cpp/tests/native_tests

# The tests that have threads. The thread sanitizer of older compilers can't run where the kernel spreads
# addresses too widely; where a process may choose (a container may forbid it), it does without.
sanitize-threads: $(VENV)/dev
	$(NATIVE_TESTS) -DGLAUX_SANITIZE=thread > /dev/null
	$(BIN)/cmake --build build/$@
	$$(setarch -R true 2> /dev/null && echo setarch -R) build/$@/cpp/tests/native_tests threads td_learning lock_step

bench: build ## Every table of benchmarks/
	@for table in benchmarks/*.py; do echo "$$table"; $(BIN)/python $$table || exit 1; done

build: $(VENV)/dev ## Compile what has changed and install it in place, in seconds
	$(INSTALL) $(DEVELOP)

page: web/node_modules ## Build the page of glaux serve into src/glaux/web/static (needs node)
	cd web && npm run --silent check && npm run --silent build && npm run --silent test

# Users and most developers need no node: without it the built page is taken as it is.
page-test: ## Types and tests of the page, and whether what is built is up to date, if there is node
	@if ! command -v npm > /dev/null; then echo "No node here: the page is taken as it is built."; \
	elif ! $(MAKE) --silent web/node_modules; then echo "npm can't install: the page is taken as it is built."; \
	else cd web && npm run --silent check && npm run --silent test && npm run --silent stale; fi

web/node_modules: web/package-lock.json
	cd web && npm ci --silent --no-audit --no-fund
	@touch $@

stubs: build ## Write src/glaux/_core/native.pyi anew
	$(BIN)/python -m nanobind.stubgen -q -m glaux._core.native -o src/glaux/_core/native.pyi

format: $(VENV)/dev ## Format everything
	$(BIN)/ruff check --fix --quiet
	$(BIN)/ruff format --quiet
	$(BIN)/clang-format -i $(NATIVE)

clean: ## Remove what was built
	rm -rf build web/build web/node_modules $(VENV)

# What a user needs.
$(VENV)/run: $(VENV)/tools pyproject.toml
	@echo "Compiling the native core: about a minute."
	$(INSTALL) ".[web]"
	@touch $@

# What a developer needs: also that the compiler has nothing to warn of, which a user's may.
$(VENV)/dev: $(VENV)/tools pyproject.toml
	$(INSTALL) $(DEVELOP)
	@touch $@ $(VENV)/run

$(VENV)/tools: constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --constraint constraints.txt scikit-build-core nanobind ninja cmake
	@touch $@
