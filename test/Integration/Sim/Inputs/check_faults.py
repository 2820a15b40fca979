"""Runs the faulty kernels of faults*.py and their clean twins: every fault is reported by its check, at the right lines, once; no
twin is. usage: check_faults.py FOLDER [--every=N] [NAME...]

--every=N: one of N faults."""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys

import faults
import faults_atomic  # noqa: F401
import faults_bulk  # noqa: F401
import faults_copy  # noqa: F401
import faults_memory  # noqa: F401
import faults_vector  # noqa: F401
import faults_warp  # noqa: F401

# What a kernel that names it gets besides: a tensor map of the 16x16 numbers of %x, in boxes of 8x16.
MAP = {
    "PARAMETER": ", %map: !map",
    "ARGUMENT": ", %map : !map",
    "MAKE": """    %square = memref.reinterpret_cast %x to offset: [0], sizes: [16, 16], strides: [16, 1] : memref<256xf32> to memref<16x16xf32>
    %any = memref.cast %square : memref<16x16xf32> to memref<*xf32>
    %rows = arith.constant 8 : index
    %columns = arith.constant 16 : index
    %map = nvgpu.tma.create.descriptor %any box[%rows, %columns] : memref<*xf32> -> !map
""",
}
ALIAS = "!map = !nvgpu.tensormap.descriptor<tensor = memref<8x16xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>\n"

TEMPLATE = """module attributes {gpu.container_module} {
  gpu.module @kernels {
    memref.global "private" constant @table : memref<8xf32> = dense<1.0>
    gpu.func @kernel(%x: memref<256xf32>, %y: memref<256xf32>, %h: memref<256xf16>, %d: memref<256xf32>, %n: indexPARAMETER)
        workgroup(%s: memref<128xf32, 3>, %sh: memref<256xf16, 3>, %m: memref<16x16xf32, 3>) kernel {
      CONSTANTS
      %one = arith.constant 1.0 : f32
      %half = arith.constant 1.0 : f16
      %other = arith.constant 0.5 : f32
      %t = gpu.thread_id x
      %b = gpu.block_id x
      %dim = gpu.block_dim x
      %lane = gpu.lane_id
      %zero = arith.subi %dim, %dim : index
      %first = arith.muli %b, %dim : index
      %i = arith.addi %first, %t : index
      %ti = arith.index_cast %i : index to i32
      %tf = arith.sitofp %ti : i32 to f32
      BODY
      gpu.return
    }
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %blocks = arith.constant BLOCKS : index
    %threads = arith.constant THREADS : index
    %bytes = arith.constant DYNAMIC : i32
    %n = arith.constant 100 : index
    %one = arith.constant 1.0 : f32
    %half = arith.constant 1.0 : f16
    %x = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    %y = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    %h = memref.alloc() {alignment = 64 : i64} : memref<256xf16>
    linalg.fill ins(%one : f32) outs(%x : memref<256xf32>)
    linalg.fill ins(%one : f32) outs(%y : memref<256xf32>)
    linalg.fill ins(%half : f16) outs(%h : memref<256xf16>)
    %d = gpu.alloc () : memref<256xf32>
MAKE    gpu.launch_func @kernels::@kernel blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
      dynamic_shared_memory_size %bytes
      args(%x : memref<256xf32>, %y : memref<256xf32>, %h : memref<256xf16>, %d : memref<256xf32>, %n : indexARGUMENT)
    gpu.dealloc %d : memref<256xf32>
    return
  }
}
"""
NUMBERS = (0, 1, 2, 3, 4, 6, 8, 16, 17, 31, 32, 64, 112, 128, 224, 225, 240, 255, 256)


def text_of(case, faulty):
    """The program, and the lines that "!1" and "!2" mark."""
    lines = []
    for line in case["body"].strip().splitlines():
        if line[:2] in ("- ", "+ "):
            if (line[0] == "-") != faulty:
                continue
            line = line[2:]
        for name, spelled in faults.T.items():
            line = re.sub(r"\$%s\b" % name, spelled, line)
        lines.append(line)
    constants = "\n".join("      %%c%d = arith.constant %d : index" % (n, n) for n in NUMBERS)
    program = TEMPLATE.replace("      CONSTANTS", constants).replace("      BODY", "\n".join(lines))
    hasMap = "%map" in case["body"]
    for key, spelled in MAP.items():
        program = program.replace(key, spelled if hasMap else "")
    program = (ALIAS if hasMap else "") + program
    for key in ("blocks", "threads", "dynamic"):
        program = program.replace(key.upper(), str(case[key]))
    marks = {}
    result = []
    for number, line in enumerate(program.splitlines(), 1):
        mark = re.search(r" !([12])$", line)
        if mark:
            marks[mark.group(1)] = number
            line = line[: mark.start()]
        result.append(line)
    return "\n".join(result) + "\n", marks


def run(folder, name, program, schedule):
    path = os.path.join(folder, name + ".mlir")
    with open(path, "w") as file:
        file.write(program)
    environment = dict(os.environ, MICA_CACHE_DIR=os.path.join(folder, "cache"))
    done = subprocess.run(["mica-run", "--target=sim", "--mica-debug=sim-schedule=" + schedule, path],
                          capture_output=True, text=True, env=environment)
    return done.returncode, done.stdout + done.stderr


def check(folder, case):
    problems = []
    for schedule in ("in-order", "reversed", "random:7"):
        program, marks = text_of(case, True)
        code, said = run(folder, case["name"] + "-faulty", program, schedule)
        reports = [line for line in said.splitlines() if re.search(r"(?:kernel'(?: \([^)]*\))?: |^  )[a-z-]+: ", line)]
        wanted = [mark for _, mark in sorted(marks.items())]
        fits = [line for line in reports
                if re.search(r"\b%s: " % case["check"], line) and case["text"] in line
                and all(re.search(r"faulty\.mlir:%d:" % mark, line) for mark in wanted)]
        if code != 3 or not fits:
            problems.append("%s, %s: not reported at lines %s (exit code %d):\n%s"
                            % (case["name"], schedule, wanted, code, said))
        program, _ = text_of(case, False)
        code, said = run(folder, case["name"] + "-clean", program, schedule)
        if code != 0:
            problems.append("%s, %s: the clean twin is reported (exit code %d):\n%s"
                            % (case["name"], schedule, code, said))
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    folder, names = options.folder, options.names
    os.makedirs(folder, exist_ok=True)
    cases = [case for case in faults.CASES if not names or case["name"] in names][::options.every]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda case: check(folder, case), cases))
    problems = [problem for result in results for problem in result]
    for problem in problems:
        print(problem)
    print("%d faults and %d clean twins, %d problems" % (len(cases), len(cases), len(problems)))
    sys.exit(1 if problems else 0)


main()
