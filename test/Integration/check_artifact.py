#!/usr/bin/env python3
"""Checks what an artifact says of itself against what is in it.

usage: check_artifact.py ARTIFACT
 - every file of the manifest is there, and every file is in the manifest (runs apart)
 - inputs of the build graph are files of it
 - in the last snapshot of each kernel at least 95 % of the ops (constants, functions and returns apart) carry ids
 - the ids of a snapshot, of .ll and of .s are among those of the kernel
 - instructions of each kernel's .s have lines in kernel.mlir
 - every snapshot in index.json is there, with its map
"""
import collections
import json
import pathlib
import re
import sys

import snapshot_files

UNCOUNTED = re.compile(r"constant|^\s*(module|func\.func|llvm\.func|llvm\.return|return|\}|\"builtin\.module\")|llvm\.mlir\.(undef|poison|zero|global)|ub\.poison")


def fail(message):
    print("FAILED:", message)
    sys.exit(1)


def rows(file):
    data = snapshot_files.read_map(file)
    for line, at, row in snapshot_files.rows(data):
        yield line, dict(data["sets"][at], kernel=len(row) > 3 and data["kernels"][row[3]])


def main():
    root = pathlib.Path(sys.argv[1])
    snapshot_files.unseal(root / "passes_dump")
    manifest = json.loads((root / "manifest.json").read_text())
    listed = {f["path"]: f for f in manifest["files"]}
    present = {p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file()}
    present = {p for p in present if not p.startswith("runs/") and p not in ("manifest.json", "build.json", "passes_dump/snapshots.json")}
    stored = {name + ".zst" if f.get("packed") else name for name, f in listed.items()}
    if present != stored:
        fail(f"files and manifest differ: {sorted(present ^ stored)[:5]}")
    for f in listed.values():
        for source in f["inputs"]:
            if source not in listed:
                fail(f"{f['path']} is made from {source}, which is not in the artifact")

    index = json.loads((root / "passes_dump/index.json").read_text())
    last = {}
    for record in index["records"]:
        if "file" not in record:
            continue
        names = [record["file"] + ".zst"] if record.get("packed") else [record["file"], record["file"] + ".map.json"]
        for name in names:
            if not (root / "passes_dump" / name).is_file():
                fail(f"no {name}")
        # A kernel's own snapshots, not those of one function of it: the last shows all of it.
        last[record["op"]] = record["file"]

    counted = carrying = 0
    for kernel in manifest["kernels"]:
        own = set(kernel["op_ids"])
        folder = root / "kernels" / kernel["name"]
        maps = [folder / n for n in ("kernel.mlir", "kernel.ll", "kernel.s")]
        snapshot = root / "passes_dump" / last[kernel["name"]]
        maps.append(snapshot)
        for file in maps:
            for line, entry in rows(file):
                if not set(entry["ids"]) <= own:
                    fail(f"{file}: line {line} has ids that are not the kernel's: {entry['ids']}")
        lines = snapshot_files.read_text(snapshot).split("\n")
        for line, entry in rows(maps[-1]):
            if UNCOUNTED.search(lines[line - 1]):
                continue
            counted += 1
            carrying += bool(entry["ids"])
        mapped = collections.Counter(bool(entry.get("kernel")) for _, entry in rows(maps[2]))
        if not mapped[True] or mapped[False]:
            fail(f"{maps[2]}: {mapped[True]} lines lead to kernel.mlir, {mapped[False]} do not")
    percent = 100.0 * carrying / max(counted, 1)
    if percent < 95:
        fail(f"only {percent:.1f} % of {counted} ops in the last snapshots carry ids")
    print(f"{len(listed)} files, {len(manifest['kernels'])} kernels, {percent:.1f} % of {counted} ops carry ids")


if __name__ == "__main__":
    main()
