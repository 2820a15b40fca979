#!/usr/bin/env python3
"""Compiles each model COUNT times and compares the artifacts.

usage: same_files.py FOLDER COUNT MODEL ...
All files but the times in index.json must be equal, and the manifests up to them; .orig/originals, which holds the others once
more, is left out, and of layers.pack, which holds layers in the order in which threads came, the layers are compared.
"""
import json
import pathlib
import shutil
import subprocess
import sys

import layer_files

HOLD_TIMES = ["passes_dump/index.json", ".orig/originals", "passes_dump/layers.pack"]


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(v) for key, v in value.items() if key != "ms"}
    return [without_times(v) for v in value] if isinstance(value, list) else value


def contents(artifact):
    """Bytes by path; the record's index without times, and the manifest without that file's hash."""
    files = {}
    layer_files.unseal(artifact / "passes_dump")
    for path in artifact.rglob("*"):
        name = str(path.relative_to(artifact))
        if not path.is_file() or name in HOLD_TIMES[1:]:
            continue
        if name == HOLD_TIMES[0]:
            files[name] = without_times(json.loads(path.read_text()))
        elif name == "manifest.json":
            manifest = json.loads(path.read_text())
            for file in manifest["files"]:
                if file["path"] in HOLD_TIMES:
                    file["hash"] = ""
            files[name] = manifest
        else:
            files[name] = path.read_bytes()
    return files


def main():
    folder, count, models = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    compared = 0
    for model in models:
        artifact, first = folder / "artifact", None
        for i in range(count):
            shutil.rmtree(artifact, ignore_errors=True)
            subprocess.run(["mica-compile", model, "-o", str(artifact)], check=True, stderr=subprocess.DEVNULL)
            files = contents(artifact)
            first = first or files
            different = sorted(name for name in first.keys() | files.keys() if first.get(name) != files.get(name))
            if different:
                print(f"{model}: compile {i} differs from the first in {different[:10]}")
                return 1
        compared += len(first)
    print(f"{len(models)} programs, {count * len(models)} compiles, {compared} files each the same")
    return 0


if __name__ == "__main__":
    sys.exit(main())
