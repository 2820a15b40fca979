#!/usr/bin/env python3
"""Runs random programs in every way there is and compares: reference = reference lowering = CPU at every -O and thread count.

usage: check.py BUILD_DIR [--programs=N] [--seed=S] [--jobs=J] [--minutes=M] [--every] [--ways=W] [--keep=DIR]
                          [--batch=N] [--state=FILE [--again]]
       check.py BUILD_DIR --replay FOLDER [--in-turn] [--share=N]   the kept programs of FOLDER, as they are; each at one
                                                 of the -O; the first of every N
       check.py BUILD_DIR --one SEED             one program: prints it and what is said of it

Programs are made by generate.py from the seeds S, S + 1, .. and handed to mica-differential, many in one file. One that
disagrees is made simpler as long as it disagrees in the same way, and written to DIR (default BUILD_DIR/differential) as
<kind>-<seed>.mlir with the disagreement in its first lines: put it into test/Differential/Found together with the fix.
With --state the seeds that were run are noted in FILE, and those noted there are not run again: what --minutes ends goes on with
the same command; with --again the programs are run anew that disagreed. progress.py adds such files up. Exit code 1 where programs disagree.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from draws import Draws, shrink
from generate import generate
from progress import Progress

LIMIT_S = 600
ATTEMPTS = 200


class Driver:
    def __init__(self, build, work):
        self.executable = build / "test" / "Differential" / "mica-differential"
        self.work = work

    def run(self, file, flags=()):
        """The disagreements in `file` and what was said; one of kind "crash" where the driver itself ended."""
        with tempfile.TemporaryDirectory(dir=self.work) as scratch:
            command = [str(self.executable), str(file), f"--work={scratch}/artifacts", *flags]
            try:
                done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=LIMIT_S)
            except subprocess.TimeoutExpired:
                return [{"entry": "", "way": "", "threads": 0, "kind": "hang", "detail": f"longer than {LIMIT_S} s"}], "", 0
        records = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        runs = sum(record.get("runs", 0) for record in records)
        records = [record for record in records if "kind" in record]
        # Right results, but no kernels were run: the programs are made of what kernels take.
        if fallback := [line for line in done.stderr.splitlines() if "runs in its host functions" in line]:
            records.append({"entry": "", "way": "", "threads": 0, "kind": "host", "detail": fallback[0]})
        if done.returncode not in (0, 3):
            how = f"signal {-done.returncode}" if done.returncode < 0 else f"exit code {done.returncode}"
            records.append({"entry": "", "way": "", "threads": 0, "kind": "crash", "detail": how + "\n" + done.stderr[-3000:]})
        return records, done.stderr, runs

    def runText(self, text, flags=()):
        with tempfile.NamedTemporaryFile("w", suffix=".mlir", dir=self.work) as file:
            file.write(text)
            file.flush()
            return self.run(file.name, flags)


def signature(record, said):
    """What two disagreements of one cause have in common."""
    errors = [re.sub(r"'[^']*'|\"[^\"]*\"|-?\d+|%\w+|@\w+|tensor<\S*|memref<\S*", "_", line.split("error:", 1)[1])
              for line in (said + "\n" + record["detail"]).splitlines() if "error:" in line]
    detail = errors[0].strip() if errors and record["kind"] != "differs" else ""
    return record["kind"], record["way"], detail


def single(seed):
    """(text, script, spans) of the program of `seed`."""
    draws = Draws(seed)
    return generate(draws, "p"), draws.taken, draws.spans


def judge(driver, text, flags=()):
    """The first disagreement of a program and its signature; (None, None) where there is none."""
    records, said, _ = driver.runText(text, flags)
    if not records:
        return None, None
    return records[0], signature(records[0], said)


def simplify(driver, seed, script, spans, wanted):
    """A simpler program that disagrees in the same way: its text and its disagreement."""
    way = wanted[1]
    # A comparison of twins, the reference and crashes are not of one way.
    flags = [f"--ways={way}"] if re.fullmatch(r"plain|O[0-3]|reads|sim|opencl", way) else []
    best = [None]

    def interesting(candidate):
        draws = Draws(script=candidate)
        try:
            text = generate(draws, "p")
        except (ValueError, IndexError, ZeroDivisionError, AttributeError):
            return None  # A choice the generator never makes by itself.
        record, found = judge(driver, text, flags)
        if found != wanted:
            return None
        best[0] = (text, record)
        return list(draws.taken), list(draws.spans)

    shrink(script, spans, interesting, ATTEMPTS)
    return best[0]


def checkBatch(driver, seeds, flags, report):
    """Runs the programs of `seeds` in one file; where that ends or does not compile, in smaller files."""
    texts = {seed: generate(Draws(seed), f"p{seed}") for seed in seeds}
    records, said, runs = driver.runText("\n".join(texts.values()), flags)
    bad = {int(record["entry"][1:].removesuffix("_twin")) for record in records if record["entry"]}
    if any(not record["entry"] for record in records):
        if len(seeds) > 1:
            half = len(seeds) // 2
            return checkBatch(driver, seeds[:half], flags, report) + checkBatch(driver, seeds[half:], flags, report)
        bad = set(seeds)
    for seed in sorted(bad):
        report(seed, [r for r in records if r["entry"] in ("", f"p{seed}", f"p{seed}_twin")], said)
    return runs


class Check:
    def __init__(self, driver, keep, shrinks, ways):
        self.driver, self.keep, self.shrinks = driver, keep, shrinks
        self.flags = [f"--ways={ways}"] if ways else []
        self.found = {}

    def report(self, seed, records, said):
        text, script, spans = single(seed)
        record, key = judge(self.driver, text, self.flags)
        if key is None:
            print(f"seed {seed}: disagrees only beside others: {records[0]}", flush=True)
            self.found[("beside", "", str(seed))] = [seed]
            return
        if key in self.found:
            self.found[key].append(seed)
            return
        self.found[key] = [seed]
        simpler = simplify(self.driver, seed, script, spans, key) if self.shrinks else None
        text, record = simpler or (text, record)
        file = self.keep / f"{record['kind']}-{seed}.mlir"
        self.keep.mkdir(parents=True, exist_ok=True)
        said = "".join(f"// {line}\n" for line in json.dumps(record).replace("\\n", "\n").splitlines())
        file.write_text(said + text)
        print(f"seed {seed}: {record['kind']} {record['way']} {record['detail'][:400]}\nkept as {file}\n{text}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--minutes", type=float, default=0, help="ends after this time, however many programs were run")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--replay", type=pathlib.Path)
    parser.add_argument("--one", type=int)
    parser.add_argument("--state", type=pathlib.Path)
    parser.add_argument("--in-turn", action="store_true", help="with --replay, the reference lowering and one of the -O for each program, in turn")
    parser.add_argument("--share", type=int, default=1, help="with --replay, the first of every N programs")
    parser.add_argument("--batch", type=int, default=80, help="programs in one file, all at one -O")
    parser.add_argument("--again", action="store_true", help="with --state, first runs the seeds again that disagreed, at every -O")
    parser.add_argument("--every", action="store_true", help="every program at each -O, instead of at one of the four in turn")
    parser.add_argument("--ways", default="", help="runs every program in these ways alone: plain,O0,O1,O2,O3,reads,sim,opencl")
    parser.add_argument("--no-shrink", action="store_true")
    options = parser.parse_args()
    build = options.build.resolve()
    flags = [f"--ways={options.ways}"] if options.ways else []
    # Artifacts are many small files that nobody keeps.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as work:
        driver = Driver(build, work)
        if options.replay:
            return replay(driver, options.replay, flags, options)
        if options.one is not None:
            text, _, _ = single(options.one)
            records, said, runs = driver.runText(text, flags)
            print(text + said + "".join(json.dumps(record) + "\n" for record in records) + f"{runs} runs")
            return 1 if records else 0
        return checkAll(driver, options, options.keep or build / "differential")


def replay(driver, folder, flags, options):
    files = sorted(folder.glob("*.mlir"))[::options.share]
    bad = 0
    for at, file in enumerate(files):
        records, said, _ = driver.run(file, [f"--ways=plain,O{at % 4}"] if options.in_turn else flags)
        for record in records:
            print(f"{file}: {record}\n{said}")
        bad += bool(records)
    print(f"{len(files)} kept programs, {bad} disagree")
    return 0 if files and not bad else 1


def checkAll(driver, options, keep):
    check = Check(driver, keep, not options.no_shrink, options.ways)
    start = time.time()
    try:
        progress = Progress(options.state, options.ways or ("every -O" if options.every else "one -O"))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if options.again:
        progress.mend([seed for seed in progress.record["disagree"] if judge(driver, single(seed)[0])[0] is None])
    batches = progress.batches(options.seed, options.seed + options.programs, options.batch)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        def work(batch):
            if options.minutes and time.time() - start > options.minutes * 60:
                return batch, 0, None
            # One level a batch, in turn: code generation is what takes the time. The verifier runs after each pass of
            # one batch in five: it takes a sixth of the time, and what it would find is found again.
            ways = options.ways or ("plain,O0,O1,O2,O3" if options.every else f"plain,O{batch[0] // options.batch % 4}")
            verify = ["--no-verify-each"] if batch[0] // options.batch % 5 else []
            bad = []

            def report(seed, records, said):
                bad.append(seed)
                check.report(seed, records, said)
            return batch, checkBatch(driver, batch, [f"--ways={ways}", *verify], report), bad
        for batch, count, bad in pool.map(work, batches):
            if bad is not None:
                progress.add(batch, count, bad)
    for key, seeds in check.found.items():
        print(f"{len(seeds)} like {key}: seeds {seeds[:10]}")
    print(progress.summary())
    return 1 if progress.record["disagree"] or not progress.record["programs"] else 0


if __name__ == "__main__":
    sys.exit(main())
