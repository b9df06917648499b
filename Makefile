# One command each: `make demo` shows what slidelab does, `make test` runs every test.
# Both make their own virtual environment in .venv and do nothing there when nothing changed.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

CORE_FILES := CMakeLists.txt pyproject.toml constraints.txt $(wildcard src/core/*)

.PHONY: demo test lint bench sanitize stubs clean build

build: .venv/.built

.venv/.tools: constraints.txt
	$(PYTHON) -m venv .venv
	$(PIP) install -c constraints.txt scikit-build-core nanobind cmake ninja
	@touch $@

.venv/.built: .venv/.tools $(CORE_FILES)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(PIP) install -c constraints.txt --no-build-isolation -e '.[graph,sympy,test,lint]'
	@touch $@

demo: build
	$(BIN)/python examples/tour.py

test: build
	$(BIN)/python -m pytest -n 2 --dist worksteal

lint: build
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: build
	$(BIN)/python benchmarks/analysis.py

stubs: build
	$(BIN)/python -m nanobind.stubgen -q -m slidelab._core -o src/slidelab/_core.pyi

# The C++ headers under the address and undefined-behaviour sanitizers, without Python.
sanitize:
	mkdir -p build
	$(CXX) -std=c++20 -O1 -g -Wall -Wextra -fsanitize=address,undefined -fno-sanitize-recover=all \
	    -Isrc/core tests/core/core_test.cpp -o build/core_test
	build/core_test

clean:
	rm -rf .venv build .mypy_cache .ruff_cache .pytest_cache .hypothesis
