# Every target sets up what it needs by itself, in .venv: Python 3.11+ and a C++20 compiler suffice.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
NATIVE := $(shell git ls-files 'cpp/*.h' 'cpp/*.cpp' 2>/dev/null)
# With a build directory of its own, a later install recompiles only what has changed.
INSTALL := $(PIP) install --constraint constraints.txt --no-build-isolation \
	--config-settings=build-dir=build/editable --editable

.PHONY: help demo test lint native-test sanitize bench build stubs format clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

demo: $(VENV)/run ## Watch matches and a proof, and measure the games: two minutes from a fresh clone
	$(BIN)/glaux play connect_four mcts:iterations=2000 --side none --delay 0.2 --seed 7
	$(BIN)/glaux match othello:size=6 mcts:iterations=2000 mcts:iterations=200 --games 10 --opening 2
	$(BIN)/glaux solve othello:size=4 --score
	$(BIN)/glaux bench playouts --seconds 1
	@echo
	@echo "Now play yourself:   $(BIN)/glaux play hex:size=7 mcts:seconds=1"
	@echo "All the games:       $(BIN)/glaux games"

test: lint ## Lint, types, import order, all the tests, and the native tests under sanitizers
	$(BIN)/python -m pytest -n auto
	$(MAKE) sanitize

lint: build ## Ruff, mypy, import order, clang-format
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/clang-format --dry-run -Werror $(NATIVE)

sanitize: $(VENV)/dev ## The native tests under the address and undefined-behaviour sanitizers
	$(BIN)/cmake -S . -B build/sanitize -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja \
		-DCMAKE_BUILD_TYPE=RelWithDebInfo -DGLAUX_BINDINGS=OFF -DGLAUX_TESTS=ON -DGLAUX_SANITIZE=ON \
		-DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -g" > /dev/null
	$(BIN)/cmake --build build/sanitize
	build/sanitize/cpp/tests/native_tests

bench: build ## Every table of benchmarks/
	@for table in benchmarks/*.py; do echo "$$table"; $(BIN)/python $$table || exit 1; done

build: $(VENV)/dev ## Compile what has changed and install it in place, in seconds
	$(INSTALL) ".[dev,deep]"

stubs: build ## Write src/glaux/_core.pyi anew
	$(BIN)/python -m nanobind.stubgen -q -m glaux._core -o src/glaux/_core.pyi

format: $(VENV)/dev ## Format everything
	$(BIN)/ruff check --fix --quiet
	$(BIN)/ruff format --quiet
	$(BIN)/clang-format -i $(NATIVE)

clean: ## Remove what was built
	rm -rf build $(VENV)

# What a user needs.
$(VENV)/run: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	@echo "Compiling the native core: about a minute."
	$(PIP) install --constraint constraints.txt scikit-build-core nanobind ninja cmake
	$(INSTALL) .
	@touch $@

# What a developer needs besides.
$(VENV)/dev: $(VENV)/run
	$(INSTALL) ".[dev,deep]"
	@touch $@
