"""Writes logs into FOLDER that tlparse --strict fails on, one fault each: a to i in their names.

usage: wrong_logs.py FOLDER
"""
import hashlib
import json
import pathlib
import sys

VERSION = '{"version": "0"}'
ID = '"frame_id": 0, "frame_compile_id": 0, "attempt": 0'
FRAME = '{"line": %s, "name": "f", "filename": %s, "loc": null}'


def guards(file):
    payload = json.dumps([{"code": "x", "stack": None, "user_stack": [{"line": 1, "name": "f", "filename": file, "loc": None}]}])
    return '{"dynamo_guards": {}, %s, "has_payload": "%s"}' % (ID, hashlib.md5(payload.encode()).hexdigest()), payload


RECORDS = {
    "a": guards("model.mlir"),
    "b": guards(7),
    "c": ('{"dynamo_start": {"stack": [%s]}, %s}' % (FRAME % (1, -1), ID), None),
    "d": ('{"compilation_metrics": {"co_firstlineno": 4294967295}, %s}' % ID, None),
    "e": ('{"compilation_metrics": {"guard_count": 3.0}, %s}' % ID, None),
    "f": ('{"compilation_metrics": {"fail_type": "x", "fail_reason": null}, %s}' % ID, None),
    "g": ('{"compilation_metrics": {"co_name": "\\ud800"}, %s}' % ID, None),
    "h": ('{"compilation_metrics": {}}', None),
    "i": ('{"compilation_metrics": {"co_name": "a", "co_name": "b"}, %s}' % ID, None),
}


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    prefix = "V0102 03:04:05.000006 1 a.py:1] "
    for name, (envelope, payload) in RECORDS.items():
        head = '{"artifact": {"name": "mica_version", "encoding": "json"}, "has_payload": "%s"}' % hashlib.md5(VERSION.encode()).hexdigest()
        text = prefix + head + "\n\t" + VERSION + "\n" + prefix + envelope + "\n" + ("" if payload is None else "\t" + payload + "\n")
        (folder / f"dedicated_log_torch_trace_{name * 8}.log").write_text(text)


if __name__ == "__main__":
    main()
