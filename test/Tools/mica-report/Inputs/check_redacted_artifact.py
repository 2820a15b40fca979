"""Looks in a redacted report for what an artifact says of its program.

usage: check_redacted_artifact.py REPORT|ZIP ARTIFACT [WORD ...]

Looked for: the words, names of kernels, functions, constants and files, ids, hashes, fingerprints, the command line.
"""
import base64
import io
import json
import pathlib
import re
import sys
import zipfile
import zlib

report, artifact, words = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
manifest = json.loads((artifact / "manifest.json").read_text())
build = json.loads((artifact / "build.json").read_text())
secret = set(words)
for kernel in manifest["kernels"]:
    secret |= {kernel["name"], kernel["hash"], *kernel["op_ids"]}
for op in manifest["ops"]:
    secret |= {op["id"], op["fingerprint"], op["function"], *(p["file"] for p in op["positions"])}
secret |= {c["name"] for c in manifest["constants"]} | {e["name"] for e in manifest["entries"]} | {f["hash"] for f in manifest["files"]}
secret |= {manifest["input_file"], str(artifact), *(a for a in build["command_line"] if "/" in a), build["program"], build["working_folder"]}
secret = {s for s in secret if len(s) > 3}

texts = {}
if report.suffix == ".zip":
    archive = zipfile.ZipFile(report)
    texts = {name: archive.read(name).decode(errors="replace") for name in archive.namelist()}
else:
    texts = {p.relative_to(report).as_posix(): p.read_text(errors="replace") for p in report.rglob("*") if p.is_file()}
found = {}
for name, text in texts.items():
    if name.endswith("index.html"):
        continue  # the tool's own page
    data = re.search(r'^micaData\("\w+","([^"]*)"\)', text)
    if data:
        text = zlib.decompress(base64.b64decode(data.group(1))).decode()
    for word in secret:
        if word in text or word in name:
            found.setdefault(word, name)
print(f"{len(secret)} words looked for in {len(texts)} files")
for word, where in sorted(found.items())[:20]:
    print("FOUND", word, "in", where)
if not found:
    print("none of them is there")
sys.exit(bool(found) or len(secret) < 20)
