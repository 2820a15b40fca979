"""Edits the files of a kernel for an OpenCL device by hand, and runs it: what it computes then, or what is said.

usage: edits.py PROGRAM.mlir WORK_DIR      PROGRAM: chain.mlir, whose kernel is softmax_5x64xf32
"""
import pathlib
import re
import shutil
import struct
import subprocess
import sys

PROGRAM, WORK = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
KERNEL = "kernels/softmax_5x64xf32/"
PRISTINE, EDITED, GOLDEN = WORK / "pristine", WORK / "edited", WORK / "golden"
# A kernel that has all of a block's memory, and more: each thread stores a number and reads one of another thread.
LARGE = """      %large_at = gpu.thread_id x
      %large_value = arith.constant 1.0 : f32
      memref.store %large_value, %large[%large_at] : memref<4194304xf32, #gpu.address_space<workgroup>>
      %large_last = arith.constant 31 : index
      %large_other = arith.subi %large_last, %large_at : index
      %large_back = memref.load %large[%large_other] : memref<4194304xf32, #gpu.address_space<workgroup>>
      %large_is = arith.cmpf ogt, %large_back, %large_value : f32
      scf.if %large_is {
        memref.store %large_back, %large[%large_at] : memref<4194304xf32, #gpu.address_space<workgroup>>
      }
"""


def call(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


def expect(done, code, *said):
    output = done.stderr + done.stdout
    if done.returncode != code or any(text not in output for text in said):
        sys.exit(f"edits.py: exit {done.returncode}, not {code}, or it does not say one of {said}:\n{output}")


def contents(folder):
    return {str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.rglob("*"))
            if f.is_file() and not {"runs", "lock"} & set(f.relative_to(folder).parts)}


def edit(name, change, code, *said, flags=()):
    """The artifact with `change` made to the bytes of `name` ends with `code`, and says `said`; --reset undoes it."""
    shutil.rmtree(EDITED, ignore_errors=True)
    shutil.copytree(PRISTINE, EDITED, symlinks=True)
    file = EDITED / KERNEL / name
    before = file.read_bytes()
    file.write_bytes(change(before))
    assert file.read_bytes() != before, f"{name}: nothing is changed"
    expect(call("mica-run", EDITED, f"--golden-data={GOLDEN}", *flags), code, *said)
    expect(call("mica-run", EDITED, "--reset", f"--golden-data={GOLDEN}"), 0, "golden: result 0 (5x64xf32): same")
    now = contents(EDITED)
    differing = sorted(name for name in now.keys() | ORIGINAL.keys() if now.get(name) != ORIGINAL.get(name))
    assert not differing, f"--reset leaves {differing}"


def text(change):
    return lambda data: change(data.decode()).encode()


def foreign_id(data):
    """The first arithmetic of the module gets an operand that nothing defines."""
    words = list(struct.unpack(f"<{len(data) // 4}I", data))
    at = 5
    while words[at] & 0xFFFF not in range(126, 142):
        at += words[at] >> 16
    words[at + 3] = 99999
    return struct.pack(f"<{len(words)}I", *words)


def large(kernel):
    head = re.search(r"gpu\.func @\w+\([^)]*\) kernel attributes \{[^\n]*\{\n", kernel).group(0)
    return kernel.replace(head, head.replace(
        ") kernel", ") workgroup(%large : memref<4194304xf32, #gpu.address_space<workgroup>>) kernel") + LARGE)


expect(call("mica-compile", "--target=opencl", PROGRAM, "-o", PRISTINE), 0)
expect(call("mica-run", PRISTINE, "--input=random:1", f"--save-golden={GOLDEN}"), 0)
shutil.rmtree(PRISTINE / "runs")
ORIGINAL = contents(PRISTINE)
where = "in kernel 'softmax_5x64xf32' (mica.softmax ["
line = "at chain.mlir:3:8"

edit("kernel.mlir", text(lambda t: t.replace("arith.divf", "arith.mulf")), 3, "rebuilt from " + KERNEL + "kernel.mlir",
     "golden: result 0 (5x64xf32): DIFFERENT")
edit("kernel.ll", text(lambda t: t.replace("ret i32", "; a comment\n  ret i32")), 0, "rebuilt from " + KERNEL + "kernel.ll", "same")
edit("device.ll", text(lambda t: t.replace("fdiv contract", "fmul contract").replace("fdiv float", "fmul float")), 3,
     f"rebuilt from {KERNEL}device.ll: kernel softmax_5x64xf32, code of the device alone, kernel.spv; ", "DIFFERENT")
edit("device.ll", text(lambda t: t.replace("@softmax_5x64xf32_0(", "@other(")), 1, "no longer has the entry softmax_5x64xf32_0; it has other")
edit("kernel.mlir", text(lambda t: t.replace("array<i32: 32, 1, 1>", "array<i32: 8192, 1, 1>").replace(
    "constant 32 : index", "constant 8192 : index")), 1, "blocks of 8192x1x1 threads: CL_INVALID_WORK_GROUP_SIZE",
     "a block of this kernel has at most ", where, line)
edit("kernel.mlir", text(large), 1, "a block of 'softmax_5x64xf32_0' takes 16.0 MiB of workgroup memory, and opencl:0 has ", where, line)
edit("kernel.spv", lambda data: data[:len(data) // 2 & ~3], 1, "kernel.spv is no complete module of SPIR-V; for kernel 'softmax_5x64xf32' (mica.softmax",
     line, "--reset restores")
edit("kernel.spv", foreign_id, 1, "kernel 'softmax_5x64xf32': ", where, line)
print("8 edits")
