# One command each: `make demo` shows what slidelab does, `make test` runs every test.
# Both make their own virtual environment in .venv and do nothing there when nothing changed.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

CORE_FILES := CMakeLists.txt pyproject.toml constraints.txt $(wildcard src/core/*/*)

.PHONY: demo gallery test test-core lint lint-page npm-tools bench sanitize torture stubs clean build

build: .venv/.built

.venv/.tools: constraints.txt
	$(PYTHON) -m venv .venv
	$(PIP) install -c constraints.txt scikit-build-core nanobind cmake ninja
	@touch $@

.venv/.built: .venv/.tools $(CORE_FILES)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(PIP) install -c constraints.txt --no-build-isolation -e '.[test,lint]'
	@# Editors look for modules in folders only, while the editable installation finds them by a hook.
	@echo "$(CURDIR)/src" >"$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/slidelab-source.pth"
	@touch $@

demo: build
	$(BIN)/python examples/tour.py

gallery: build
	$(BIN)/python examples/gallery.py
	$(BIN)/python examples/studio_film.py

test: build test-core npm-tools
	$(BIN)/python -m pytest -n 2 --dist worksteal

lint: build
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(wildcard src/core/*/*.?pp tests/core/*.?pp tests/core/*/*.?pp)
	$(BIN)/mypy
	$(MAKE) --no-print-directory lint-page

# Tools from npm, with fixed versions: TypeScript checks the types in the comments of the page and the widget, axe-core
# its accessibility in a browser. Without npm both are skipped.
NPM_TOOLS := typescript@5.9.3 axe-core@4.10.3
build/npm/.installed: Makefile
	@mkdir -p build/npm
	npm install --prefix build/npm --no-save --no-audit --no-fund --ignore-scripts --loglevel error $(NPM_TOOLS)
	@touch $@

npm-tools:
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory build/npm/.installed; \
	else echo "there is no npm: the page's types and accessibility are not checked"; fi

lint-page: npm-tools
	@if [ -e build/npm/.installed ]; then \
	echo "tsc -p ."; node build/npm/node_modules/typescript/bin/tsc -p .; fi

bench: build
	$(BIN)/python benchmarks/analysis.py
	$(BIN)/python benchmarks/distances.py
	$(BIN)/python benchmarks/shards.py
	$(BIN)/python benchmarks/symmetry.py
	$(BIN)/python benchmarks/solving.py
	$(BIN)/python benchmarks/twenty_four.py
	$(BIN)/python benchmarks/middle.py
	$(BIN)/python benchmarks/huge.py
	$(BIN)/python benchmarks/gourds.py
	$(BIN)/python benchmarks/placing.py
	$(BIN)/python benchmarks/drawing.py
	$(BIN)/python benchmarks/arrays.py
	$(BIN)/python benchmarks/studio_page.py
	$(BIN)/python benchmarks/environments.py
	$(BIN)/python benchmarks/studio.py

stubs: build
	$(BIN)/python -m nanobind.stubgen -q -m slidelab._core -o src/slidelab/_core.pyi

# Random cases on all cores for some minutes: `make torture MINUTES=60`. Every failure is printed with the
# command that repeats it. Not a part of `make test`, which runs a few cases with fixed seeds.
MINUTES ?= 5
torture: build
	cd tests && ../$(BIN)/python -m torture --minutes $(MINUTES)

# The C++ headers without Python: plain, under the address and undefined-behaviour sanitizers, and
# what threads share under the thread sanitizer. The compiler takes longest, so two at a time.
CORE_TEST := $(CXX) -std=c++20 -O1 -g1 -Wall -Wextra -pthread -Isrc/core -Itests/core
AVX2_FLAGS := $(if $(filter x86_64,$(shell uname -m)),-mavx2)
KERNELS := src/core/layers/kernels_portable.cpp src/core/layers/kernels_avx2.cpp
SOURCES_plain := $(wildcard tests/core/*.cpp tests/core/*/*.cpp) $(KERNELS)
SOURCES_address := $(SOURCES_plain)
SOURCES_thread := tests/core/main.cpp tests/core/layers/thread_test.cpp tests/core/layers/shard_test.cpp tests/core/layers/goal_test.cpp tests/core/layers/symmetric_test.cpp \
	tests/core/arrays/batch_test.cpp tests/core/search/support.cpp tests/core/search/beam_search_test.cpp tests/core/search/ida_star_test.cpp \
	tests/core/gourds/board_beam_test.cpp tests/core/huge/replanner_test.cpp $(KERNELS)
# Null pointers and accesses beyond an object are reported by the address sanitizer; checked twice, they take a quarter of
# the compiler's time.
FLAGS_address := -fsanitize=address,undefined -fno-sanitize=null,object-size -fno-sanitize-recover=all
FLAGS_thread := -fsanitize=thread
ADDRESS_PARTS := 1 2 3 4

define core_test_rules
build/$(1)/%.o: %.cpp
	@mkdir -p $$(@D)
	$(CORE_TEST) -MMD -MP $(FLAGS_$(1)) $$(if $$(findstring kernels_avx2,$$*),$(AVX2_FLAGS)) -c $$< -o $$@
build/$(1)/core_tests: $(SOURCES_$(1):%.cpp=build/$(1)/%.o)
	$(CORE_TEST) $(FLAGS_$(1)) $$^ -o $$@
endef
$(foreach kind,plain address thread,$(eval $(call core_test_rules,$(kind))))
-include $(wildcard build/*/tests/core/*.d build/*/tests/core/*/*.d build/*/src/core/*/*.d)

test-core:
	$(MAKE) --no-print-directory -j2 build/plain/core_tests
	build/plain/core_tests

sanitize: build
	$(MAKE) --no-print-directory -j2 build/address/core_tests build/thread/core_tests build/thread/_core.abi3.so
	$(MAKE) --no-print-directory -j2 --output-sync=target $(SANITIZED)

# What takes longest comes first, so that two at a time end together.
SANITIZED := run-thread run-bindings $(ADDRESS_PARTS:%=run-address-%)
.PHONY: $(SANITIZED)
run-thread:
	build/thread/core_tests
run-bindings:
	$(THREAD_PYTHON) -m pytest -q -p no:cacheprovider tests/core/test_bindings.py
$(ADDRESS_PARTS:%=run-address-%): run-address-%:
	build/address/core_tests $*/$(words $(ADDRESS_PARTS))

# The bindings under the thread sanitizer: two threads on one object of every class. `python -S` keeps
# the installed module away, so that the package is imported from build/thread/package.
THREAD_PYTHON = PYTHONPATH="build/thread/package:$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("platlib"))')" \
	LD_PRELOAD="$$($(CXX) -print-file-name=libtsan.so)" TSAN_OPTIONS=exitcode=66 $(BIN)/python -S
build/thread/_core.abi3.so: $(CORE_FILES)
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake -G Ninja -S . -B build/thread/module -DCMAKE_BUILD_TYPE=Release \
		-DCMAKE_CXX_FLAGS_RELEASE='-O1 -g1 -fsanitize=thread' -DPython_EXECUTABLE="$(CURDIR)/$(BIN)/python" >build/thread/module.log
	MAKEFLAGS= PATH="$(CURDIR)/$(BIN):$$PATH" cmake --build build/thread/module >>build/thread/module.log
	rm -rf build/thread/package && mkdir build/thread/package && cp -rs "$(CURDIR)/src/slidelab" build/thread/package/
	cp build/thread/module/_core.abi3.so build/thread/package/slidelab/
	cp build/thread/module/_core.abi3.so $@

clean:
	rm -rf .venv build .mypy_cache .ruff_cache .pytest_cache .hypothesis
