"""Writes an artifact whose task list is a network of LAYERS equal layers, and the events of a run.

usage: graph_artifact.py FOLDER [LAYERS [TASKS]]      TASKS of each layer, 50 if not given
"""
import json
import os
import pathlib
import sys

folder, layers = pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 24
size = int(sys.argv[3]) if len(sys.argv) > 3 else 50
names = ["embed", "norm", "query", "key", "value", "scores", "softmax", "out"] + [f"part_{i}" for i in range(size - 7)] + ["head"]
kernel = {"root_kind": "elementwise", "op_ids": [], "op_kinds": [], "scalar_args": 0, "grid": 1, "scratch_bytes": 0, "flops": 1000, "hash": "", "strategy": "rows",
          "bindings": [{"dtype": "f32", "shape": [64, 64], "access": access} for access in ("read", "write")]}
tasks, sites = [], []


def add(name, deps):
    tasks.append({"kernel": name, "buffers": [deps[0] if deps else 0, len(tasks)], "scalars": [], "deps": deps, "site": len(sites), "device": "cpu:0"})
    sites.append({"kernel": name, "op_ids": []})
    return len(tasks) - 1


last = add("embed", [])
for _ in range(layers):
    norm = add("norm", [last])
    query, key, value = (add(name, [norm]) for name in ("query", "key", "value"))
    softmax = add("softmax", [add("scores", [query, key])])
    parts = [add(f"part_{i}", [softmax, value]) for i in range(size - 7)]
    last = add("out", parts)
add("head", [last])
times = {"norm": 3, "query": 10, "out": 20}
events = [{"schema": "mica.events", "version": 1, "unix_ns": 1767225600000000000, "steady_ns": 0}]
for i, task in enumerate(tasks):
    events += [{"event": "launch", "id": i, "ns": i * 5000, "kernel": task["kernel"], "device": "cpu:0", "site": task["site"]},
               {"event": "complete", "id": i, "ns": i * 5000 + 1000 + 1000 * times.get(task["kernel"], 1), "start_ns": i * 5000 + 1000, "parts": 1, "status": 0, "thread": 1 + i % 2}]
manifest = {"format": "mica-artifact", "schema": "1.0", "tools": {"mica": "0.1.0", "llvm": "22.1.8"}, "command_line": ["graph_artifact.py"], "input_file": "layers.mlir",
            "target": {"name": "cpu", "triple": "x86_64-pc-linux-gnu", "cpu": "generic", "cpu_features": []}, "options": {}, "entries": [{"name": "main", "args": [], "results": []}],
            "kernels": [dict(kernel, name=name) for name in names], "constants": [], "ops": [], "sites": sites, "files": [{"path": "program.so", "inputs": [], "command": "graph_artifact.py", "hash": ""}]}
buffers = [{"kind": "arena", "index": 0, "offset": 16384 * i, "bytes": 16384, "dtype": "f32", "shape": [64, 64]} for i in range(len(tasks))]
os.makedirs(folder / "host", exist_ok=True)
os.makedirs(folder / "runs/20260101T000000Z-1", exist_ok=True)
(folder / "program.so").write_bytes(b"")
(folder / "constants.bin").write_bytes(b"")
(folder / "runs/20260101T000000Z-1/events.jsonl").write_text("\n".join(map(json.dumps, events)) + "\n")
(folder / "host/tasks.json").write_text(json.dumps({"format": "mica-tasks", "schema": "1.0", "lists": [{"name": "main_0", "parameters": 0, "scalars": 0, "arena_bytes": 16384 * len(tasks), "buffers": buffers, "tasks": tasks}]}))
(folder / "manifest.json").write_text(json.dumps(manifest))
