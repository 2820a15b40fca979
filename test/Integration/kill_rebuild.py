"""Kills builds of edits, and resets, at moments spread over their time; the next run must make up for it and be right.

usage: kill_rebuild.py MICA_COMPILE MICA_RUN PROGRAM_MAKER WORK_DIR COUNT
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import snapshot_files

COMPILE, RUN, MAKER = sys.argv[1:4]
WORK, COUNT = pathlib.Path(sys.argv[4]), int(sys.argv[5])
os.environ["MICA_COMPILE"] = shutil.which(COMPILE)
inputs = ["--input=16x32xf32=0.25", "--input=32x48xf32=2"] + [f"--input={n}xf32=1" for n in range(3, 12)]


def edited():
    folder = WORK / "edited"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(WORK / "ten", folder, symlinks=True)
    (file,) = folder.glob("passes_dump/*_mica-tensor-assign-ids.mlir")
    file.write_text(snapshot_files.read_text(file).replace("mica.add %arg4, ", "mica.sub %arg4, "))
    return folder


def run(folder, *flags):
    return subprocess.run([RUN, str(folder), *inputs, *flags], capture_output=True, text=True)


def without_names(text):
    return text.split("\n", 1)[-1] if text.startswith("result") else text


subprocess.run([sys.executable, MAKER, str(WORK / "ten.mlir")], check=True)
subprocess.run([COMPILE, str(WORK / "ten.mlir"), "-o", str(WORK / "ten")], check=True, capture_output=True)
snapshot_files.unseal(WORK / "ten" / "passes_dump")
start = time.time()
whole = run(edited())
seconds = time.time() - start
assert whole.returncode == 0 and "-3.5" in whole.stdout, whole.stdout + whole.stderr
landed = 0
for i in range(COUNT):
    folder = edited()
    child = subprocess.Popen([COMPILE, f"--rebuild={folder}"], stderr=subprocess.DEVNULL)
    # The files are put in place at the end: half of the kills go there.
    time.sleep(seconds * (i / COUNT if i % 2 else 0.6 + 0.5 * i / COUNT))
    child.send_signal(signal.SIGKILL)
    landed += child.wait() == -signal.SIGKILL
    done = run(folder)
    if done.returncode != 0 or done.stdout != whole.stdout:
        sys.exit(f"kill_rebuild.py: kill {i}: exit {done.returncode}: {done.stderr}{done.stdout}")
    # The same while everything is put back.
    child = subprocess.Popen([COMPILE, f"--rebuild={folder}", "--reset"], stderr=subprocess.DEVNULL)
    time.sleep(0.1 * i / COUNT)
    child.send_signal(signal.SIGKILL)
    child.wait()
    done = run(folder, "--reset")
    if done.returncode != 0 or (folder / "manifest.json").read_bytes() != (WORK / "ten" / "manifest.json").read_bytes():
        sys.exit(f"kill_rebuild.py: kill {i}: --reset: exit {done.returncode}: {done.stderr}")
print(f"{COUNT} of {COUNT} kills ({landed} before the end)")
