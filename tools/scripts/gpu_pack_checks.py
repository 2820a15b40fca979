"""What a pack for a GPU (gpu_pack.py) checks beside models and operations: faults that kernels have to find, and random programs.

Faults are those of test/Integration/checks, compiled with the checks; run.sh compares what is said with what has to be said. Random programs are
those of test/Differential, many in one artifact.
"""
import importlib.util
import json
import math
import pathlib
import random
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHECKS = ROOT / "test" / "Integration" / "checks"
DIFFERENTIAL = ROOT / "test" / "Differential"
TABLES = {"bounds.py": "assert-level=all", "arithmetic.py": "assert-level=all", "nan.py": "nan-check"}
TOGETHER = 40  # random programs in an artifact


def extended(pattern):
    """A pattern of Python's as grep -E takes it."""
    return pattern.replace(r"\d", "[0-9]").replace(r"\w", "[A-Za-z0-9_]").replace(r"\S", "[^ ]").replace("(?:", "(")


def add_faults(pack, tables):
    """`tables`: names, or NAME:PATTERN for the cases so called. Per fault faults/NAME and its clean twin faults/NAME.clean: artifact, flags, code (the exit code) and says (a pattern a line)."""
    for table, _, wanted in (name.partition(":") for name in tables):
        spec = importlib.util.spec_from_file_location("table", CHECKS / table)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        count = 0
        for case in (case for case in module.cases() if not wanted or re.fullmatch(wanted, case["name"])):
            for twin in (False, True):
                name = case["name"] + (".clean" if twin else "")
                place = pack.out / "faults" / name
                model = pack.out / (name + ".mlir")
                model.write_text(case["clean" if twin else "faulty"])
                debug = case.get("debug", TABLES[table])
                why = pack.compile(model, place / "artifact", ["--mica-debug=" + debug, *case.get("flags", [])])
                line = next((i for i, text in enumerate(model.read_text().splitlines(), 1) if "// HERE" in text), 0)
                model.unlink()
                if why:
                    pack.tell("fault " + name, why)
                    continue
                inputs = case.get("clean_inputs" if twin and "clean_inputs" in case else "inputs", [])
                (place / "flags").write_text("".join(["--input=%s\n" % each for each in inputs] + ["--mica-debug=%s\n" % debug]))
                (place / "code").write_text("0\n" if twin else "%d\n" % case.get("code", 3))
                says = [] if twin else [r"%s \[[0-9a-f]{12}\] at .*%s:%d:" % (re.escape(case["op"]), re.escape(model.name), line), *case["says"]]
                # There is no compiler there, to evaluate what a kernel fused.
                says = [] if any("reference evaluator" in each for each in says) else says
                (place / "says").write_text("".join(extended(each) + "\n" for each in says))
                count += 1
        pack.tell("faults of %s: %d programs" % (table, count), None)


def whole_numbers(spec):
    """An input that test/Differential calls TYPE=whole:SEED:LOW:HIGH as mica-run takes it."""
    kind, _, rest = spec.partition("=")
    if not rest.startswith("whole:"):
        return spec
    seed, low, high = (int(word) for word in rest.split(":")[1:])
    count = math.prod(int(size) for size in re.findall(r"(\d+)x", kind))
    draw = random.Random(seed)
    return kind + "=" + ",".join(str(draw.randrange(low, high)) for _ in range(count))


def add_random(pack, count, first=1):
    """Programs of the seeds from `first`; not those that store to their arguments."""
    sys.path.insert(0, str(DIFFERENTIAL))
    from draws import Draws
    from generate import generate
    for start in range(first, first + count, TOGETHER):
        seeds = range(start, min(start + TOGETHER, first + count))
        text = "\n".join(generate(Draws(seed), "p%d" % seed) for seed in seeds)
        name = "random_%d" % start
        place = pack.out / "programs" / name
        model = pack.out / (name + ".mlir")
        model.write_text(text)
        why = pack.compile(model, place / "artifact")
        host = pack.out / "host"
        if not why:
            subprocess.run([pack.build / "bin" / "mica-compile", model, "-o", host, "--force"], check=True, capture_output=True)
        for line in text.splitlines() if not why else ():
            if not line.startswith("// run "):
                continue
            run = json.loads(line[len("// run "):])
            if "stores" in run:
                continue
            tolerance = ["--rtol=0", "--atol=%r" % max([0.0, *run["error"]])]
            inputs = ["--input=" + whole_numbers(each) for each in run["inputs"]]
            pack.add_data(host, place / ("data_" + run["entry"]), inputs, run["entry"], tolerance)
        shutil.rmtree(host, ignore_errors=True)
        model.unlink()
        pack.tell(name, why)
