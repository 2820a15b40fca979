"""Edits the files of a kernel for a GPU, and checks what is built and what is refused.

usage: edit.py MICA_COMPILE MICA_RUN PROGRAM.mlir WORK_DIR

ptxas is a script here that writes what it was given, so that binaries can be compared on any machine.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import snapshot_files

COMPILE, RUN, PROGRAM = shutil.which(sys.argv[1]), shutil.which(sys.argv[2]), sys.argv[3]
WORK = pathlib.Path(sys.argv[4]).resolve()
KERNEL = "kernels/softmax_5x64xf32/"
PTXAS = """#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in -o) out=$2; shift ;; *.ptx) file=$1 ;; esac
  shift
done
grep -n nonsense "$file" && { echo "ptxas $file, line $(grep -n nonsense "$file" | head -1 | cut -d: -f1); fatal : Parsing error"; exit 255; }
[ "$out" = /dev/null ] || cp "$file" "$out"
"""
(WORK / "bin").mkdir()
(WORK / "bin" / "ptxas").write_text(PTXAS)
(WORK / "bin" / "ptxas").chmod(0o755)
os.environ["PATH"] = str(WORK / "bin") + os.pathsep + os.environ["PATH"]
os.environ["MICA_COMPILE"] = COMPILE


def expect(condition, what):
    if not condition:
        sys.exit("edit.py: " + what)


def call(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


def contents(folder):
    return {str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.rglob("*"))
            if f.is_file() and not {"runs", "lock"} & set(f.relative_to(folder).parts)}


def fresh():
    folder = WORK / "edited"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(PRISTINE, folder, symlinks=True)
    return folder


def change(file, old, new):
    text = file.read_text()
    expect(old in text, f"{file} holds no {old!r}")
    file.write_text(text.replace(old, new))


def edit(name, old, new, said, changed):
    """An edit of `name` is built, says `said`, and changes these files of the kernel; then it is taken back."""
    folder = fresh()
    change(folder / KERNEL / name, old, new)
    done = call(COMPILE, "--rebuild=" + str(folder))
    expect(done.returncode == 0 and f"rebuilt from {KERNEL}{name}: kernel softmax_5x64xf32, {said}" in done.stderr,
           f"{name}: exit {done.returncode}: {done.stderr}")
    after = contents(folder)
    endings = (".ptx", ".cubin", ".o", ".ll")
    now = {path[len(KERNEL):] for path in after if path.startswith(KERNEL) and path.endswith(endings)
           and after[path] != ORIGINAL[path]}
    expect(now == changed, f"{name}: these files changed: {sorted(now)}, not {sorted(changed)}")
    expect(after[KERNEL + "kernel.cubin"] == after[KERNEL + "kernel.ptx"], f"{name}: the binary is another text's")
    again = call(COMPILE, "--rebuild=" + str(folder))
    expect("nothing was edited" in again.stderr, f"{name}: built twice: {again.stderr}")
    back = call(RUN, folder, "--reset", "--list")
    left = contents(folder)
    differing = sorted(k for k in left.keys() | ORIGINAL.keys() if left.get(k) != ORIGINAL.get(k))
    expect(back.returncode == 0 and not differing, f"{name}: --reset: {back.stderr}; these differ: {differing}")


def refuse(name, old, new, *said):
    folder = fresh()
    change(folder / KERNEL / name, old, new)
    before = contents(folder)
    done = call(COMPILE, "--rebuild=" + str(folder))
    expect(done.returncode == 1, f"{name}: exit {done.returncode}, not 1: {done.stderr}")
    for text in said:
        expect(text in done.stderr, f"{name}: it does not say {text!r}: {done.stderr}")
    expect(contents(folder) == before, f"{name}: a refused edit changed the artifact")


def watch():
    """mica-run --watch builds a saved text, whether or not there is a device to run it."""
    folder = fresh()
    child = subprocess.Popen([RUN, str(folder), "--watch", "--input=5x64xf32=1"], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    killer = threading.Timer(60, child.kill)
    killer.start()
    said = ""
    waits = 0
    for line in child.stdout:
        said += line
        if "waiting for" in line:
            waits += 1
            if waits == 2:
                break
            change(folder / KERNEL / "kernel.ptx", "fma.rn.f32", "fma.rz.f32")
    child.terminate()
    child.wait()
    killer.cancel()
    expect(f"rebuilt from {KERNEL}kernel.ptx" in said, f"--watch: {said}")


PRISTINE = WORK / "pristine"
done = call(COMPILE, "--target=cuda:sm_80", PROGRAM, "-o", PRISTINE)
expect(done.returncode == 0, done.stderr)
snapshot_files.unseal(PRISTINE / "passes_dump")
ORIGINAL = contents(PRISTINE)
PTX = (PRISTINE / KERNEL / "kernel.ptx").read_text()
ENTRY = "softmax_5x64xf32_0"

alone = "code of the device alone, kernel.cubin by ptxas; "
edit("kernel.ptx", "fma.rn.f32", "fma.rz.f32", alone, {"kernel.ptx", "kernel.cubin"})
edit("device.ll", "fsub contract", "fadd contract", alone, {"device.ll", "kernel.ptx", "kernel.cubin"})
edit("kernel.ll", "ret i32", "; a comment\n  ret i32", "program.so; ", {"kernel.ll"})
edit("kernel.mlir", "arith.divf", "arith.mulf", "program.so", {"device.ll", "kernel.ptx", "kernel.cubin"})

line = PTX[:PTX.index("fma.rn.f32")].count("\n") + 1
refuse("kernel.ptx", "fma.rn.f32", "nonsense.f32", f"{KERNEL}kernel.ptx, line {line}; fatal", "--reset")
refuse("kernel.ptx", f".entry {ENTRY}(", ".entry other(", f"no longer has the entry {ENTRY}(.u64, .u64)", "it has other(.u64, .u64)")
refuse("kernel.ptx", f".param .u64 .ptr .align 64 {ENTRY}_param_0", f".param .u32 {ENTRY}_param_0",
       f"changes the entry {ENTRY}(.u64, .u64) to {ENTRY}(.u32, .u64)")
refuse("device.ll", f"@{ENTRY}(", "@other(", f"no longer has the entry {ENTRY}(.u64, .u64)", "it has other(.u64, .u64)")
watch()
print("4 edits, 4 refusals, watched")
