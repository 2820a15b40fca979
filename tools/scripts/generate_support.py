#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/Support.md from the tables of test/Integration/ops, which operation is tested on which element types, and from the
results of test/Integration/Runner/corpus, which operation of upstream's dialects prints what mlir-runner prints, and from
those of test/Ods, random programs of ops that ODS defines.

usage: generate_support.py SOURCE_FOLDER [--check] [--results=FOLDER]

A mark stands for cases that the tests compile, run and compare with the reference evaluator: those of the tables that test/Long/ops.test
and sim-ops.test run. --check compares the page with what would be written, shows the difference and exits with 1 if there is
one. --results reads the JSON lines that the tests have left (build/ops-results) and exits with 1 if a case of the tables is
missing there or does not agree.
"""
import argparse
import json
import pathlib
import re
import sys

import generated_page

DTYPES = ["f64", "f32", "f16", "bf16", "f8E4M3FN", "f8E5M2", "i64", "i32", "i16", "i8", "i4", "i1"]
PAGE = "docs/Support.md"


def tables_of(test):
    """The tables that a test runs whole."""
    lines = [line for line in test.read_text().splitlines() if line.startswith("RUN:") and "--every" not in line]
    return sorted(set(re.findall(r"(\w+)\.py\b", "\n".join(lines))) - {"harness"})


def load_cases(source):
    """All cases of the tables that tests run, on the CPU and in the simulator."""
    folder = source / "test/Integration/ops"
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    import harness
    tables, simulated = (tables_of(source / "test/Long" / test) for test in ("ops.test", "sim-ops.test"))
    if tables != simulated:
        sys.exit(f"test/Long/ops.test and sim-ops.test run other tables: {set(tables) ^ set(simulated)}")
    return [c for table in tables for c in harness.load(folder / f"{table}.py")]


def operations(source):
    """The dialect's operations, from their declarations."""
    names = []
    for path in sorted((source / "dialects/Mica/IR").glob("*Ops.td")):
        names += re.findall(r'^def Mica_\w+Op\s*:\s*\w+<"(\w+)"', path.read_text(), re.M)
    return sorted(names)


def mark(cases):
    """sd: static and dynamic shapes; s: static ones; d: dynamic ones; = exact, * where each case has its own tolerance."""
    constraints = {c.constraint for c in cases if c.constraint}
    if constraints:
        return " ".join(sorted(constraints))
    forms = {form for c in cases for form in c.forms}
    text = ("s" if "static" in forms else "") + ("d" if "dynamic" in forms else "")
    if not text or not all(c.tolerance for c in cases):
        return text
    import harness
    return text + ("=" if all(c.tolerance == harness.EXACT for c in cases) else "\\*")


def reasons(cases):
    """Why operations do not take what they refuse: from reason to operations."""
    why = {}
    for c in cases:
        if c.constraint and c.op not in why.setdefault(c.why, []):
            why[c.why].append(c.op)
    return {reason: sorted(ops) for reason, ops in sorted(why.items(), key=lambda item: (-len(item[1]), item[0]))}


def grid(corner, rows, columns, cell):
    lines = [f"| {corner} | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    return lines + [f"| {row} | " + " | ".join(cell(row, column) for column in columns) + " |" for row in rows]


def page(source):
    cases, known = load_cases(source), operations(source)
    plain, pairs, sums = {}, {}, {}
    for c in cases:
        if " sums " in c.dtype:
            sums.setdefault(c.op, {}).setdefault(c.dtype.replace(" sums ", " to "), []).append(c)
        elif " to " in c.dtype:
            pairs.setdefault(c.op, {}).setdefault(tuple(c.dtype.split(" to ")), []).append(c)
        else:
            plain.setdefault(c.op, {}).setdefault(c.dtype.split()[0], []).append(c)
    own = [op for op in plain if op in known]
    other = [op for op in plain if op not in known]
    valid = [c for c in cases if not c.constraint]
    width = sum(len(c.forms) for c in valid)

    def table(ops):
        def cell(op, column):
            if column == "target":
                return "cpu, sim"
            if column == "reference":
                return "evaluator"
            return mark(plain[op].get(column, []))
        return grid("op", sorted(ops), ["target", "reference"] + DTYPES, cell)

    lines = [f"""# What is supported

Made from the tables of `test/Integration/ops`, and from the results of `test/Integration/Runner/corpus` for other dialects (at the
end), by `tools/scripts/generate_support.py`; a test fails when it is not. Each mark in the tables stands
for cases that `make test-long` compiles, runs and compares with the reference evaluator ({len(valid)} cases, {width} runs; test/Long/ops.test),
and `make test` a share of them:
`s` with static shapes, `d` with dynamic ones, which constants do not have. Nothing is marked that is not run. `C1` (`C2`) says that
the operation does not take the type, by the constraint of this label on its page, and that a test hands it the type and gets this
error ({len(cases) - len(valid)} cases); the reasons are below. The tolerances are those of
`mica-run --check-reference`, integers exact; at `=` floats are exact too, at `\\*` the case states another one and why.

All of them are also run with `--target=sim`, as GPU kernels in the simulator with all its checks, without a report and with the reference's
numbers (test/Long/sim-ops.test); `make test` runs a case of each sixth operation so (test/Integration/Gpu/ops.test).

The rows are operations of the dialect `mica`; the columns are the element types of their operands, or of the operand that the
operation is about. `docs/Dialects/Mica/<op>.md` says what each takes.
"""]
    lines += table(own)
    lines += ["", "### Why not", ""]
    lines += [f"- {', '.join(f'`{op}`' for op in ops)}: {why}." for why, ops in reasons(cases).items()]
    for op in sorted(pairs):
        rows = [dtype for dtype in DTYPES if any(dtype == source_type for source_type, _ in pairs[op])]
        columns = [dtype for dtype in DTYPES if any(dtype == target for _, target in pairs[op])]
        lines += ["", f"## {op}: from the type of the row to that of the column", "", "Targets cpu and sim, reference evaluator.", ""]
        lines += grid("", rows, columns, lambda row, column: mark(pairs[op].get((row, column), [])))
    kinds = list(dict.fromkeys(kind for of in sums.values() for kind in of))
    lines += ["", "## Products and sums in a wider type than the operands'", "", "Targets cpu and sim, reference evaluator.", ""]
    lines += grid("op", sorted(sums), kinds, lambda op, kind: mark(sums[op].get(kind, [])))
    if other:
        lines += ["", "## Operations of other dialects that become these", ""] + table(other)
    missing = [op for op in known if op not in plain and op not in pairs]
    if missing:
        lines += ["", "## In no table", "", "Run by tests of their own, see `docs/Dialects/Mica/<op>.md` for an example that a test runs: " +
                  ", ".join(f"`{op}`" for op in missing) + "."]
    lines += runner(source)
    lines += drawn(source)
    return "\n".join(lines) + "\n"


def runner(source):
    """What the programs of test/Integration/Runner/corpus gave, by dialect."""
    rows = [(line.split("\t") + ["", "", ""])[:4]
            for line in (source / "test/Integration/Runner/corpus/results.tsv").read_text().splitlines()]
    dialects, left = {}, {}
    for name, verdict, where, note in rows:
        op, kind = name.rsplit(".", 1)
        dialects.setdefault(op.split(".")[0], []).append((op, kind, verdict, where))
        if verdict not in ("same", "stock"):
            left.setdefault((verdict, note), []).append(name)
    same = sum(verdict == "same" for _, verdict, _, _ in rows)
    stock = sum(verdict != "stock" for _, verdict, _, _ in rows)
    yield from ["", "## Programs in upstream's dialects, by what they print", "", f"""\
{len(rows)} small programs with a `main` that prints, about every op of the dialects below, run by `mica-run` and by stock `mlir-opt` and
`mlir-runner` (test/Integration/Runner/corpus; `make test` runs a sixteenth of them, `make test-long` all). Stock tools run {stock} of
them; {same} print the same text. None ends by a signal or with exit code 2. Not in kernels means that the whole program runs in its
host functions, with a warning that names the op ([BufferPrograms](BufferPrograms.md#what-runs-in-host-functions)).
""", "| dialect | programs | same text | of those not in kernels | differ | refused | stock tools do not run |", "|---|---|---|---|---|---|---|"]
    for dialect, cases in sorted(dialects.items()):
        count = lambda test: sum(test(c) for c in cases)
        yield (f"| {dialect} | {len(cases)} | {count(lambda c: c[2] == 'same')} | {count(lambda c: c[2] == 'same' and c[3] == 'host')} | "
               f"{count(lambda c: c[2] == 'differs')} | {count(lambda c: c[2] == 'refused')} | {count(lambda c: c[2] == 'stock')} |")
    yield from ["", "### What differs or is refused", ""]
    for (verdict, note), names in sorted(left.items()):
        yield f"- {', '.join(f'`{n}`' for n in names)}: {verdict}: {note}"
    if not left:
        yield "Nothing."
    yield from ["", "### Ops, with the forms that print the same text", "",
                "`*`: not in kernels. `(stock: ...)`: forms that stock tools do not run, and Mica does or refuses by name."]
    for dialect, cases in sorted(dialects.items()):
        ops = {}
        for op, kind, verdict, where in cases:
            ops.setdefault(op, []).append((kind, verdict, where))
        parts = []
        for op, forms in sorted(ops.items()):
            good = [kind + ("\\*" if where == "host" else "") for kind, verdict, where in forms if verdict == "same"]
            other = [kind for kind, verdict, _ in forms if verdict == "stock"]
            parts.append(f"`{op.split('.', 1)[1]}` {' '.join(good)}".rstrip() + (f" (stock: {' '.join(other)})" if other else ""))
        yield from ["", f"**{dialect}**: {'; '.join(parts)}."]


def drawn(source):
    """What the programs of test/Ods gave, by dialect."""
    rows = [line.split("\t") for line in (source / "test/Ods/results.tsv").read_text().splitlines()]
    kinds, counted, left = rows[0][1:], [r for r in rows[1:] if r[0] != "!"], [r[1:] for r in rows if r[0] == "!"]
    total = {kind: sum(int(r[1 + i]) for r in counted) for i, kind in enumerate(kinds)}
    words = {"same": "agree", "host": "agree, not in kernels", "stock": "stock tools do not run", "undefined": "undefined", "refused": "refused by name", "differs": "differ",
             "failed": "exit code 2, or not in every way", "crash": "signal", "invalid": "no valid program"}
    yield from ["", "## Random programs of ops drawn from ODS", "", f"""\
{sum(total.values())} programs of one to four ops, drawn from the TableGen files of the dialects (test/Ods; [Testing](Testing.md#programs-drawn-from-ods)). What they
print is compared with stock `mlir-opt` and `mlir-runner`, and their functions with the reference evaluator and the reference lowering. A program counts
for the op that it is about. {total["crash"]} end by a signal.
""", "| dialect | ops | programs | " + " | ".join(words[k] for k in kinds) + " |", "|---" * (3 + len(kinds)) + "|"]
    for dialect in sorted({r[0].split(".")[0] for r in counted}):
        of = [r for r in counted if r[0].split(".")[0] == dialect]
        sums = [sum(int(r[1 + i]) for r in of) for i in range(len(kinds))]
        yield f"| {dialect} | {len(of)} | {sum(sums)} | " + " | ".join(map(str, sums)) + " |"
    yield from ["", "Those that do not agree, by the seed of the program:", ""]
    for verdict, seed, ops, note in left:
        yield f"- {seed} ({', '.join(f'`{op}`' for op in ops.split(', '))}): {verdict}: {note.replace('<', '&lt;').replace('|', chr(92) + '|')}"
    if not left:
        yield "None."


def check_results(source, folder):
    found = {}
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text().splitlines():
            record = json.loads(line)
            found[record["case"], record["dynamic"]] = record["result"]
    wrong = []
    for c in load_cases(source):
        for form in c.forms:
            result = found.get((c.name, form == "dynamic"), "missing")
            if result != ("refused" if c.constraint else "agrees"):
                wrong.append(f"{c.name} ({form}): {result}")
    print("\n".join(wrong) if wrong else "every case agrees")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--results", type=pathlib.Path)
    options = parser.parse_args()
    if options.results:
        return check_results(options.source, options.results)
    return generated_page.update(options.source, PAGE, page(options.source), "the tables",
                                 "python3 tools/scripts/generate_support.py .", options.check)


if __name__ == "__main__":
    sys.exit(main())
