#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs that generate.py draws from the dialects' ODS, and compares.

usage: check.py BUILD [--programs=N] [--seed=S] [--dialects=LIST] [--only=REGEX] [--state=FILE [--again]] [--minutes=M] [--jobs=J]
                      [--batch=N] [--level=0..3] [--expect=FILE] [--keep=DIR] [--work=DIR] [--write=FILE]
       check.py BUILD --one=SEED      one program: its text, and what each way gives

What is compared, for each program:
  text    what @main prints under mica-run, at -O0 to -O3 in turn and on 1 to 3 threads, with what it prints under stock mlir-opt and
          mlir-runner: numbers within the rounding of their type, everything else equal
  entry   what mica-differential says of the function @p alone: the reference evaluator, the reference lowering, the pipeline

Of each program the verdict is one of
  same      everything agrees
  host      so too, but not in kernels: a warning says that host functions run it
  stock     stock tools do not run it; mica-run does, or refuses it or ends by the line of an op
  undefined they give different results, or mica-run ends with an error, and `mica-compile --check-ub` finds undefined behavior:
            verifiers let pass what does not fit, such as a window beyond an empty operand
  refused   stock tools run it, mica-run ends with exit code 1 and an error that names an op, a type or a function
  differs   the texts, or the results, differ
  failed    exit code 2 or more, or none in time
  crash     a process ends by a signal
  invalid   mlir-opt does not accept it: an error of the generator
Exit code 1 where there is a verdict of the last five that --expect (lines `seed verdict`) does not have. With --state the seeds that
were run are noted in FILE and not run again; with --again those are that did not agree. --write: a line per op, of which
tools/scripts/generate_support.py makes a part of docs/Support.md.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "Integration" / "Runner" / "corpus"))
sys.dont_write_bytecode = True
import generate  # noqa: E402
import ods  # noqa: E402
import upstream  # noqa: E402

# As the corpus' "libm", but for complex numbers, which calls of libm pass wrong (docs/UpstreamFindings.md).
STOCK = f"builtin.module({upstream.TENSORS},convert-complex-to-standard,convert-math-to-libm,{upstream.LLVM.replace('convert-complex-to-libm,', '')})"
# Where these do not lower a program: math by its own expansions, which lose the sign of zeros, or by functions.
OTHERS = [STOCK.replace("convert-math-to-libm,", "", 1),
          STOCK.replace("convert-math-to-libm", "func.func(math-expand-ops,math-extend-to-supported-types),convert-math-to-libm", 1),
          STOCK.replace("convert-math-to-libm", "convert-math-to-funcs{convert-ctlz=true},func.func(math-expand-ops),convert-math-to-libm", 1)]
GOOD = ("same", "host", "stock", "undefined")
BAD = ("refused", "differs", "failed", "crash", "invalid")
LIMIT_S = 300
NUMBER = r"-?(?:\d+\.?\d*(?:e[+-]?\d+)?|nan|inf)"


def sections(text):
    """What each program printed, by its seed. Where a buffer lies is nobody's affair."""
    text = re.sub(r"Unranked Memref base@ = \S+ rank = (\d+) offset = \d+ sizes = (\[[^\]]*\]) strides = \[[^\]]*\] data =", r"sizes = \2 data =", text)
    found, current = {}, None
    for line in text.splitlines():
        if (match := re.fullmatch(r"1000(\d{7})", line)):
            current = int(match.group(1))
            found[current] = []
        elif current is not None:
            found[current].append(line)
    # Of buffers without elements, stock prints what lies behind them.
    empty = r"(sizes = \[(?:\d+, )*0(?:, \d+)*\] data = ?\n)[\[\]\d., \nainfe+-]*?(?=\n(?:sizes|\(|-?\d)|\Z)"
    return {seed: re.sub(empty, r"\1", "\n".join(lines)) for seed, lines in found.items()}


def agree(expected, actual, tolerance):
    """"" where both texts are the same but for the rounding of numbers; else the first difference."""
    a, b = re.findall(NUMBER + r"|\S", expected), re.findall(NUMBER + r"|\S", actual)
    if len(a) != len(b):
        return f"{expected[:160]!r} and {actual[:160]!r}"
    for x, y in zip(a, b):
        x, y = x.replace("-nan", "nan"), y.replace("-nan", "nan")
        if x == y:
            continue
        try:
            p, q = float(x), float(y)
        except ValueError:
            return f"{x!r} and {y!r} of {expected[:160]!r} and {actual[:160]!r}"
        if not abs(p - q) <= tolerance * max(abs(p), abs(q), 0.5):
            return f"{x} and {y} of {expected[:160]!r} and {actual[:160]!r}"
    return ""


def tolerance(program):
    """How far numbers may lie apart: a few units of the coarsest type of the program, once per op."""
    text = program.text()
    unit = 0.25 if "f8E5M2" in text else 0.13 if "f8E4M3" in text else 0.016 if "bf16" in text else 0.002 if "f16" in text else 2e-5
    # Stock code rounds each partial sum to the type.
    sums = any(re.search(r"conv|matmul|mat(vec|mul)|vecmat|mmt4d|contract|dot|pool|reduce|reduction|resize|scan", name) for name in program.ops)
    return unit * (1 + len(program.ops)) * (4 if sums and unit > 1e-3 else 1)


class Runner:
    def __init__(self, options, pool):
        self.options, self.pool = options, pool
        self.work = options.work
        self.stock = upstream.Stock(options.llvm, self.work)
        self.notes = {}

    def program(self, seed):
        return generate.Program(seed, self.pool)

    def module(self, programs, entries=False):
        """(text, the seed of each line)."""
        text = generate.joined(programs, entries)
        owners, current = [], None
        for line in text.splitlines():
            if match := re.match(r"(?:func\.func (?:private )?@[pmq]|// run .*\"entry\": \"p|memref\.global \"private\" @g|ml_program\.global .*@h)(\d+)", line):
                current = int(match.group(1))
            elif line.startswith("func.func @main"):
                current = None
            owners.append(current)
        return text, owners

    def halves(self, programs, run):
        """What `run` gives for each program: {seed: ..}. It returns (results, None), or (None, seeds at fault)."""
        results, todo = {}, list(programs)
        while todo:
            found, bad = run(todo)
            if found is not None:
                results.update(found)
                break
            if len(todo) == 1:
                results[todo[0].seed] = (None, next(iter(bad.values())))
                break
            # What is named is at fault, or lies in one kernel with what is.
            named = [p for p in todo if p.seed in bad]
            if named and len(named) < len(todo):
                for p in named:
                    results.update(self.halves([p], run))
                todo = [p for p in todo if p.seed not in bad]
                continue
            half = len(todo) // 2
            results.update(self.halves(todo[:half], run))
            todo = todo[half:]
        return results

    def blamed(self, said, owners):
        """The programs that errors name by their lines, with the first error of each."""
        bad = {}
        for match in re.finditer(r"\.mlir:(\d+):\d+: (error: .*)", said):
            line = int(match.group(1)) - 1
            if line < len(owners) and owners[line] is not None:
                bad.setdefault(owners[line], match.group(2))
        return bad

    def verify(self, programs):
        """What mlir-opt has against each program."""
        text, owners = self.module(programs)
        with tempfile.TemporaryDirectory(dir=self.work) as scratch:
            source = pathlib.Path(scratch) / "p.mlir"
            source.write_text(text)
            done = subprocess.run([self.stock.bin / "mlir-opt", source, "-o", "/dev/null"], capture_output=True, text=True, errors="replace")
        if done.returncode:
            return None, self.blamed(done.stderr, owners) or {None: upstream.first_line(done.stderr)}
        return {p.seed: ("", "") for p in programs}, None

    def run_stock(self, programs):
        """Of a program that the first pipeline does not lower, what another gives."""
        found, bad = self.run_pipeline(programs, STOCK)
        for pipeline in OTHERS if found is None and len(programs) == 1 else []:
            other, _ = self.run_pipeline(programs, pipeline)
            if other is not None:
                return other, None
        return found, bad

    def run_pipeline(self, programs, pipeline):
        text, owners = self.module(programs)
        with tempfile.TemporaryDirectory(dir=self.work) as scratch:
            source = pathlib.Path(scratch) / "p.mlir"
            source.write_text(text)
            if self.needs_script(text):
                pipeline = upstream.PIPELINES["script"].replace("SCRIPT", str(self.work / "script.mlir")).replace("convert-complex-to-libm,", "")
            pipeline = pipeline.replace("\n", "")
            lowered = subprocess.run([self.stock.bin / "mlir-opt", source, f"--pass-pipeline={pipeline}"], capture_output=True, text=True, errors="replace")
            if lowered.returncode:
                return None, self.blamed(lowered.stderr, owners) or {None: "mlir-opt: " + upstream.first_line(lowered.stderr)}
            libraries = ",".join(str(self.stock.lib / f"libmlir_{n}.so") for n in ("runner_utils", "c_runner_utils", "float16_utils"))
            try:
                done = subprocess.run([self.stock.bin / "mlir-runner", "-e", "main", "-entry-point-result=void", f"-shared-libs={libraries}"],
                                      input=lowered.stdout.encode(), capture_output=True, timeout=LIMIT_S)
            except subprocess.TimeoutExpired:
                return None, {None: "mlir-runner: no end in time"}
        if done.returncode:
            return None, {None: f"mlir-runner: exit {done.returncode}: " + upstream.first_line(done.stderr.decode(errors="replace"))}
        found = sections(done.stdout.decode(errors="replace"))
        return {p.seed: (found.get(p.seed, ""), "") for p in programs}, None

    @staticmethod
    def needs_script(text):
        return re.search(r"linalg\.(pack|unpack|softmax)|tensor\.concat", text)

    def run_mica(self, programs, level, threads):
        text, owners = self.module(programs)
        with tempfile.TemporaryDirectory(dir=self.work) as scratch:
            source = pathlib.Path(scratch) / "p.mlir"
            source.write_text(text)
            command = ["mica-run", source, "--entry=main", "--no-cache", f"-O{level}", f"--threads={threads}"]
            command += [f"--target={self.options.target}"] if self.options.target else []
            try:
                done = subprocess.run(command, capture_output=True, timeout=LIMIT_S, cwd=scratch)
            except subprocess.TimeoutExpired:
                return None, {None: "exit 124: no end in time"}
        said = done.stderr.decode(errors="replace")
        warned = re.search(r"\.mlir:(\d+):\d+: warning: (?:the whole program|function '@\w+'|'[\w.]+' of '@\w+') runs in", said)
        if warned and len(programs) > 1:
            # What needs no kernels runs alone, so that the others have theirs.
            seed = owners[int(warned.group(1)) - 1]
            return None, {seed: "alone"}
        if done.returncode:
            code = f"exit {done.returncode}: "
            bad = {seed: code + why for seed, why in self.blamed(said, owners).items()}
            return None, bad or {None: code + upstream.first_line(said)}
        found = sections(done.stdout.decode(errors="replace"))
        return {p.seed: (found.get(p.seed, ""), "host" if warned else "") for p in programs}, None

    def mica_texts(self, programs, level, threads):
        return self.halves(programs, lambda part: self.run_mica(part, level, threads))

    def run_entries(self, programs, level):
        """What mica-differential says of each @p: {seed: ""} or the disagreement."""
        programs = [p for p in programs if p.is_public()]
        if not programs:
            return {}
        text, _ = self.module(programs, entries=True)
        ways = f"plain,O{level}" if not self.options.target else self.options.target.split(":")[0]
        with tempfile.TemporaryDirectory(dir=self.work) as scratch:
            source = pathlib.Path(scratch) / "p.mlir"
            source.write_text(text)
            command = [self.options.build / "test" / "Differential" / "mica-differential", source, f"--ways={ways}", "--threads=1,3", f"--work={scratch}/made"]
            try:
                done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=LIMIT_S)
            except subprocess.TimeoutExpired:
                done = None
        records = [json.loads(l) for l in done.stdout.splitlines() if l.startswith("{")] if done else []
        records = [r for r in records if "kind" in r]
        whole = done is None or done.returncode not in (0, 3) or any(not r["entry"] for r in records)
        if whole and len(programs) > 1:
            half = len(programs) // 2
            return {**self.run_entries(programs[:half], level), **self.run_entries(programs[half:], level)}
        found = {p.seed: "" for p in programs}
        for r in records:
            seed = int(r["entry"][1:]) if r["entry"] else programs[0].seed
            found[seed] = found[seed] or f"{r['kind']} {r['way']}: {r['detail'].splitlines()[0][:300] if r['detail'] else ''}"
            if r["kind"] in ("reference", "compile") and done:
                found[seed] += "; " + upstream.first_line(done.stderr)
        if whole and not found[programs[0].seed]:
            found[programs[0].seed] = "hang" if done is None else f"exit {done.returncode}: {upstream.first_line(done.stderr)}"
        return found

    def is_undefined(self, program):
        """Whether the reference evaluator finds undefined behavior in it."""
        with tempfile.TemporaryDirectory(dir=self.work) as scratch:
            source = pathlib.Path(scratch) / "p.mlir"
            source.write_text(self.module([program])[0])
            try:
                done = subprocess.run(["mica-compile", "--evaluate", "--check-ub", source, "--entry=main"], capture_output=True, text=True,
                                      errors="replace", timeout=LIMIT_S)
            except subprocess.TimeoutExpired:
                return False
        return done.returncode == 3 and "error: undefined behavior" in done.stderr

    def judge(self, seeds):
        """{seed: (verdict, note)}, without those for whose programs anything is right."""
        verdicts = self.compare(seeds)
        for seed, (verdict, note) in verdicts.items():
            if verdict in ("refused", "differs", "failed") and self.is_undefined(self.program(seed)):
                verdicts[seed] = ("undefined", note)
        return verdicts

    def compare(self, seeds):
        """{seed: (verdict, note)}."""
        programs = [self.program(seed) for seed in seeds]
        level = self.options.level if self.options.level is not None else seeds[0] // self.options.batch % 4
        threads = 1 + seeds[0] // self.options.batch % 3
        valid = self.halves(programs, self.verify)
        verdicts = {p.seed: ("invalid", valid[p.seed][1]) for p in programs if valid[p.seed][0] is None}
        programs = [p for p in programs if p.seed not in verdicts]
        if not programs:
            return verdicts
        stock = self.halves(programs, self.run_stock)
        mica = self.mica_texts(programs, level, threads)
        runs = [p for p in programs if mica[p.seed][0] is not None and mica[p.seed][1] != "host"]
        entries = self.run_entries(runs, level)
        for p in programs:
            expected, why = stock[p.seed]
            if p.is_packed():
                expected, why = None, "stock tools pack vectors of i1 and i4 in memory"
            elif "ml_program.global_store" in p.ops:
                expected, why = None, "stock tools free the memory of a global that was loaded"
            actual, said = mica[p.seed]
            at = f"-O{level}, {threads} threads: "
            if actual is None:
                code = int(re.search(r"exit (-?\d+)", said).group(1)) if re.search(r"exit (-?\d+)", said) else 2
                signal = code < 0 or code >= 128 or "signal" in said
                # What no stock pipeline runs may fail by the line of its op.
                named = code == 1 or (code == 3 and re.search(r"\.mlir:\d+:\d+", said))
                verdict = "crash" if signal else "stock" if expected is None and named else "refused" if code == 1 else "failed"
                verdicts[p.seed] = (verdict, at + said + (f"; stock: {why}" if why else ""))
                continue
            note = agree(expected, actual, tolerance(p)) if expected is not None else ""
            if note:
                # Another program of the batch may have needed a pipeline that is wrong for this one.
                alone = self.halves([p], self.run_stock)[p.seed][0]
                note = agree(alone, actual, tolerance(p)) if alone is not None else note
            other = entries.get(p.seed, "")
            if note:
                verdicts[p.seed] = ("differs", f"{at}mlir-runner and mica-run print {note}")
            elif other:
                kind = "crash" if re.match(r"exit -", other) else "differs" if other.startswith(("differs", "run")) else "failed"
                verdicts[p.seed] = (kind, f"-O{level}: entry: {other}")
            else:
                verdicts[p.seed] = ("stock" if expected is None else "host" if said == "host" else "same", why)
        return verdicts


def table(state, runner):
    """Per op that programs are about, how many there are of each verdict; then those that do not agree, and why."""
    rows = collections.defaultdict(collections.Counter)
    for seed, verdict in state["verdicts"].items():
        rows[state["ops"].get(seed) or runner.program(int(seed)).ops[0]][verdict] += 1
    kinds = (*GOOD, *BAD)
    lines = ["op\t" + "\t".join(kinds)]
    lines += [op + "\t" + "\t".join(str(row[k]) for k in kinds) for op, row in sorted(rows.items())]
    for seed, note in sorted(state["notes"].items(), key=lambda item: int(item[0])):
        ops = ", ".join(runner.program(int(seed)).ops)
        note = re.sub(r"\S*/(p|script)\.mlir", r"\1.mlir", re.sub(r"\s+", " ", note))
        lines.append(f"!\t{state['verdicts'][seed]}\t{seed}\t{ops}\t{note[:240]}")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dialects", default=ods.DEFAULT_DIALECTS)
    parser.add_argument("--only", default="")
    parser.add_argument("--state", type=pathlib.Path)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--batch", type=int, default=40)
    parser.add_argument("--level", type=int)
    parser.add_argument("--target", default="", help="of mica-run; for sim, the function of each program runs in the simulator too")
    parser.add_argument("--llvm", default="/usr/lib/llvm-22")
    parser.add_argument("--expect", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--one", type=int)
    options = parser.parse_args()
    options.build = options.build.resolve()
    options.work = options.work or options.build / "ods"
    work = options.work
    pool, _, _ = generate.load_pool(work, options.dialects.split(","), options.llvm, f"{options.llvm}/bin/mlir-opt", options.only)
    runner = Runner(options, pool)
    if options.one is not None:
        program = runner.program(options.one)
        print(generate.joined([program]), end="")
        print("stock:", runner.halves([program], runner.run_stock)[options.one])
        for level in range(4) if options.level is None else [options.level]:
            print(f"-O{level}:", runner.halves([program], lambda part: runner.run_mica(part, level, 2))[options.one])
            print(f"entry -O{level}:", runner.run_entries([program], level))
        return 0
    state = json.loads(options.state.read_text()) if options.state and options.state.exists() else {"verdicts": {}, "ops": {}, "notes": {}}
    seeds = range(options.seed, options.seed + options.programs)
    if options.again:
        seeds = [s for s in seeds if state["verdicts"].get(str(s)) in BAD]
    else:
        seeds = [s for s in seeds if str(s) not in state["verdicts"]]
    batches = [seeds[i:i + options.batch] for i in range(0, len(seeds), options.batch)]
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool_of_threads:
        waiting = {}
        batches = iter(batches)

        def more():
            if options.minutes and time.monotonic() - start > 60 * options.minutes:
                return
            if (batch := next(batches, None)) is not None:
                waiting[pool_of_threads.submit(runner.judge, list(batch))] = batch
        for _ in range(options.jobs):
            more()
        while waiting:
            done, _ = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                waiting.pop(future)
                for seed, (verdict, note) in future.result().items():
                    state["verdicts"][str(seed)] = verdict
                    state["ops"][str(seed)] = runner.program(seed).ops[0]
                    state["notes"].pop(str(seed), None)
                    if verdict in BAD:
                        state["notes"][str(seed)] = note
                        program = runner.program(seed)
                        print(f"{verdict:8} {seed} ({', '.join(program.ops)}): {note}", flush=True)
                        if options.keep:
                            options.keep.mkdir(parents=True, exist_ok=True)
                            (options.keep / f"{verdict}-{seed}.mlir").write_text(f"// {note}\n" + generate.joined([program]))
                if options.state:
                    options.state.write_text(json.dumps(state, indent=0) + "\n")
                more()
    if options.write:
        options.write.write_text(table(state, runner))
    counts = collections.Counter(state["verdicts"].values())
    print(", ".join(f"{counts[v]} {v}" for v in (*GOOD, *BAD)) + f"; {len(state['verdicts'])} programs")
    expected = dict(line.split()[:2] for line in options.expect.read_text().splitlines() if line.strip()) if options.expect else {}
    wrong = [s for s, v in state["verdicts"].items() if v in BAD and expected.get(s) != v]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
