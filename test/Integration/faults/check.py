"""Runs the faults of table.py and their clean twins by mica-run, from C and from Python, one kernel at a time and concurrently.

usage: check.py WORK CLIENT [--only=REGEX] [--every=N] [--show]
A fault must be named at its own statement, line and element, in the headline and in the structured error; its twin must run and say
nothing. CLIENT: the executable of client.c. Prints a line for what differs, and the totals. --show prints each headline.
"""
import argparse
import concurrent.futures
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
parser = argparse.ArgumentParser()
parser.add_argument("work", type=pathlib.Path)
parser.add_argument("client", type=pathlib.Path)
parser.add_argument("--only", default="")
parser.add_argument("--every", type=int, default=1)
parser.add_argument("--show", action="store_true")
args = parser.parse_args()
spec = importlib.util.spec_from_file_location("table", HERE / "table.py")
table = importlib.util.module_from_spec(spec)
spec.loader.exec_module(table)
args.work.mkdir(parents=True, exist_ok=True)
ENV = dict(os.environ, NO_COLOR="1", MICA_CACHE_DIR=str(args.work / "cache"))


def call(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=ENV, cwd=args.work)
    return done.returncode, done.stdout + done.stderr


def headline(text):
    """What is said of the fault, without the traceback and the results."""
    lines = [line for line in text.splitlines() if re.search(r"error: |warning: |mica: hang", line)]
    return "\n".join(lines) or text.strip()


def alarms(text):
    return re.search(r"check failed|NaN|hang|shape mismatch|assertion failed|discard", text)


def problems(case, code, text, place=None):
    """What is wrong with the report `text` of a fault; `place`: the structured error."""
    said, wrong = headline(text), []
    line = case.get("line") or next(i for i, row in enumerate(case["program"].splitlines(), 1) if "// HERE" in row)
    file = case.get("file", case["name"] + ".mlir")
    if code != case["code"]:
        wrong.append(f"exit code {code}, expected {case['code']}")
    shown = text if case.get("ends") else said  # what hangs is named below the headline
    ids = "" if case.get("plain") else r" \[[0-9a-f]{12}\]"
    if not re.search(rf"{re.escape(case['op'])}(?: of \S+)?{ids} at \S*{re.escape(file)}:{line}:", shown):
        wrong.append(f"does not name {case['op']} at {file}:{line}")
    if case["operands"] and f"({case['operands']})" not in said:
        wrong.append(f"does not show the operands ({case['operands']})")
    if case["element"] and f"element {case['element']}" + (f" of {case['tensor']}" if case["tensor"] else "") not in said:
        wrong.append(f"does not show element {case['element']} of {case['tensor']}")
    wrong += [f"does not say {each!r}" for each in case["says"] if not re.search(each, text)]
    wrong += [f"says {each!r}" for each in (r"buffer \d", r"share \d", r"site \d") if re.search(each, said)]
    if place is not None:
        wanted = dict(operation=case["op"], line=line, operands=case["operands"] or "", element=case["element"] or "")
        wrong += [f"the structured error has {key} {place.get(key)!r}, expected {value!r}" for key, value in wanted.items()
                  if place.get(key) != value]
    return wrong


def switches(case, sync):
    return ",".join(filter(None, [case["switches"], "device-sync-mode" if sync else ""]))


def tool(case, inputs, sync):
    debug = switches(case, sync)
    return call(["mica-run", case["name"], "--threads=2"] + ([f"--mica-debug={debug}"] if debug else []) +
                [f"--input={each}" for each in inputs] + case.get("flags", []))


def client(program, case, inputs, sync):
    code, text = call(program + [case["name"], switches(case, sync)] + inputs)
    place = next((json.loads(line[7:]) for line in text.splitlines() if line.startswith("place: ")), {})
    return code, text, place


def check(case):
    name = case["name"]
    (args.work / (name + ".mlir")).write_text(case["program"])
    compiled = [f"--mica-debug={case['switches']}"] if case["switches"] else []
    code, text = call(["mica-compile", name + ".mlir", "-o", name, "--force", *compiled])
    if code:
        return [f"{name}: does not compile: {text.strip()}"], ""
    found, shown = [], ""
    for sync in (False, True):
        mode = "mica-run, sync" if sync else "mica-run"
        code, text = tool(case, case["inputs"], sync)
        shown = shown or headline(text)
        found += [f"{name} ({mode}): {each}" for each in problems(case, code, text)]
        code, text = tool(case, case["clean"], sync)
        if code or alarms(text):
            found.append(f"{name} ({mode}), clean: exit code {code}: {text.strip()[:600]}")
    clients = (("C", [str(args.client.resolve())]), ("Python", [sys.executable, str(HERE / "client.py")]))
    for mode, program, sync in [(mode + end, program, sync) for mode, program in clients for end, sync in (("", False), (", sync", True))]:
        code, text, place = client(program, case, case["inputs"], sync)
        found += [f"{name} ({mode}): {each}" for each in problems(case, code, text, place if case["code"] and not case.get("ends") else None)]
        code, text, place = client(program, case, case["clean"], sync)
        if code or alarms(text):
            found.append(f"{name} ({mode}), clean: exit code {code}: {text.strip()[:600]}")
    return found, shown


cases = [case for case in table.cases() if not args.only or re.fullmatch(args.only, case["name"])][::args.every]
good = 0
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for case, (found, shown) in zip(cases, pool.map(check, cases)):
        good += not found
        if args.show or found:
            print(f"== {case['name']}\n   {shown}")
        for each in found:
            print("   " + each)
print(f"{good} of {len(cases)} faults named, and silent where there is none")
sys.exit(good != len(cases))
