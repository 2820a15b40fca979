#!/usr/bin/env python3
"""Changes programs at random and holds the compiler against them: exit code 0 or 1, never a signal, in bounded time.

usage: fuzz_mlir.py BUILD_DIR [--minutes=N] [--seed=S]     programs of the tests and examples, changed; findings are kept
       fuzz_mlir.py BUILD_DIR --replay FOLDER              the .mlir files of FOLDER as they are, and nothing else

Each program goes through the parser and verifier (mica-opt), the whole pipeline (mica-compile) and the reference evaluator
(mica-compile --evaluate), each a process of its own: the packaged LLVM has no sanitizers, so its crashes are seen from outside.
A finding is written to BUILD_DIR/fuzz/findings/mlir-<hash>.mlir with what was said about it; one per way of failing. Findings in
code of MLIR itself (the parser, a dialect's verifier) are counted, not failures: KNOWN names them by a line of their trace.
Exit code 1 where there is a finding.
"""
import collections
import hashlib
import json
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
LIMIT_S = 30  # a changed seed compiles in well under a second
MEMORY = 8 << 30
KNOWN = []
TYPES = ["f32", "f16", "bf16", "f64", "f8E4M3FN", "f8E5M2", "i1", "i4", "i8", "i16", "i32", "i64", "ui8", "index", "complex<f32>",
         "none", "vector<4xf32>", "!quant.uniform<i8:f32, 0.5>"]
NUMBERS = ["0", "1", "-1", "2", "3", "7", "16", "63", "64", "255", "1024", "65537", "2147483648", "9223372036854775807",
           "-9223372036854775808", "0.0", "1.0e+38", "0x7FC00000", "true"]
SIZES = ["?", "0", "1", "2", "3", "5", "17", "4096", "*"]


def seeds():
    """The programs of the tests and examples, one per chunk of a split file, without the lines for the test runner."""
    texts = []
    for folder in ("test/Dialect", "test/Passes", "test/Integration", "test/Tools", "test/Bench/cases", "docs/examples",
                   "test/Fuzz/Corpus/mlir"):
        for file in sorted((SOURCE / folder).rglob("*.mlir")):
            for chunk in file.read_text(errors="replace").split("// -----"):
                lines = [l for l in chunk.splitlines() if l.strip() and not l.lstrip().startswith("//")]
                if lines and len(lines) < 120 and sum(map(len, lines)) < 12000:
                    texts.append("\n".join(lines) + "\n")
    return texts


def replace_one(rng, pattern, text, choose):
    found = list(re.finditer(pattern, text))
    if not found:
        return text
    match = rng.choice(found)
    return text[:match.start()] + choose(match.group(0)) + text[match.end():]


def change(rng, text, pool):
    """One random change."""
    lines = text.splitlines()
    kind = rng.randrange(13)
    if kind == 0 and len(lines) > 1:
        del lines[rng.randrange(len(lines))]
    elif kind == 1:
        lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
    elif kind == 2 and len(lines) > 1:
        i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
        lines[i], lines[j] = lines[j], lines[i]
    elif kind == 3:
        lines.insert(rng.randrange(len(lines) + 1), rng.choice(rng.choice(pool).splitlines()))
    elif kind in (4, 5):
        return replace_one(rng, r"\b(?:bf16|f\d+(?:E\dM\d\w*)?|u?i\d+|index)\b", text, lambda _: rng.choice(TYPES))
    elif kind == 6:
        return replace_one(rng, r"(?<![\w%#@x.])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\wx])", text, lambda _: rng.choice(NUMBERS))
    elif kind in (7, 8):
        return replace_one(rng, r"(?<=[<x])(?:\d+|\?)(?=x)", text, lambda _: rng.choice(SIZES))
    elif kind == 9:
        names = re.findall(r"%\w+", text)
        return replace_one(rng, r"%\w+", text, lambda old: rng.choice(names or [old]))
    elif kind == 10:
        ops = re.findall(r"\b[a-z_]+\.[a-z_0-9]+\b", rng.choice(pool))
        return replace_one(rng, r"\b[a-z_]+\.[a-z_0-9]+\b", text, lambda old: rng.choice(ops or [old]))
    elif kind == 11:
        return replace_one(rng, r"\{[^{}\n]*\}|\[[^\[\]\n]*\]|\([^()\n]*\)", text,
                           lambda old: rng.choice(["", old + old, old[:1] + old[-1:]]))
    else:
        return replace_one(rng, r"\w+ = ", text, lambda _: rng.choice(["", "mica.x = "]))
    return "\n".join(lines) + "\n"


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def judge(command):
    """(what went wrong or "", exit code, text)."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                              timeout=LIMIT_S, preexec_fn=limit, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return f"longer than {LIMIT_S} s", -1, ""
    if done.returncode in (0, 1):
        return "", done.returncode, done.stdout
    how = f"signal {-done.returncode}" if done.returncode < 0 else f"exit code {done.returncode}"
    return how, done.returncode, done.stdout


def signature(tool, how, text):
    """What two findings of one cause share: the innermost frames of the trace or the message, without addresses and names."""
    frames = re.findall(r"#\d+ 0x[0-9a-f]+ (\S+\([^)]*\)|\S+)", text)
    frames = [f for f in frames if not re.search(r"PrintStackTrace|SignalHandler|RunSignal|libc|^\(", f)][:3]
    errors = [re.sub(r"'[^']*'|\d+|%\w+", "_", l) for l in text.splitlines() if "error:" in l][:1]
    return f"{tool}: {how}: " + " < ".join(frames or [e.split("error:", 1)[1].strip() for e in errors])


class Driver:
    def __init__(self, build):
        self.build, self.scratch = build, tempfile.mkdtemp()
        self.runs, self.found, self.codes = 0, {}, collections.Counter()

    def commands(self, file):
        out = str(pathlib.Path(self.scratch) / "out")
        compiler = str(self.build / "bin/mica-compile")
        yield "mica-opt", [str(self.build / "bin/mica-opt"), "--allow-unregistered-dialect", str(file), "-o", "/dev/null"]
        yield "mica-compile", [compiler, str(file), "-o", out, "--force", "--dump-passes=off"]
        yield "mica-compile --evaluate", [compiler, "--evaluate", str(file)]

    def try_file(self, file, text, chosen=None):
        """Runs one program through all tools, or those at the positions `chosen`; True where nothing was found."""
        good = True
        for position, (tool, command) in enumerate(self.commands(file)):
            if chosen is not None and position not in chosen:
                continue
            how, code, said = judge(command)
            self.runs += 1
            self.codes[code] += 1
            if how:
                good = False
                self.keep(signature(tool, how, said), text, f"{' '.join(command)}\n{how}\n{said}")
                break
        shutil.rmtree(pathlib.Path(self.scratch) / "out", ignore_errors=True)
        for failed in pathlib.Path(self.scratch).glob("out.failed*"):
            shutil.rmtree(failed, ignore_errors=True)
        return good

    def keep(self, key, text, report):
        known = next((k for k in KNOWN if k in key), None)
        if key in self.found:
            self.found[key] += 1
            return
        self.found[key] = 1
        name = "mlir-" + hashlib.sha1(key.encode()).hexdigest()[:10]
        findings = self.build / "fuzz" / "findings"
        findings.mkdir(parents=True, exist_ok=True)
        (findings / f"{name}.mlir").write_text(text)
        (findings / f"{name}.log").write_text(f"{key}\n{report}")
        print(f"{'known' if known else 'FINDING'} {name}: {key[:300]}", flush=True)

    def failures(self):
        return [key for key in self.found if not any(k in key for k in KNOWN)]


def add_minutes(work, seconds, runs):
    work.mkdir(parents=True, exist_ok=True)
    file = work / "minutes.json"
    totals = json.loads(file.read_text()) if file.exists() else {}
    entry = totals.setdefault("mlir", {"minutes": 0, "executions": 0})
    entry["minutes"] = round(entry["minutes"] + seconds / 60, 2)
    entry["executions"] += runs
    file.write_text(json.dumps(totals, indent=2) + "\n")


def main():
    paths, minutes, seed, replay = [], 5.0, random.randrange(1 << 32), False
    for arg in sys.argv[1:]:
        if arg.startswith("--minutes="):
            minutes = float(arg.split("=", 1)[1])
        elif arg.startswith("--seed="):
            seed = int(arg.split("=", 1)[1])
        elif arg == "--replay":
            replay = True
        elif arg.startswith("-"):
            print(__doc__)
            return 2
        else:
            paths.append(pathlib.Path(arg).resolve())
    if len(paths) != (2 if replay else 1):
        print(__doc__)
        return 2
    driver = Driver(paths[0])
    if replay:
        files = sorted(paths[1].glob("*.mlir"))
        for file in files:
            if not driver.try_file(file, file.read_text()):
                print(f"in {file}")
        print(f"{len(files)} programs, {'no finding' if not driver.failures() else 'FINDINGS'}")
        return 0 if files and not driver.failures() else 1
    print(f"seed {seed}")
    rng, pool, start = random.Random(seed), seeds(), time.time()
    file = pathlib.Path(driver.scratch) / "program.mlir"
    while time.time() - start < minutes * 60:
        text = rng.choice(pool)
        for _ in range(rng.choice([1, 1, 1, 2, 3, 5])):
            text = change(rng, text, pool)
        file.write_text(text)
        # Most are refused by the parser, which is the same in all three: one process says so.
        driver.try_file(file, text, rng.choice([{1}, {1}, {1}, {1, 2}, {2}, {0}]))
    add_minutes(driver.build / "fuzz", time.time() - start, driver.runs)
    shutil.rmtree(driver.scratch, ignore_errors=True)
    print(f"mlir: {driver.runs} runs in {minutes:g} minutes, exit codes {dict(driver.codes)}, "
          f"{len(driver.failures())} findings, {len(driver.found) - len(driver.failures())} known")
    return 1 if driver.failures() else 0


if __name__ == "__main__":
    sys.exit(main())
