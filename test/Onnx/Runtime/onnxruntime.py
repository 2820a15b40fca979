# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs models by ONNX Runtime, and by Mica on the same inputs."""
import json
import os
import pathlib
import subprocess

import numpy as np

HERE = pathlib.Path(__file__).parent


def store(folder, arrays):
    """FOLDER/0.npy, 1.npy, ..."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, array in enumerate(arrays):
        np.save(folder / f"{number}.npy", array)


def expected(npm, model, folder, inputs):
    """The results of ONNX Runtime, which are kept in FOLDER/out, and `inputs` in FOLDER/in: golden data for mica-run."""
    store(folder / "in", inputs)
    ran = subprocess.run(["node", str(HERE / "run.js"), str(model), str(folder)], env=os.environ | {"NODE_PATH": str(npm / "node_modules")},
                         check=True, capture_output=True, text=True)
    shapes = [json.loads(line) for line in ran.stdout.splitlines()]
    results = [np.fromfile(folder / f"{number}.f32", np.float32).reshape(shape) for number, shape in enumerate(shapes)]
    store(folder / "out", results)
    return results


def compare(name, artifact, folder, *tolerance):
    """Compares the program with what ONNX Runtime gave, with `tolerance` or the default of f32, and with the reference evaluator, with the
    bound of each op's rounding. True if both agree, everywhere."""
    inputs = [f"--input=@{path}" for path in sorted((folder / "in").iterdir(), key=lambda path: int(path.stem))]
    outputs = [f"--output=@{folder}/mica.{number}.npy" for number, _ in enumerate(sorted((folder / "out").iterdir()))]
    agrees = True
    for flags in (["--check-reference"], [f"--golden-data={folder}", *tolerance]):
        ran = subprocess.run(["mica-run", str(artifact), *flags, *inputs, *outputs], capture_output=True, text=True)
        verdicts = [line for line in ran.stdout.splitlines() if line.startswith(("golden: result", "reference: result"))]
        print("".join(f"{name}: {line}\n" for line in verdicts) + (ran.stderr if ran.returncode else ""), end="")
        agrees &= ran.returncode == 0 and len(verdicts) == len(outputs) and not any("not checked" in line for line in verdicts)
    return agrees
