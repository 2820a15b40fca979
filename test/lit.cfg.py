# Configuration of the lit suite. Tests mirror the tree: Dialect/<D>, Passes/<Area>, Tools/<tool>, Integration, ...
import ctypes
import os
import platform
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__))
from measured_format import MeasuredShTest  # noqa: E402

config.name = "Mica"
config.test_format = MeasuredShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Unit", "Bench", "Corpus", "Found", "Open"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.mica_build_dir, "test")

config.environment["PATH"] = os.path.pathsep.join(
    [os.path.join(config.mica_build_dir, "bin"), config.llvm_tools_dir, config.environment["PATH"]])
for name in ("MICA_DEBUG", "MICA_LOGS", "MICA_TRACE", "MICA_CACHE_DIR", "MICA_COMPILE", "MICA_CONFIG"):
    config.environment.pop(name, None)
# Each run of the suite has its own cache, so that no test sees an older build's artifacts.
config.environment["MICA_CACHE_DIR"] = os.path.join(config.test_exec_root, "cache")
config.environment["MICA_CACHE_SIZE"] = "1G"
config.environment["NO_COLOR"] = "1"

if config.enable_compiler:
    config.available_features.add("compiler")
# ONNX models are read, and there are some with known results: the package libonnx-testdata.
if config.enable_compiler and config.has_onnx:
    config.available_features.add("onnx")
    if os.path.isdir("/usr/share/libonnx-testdata/data/node"):
        config.available_features.add("onnx-testdata")
if config.asserts:
    config.available_features.add("asserts")
if config.sanitize:
    config.available_features.add("sanitizer")
# The style file is written for clang-format 14; other versions format some constructs otherwise.
if shutil.which("clang-format"):
    version = subprocess.run(["clang-format", "--version"], capture_output=True, text=True).stdout
    if re.search(r"version 14\.", version):
        config.available_features.add("clang-format")
if shutil.which("clang-tidy-22"):
    config.available_features.add("clang-tidy")
# With its libraries, which a machine may have without the tool.
llvm = os.path.dirname(config.llvm_tools_dir)
if all(os.path.exists(os.path.join(llvm, f)) for f in ("bin/mlir-opt", "bin/mlir-runner", "lib/libmlir_runner_utils.so")):
    config.available_features.add("mlir-runner")
# NVIDIA's assembler, where mica-compile looks for it.
if shutil.which("ptxas") or os.path.exists("/usr/local/cuda/bin/ptxas"):
    config.available_features.add("ptxas")
# Of the package spirv-tools.
if shutil.which("spirv-val"):
    config.available_features.add("spirv-val")
# A device that runs SPIR-V kernels: of any machine by the packages pocl-opencl-icd and llvm-spirv-15.
listed = subprocess.run([os.path.join(config.mica_build_dir, "bin", "mica-run"), "--list-devices"], capture_output=True, text=True).stdout
if re.search(r"^opencl:0  (?!none: )", listed, re.M):
    config.available_features.add("opencl")
    # pocl keeps the code that it makes, by contents.
    config.environment["POCL_CACHE_DIR"] = os.path.join(config.test_exec_root, "pocl-cache")
    os.makedirs(config.environment["POCL_CACHE_DIR"], exist_ok=True)
# How the ranks of a program are started: as threads, or by each MPI library that there is a plug-in of and whose mpirun
# starts two processes that find each other.
launchers = ["threads"]
opens_and_closes = """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1], ctypes.RTLD_GLOBAL)
library.mica_ranks_open_v1.restype = ctypes.c_void_p
api = library.mica_ranks_open_v1(None, ctypes.create_string_buffer(512), ctypes.c_int64(512))
ctypes.CFUNCTYPE(None)(ctypes.c_void_p.from_address(api + 56).value)()  # mica_ranks_api_v1.close
"""
for library, flags in (("openmpi", ["--oversubscribe", "--allow-run-as-root"]), ("mpich", [])):
    plugin = os.path.join(config.mica_build_dir, "lib", f"libmica-{library}.so")
    if not shutil.which("mpirun." + library) or not os.path.exists(plugin):
        continue
    try:
        works = subprocess.run(["mpirun." + library, *flags, "-n", "2", sys.executable, "-c", opens_and_closes, plugin],
                               capture_output=True, timeout=30).returncode == 0
    except subprocess.TimeoutExpired:
        works = False
    if works:
        launchers.append(library)
        config.available_features.add(library)
config.substitutions.append(("%rank_launchers", ",".join(launchers)))
# Shells whose completion is tested, what sets man pages, and what runs the extension of an editor.
for program in ("fish", "zsh", "groff", "node"):
    if shutil.which(program):
        config.available_features.add(program)
# Root can be other users, where these reach the tools.
if os.geteuid() == 0 and shutil.which("setpriv") and subprocess.run(
        ["setpriv", "--reuid=1001", "--regid=1001", "--clear-groups", os.path.join(config.mica_build_dir, "bin", "mica-run"), "--version"],
        capture_output=True).returncode == 0:
    config.available_features.add("other-users")
# A second Debian system in a folder, into which the package is installed.
if os.geteuid() == 0 and shutil.which("mmdebstrap") and shutil.which("unshare"):
    config.available_features.add("clean-root")
if os.environ.get("MICA_TEST_LONG"):
    config.available_features.add("long")
# What tools/scripts/npm_packages.sh installs.
if os.path.isdir(os.path.join(config.mica_build_dir, "npm", "node_modules", "onnxruntime-node")):
    config.available_features.add("onnxruntime")
# mica-run --sandbox: system call 444 gives the version of Landlock.
if platform.system() == "Linux" and ctypes.CDLL(None).syscall(444, None, 0, 1) > 0:
    config.available_features.add("landlock")
shared_inputs = os.path.join(config.mica_source_dir, "..", "shared", "inputs")
if os.path.isdir(shared_inputs):
    config.available_features.add("real-inputs")

# Debian's chromium, chromium-driver and python3-selenium, by which pages are tested as users see them.
if (shutil.which("chromedriver") and os.path.exists("/usr/bin/chromium") and
        subprocess.run(["/usr/bin/python3", "-c", "import selenium"], capture_output=True).returncode == 0):
    config.available_features.add("chromium")

# The first Python on this machine that has NumPy, if there is one.
for python in ("python3", "/usr/bin/python3"):
    if subprocess.run([python, "-c", "import numpy"], capture_output=True).returncode == 0:
        config.available_features.add("numpy")
        if subprocess.run([python, "-c", "import importlib.util, sys; sys.exit(not importlib.util.find_spec('torch'))"]).returncode == 0:
            config.available_features.add("torch")
        if subprocess.run([python, "-c", "import PIL"], capture_output=True).returncode == 0:
            config.available_features.add("pillow")
        config.substitutions.append(("%numpy_python", python))
        break

sys.path.insert(0, os.path.join(config.mica_source_dir, "tools", "scripts"))
import cpu_level  # noqa: E402
config.substitutions.append(("%cpu_level", f"x86-64-v{cpu_level.level_up_to_3()}"))
config.substitutions.append(("%mica_src", config.mica_source_dir))
config.substitutions.append(("%mica_build", config.mica_build_dir))
config.substitutions.append(("%llvm", llvm))
config.substitutions.append(("%real_inputs", shared_inputs))
config.substitutions.append(("%planted", os.path.join(config.mica_build_dir, "test", "Plugins", "MicaPlantedPasses.so")))
config.substitutions.append(("%miscompiling", os.path.join(config.mica_build_dir, "test", "Plugins", "MicaMiscompilingPasses.so")))
config.substitutions.append(("%wrong_llvm_passes",
                             os.path.join(config.mica_build_dir, "test", "Plugins", "MicaMiscompilingLLVMPasses.so")))
config.substitutions.append(("%faulty", os.path.join(config.mica_build_dir, "test", "Plugins", "MicaFaultyPasses.so")))
config.substitutions.append(("%python", "python3"))
