#!/usr/bin/env python3
"""Makes a damaged copy of an artifact.

usage: damage.py WHOLE COPY cut|empty|delete FILE          half of it, nothing of it, or no file
       damage.py WHOLE COPY remove FILE PATH               without the key PATH of the JSON, such as kernels/0/bindings
       damage.py WHOLE COPY set FILE PATH JSON             with another value there
"""
import json
import pathlib
import shutil
import sys

whole, copy, how, name, *rest = sys.argv[1:]
shutil.rmtree(copy, ignore_errors=True)
shutil.copytree(whole, copy, symlinks=True, ignore=shutil.ignore_patterns("runs"))
file = pathlib.Path(copy, name)
if how == "delete":
    file.unlink()
elif how in ("cut", "empty"):
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2 if how == "cut" else 0])
else:
    document = json.loads(file.read_text())
    *path, last = [int(step) if step.isdigit() else step for step in rest[0].split("/")]
    place = document
    for step in path:
        place = place[step]
    if how == "remove":
        del place[last]
    else:
        place[last]  # a slip in PATH is an error here
        place[last] = json.loads(rest[1])
    file.write_text(json.dumps(document, indent=2))
