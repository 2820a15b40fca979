"""Cleans the cache while a run uses its artifact, and prints what --clean says.

usage: clean_while_running.py FOLDER     with the compiler FOLDER/mica-compile
"""
import os
import pathlib
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
env = dict(os.environ, MICA_COMPILE=str(folder / "mica-compile"), MICA_CACHE_DIR=str(folder / "cache"))

run = subprocess.Popen(["mica-run", str(folder / "a.mlir"), "--entry=affine", "--input=200000x3xf32=1", "--time",
                        "--repeat=1000000"], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
try:
    while not list((folder / "cache").glob("artifacts/a-*/runs/*/data/out")):
        if run.poll() is not None:
            sys.exit(f"the run ended: {run.communicate()}")
    print(subprocess.run(["mica-run", "--clean"], env=env, capture_output=True, text=True, check=True).stderr)
finally:
    run.kill()
    run.wait()
