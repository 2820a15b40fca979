#!/usr/bin/env python3
"""Changes bytes of ONNX models at random, imports them and evaluates what is accepted. A signal, or more than 60 s, is a finding.

usage: mutate.py BUILD WORK [--count=N | --minutes=N] [--seed=N] [--data=DIR]

A trial takes a model of libonnx-testdata and changes one to eight places of its bytes: a byte becomes another, a number at the limits of its type, is
removed, doubled, or exchanged with a run of another model. Its test data stay as they are. The same seed makes the same models.
"""
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time


def option(name, default):
    return next((a.split("=", 1)[1] for a in sys.argv[3:] if a.startswith(f"--{name}=")), default)


def changed(draw, data, other):
    data = bytearray(data)
    for _ in range(draw.choice([1, 1, 1, 2, 3, 8])):
        at = draw.randrange(len(data)) if data else 0
        kind = draw.randrange(6)
        if kind == 0 and data:
            data[at] = draw.randrange(256)
        elif kind == 1 and data:
            data[at] = draw.choice([0, 1, 2, 3, 4, 5, 8, 9, 13, 127, 128, 255])
        elif kind == 2:
            del data[at:at + draw.randrange(1, 4)]
        elif kind == 3:
            data[at:at] = data[at:at + draw.randrange(1, 40)]
        elif kind == 4 and len(other) > 8:
            start = draw.randrange(len(other) - 4)
            data[at:at + 8] = other[start:start + 8]
        elif data:
            data[at] ^= 1 << draw.randrange(8)
    return bytes(data)


def main():
    build, work = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    minutes, seed = float(option("minutes", "0")), int(option("seed", "1"))
    count, end = int(option("count", str(10**9) if minutes else "500")), time.time() + minutes * 60
    models = sorted(pathlib.Path(option("data", "/usr/share/libonnx-testdata/data")).glob("*/*/model.onnx"))
    models = [m for m in models if m.stat().st_size < 20000]
    environment = dict(os.environ, LD_LIBRARY_PATH=f"{build}/lib")
    shutil.rmtree(work, ignore_errors=True)
    counts, findings = {}, 0
    for first in range(seed, seed + count, 50):
        if minutes and time.time() > end:
            break
        folders = []
        for number in range(first, min(first + 50, seed + count)):
            draw = random.Random(number)
            model = draw.choice(models)
            folder = work / str(number) / model.parent.name
            folder.mkdir(parents=True)
            (folder / "model.onnx").write_bytes(changed(draw, model.read_bytes(), draw.choice(models).read_bytes()))
            (folder / "test_data_set_0").symlink_to(model.parent / "test_data_set_0")
            folders.append(folder)
        done = subprocess.run([build / "test/Onnx/mica-onnx-cases", "--limit=60", *folders], capture_output=True, text=True,
                              errors="replace", env=environment)
        lines = done.stdout.split("\n")[:-1]
        for line, folder in zip(lines, folders):
            verdict = line.split("\t")[0]
            counts[verdict] = counts.get(verdict, 0) + 1
            if verdict == "crash":
                findings += 1
                print(f"finding: seed {folder.parent.name} ({folder.name}): {line}")
            else:
                shutil.rmtree(folder.parent)
        if len(lines) != len(folders):
            findings += 1
            print(f"finding: {len(folders)} models, {len(lines)} verdicts: {done.stderr[-300:]}")
    print(f"{sum(counts.values())} changed models: " + ", ".join(f"{n} {v}" for v, n in sorted(counts.items())) + f", {findings} findings")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
