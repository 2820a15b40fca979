#!/usr/bin/env python3
"""Damages each file that runs, in several ways, before and while an artifact is used: an error that names the file, never a signal.

usage: verified_files.py MICA_COMPILE MICA_RUN WORK
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

COMPILE, RUN, WORK = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
shutil.rmtree(WORK, ignore_errors=True)
WORK.mkdir(parents=True)
ENVIRONMENT = os.environ | {"MICA_CACHE_DIR": str(WORK / "cache")}
small = WORK / "small.mlir"
values = ", ".join(f"{k}.5" for k in range(128))
small.write_text(f"func.func @main(%x: tensor<128xf32>) -> tensor<128xf32> {{\n  %c = arith.constant dense<[{values}]> : tensor<128xf32>\n  %r = arith.addf %x, %c : tensor<128xf32>\n  return %r : tensor<128xf32>\n}}\n")


def run(*arguments):
    return subprocess.run([RUN, *map(str, arguments)], capture_output=True, text=True, env=ENVIRONMENT, timeout=120)


def expect(holds, what, done=None):
    if not holds:
        sys.exit(what + (f": exit code {done.returncode}\n{done.stdout[-1500:]}\n{done.stderr[-1500:]}" if done else ""))


def refused(folder, name, what, *flags):
    done = run(folder, "--input=128xf32=0", "--output=@" + str(WORK / "r.npy"), *flags)
    expect(done.returncode == 1 and str(folder / name) in done.stderr and "hint:" in done.stderr, f"{name}, {what}", done)


whole = WORK / "whole"
subprocess.run([COMPILE, str(small), "-o", str(whole)], check=True, capture_output=True)
expect(run(whole, "--verify", "--input=128xf32=0", "--output=@" + str(WORK / "r.npy")).returncode == 0, "whole")
count = 0
for name in ("program.so", "constants.bin", "host/tasks.json"):
    data = (whole / name).read_bytes()
    changed = bytearray(data)
    # A byte that no reader of a format looks at: in the code, in a weight, in a name.
    place = data.index(b"affine") if b"affine" in data else data.index(b'"main_0"') + 2 if name.endswith("json") else len(data) * 2 // 3
    changed[place] ^= 1
    for what, damaged in (("one bit", bytes(changed)), ("half", data[:len(data) // 2]), ("empty", b""), ("longer", data + b"\0" * 4096), ("zeros", bytes(len(data)))):
        folder = WORK / "damaged"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(whole, folder)
        (folder / name).write_bytes(damaged)
        refused(folder, name, what, "--no-rebuild")
        count += 1
print(f"{count} damaged files, each named")

# Of the cache, what is damaged is made again, and said.
expect(run(small, "--input=128xf32=0", "--output=@" + str(WORK / "r.npy")).returncode == 0, "into the cache")
entry = next((WORK / "cache/artifacts").glob("small-*/program.so"))
entry.write_bytes(entry.read_bytes()[:-1] + b"\1")
done = run(small, "--input=128xf32=0", "--output=@" + str(WORK / "again.npy"))
expect(done.returncode == 0 and (WORK / "r.npy").read_bytes() == (WORK / "again.npy").read_bytes(), "damaged in the cache", done)
expect("program.so is not the file that was built" in done.stderr, "what was damaged in the cache", done)
expect("program.so" not in run(small, "--input=128xf32=0", "--output=@" + str(WORK / "again.npy")).stderr, "made again")
print("in the cache: made again, and said")

# Large weights: samples at load, everything with --verify.
large = WORK / "large.mlir"
side = 2304
large.write_text(f"func.func @main(%x: tensor<{side}xf32>) -> tensor<{side}xf32> {{\n  %c = arith.constant dense_resource<w> : tensor<{side}x{side}xf32>\n  %e = tensor.empty() : tensor<{side}xf32>\n"
                 f"  %z = arith.constant 0.0 : f32\n  %f = linalg.fill ins(%z : f32) outs(%e : tensor<{side}xf32>) -> tensor<{side}xf32>\n"
                 f"  %r = linalg.matvec ins(%c, %x : tensor<{side}x{side}xf32>, tensor<{side}xf32>) outs(%f : tensor<{side}xf32>) -> tensor<{side}xf32>\n  return %r : tensor<{side}xf32>\n}}\n"
                 "{-#\n  dialect_resources: {\n    builtin: {\n      w: \"0x04000000" + "0000803F" * (side * side) + "\"\n    }\n  }\n#-}\n")
folder = WORK / "large"
subprocess.run([COMPILE, str(large), "-o", str(folder), "--dump-passes=off"], check=True, capture_output=True)
large.unlink()
weights = folder / "constants.bin"
size = weights.stat().st_size
expect(size > 16 << 20, "the weights are not large")
arguments = [folder, f"--input={side}xf32=1", "--output=@" + str(WORK / "r.npy")]
expect(run(*arguments, "--verify").returncode == 0, "large, whole")
with open(weights, "r+b") as file:
    file.seek(size // 2 + 5000)
    old = file.read(1)
    file.seek(-1, 1)
    file.write(bytes([old[0] ^ 1]))
done = run(*arguments, "--verify")
expect(done.returncode == 1 and "constants.bin is not the file" in done.stderr, "one bit, with --verify", done)
with open(weights, "r+b") as file:
    file.seek(size // 2 + 5000)
    file.write(old)
    file.seek(size - 1)
    last = file.read(1)
    file.seek(size - 1)
    file.write(bytes([last[0] ^ 1]))
done = run(*arguments)
expect(done.returncode == 1 and "constants.bin is not the file" in done.stderr, "the last byte", done)
with open(weights, "r+b") as file:
    file.seek(size - 1)
    file.write(last)

# Cut off while it is mapped.
for again in range(2):
    child = subprocess.Popen([RUN, *map(str, arguments), "--repeat=100000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
    end = time.monotonic() + 60
    while "constants.bin" not in pathlib.Path(f"/proc/{child.pid}/maps").read_text() and time.monotonic() < end:
        time.sleep(0.01)
    time.sleep(0.2 * again)
    data = weights.read_bytes()
    os.truncate(weights, 4096 * 10)
    said, errors = child.communicate(timeout=120)
    # A read of what is gone ends the process with its message; where none comes first, the check around an invocation
    # says it.
    named = "truncated while in use" in errors or "was truncated or written to while" in errors
    expect(child.returncode == 1 and str(weights) in errors and named, f"cut off: exit code {child.returncode}: {errors}")
    weights.write_bytes(data)
print("large weights: sampled, verified whole, cut off while mapped")

# program.so cut off while it runs: the run goes on with the code that was verified.
folder = WORK / "running"
shutil.copytree(whole, folder, ignore=shutil.ignore_patterns("runs"))
child = subprocess.Popen([RUN, str(folder), "--input=128xf32=0", "--output=@" + str(WORK / "r.npy"), "--repeat=3000000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
end = time.monotonic() + 60
while not list(folder.glob("runs/*/data/out/*")) and time.monotonic() < end and child.poll() is None:
    time.sleep(0.01)
for name in ("program.so", "constants.bin"):
    os.truncate(folder / name, 100)
said, errors = child.communicate(timeout=120)
expect(child.returncode == 0, f"program.so cut off: exit code {child.returncode}: {errors}")
print("program.so cut off while it runs: goes on")
