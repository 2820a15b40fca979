#!/usr/bin/env python3
"""Two compiles to one folder at once, again and again: both succeed, and one of them is there, whole.

usage: two_compiles.py MICA_COMPILE MICA_RUN WORK ROUNDS
"""
import pathlib
import shutil
import subprocess
import sys

COMPILE, RUN, WORK, ROUNDS = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), int(sys.argv[4])
shutil.rmtree(WORK, ignore_errors=True)
WORK.mkdir(parents=True)
for number in (2, 3):
    (WORK / f"m{number}.mlir").write_text(f"func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{\n  %c = arith.constant dense<{number}.0> : tensor<4xf32>\n  %r = arith.mulf %x, %c : tensor<4xf32>\n  return %r : tensor<4xf32>\n}}\n")
folder = WORK / "artifact"
for round_ in range(ROUNDS):
    if round_ % 2 == 0:
        shutil.rmtree(folder, ignore_errors=True)
    # Without --force where both are of the same program.
    commands = ([[COMPILE, WORK / f"m{number}.mlir", "-o", folder, "--force"] for number in (2, 3)] if round_ % 3 else
                [[COMPILE, WORK / "m2.mlir", "-o", folder, "--force"], [COMPILE, WORK / "m2.mlir", "-o", folder, "--force"]])
    children = [subprocess.Popen([str(part) for part in command], stderr=subprocess.PIPE, text=True) for command in commands]
    for child in children:
        said = child.communicate()[1]
        if child.returncode != 0:
            sys.exit(f"round {round_}: exit code {child.returncode}: {said}")
    verified = subprocess.run(["mica-report", "--verify", str(folder)], capture_output=True, text=True)
    ran = subprocess.run([RUN, str(folder), "--input=4xf32=1"], capture_output=True, text=True)
    if verified.returncode != 0 or ran.returncode != 0 or not ("2." in ran.stdout or "3." in ran.stdout):
        sys.exit(f"round {round_}: {verified.stdout}{verified.stderr}{ran.stdout}{ran.stderr}")
    left = [path.name for path in WORK.iterdir() if ".tmp-" in path.name]
    if left:
        sys.exit(f"round {round_}: left: {left}")
print(f"{ROUNDS} rounds: both succeed, one is there")
