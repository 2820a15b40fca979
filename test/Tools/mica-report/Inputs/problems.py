"""Prints the problems that a report of a log shows, in their order. usage: problems.py REPORT"""
import base64
import json
import pathlib
import sys
import zlib

packed = pathlib.Path(sys.argv[1], "data", "log0.js").read_text().split('"')[3]
for kind, text, where, *_ in json.loads(zlib.decompress(base64.b64decode(packed)))["problems"]:
    print(f"{kind}: {text}" + (f" at {where}" if where else ""))
