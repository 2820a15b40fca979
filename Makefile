# The two commands a newcomer needs are `make demo` and `make test`; each installs what is missing, configures and builds.
# Everything else is ordinary CMake: see CMakePresets.json.
BUILD ?= build
JOBS ?= $(shell nproc)

.PHONY: all demo tools test test-long test-checked test-asan test-ubsan test-tsan fuzz fuzz-programs bench gpu-pack format check-format tidy install package wheel vsix clean help

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD) -j$(JOBS)

help:
	@echo "make tools      build the tools and libmica alone"
	@echo "make demo       build these, then compile, run and check the example models (docs/examples)"
	@echo "make test       build, then all tests; last line: N passed, N failed"
	@echo "make test-long  soaks, long fuzzing, and the tests with assertions"
	@echo "make test-checked  all tests in a build with assertions (build-checked)"
	@echo "make test-asan  all tests of both halves with the address and undefined-behaviour sanitizers; test-ubsan: the latter alone"
	@echo "make test-tsan  tests of the std half with the thread sanitizer"
	@echo "make fuzz       every fuzzer for MINUTES=5, with sanitizers"
	@echo "make fuzz-programs  the same of the readers of ONNX and StableHLO, in a build of its own"
	@echo "make bench      test/Bench against OpenBLAS and oneDNN, JSON in $(BUILD)/bench"
	@echo "make gpu-pack   build/gpu-pack: a folder that runs programs on a bare machine with a GPU (docs/GpuResults.md)"
	@echo "make format     clang-format over the tree;  make check-format fails on a difference"
	@echo "make tidy       clang-tidy over the tree, or over FILES=\"lib/Trace passes/Check\""
	@echo "make install    PREFIX=/usr/local"
	@echo "make package    $(BUILD)/mica_VERSION_ARCH.deb: tools, library, headers, Python package and docs"
	@echo "make vsix       $(BUILD)/mica-VERSION.vsix: the extension for VS Code (docs/Editors.md)"
	@echo "make wheel      $(BUILD)/wheel/mica-*.whl: the Python package with the tools inside"

.PHONY: packages
packages:
	@tools/scripts/bootstrap.sh compiler
	@tools/scripts/bootstrap.sh onnx || echo "no libonnx: ONNX models are not read"
	@tools/scripts/bootstrap.sh mpi || echo "no MPI: ranks are threads of one process alone"

$(BUILD)/build.ninja: CMakeLists.txt | packages
	@cmake --preset release -B $(BUILD) $(CMAKE_FLAGS) > $(BUILD)-configure.log 2>&1 || { cat $(BUILD)-configure.log; exit 1; }
	@rm -f $(BUILD)-configure.log

demo: tools
	@tools/scripts/demo.sh $(BUILD)

tools: $(BUILD)/build.ninja
	@ninja -C $(BUILD) -j$(JOBS) mica-tools

test: all
	@tools/scripts/bootstrap.sh browser || echo "no browser: the tests of pages are skipped"
	@tools/scripts/bootstrap.sh numpy || echo "no NumPy: its numbers are not compared with"
	@tools/scripts/bootstrap.sh spirv || echo "no spirv-val: SPIR-V is not validated"
	@tools/scripts/bootstrap.sh opencl || echo "no OpenCL driver: kernels are not run on one"
	@python3 tools/scripts/run_tests.py $(BUILD)

MINUTES ?= 5
test-long: fuzz test-checked
	@tools/scripts/bootstrap.sh wheel || echo "no python3-build: the wheel is not tested"
	@tools/scripts/bootstrap.sh shells || echo "no fish, zsh, groff: their completion and man pages are not tested"
	@tools/scripts/bootstrap.sh clean-root || echo "no mmdebstrap: the package is not installed in a clean root"
	@tools/scripts/bootstrap.sh onnxruntime || echo "no PyTorch, no Pillow: their models and pictures are not tested"
	@tools/scripts/npm_packages.sh $(BUILD) || echo "nothing is compared with ONNX Runtime"
	@MICA_TEST_LONG=1 python3 tools/scripts/run_tests.py $(BUILD)

test-checked: | packages
	@cmake --preset checked $(CMAKE_FLAGS) > /dev/null
	@ninja -C build-checked -j$(JOBS)
	@python3 tools/scripts/run_tests.py build-checked

# The packaged LLVM is not instrumented: a container that it makes and Mica reads would look overflown, and what it keeps to the end leaked.
SANITIZED = UBSAN_OPTIONS=print_stacktrace=1 ASAN_OPTIONS=detect_container_overflow=0:detect_leaks=0:allocator_may_return_null=1
test-asan test-ubsan test-tsan: test-%: | packages
	@tools/scripts/bootstrap.sh std fuzz
	@cmake --preset $* $(CMAKE_FLAGS) > /dev/null
	@ninja -C build-$* -j$(JOBS)
	@$(SANITIZED) python3 tools/scripts/run_tests.py build-$*

fuzz: all
	@tools/scripts/bootstrap.sh std fuzz
	@python3 test/Fuzz/fuzz_mlir.py $(BUILD) --minutes=$(MINUTES)
	@cmake --preset fuzz > /dev/null
	@ninja -C build-fuzz -j$(JOBS)
	@python3 tools/scripts/fuzz.py build-fuzz --minutes=$(MINUTES)

fuzz-programs: | packages
	@tools/scripts/bootstrap.sh std fuzz
	@cmake --preset fuzz-programs > /dev/null
	@ninja -C build-fuzz-programs -j$(JOBS) mica-fuzz-onnx mica-fuzz-stablehlo
	@$(SANITIZED):allow_user_poisoning=0 python3 tools/scripts/fuzz.py build-fuzz-programs --minutes=$(MINUTES)

bench:
	@tools/scripts/bootstrap.sh compiler bench
	@cmake --preset release -B $(BUILD) -DMICA_ENABLE_BENCH=ON > /dev/null
	@ninja -C $(BUILD) -j$(JOBS)
	@python3 test/Bench/run_bench.py $(BUILD)

gpu-pack: all
	@python3 tools/scripts/gpu_pack.py $(BUILD) $(BUILD)/gpu-pack

FORMAT_FILES = $$(git ls-files '*.h' '*.cpp' '*.c')
format:
	@tools/scripts/bootstrap.sh format
	@clang-format -i $(FORMAT_FILES)

check-format:
	@tools/scripts/bootstrap.sh format
	@clang-format --dry-run -Werror $(FORMAT_FILES)

# 3 s of CPU time a file and more; with TOGETHER=12 1.3 s, but then less is found.
TOGETHER ?= 1
tidy:
	@tools/scripts/bootstrap.sh compiler tidy
	@cmake --preset release -B $(BUILD)-tidy -DMICA_UNITY_BUILD=OFF $(CMAKE_FLAGS) > /dev/null
	@ninja -C $(BUILD)-tidy mica_generated_headers
	@python3 tools/scripts/tidy.py $(BUILD)-tidy --together=$(TOGETHER) --jobs=$(JOBS) $(FILES)

PREFIX ?= /usr/local
install: all
	@cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	@rm -rf $(BUILD)

wheel: all
	@tools/scripts/bootstrap.sh wheel
	@tools/scripts/make_wheel.sh $(BUILD)

vsix: $(BUILD)/build.ninja
	@version=$$(sed -n 's/^CMAKE_PROJECT_VERSION:.*=//p' $(BUILD)/CMakeCache.txt) && \
	  python3 tools/scripts/make_vsix.py . $$version $(BUILD)/mica-$$version.vsix

package: all
	@cd $(BUILD) && cpack -G DEB
