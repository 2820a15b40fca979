#!/usr/bin/env python3
"""Writes the artifact of program.c by hand, so that mica-run can be tested without a compiler.

usage: make_artifact.py SOURCE_ROOT FOLDER
"""
import json
import os
import pathlib
import struct
import subprocess
import sys


def spec(dtype, shape, name=""):
    return ({"name": name} if name else {}) | {"dtype": dtype, "shape": shape}


def kernel(name, kind, ids, bindings, scalars):
    return {"name": name, "root_kind": kind, "op_ids": ids, "op_kinds": ["mica.mul", "mica.add"][:len(ids)],
            "bindings": bindings, "scalar_args": scalars, "grid": -1 if name == "affine" else 1, "scratch_bytes": 0,
            "flops": -1, "hash": "", "strategy": "rows"}


def main():
    source, folder = map(pathlib.Path, sys.argv[1:])
    x, w, y, n = spec("f32", [-1, 3], "x"), spec("f32", [3]), spec("f32", [-1, 3]), spec("i64", [])
    kernels = [
        kernel("affine", "elementwise", ["aaaaaaaaaaaa", "bbbbbbbbbbbb"],
               [x | {"access": "read"}, w | {"access": "read"}, y | {"access": "write"}], 0),
        kernel("count", "other", ["cccccccccccc"], [n | {"access": "write"}], 1),
    ]
    ops = [{"id": i * 12, "kind": kind, "function": "affine", "ordinal": 0, "fingerprint": "",
            "positions": [{"file": "affine.mlir", "line": line, "column": 8}]}
           for i, kind, line in (("a", "mica.mul", 3), ("b", "mica.add", 4), ("c", "mica.count", 5))]
    manifest = {
        "format": "mica-artifact", "schema": "1.0", "tools": {"mica": "0.1.0", "llvm": "22.1.8"},
        "command_line": ["mica-compile", "affine.mlir"], "input_file": "affine.mlir",
        "target": {"name": "cpu", "triple": "x86_64-pc-linux-gnu", "cpu": "generic", "cpu_features": []},
        "options": {"opt-level": "3"},
        "entries": [{"name": "affine", "args": [x], "results": [y, n]}, {"name": "refuse", "args": [], "results": []}],
        "kernels": kernels,
        "constants": [{"name": "mica_w", "dtype": "f32", "shape": [3], "offset": 0, "bytes": 12}],
        "ops": ops,
        "sites": [{"kernel": k["name"], "op_ids": k["op_ids"]} for k in kernels],
        "files": [{"path": p, "inputs": [], "command": "by hand", "hash": ""}
                  for p in ("kernels/affine/kernel.ll", "kernels/affine/kernel.ll.map.json", "program.so", "passes_dump/index.json")],
    }
    lists = [{
        "name": "affine_0", "parameters": 3, "scalars": 1, "arena_bytes": 0,
        "buffers": [
            {"kind": "parameter", "index": 0, "offset": 0, "bytes": -1} | x,
            {"kind": "constant", "index": 0, "offset": 0, "bytes": 12} | w,
            {"kind": "parameter", "index": 1, "offset": 0, "bytes": -1} | y,
            {"kind": "parameter", "index": 2, "offset": 0, "bytes": 8} | n,
        ],
        "tasks": [
            {"kernel": "affine", "buffers": [0, 1, 2], "scalars": [0, 0], "deps": [], "site": 0, "device": "cpu:0"},
            {"kernel": "count", "buffers": [3], "scalars": [0], "deps": [], "site": 1, "device": "cpu:0"},
        ],
    }]
    index = {
        "schema": 1,
        "passes": [{"position": 1, "pass": "mica-tensor-assign-ids", "options": "", "anchor": "builtin.module", "phase": "tensor"},
                   {"position": 2, "pass": "cse", "options": "", "anchor": "builtin.module", "phase": "kernel"}],
        "records": [{"position": 1, "op": "", "ms": 1.5, "changed": True, "file": "0001_mica-tensor-assign-ids.mlir"},
                    {"position": 2, "op": "affine", "ms": 2.25, "changed": True, "file": "0002_cse@affine.mlir"},
                    {"position": 2, "op": "count", "ms": 0.25, "changed": False}],
    }
    line_map = {"schema": 2, "file": "kernel.ll", "sets": [{"ids": ["a" * 12, "b" * 12]}, {"ids": ["b" * 12]}],
                "lines": [[1, 2, 0], [3, 3, 1], [9, 9, 0]]}
    for name in ("host", "kernels/affine", "passes_dump"):
        os.makedirs(folder / name, exist_ok=True)
    here = pathlib.Path(__file__).parent
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", f"-I{source}/include",
                    str(here / "program.c"), "-o", str(folder / "program.so")], check=True)
    (folder / "constants.bin").write_bytes(struct.pack("<3f", 1, 10, 100))
    (folder / "kernels/affine/kernel.ll").write_text("; by hand\n")
    (folder / "kernels/affine/kernel.ll.map.json").write_text(json.dumps(line_map))
    (folder / "passes_dump/index.json").write_text(json.dumps(index))
    (folder / "host/tasks.json").write_text(json.dumps({"format": "mica-tasks", "schema": "1.0", "lists": lists}))
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1))


main()
