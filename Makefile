# One command each: `make demo` shows what slidelab does, `make test` runs every test.
# Both make their own virtual environment in .venv and do nothing there when nothing changed.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

CORE_FILES := CMakeLists.txt pyproject.toml constraints.txt $(wildcard src/core/*/*)

.PHONY: demo gallery test lint bench sanitize stubs clean build

build: .venv/.built

.venv/.tools: constraints.txt
	$(PYTHON) -m venv .venv
	$(PIP) install -c constraints.txt scikit-build-core nanobind cmake ninja
	@touch $@

.venv/.built: .venv/.tools $(CORE_FILES)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(PIP) install -c constraints.txt --no-build-isolation -e '.[test,lint]'
	@touch $@

demo: build
	$(BIN)/python examples/tour.py

gallery: build
	$(BIN)/python examples/gallery.py

test: build
	$(BIN)/python -m pytest -n 2 --dist worksteal

lint: build
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: build
	$(BIN)/python benchmarks/analysis.py
	$(BIN)/python benchmarks/distances.py
	$(BIN)/python benchmarks/solving.py
	$(BIN)/python benchmarks/huge.py
	$(BIN)/python benchmarks/gourds.py
	$(BIN)/python benchmarks/placing.py
	$(BIN)/python benchmarks/drawing.py

stubs: build
	$(BIN)/python -m nanobind.stubgen -q -m slidelab._core -o src/slidelab/_core.pyi

# The C++ headers without Python: under the address and undefined-behaviour sanitizers, and what
# threads share under the thread sanitizer. The compiler takes longest, so two at a time.
CORE_TEST := $(CXX) -std=c++20 -O1 -g1 -Wall -Wextra -pthread -Isrc/core
ADDRESS := -fsanitize=address,undefined -fno-sanitize-recover=all
THREAD := -fsanitize=thread
SWEEP_FAST := $(if $(filter x86_64,$(shell uname -m)),-mavx2 -mbmi2)
CORE_HEADERS := $(wildcard src/core/*/*.hpp tests/core/*.hpp)

sanitize:
	mkdir -p build/address build/thread
	$(MAKE) --no-print-directory -j2 build/address/core_test build/address/layers_test build/address/solve_test build/address/huge_test build/address/pfaffian_test build/address/gourds_test build/address/arrays_test build/thread/layers_test build/thread/arrays_test
	build/address/core_test & core=$$!; build/address/layers_test && build/address/solve_test && build/address/huge_test && build/address/pfaffian_test && build/address/gourds_test && build/address/arrays_test && build/thread/layers_test threads && build/thread/arrays_test && wait $$core

build/address/%.o: tests/core/%.cpp $(CORE_HEADERS)
	$(CORE_TEST) $(ADDRESS) -c $< -o $@
build/thread/%.o: tests/core/%.cpp $(CORE_HEADERS)
	$(CORE_TEST) $(THREAD) -c $< -o $@
build/address/%.o: src/core/%.cpp $(CORE_HEADERS)
	@mkdir -p $(@D)
	$(CORE_TEST) $(ADDRESS) $(if $(findstring sweep_fast,$*),$(SWEEP_FAST)) -c $< -o $@
build/thread/%.o: src/core/%.cpp $(CORE_HEADERS)
	@mkdir -p $(@D)
	$(CORE_TEST) $(THREAD) $(if $(findstring sweep_fast,$*),$(SWEEP_FAST)) -c $< -o $@
build/address/core_test build/address/huge_test build/address/pfaffian_test build/address/gourds_test build/address/arrays_test: build/address/%: build/address/%.o
	$(CORE_TEST) $(ADDRESS) $^ -o $@
build/address/solve_test: build/address/solve_test.o build/address/layers/sweep_portable.o build/address/layers/sweep_fast.o
	$(CORE_TEST) $(ADDRESS) $^ -o $@
build/address/layers_test: build/address/layers_test.o build/address/layers/sweep_portable.o build/address/layers/sweep_fast.o
	$(CORE_TEST) $(ADDRESS) $^ -o $@
build/thread/layers_test: build/thread/layers_test.o build/thread/layers/sweep_portable.o build/thread/layers/sweep_fast.o
	$(CORE_TEST) $(THREAD) $^ -o $@
build/thread/arrays_test: build/thread/arrays_test.o
	$(CORE_TEST) $(THREAD) $^ -o $@

clean:
	rm -rf .venv build .mypy_cache .ruff_cache .pytest_cache .hypothesis
