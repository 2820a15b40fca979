#!/usr/bin/env python3
"""Compiles each model COUNT times and compares the artifacts, byte by byte.

usage: same_files.py FOLDER COUNT MODEL ... [-- FLAG ...]

Each compile is of a copy of the model in another folder, from another working folder, to another output, at another time, with another
number of threads, and with its path given in another way. Every file must be the same but for build.json, which says these things.
"""
import pathlib
import shutil
import subprocess
import sys


def contents(artifact):
    return {str(path.relative_to(artifact)): path.read_bytes() for path in sorted(artifact.rglob("*"))
            if path.is_file() and path.name != "build.json"}


def first_difference(a, b):
    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    return f"byte {at}: {a[max(0, at - 60):at + 60]!r} and {b[max(0, at - 60):at + 60]!r}"


def main():
    arguments = sys.argv[3:]
    flags = arguments[arguments.index("--") + 1:] if "--" in arguments else []
    models = arguments[:arguments.index("--")] if "--" in arguments else arguments
    # A folder stands for the programs in it.
    models = [str(file) for model in models for file in (sorted(pathlib.Path(model).rglob("*.mlir")) if pathlib.Path(model).is_dir() else [pathlib.Path(model)])
              if "func.func @" in file.read_text(errors="replace")]
    folder, count = pathlib.Path(sys.argv[1]).absolute(), int(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    compared = refused = 0
    for model in map(pathlib.Path, models):
        first, said = None, None
        for i in range(count):
            place = folder / ("elsewhere/" * (i % 3)) / f"copy {i}"
            work = folder / f"work{i % 2}"
            for made in (place, work):
                made.mkdir(parents=True, exist_ok=True)
            copy, artifact = place / model.name, work / ("deeper/" * i) / f"artifact{i}"
            shutil.rmtree(artifact, ignore_errors=True)
            shutil.copyfile(model, copy)
            given = copy if i % 2 else pathlib.Path("..") / copy.relative_to(folder)
            done = subprocess.run(["mica-compile", str(given), "-o", str(artifact), f"--threads={1 + i % 4}", *flags], cwd=work, stderr=subprocess.PIPE, text=True)
            if done.returncode != 0:
                # Programs of the suite that are to be refused are so each time.
                if i and said is None or done.returncode != 1:
                    print(f"{model}: compile {i}: exit code {done.returncode}: {done.stderr[-500:]}")
                    return 1
                said = done.returncode
                continue
            if said is not None:
                print(f"{model}: compile {i} succeeds, the first did not")
                return 1
            files = contents(artifact)
            first = first or files
            different = sorted(name for name in first.keys() | files.keys() if first.get(name) != files.get(name))
            if different:
                name = different[0]
                print(f"{model}: compile {i} differs from the first in {different[:10]}; {name}: {first_difference(first.get(name, b''), files.get(name, b''))}")
                return 1
            shutil.rmtree(artifact) if i else None
        compared += len(first or {})
        refused += first is None
        shutil.rmtree(folder)
    print(f"{len(models) - refused} programs, {count * (len(models) - refused)} compiles, {compared} files each the same; {refused} refused")
    return 0


if __name__ == "__main__":
    sys.exit(main())
