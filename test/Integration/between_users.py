#!/usr/bin/env python3
"""An artifact that one user made is run, reported and read by another, from a folder that cannot be written to.

usage: between_users.py MICA_COMPILE MICA_RUN WORK

The other user is `nobody`, where this runs as root; otherwise it is this one, without the right to write.
"""
import os
import pathlib
import shutil
import stat
import subprocess
import sys

COMPILE, RUN, WORK = shutil.which(sys.argv[1]), shutil.which(sys.argv[2]), pathlib.Path(sys.argv[3]).absolute()
if WORK.exists():
    subprocess.run(["chmod", "-R", "u+w", str(WORK)], check=False)
shutil.rmtree(WORK, ignore_errors=True)
WORK.mkdir(parents=True)


def write(name, value):
    file = WORK / name
    values = ", ".join(f"{k}.0" for k in range(128))
    file.write_text(f"func.func @main(%x: tensor<128xf32>) -> tensor<128xf32> {{\n  %c = arith.constant dense<[{values}]> : tensor<128xf32>\n  %d = arith.constant dense<{value}.0> : tensor<128xf32>\n"
                    "  %s = arith.addf %x, %c : tensor<128xf32>\n  %r = arith.mulf %s, %d : tensor<128xf32>\n  return %r : tensor<128xf32>\n}\n")
    return file


def fail(what, done=None):
    sys.exit(what + (f": exit code {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}" if done else ""))


a, b = write("a.mlir", 2), write("b.mlir", 3)

# Permissions are those of the umask.
for mask in (0o022, 0o002, 0o077, 0o027):
    folder = WORK / f"umask{mask:o}"
    subprocess.run([COMPILE, str(a), "-o", str(folder)], check=True, capture_output=True, umask=mask)
    for path in [folder, *folder.rglob("*")]:
        mode, most = stat.S_IMODE(path.stat().st_mode), 0o777 & ~mask
        least = most if path.is_dir() else 0o666 & ~mask
        if mode & ~most or mode & least != least:
            fail(f"{path}: mode {mode:o} with umask {mask:o}")
print("permissions follow the umask")

# Another user, a folder that is read-only, and neither locks nor the compiler's own versions.
folder = WORK / "umask22"
shutil.rmtree(folder / ".orig")
subprocess.run(["chmod", "-R", "a-w", str(folder)], check=True)
own = WORK / "own"
own.mkdir()
as_other = []
if os.geteuid() == 0:
    shutil.chown(own, "nobody")
    as_other = ["setpriv", "--reuid=nobody", "--clear-groups", "--"]
    for parent in [WORK, *WORK.parents, pathlib.Path(RUN), *pathlib.Path(RUN).parents]:
        if not parent.stat().st_mode & 0o005:
            # The place of this build is closed to others.
            as_other = []
before = {path: path.stat().st_mtime_ns for path in [folder, *folder.rglob("*")]}
environment = os.environ | {"MICA_CACHE_DIR": str(own / "cache"), "HOME": str(own)}


def other(*command):
    done = subprocess.run([*as_other, *map(str, command)], env=environment, cwd=own, capture_output=True, text=True)
    if done.returncode != 0:
        fail(" ".join(map(str, command)), done)
    return done.stdout + done.stderr


for repeat in range(2):
    said = other(RUN, folder, "--input=128xf32=1")
    if "2." not in said or "256." not in said:
        fail(f"other numbers: {said}")
other(RUN, folder, "--input=128xf32=1", "--verify", "--time")
other(RUN, folder, "--list")
other("mica-report", folder, "-o", own / "report")
other("mica-report", folder, "--text")
snapshot = sorted((folder / "passes_dump").glob("*.mlir"))[-1]
other("mica-opt", snapshot, "-o", own / "snapshot.mlir")
other(RUN, folder, "--input=128xf32=1", "--check-reference")
other(RUN, folder, "--input=128xf32=1", "--mica-debug=assert-level=all")
other(RUN, folder, "--input=128xf32=1", "--from-snapshot=3")
after = {path: path.stat().st_mtime_ns for path in [folder, *folder.rglob("*")]}
if as_other and before != after:
    fail(f"the artifact was written to: {[str(path) for path in after if before.get(path) != after[path]][:5]}")
print("another user runs, reports and reads it, and writes nothing into it")
subprocess.run(["chmod", "-R", "u+w", str(folder)], check=True)

# -o over another program's artifact asks; over one's own it does not, also after an edit of the model or a move of the
# whole tree.
out = WORK / "tree/out"
out.parent.mkdir()
shutil.copy(a, WORK / "tree/a.mlir")
shutil.copy(b, WORK / "tree/b.mlir")


def compiled(folder, model, *flags):
    return subprocess.run([COMPILE, str(folder / model), "-o", str(folder / "out"), *flags], capture_output=True, text=True)


if compiled(WORK / "tree", "a.mlir").returncode or compiled(WORK / "tree", "a.mlir").returncode:
    fail("again over one's own")
done = compiled(WORK / "tree", "b.mlir")
if done.returncode != 1 or "holds the artifact of another program" not in done.stderr or "a.mlir" not in done.stderr or "--force" not in done.stderr:
    fail("over another program's artifact", done)
(WORK / "tree/a.mlir").write_text(b.read_text())
if compiled(WORK / "tree", "a.mlir").returncode:
    fail("after an edit of the model")
(WORK / "tree").rename(WORK / "moved")
(WORK / "moved/a.mlir").write_text(a.read_text())
done = compiled(WORK / "moved", "a.mlir")
if done.returncode:
    fail("after a move", done)
if compiled(WORK / "moved", "b.mlir", "--force").returncode:
    fail("with --force")
done = subprocess.run([RUN, str(WORK / "moved/a.mlir"), "-o", str(WORK / "moved/out"), "--list"], capture_output=True, text=True)
if done.returncode != 1 or "holds the artifact of another program" not in done.stderr:
    fail("mica-run -o over another program's artifact", done)
print("-o over another program's artifact asks for --force")

# Nothing that somebody planted is followed.
trap, target = WORK / "trap", WORK / "precious"
trap.mkdir()
target.write_text("precious")
done = subprocess.run([COMPILE, str(a), "-o", str(trap / "out")], capture_output=True, text=True)
text = next((trap / "out/kernels").glob("*/kernel.ll"))
text.write_text(text.read_text() + "; edited\n")
shutil.rmtree(trap / "out/.orig/building", ignore_errors=True)
(trap / "out/.orig/lock").unlink(missing_ok=True)
(trap / "out/.orig/lock").symlink_to(target)
done = subprocess.run([RUN, str(trap / "out"), "--input=128xf32=1"], capture_output=True, text=True)
if done.returncode == 0 or target.read_text() != "precious":
    fail("a planted lock is followed", done)
cache = WORK / "planted"
subprocess.run([RUN, str(a), "--list"], env=os.environ | {"MICA_CACHE_DIR": str(cache)}, check=True, capture_output=True)
entry = next((cache / "artifacts").glob("a-*/manifest.json")).parent
shutil.rmtree(entry)
(cache / "artifacts" / (entry.name + ".lock")).symlink_to(WORK / "created")
(cache / "artifacts/statistics.txt").unlink()
(cache / "artifacts/statistics.txt").symlink_to(WORK / "counted")
subprocess.run([RUN, str(a), "--list"], env=os.environ | {"MICA_CACHE_DIR": str(cache)}, check=True, capture_output=True)
if (WORK / "created").exists() or (WORK / "counted").exists():
    fail("a planted link in the cache is followed")
print("planted links are not followed")
