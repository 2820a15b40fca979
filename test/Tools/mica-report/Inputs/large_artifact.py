"""Writes an artifact with one kernel of OPS ops, its code in four stages with line maps, and a task list of as many launches.

usage: large_artifact.py FOLDER [OPS [changed]]      changed: one op in a hundred is another
"""
import json
import os
import pathlib
import sys

folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 10000
ids = [f"{i + 1:012x}" for i in range(count)]
CHANGED = "changed" in sys.argv[3:]
KINDS = ["arith.addf", "arith.mulf", "arith.subf", "arith.maximumf"]


def kind(i):
    return "arith.divf" if CHANGED and i % 100 == 50 else KINDS[i % 4]


def spec(access):
    return {"dtype": "f32", "shape": [64, 64], "access": access}


def text(extra):
    """The kernel as MLIR; the snapshot before has one op in a hundred more, which the pass removed."""
    lines = ["func.func @k(%a: f32, %b: f32) -> f32 {"]
    of = [None]
    last = "%a"
    for i in range(count):
        if extra and i % 100 == 0:
            lines.append(f"  %dead{i} = arith.divf {last}, %b : f32")
            of.append(i)
        lines.append(f"  %v{i} = {kind(i)} {last}, %b : f32")
        of.append(i)
        last = f"%v{i}"
    lines += [f"  return {last} : f32", "}"]
    return lines, of + [None, None]


def line_map(of, kernel_lines=None):
    rows = []
    for line, op in enumerate(of, 1):
        if op is not None:
            rows.append([line, line, op] + ([0, kernel_lines[op]] if kernel_lines else []))
    return {"schema": 2, "file": "x", "sets": [{"ids": [ids[i]], "sources": [f"large.mlir:{i + 2}:3"]} for i in range(count)],
            "kernels": ["kernels/k/kernel.mlir"] if kernel_lines else [], "lines": rows}


def lowered(per_op, form):
    lines, of = ["; code"], [None]
    for i in range(count):
        for j in range(per_op):
            lines.append(form.format(i=i, j=j) + (" changed" if kind(i) != KINDS[i % 4] else ""))
            of.append(i)
    return lines, of


before, of_before = text(True)
after, of_after = text(False)
kernel_lines = {op: line for line, op in enumerate(of_after, 1) if op is not None}
files = {"passes_dump/0001_a@k.mlir": (before, line_map(of_before)), "passes_dump/0002_canonicalize@k.mlir": (after, line_map(of_after)), "kernels/k/kernel.mlir": (after, line_map(of_after))}
for name, per_op, form in (("ll", 3, "  %{i}_{j} = fadd float %{i}, %b ; {j}"), ("s", 3, "\tvaddss\t%xmm{j}, %xmm1, %xmm{j}  # {i}")):
    lines, of = lowered(per_op, form)
    files[f"kernels/k/kernel.{name}"] = (lines, line_map(of, kernel_lines))
for path, (lines, mapping) in files.items():
    os.makedirs((folder / path).parent, exist_ok=True)
    (folder / path).write_text("\n".join(lines) + "\n")
    (folder / (path + ".map.json")).write_text(json.dumps(mapping))
os.makedirs(folder / "host", exist_ok=True)
os.makedirs(folder / "runs/20260101T000000Z-1", exist_ok=True)
kernel = {"name": "k", "root_kind": "elementwise", "op_ids": ids, "op_kinds": [kind(i) for i in range(count)], "bindings": [spec("read"), spec("write")], "scalar_args": 0, "grid": 1,
          "scratch_bytes": 0, "flops": count, "hash": "", "strategy": "rows"}
tasks = [{"kernel": "k", "buffers": [0, 1], "scalars": [], "deps": [i - 4] if i >= 4 else [], "site": 0, "device": "cpu:0"} for i in range(count)]
buffers = [{"kind": "parameter", "index": i, "offset": 0, "bytes": 16384, "dtype": "f32", "shape": [64, 64]} for i in range(2)]
events = [{"schema": "mica.events", "version": 1, "unix_ns": 1, "steady_ns": 0}]
for i in range(count):
    events += [{"event": "launch", "id": i, "ns": i * 250, "kernel": "k", "device": "cpu:0", "site": 0}, {"event": "complete", "id": i, "ns": i * 250 + 900, "start_ns": i * 250 + 50, "parts": 1, "status": 0}]
(folder / "runs/20260101T000000Z-1/events.jsonl").write_text("\n".join(map(json.dumps, events)) + "\n")
manifest = {"format": "mica-artifact", "schema": "1.0", "tools": {"mica": "0.1.0", "llvm": "22.1.8"}, "command_line": ["large_artifact.py"], "input_file": "large.mlir",
            "target": {"name": "cpu", "triple": "x86_64-pc-linux-gnu", "cpu": "generic", "cpu_features": []}, "options": {}, "entries": [{"name": "main", "args": [], "results": []}], "kernels": [kernel],
            "constants": [], "ops": [{"id": id_, "kind": kind(i), "function": "main", "ordinal": i, "fingerprint": "", "positions": [{"file": "large.mlir", "line": i + 2, "column": 3}]} for i, id_ in enumerate(ids)],
            "sites": [{"kernel": "k", "op_ids": ids}], "files": [{"path": p, "inputs": [], "command": "large_artifact.py", "hash": ""} for p in [*files, "program.so", "passes_dump/index.json"]]}
index = {"schema": 1, "input": "0001_a@k.mlir", "passes": [{"position": 1, "pass": "a", "options": "", "anchor": "builtin.module", "phase": "kernel"}, {"position": 2, "pass": "canonicalize", "options": "", "anchor": "builtin.module", "phase": "kernel"}],
         "records": [{"position": p, "op": "k", "ms": 3, "changed": True, "file": f, "ops_before": count, "ops_after": count} for p, f in ((1, "0001_a@k.mlir"), (2, "0002_canonicalize@k.mlir"))]}
(folder / "program.so").write_bytes(b"")
(folder / "constants.bin").write_bytes(b"")
(folder / "passes_dump/index.json").write_text(json.dumps(index))
(folder / "host/tasks.json").write_text(json.dumps({"format": "mica-tasks", "schema": "1.0", "lists": [{"name": "main_0", "parameters": 2, "scalars": 0, "arena_bytes": 0, "buffers": buffers, "tasks": tasks}]}))
(folder / "manifest.json").write_text(json.dumps(manifest))
