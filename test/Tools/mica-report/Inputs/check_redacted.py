"""Looks in a redacted report for every word of the log.

usage: check_redacted.py REPORT LOG SOURCE_TREE

Words are letters in a row, at least four, from payloads, names, paths and values of the log. Those that Mica's own sources hold (kinds, keys,
states, the list of what redaction keeps) say nothing about a program, nor do keys of known records.
"""
import base64
import json
import pathlib
import re
import sys
import zlib

report, log, source = (pathlib.Path(a) for a in sys.argv[1:4])
WORD = re.compile(r"[A-Za-z]{4,}")


def strings(value, keys):
    """Strings among values; keys go to `keys` down to the fields of a kind."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            keys.add(key)
            yield from strings(inner, keys)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner, keys)


own = set()
for path in [*source.glob("lib/Report/Log/*.cpp"), *source.glob("lib/Trace/*.cpp")]:
    own |= set(WORD.findall(path.read_text().lower()))
words, keys = set(), set()
# Keys of timing events are the compiler's.
keys |= set(re.findall(r'^\t"(\w+)": ', log.read_text(errors="replace"), re.M))
for line in log.read_text(errors="replace").splitlines():
    if line.startswith("\t"):
        words |= set(WORD.findall(line.lower()))
        continue
    match = re.match(r"\S+ \S+ \d+ ([^:]+):\d+\] (.*)$", line)
    if match:
        words |= set(WORD.findall(match.group(1).lower()))
        try:
            for text in strings(json.loads(match.group(2)), keys):
                words |= set(WORD.findall(text.lower()))
        except ValueError:
            pass
allowed = own | {w for key in keys for w in WORD.findall(key.lower())} | {"dtype", "device", "float", "torch", "type", "timed", "dynamo"}
secret = {w for w in words - allowed if set(w) != {"x"}}

found, texts = {}, 0
for path in sorted(report.rglob("*")):
    if not path.is_file() or path.name == "index.html":
        continue
    text = path.read_text(errors="replace")
    if path.parent.name == "data":
        text = zlib.decompress(base64.b64decode(re.search(r'","([^"]*)"\)', text).group(1))).decode()
    texts += 1
    for word in set(WORD.findall((text + " " + str(path.relative_to(report))).lower())) & secret:
        found.setdefault(word, path.relative_to(report))
    for digest in re.findall(r'"has_payload": "([0-9a-f]{32})"', text):
        if digest in log.read_text(errors="replace"):
            found.setdefault(digest, path.relative_to(report))
print(f"{len(secret)} words of the log looked for in {texts} files")
for word, where in list(found.items())[:20]:
    print("FOUND", word, "in", where)
print("none of them is there" if not found else f"{len(found)} are there")
sys.exit(bool(found) or len(secret) < 10)
