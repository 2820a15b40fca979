#!/usr/bin/env python3
"""Runs mica-compile under growing limits for the size of files (RLIMIT_FSIZE) until one is large enough: every failure is a
message with exit code 1, and leaves nothing; no signal ends the process.

usage: size_limit.py MICA_COMPILE MODEL FOLDER
"""
import pathlib
import resource
import subprocess
import sys

compiler, model, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
folder.mkdir(parents=True, exist_ok=True)
limited = whole = 0
for size in (0, 100, 1000, 2000, 4000, 8000, 16000, 32000, 64000, 10_000_000):
    run = subprocess.run([compiler, model, "-o", folder / "artifact"], capture_output=True, text=True, check=False,
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
    left = sorted(path.name for path in folder.iterdir())
    if run.returncode == 0:
        whole += left == ["artifact"]
        continue
    if run.returncode != 1 or left or "File too large" not in run.stderr or "hint: " not in run.stderr:
        sys.exit(f"at {size} bytes: exit code {run.returncode}, left: {left}\n{run.stderr}")
    limited += 1
print(f"limits: {limited}, large enough: {whole}")
sys.exit(not (limited and whole))
