"""Writes an artifact whose every text is markup, script or a path that leads away, and whose files hold values of wrong types.

usage: hostile_artifact.py FOLDER SECRET_FILE   (some of its files are links to SECRET_FILE)
"""
import json
import os
import pathlib
import struct
import sys

folder, secret = map(pathlib.Path, sys.argv[1:])
MARK = "mica_attack"
JS = f"window.{MARK}=1"
EVIL = [f"<script>{JS}</script>", f"<img src=x onerror=\"{JS}\">", f"</script><script>{JS}</script>", f"\"><svg onload={JS}>", f"javascript:{JS}", "../../" + MARK, "/tmp/" + MARK,
        "\u202e\u2028</style><style>*{display:none}", "__proto__", "constructor"]
ALL = " ".join(EVIL)


def spec(dtype="f32", shape=(4,), name=""):
    return ({"name": name} if name else {}) | {"dtype": dtype, "shape": list(shape)}


kernels = [{"name": f"k{n}", "root_kind": ALL, "op_ids": [f"{n:012x}", "b" * 12], "op_kinds": [ALL, text], "bindings": [spec() | {"access": "read"}, spec() | {"access": "write"}],
            "scalar_args": 0, "grid": 1, "scratch_bytes": 2 ** 62, "flops": 2 ** 62, "hash": ALL, "strategy": ALL} for n, text in enumerate(EVIL)]
ops = [{"id": f"{n:012x}", "kind": ALL, "function": ALL, "ordinal": 0, "fingerprint": ALL, "positions": [{"file": text, "line": 2 ** 40, "column": 8}, {"file": str(secret), "line": 1, "column": 1}]} for n, text in enumerate(EVIL)]
snapshots = [f"passes_dump/{i:04}_{name}.mlir" for i, name in enumerate(["<b>", "x@<img src=x onerror=1>", "link", "wide"])]
texts = [f"kernels/k{i}/kernel.{e}" for i in range(3) for e in ("mlir", "ll", "s")] + snapshots + ["host/schedule.mlir"]
manifest = {
    "format": "mica-artifact", "schema": "1.0", "tools": {"mica": ALL, "llvm": ALL}, "command_line": [ALL], "input_file": ALL,
    "target": {"name": ALL, "triple": ALL, "cpu": ALL, "cpu_features": []}, "options": {text: ALL for text in EVIL},
    "entries": [{"name": text, "args": [spec(name=ALL)], "results": [spec()]} for text in EVIL], "kernels": kernels,
    "constants": [{"name": ALL, "dtype": "f32", "shape": [3], "offset": 0, "bytes": 12}], "ops": ops,
    "sites": [{"kernel": k["name"], "op_ids": k["op_ids"]} for k in kernels],
    "files": [{"path": p, "inputs": [], "command": ALL, "hash": ""} for p in texts + ["program.so", "passes_dump/index.json", "report/" + MARK + ".json", "<script>.mlir"]],
}
buffers = [{"kind": "parameter", "index": 0, "offset": 0, "bytes": 16} | spec(), {"kind": "arena", "offset": 0, "bytes": 16} | spec()]
lists = [{"name": text, "parameters": 1, "scalars": 0, "arena_bytes": 64, "buffers": buffers,
          "tasks": [{"kernel": k["name"], "buffers": [0, 1], "scalars": [], "deps": list(range(i)), "site": i, "device": ALL} for i, k in enumerate(kernels)]} for text in EVIL[:2]]
index = {"schema": 1, "passes": [{"position": i, "pass": text, "options": ALL, "anchor": ALL, "phase": text} for i, text in enumerate(EVIL)],
         "records": [{"position": i % len(EVIL), "op": EVIL[i % len(EVIL)], "ms": 1e300 if i == 1 else 1, "changed": True, "file": pathlib.PurePosixPath(snapshots[i % len(snapshots)]).name, "ops_before": 2 ** 53, "ops_after": 1} for i in range(12)]
         + [{"position": 0, "op": "", "ms": 1, "changed": True, "file": "../../" + MARK + ".mlir"}],
         "failure": {"position": 1, "pass": ALL, "op": ALL, "how": ALL}}
line_map = {"schema": 2, "file": ALL, "sets": [{"ids": EVIL, "sources": [t + ":1:1" for t in EVIL] + [ALL, ":", "::", "x:-1:-1"]}, {"ids": [1, None, {}], "sources": "none"}, 7],
            "kernels": ["kernels/k0/kernel.mlir", ALL, 3], "lines": [[1, 4, 0], [2, 2, 0, 0, 1], [-5, 2 ** 31, 0], [5, 3, 1], [1, 1, 99], [1, 1, 2], ["a", None, {}], [1], 5, [3, 3, 0, 99, -7]]}
for name in ("host", "report", "passes_dump", "runs/20260101T000000Z-1/captures", "runs/20260101T000000Z-1/data/in", "runs/<script>", *(f"kernels/k{i}" for i in range(3))):
    os.makedirs(folder / name, exist_ok=True)
for text in texts:
    (folder / text).write_text(ALL + "\n" + "\n".join(EVIL) + "\n")
    (folder / (text + ".map.json")).write_text(json.dumps(line_map))
# Links out of the folder: a text, a map, a folder.
for link in (snapshots[2], "kernels/k1/kernel.ll", "report/fusion.json"):
    (folder / link).unlink(missing_ok=True)
    (folder / link).symlink_to(secret.resolve())
(folder / "<script>.mlir").write_bytes(b"\xff\xfe<script>\x00\r\n" + ALL.encode())
(folder / "program.so").write_bytes(b"no program")
(folder / "constants.bin").write_bytes(struct.pack("<3f", 1, 2, 3))
(folder / "manifest.json").write_text(json.dumps(manifest))
(folder / "host/tasks.json").write_text(json.dumps({"format": "mica-tasks", "schema": "1.0", "lists": lists}))
(folder / "passes_dump/index.json").write_text(json.dumps(index))
(folder / "report/remarks.json").write_text(json.dumps({"remarks": [{"position": 1, "pass": ALL, "op": t, "kind": t, "name": ALL, "message": ALL, "args": {t: [ALL]}, "ids": [t, 3], "sources": [ALL, None]} for t in EVIL] + [3, None, {"position": ALL, "args": ALL}]}))
(folder / "report/memory.json").write_text(json.dumps({"lists": [{"list": ALL, "tasks": ALL, "arena_bytes": -5, "arena": [{"offset": -2 ** 60, "bytes": 2 ** 62, "type": ALL, "first_task": -9, "last_task": 12, "written_by": t, "readers": [ALL, 2]} for t in EVIL]}, 5, {}]}))
(folder / "report/perf_hints.json").write_text(json.dumps({"hints": [{"kernel": t, "bytes": -1, "cause": ALL, "change": ALL, "source": ALL, "ids": [ALL]} for t in EVIL] + [None]}))
run = folder / "runs/20260101T000000Z-1"
(run / "events.jsonl").write_text("\n".join([json.dumps({"event": "launch", "id": i, "ns": n, "kernel": t, "device": t, "site": n}) for i, (t, n) in enumerate(zip(EVIL, [0, -1, 2 ** 62, 5, 6, 7, 8, 9, 10, 11]))]
                                           + [json.dumps({"event": "complete", "id": i, "ns": 12, "start_ns": -2 ** 62, "status": ALL, "parts": ALL}) for i in range(5)] + ["{", ALL, "[]", "null", '{"event": 3, "id": {}}']))
header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }"
npy = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header) + 1) + header.encode() + b"\n" + struct.pack("<2f", float("nan"), float("inf"))
for name in ("captures/000000_<script>_1.npy", "captures/999999999999999999999_x_y.npy", "captures/x.npy", "data/in/<img src=x>.npy"):
    (run / name).write_bytes(npy)
(run / "captures/bad.npy").write_bytes(b"\x93NUMPY")
(run / "captures/link.npy").symlink_to(secret.resolve())
