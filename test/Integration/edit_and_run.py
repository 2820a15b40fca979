"""Edits one kernel of a ten-kernel program at every level, and checks what mica-run builds and what comes out.

usage: edit_and_run.py MICA_COMPILE MICA_RUN PROGRAM_MAKER WORK_DIR

After each edit the results are those that the edit says, the objects of the other nine kernels have the hashes they had, and
--reset brings the folder back to the byte. Edits that are wrong are refused, with the error at the edited line, and the last
build still runs. Prints "N of N edits" at the end; a difference ends it with what was expected.
"""
import hashlib
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys

import snapshot_files

COMPILE, RUN, MAKER = sys.argv[1:4]
WORK = pathlib.Path(sys.argv[4])
KERNEL = "add_5xf32"   # the third result but one: x + [0.5, 1.5, 2.5, 3.5, 4.5], with x all 1 here
RESULT = 3
SUM = [1.5, 2.5, 3.5, 4.5, 5.5]
os.environ["MICA_COMPILE"] = shutil.which(COMPILE)


def read_floats(file):
    data = file.read_bytes()
    header, = struct.unpack_from("<H", data, 8)
    values = data[10 + header:]
    return list(struct.unpack(f"<{len(values) // 4}f", values))


def run(folder, *flags):
    inputs = ["--input=16x32xf32=0.25", "--input=32x48xf32=2"] + [f"--input={n}xf32=1" for n in range(3, 12)]
    return subprocess.run([RUN, str(folder), *inputs, *flags], capture_output=True, text=True)


def results(folder):
    return [read_floats(folder / "runs" / "latest" / "data" / "out" / f"{i}.npy") for i in range(10)]


def objects(folder):
    return {file.parent.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.glob("kernels/*/kernel.o")}


def contents(folder):
    own = {"runs", "lock"}
    return {str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.rglob("*"))
            if f.is_file() and not own & set(f.relative_to(folder).parts)}


def expect(condition, what):
    if not condition:
        sys.exit(f"edit_and_run.py: {what}")


def change(file, old, new, count=1):
    text = snapshot_files.read_text(file)
    expect(old in text, f"{file} holds no {old!r}")
    file.write_text(text.replace(old, new, count))
    return text[:text.index(old)].count("\n") + 1


def fresh():
    folder = WORK / "edited"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(PRISTINE, folder, symlinks=True)
    return folder


def snapshot(folder, name):
    found = list(folder.glob(f"passes_dump/*_{name}.mlir"))
    expect(len(found) == 1, f"{len(found)} snapshots {name}")
    return found[0]


def edits():
    """(what, the edited file, old text, new text, the result's values, kernels with new code: None for no code)."""
    base = f"kernels/{KERNEL}/"
    minus = [0.5, -0.5, -1.5, -2.5, -3.5]
    yield ("op of phase tensor", "snapshot of mica-tensor-assign-ids",
           "mica.add %arg4, ", "mica.sub %arg4, ", minus, {"sub_5xf32"})
    yield "tile size", "snapshot of mica-cpu-select-contraction-config@matmul_16x48x32xf32", "tile_sizes = [0, 0, 0]", "tile_sizes = [4, 0, 0]", SUM, {"matmul_16x48x32xf32"}
    yield "kernel.mlir", base + "kernel.mlir", "arith.addf", "arith.mulf", None, {KERNEL}
    yield "line of .ll", base + "kernel.ll", "fadd <4 x float>", "fsub <4 x float>", minus[:4] + SUM[4:], {KERNEL}
    yield "line of assembly", base + "kernel.s", "vaddps", "vsubps", None, {KERNEL}
    yield "constant of the schedule", "host/schedule.mlir", "3.500000e+00, 4.500000e+00]> : tensor<5xf32>", \
        "3.500000e+00, 9.000000e+00]> : tensor<5xf32>", SUM[:4] + [10.0], set()
    yield "host functions", "host/host.ll", "define", "; a comment\ndefine", SUM, set()
    yield "task lists", "host/tasks.json", "{", "{ ", SUM, set()


def check_edits():
    count = 0
    before, original = objects(PRISTINE), contents(PRISTINE)
    expect(len(before) == 10, f"the program has {len(before)} kernels, not 10")
    base = results(PRISTINE)
    for what, path, old, new, values, rebuilt in edits():
        folder = fresh()
        of_pass = path.removeprefix("snapshot of ")
        file = folder / path if of_pass == path else snapshot(folder, of_pass)
        change(file, old, new)
        done = run(folder)
        expect(done.returncode == 0, f"{what}: exit {done.returncode}: {done.stderr}")
        said = re.findall(r"rebuilt from (.*); [0-9.]+ s\n", done.stderr)
        expect(len(said) == 1, f"{what}: it said {done.stderr!r}")
        now, after = results(folder), objects(folder)
        if values is None:
            expect(now[RESULT] != SUM, f"{what}: the result is as it was, {SUM}")
        else:
            expect(now[RESULT] == values, f"{what}: the result is {now[RESULT]}, not {values}")
        expect(now[:RESULT] + now[RESULT + 1:] == base[:RESULT] + base[RESULT + 1:], f"{what}: other results changed")
        changed = {name for name in after if before.get(name) != after[name]}
        expect(changed == rebuilt, f"{what}: new objects of {sorted(changed)}, not of {sorted(rebuilt)}; it said {said[0]}")
        again = run(folder)
        expect(again.returncode == 0 and "rebuilt" not in again.stderr, f"{what}: built twice: {again.stderr}")
        expect(results(folder) == now, f"{what}: the second run differs")
        refused = subprocess.run([COMPILE, str(WORK / "ten.mlir"), "-o", str(folder)], capture_output=True, text=True)
        expect(refused.returncode == 1 and "edited by hand" in refused.stderr, f"{what}: a compile over it: {refused.stderr}")
        relative = str(file.relative_to(folder))
        expect((folder / ".orig" / relative).read_text() == snapshot_files.read_text(PRISTINE / relative), f"{what}: .orig/{relative} is another text")
        done = run(folder, "--reset")
        expect(done.returncode == 0 and results(folder) == base, f"{what}: after --reset: {done.stderr}")
        left = contents(folder)
        differing = sorted(k for k in left.keys() | original.keys() if left.get(k) != original.get(k))
        expect(not differing, f"{what}: after --reset these files differ: {differing}")
        count += 1
    return count


def check_two_kernels():
    """Edits of different kernels are built together; one of them is taken back alone."""
    folder = fresh()
    change(folder / f"kernels/{KERNEL}/kernel.ll", "fadd <4 x float>", "fsub <4 x float>")
    change(folder / "kernels/add_3xf32/kernel.s", "vadd", "vsub")
    done = run(folder)
    expect(done.returncode == 0, done.stderr)
    changed = {name for name, value in objects(folder).items() if objects(PRISTINE)[name] != value}
    expect(changed == {KERNEL, "add_3xf32"}, f"two edits: new objects of {sorted(changed)}")
    done = run(folder, "--reset=kernels/add_3xf32/kernel.s")
    expect(done.returncode == 0 and results(folder)[1] == results(PRISTINE)[1], f"--reset=FILE: {done.stderr}")
    expect(results(folder)[RESULT] != SUM, "--reset=FILE took the other edit back too")


def refuse(what, edit, *said):
    """`edit` changes a folder; the run after it must fail, say `said`, and leave the last build runnable."""
    folder = fresh()
    edit(folder)
    done = run(folder)
    expect(done.returncode == 1, f"{what}: exit {done.returncode}, not 1: {done.stderr}")
    for text in said:
        expect(text in done.stderr, f"{what}: it does not say {text!r}: {done.stderr}")
    done = run(folder, "--no-rebuild")
    expect(done.returncode == 0 and results(folder) == results(PRISTINE), f"{what}: the last build: {done.stderr}")


def check_refusals():
    base = f"kernels/{KERNEL}/"

    def both(folder):
        change(folder / base / "kernel.ll", "fadd", "fsub")
        change(folder / base / "kernel.s", "vaddps", "vsubps")

    def edit(path, old, new):
        return lambda folder: change(folder / path, old, new)

    place = lambda path, line: f"{path}:{line}:"
    kernel = PRISTINE / base / "kernel.mlir"
    line = kernel.read_text().split("arith.addf")[0].count("\n") + 1
    refuse("IR that does not parse", edit(base + "kernel.mlir", "arith.addf", "arith.addg"), place("kernel.mlir", line))
    refuse("IR that does not verify", edit(base + "kernel.mlir", "arith.addf", "arith.addi"), place("kernel.mlir", line))
    refuse("a kernel of another name", edit(base + "kernel.mlir", "func.func @", "func.func @other_"),
           f"kernel '{KERNEL}'", "no function of its name")
    ll = (PRISTINE / base / "kernel.ll").read_text().split("fadd <4")[0].count("\n") + 1
    refuse("LLVM IR that does not parse", edit(base + "kernel.ll", "fadd <4", "fadf <4"), place("kernel.ll", ll))
    asm = (PRISTINE / base / "kernel.s").read_text().split("vaddps")[0].count("\n") + 1
    refuse("assembly that does not assemble", edit(base + "kernel.s", "vaddps", "vaddpz"), place("kernel.s", asm))
    refuse("a kernel without its function", edit(base + "kernel.ll", f"@mica_kernel_{KERNEL}(", "@nobody("),
           f"no longer defines mica_kernel_{KERNEL}")
    refuse("a changed signature", edit(base + "kernel.mlir", '%arg0: memref<5xf32> {mica_sched.access = "read"}',
                                       '%arg0: memref<5xf32> {mica_sched.access = "readwrite"}'),
           "(5xf32 read, 5xf32 read, 5xf32 write)", "(5xf32 readwrite, 5xf32 read, 5xf32 write)")
    refuse("two edits on one chain", both, "kernel.ll and ", "kernel.s were both edited")
    refuse("changed entries", edit("passes_dump/0000_input.mlir", "func.func @main(", "func.func @other("),
           "changes the entries from main(", "to other(")
    refuse("a file that says what another does", edit(base + "launch.json", "{", "{ "), "nothing is built from it")
    refuse("a map", edit(base + "kernel.ll.map.json", "{", "{ "), "it only says where lines come from")
    folder = fresh()
    (folder / base / "kernel.s").unlink()
    done = run(folder)
    expect(done.returncode == 1 and "was removed" in done.stderr, f"a removed file: {done.stderr}")
    expect(run(folder, f"--reset={base}kernel.s").returncode == 0, "a removed file is not brought back")
    folder = fresh()
    change(folder / base / "kernel.ll", "fadd", "fsub")
    expect(run(folder).returncode == 0, "the first of two edits")
    change(folder / base / "kernel.s", "vsubps", "vmulps")
    done = run(folder)
    expect(done.returncode == 1 and "were both edited" in done.stderr, f"a second edit further down: {done.stderr}")


subprocess.run([sys.executable, MAKER, str(WORK / "ten.mlir")], check=True)
PRISTINE = WORK / "ten"
shutil.rmtree(PRISTINE, ignore_errors=True)
subprocess.run([COMPILE, str(WORK / "ten.mlir"), "-o", str(PRISTINE)], check=True, capture_output=True)
snapshot_files.unseal(PRISTINE / "passes_dump")
first = run(PRISTINE)
expect(first.returncode == 0 and results(PRISTINE)[RESULT] == SUM, f"the program as compiled: {first.stderr}")
done = check_edits()
check_two_kernels()
check_refusals()
print(f"{done} of {done} edits")
