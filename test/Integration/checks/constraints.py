#!/usr/bin/env python3
"""Every labelled constraint that sizes decide holds at run time too, where types leave the sizes open.

usage: constraints.py TEST_DIALECT_MICA FOLDER_OF_TD_FILES WORK [--every=N] [--share=N] [--only=REGEX] [--table=PAGE.md [--write]] [--plain]

Each negative test of a constraint (`@matmul_c3` of `mica.matmul`, in invalid*.mlir) breaks that constraint with static sizes. Here its
sizes become dynamic, some or all of them, in every way that this script makes. What the verifier then still rejects is decided by types.
What it accepts must fail when it runs on tensors of the test's own sizes: exit code 1, and a message that names operation, position and,
where the host function makes the check, the label. With --table, which constraints are checked where is compared with a page.
"""
import argparse
import concurrent.futures
import itertools
import os
import pathlib
import re
import subprocess
import sys

TENSOR = re.compile(r"tensor<((?:[0-9?]+x)*)(\w+)>")


def constraints(folder):
    """(op, label) -> text, of the TableGen files in `folder`."""
    found = {}
    for path in sorted(folder.glob("*Ops.td")):
        for match in re.finditer(r'def Mica_\w+Op\s*:\s*\w+<"(\w+)".*?\n}\n', path.read_text(), re.S):
            part = re.search(r"Constraints:\n(.*?)\n\n", match.group(0), re.S)
            for item in re.split(r"\n\s*- ", "\n" + part.group(1))[1:] if part else []:
                label, text = re.match(r"\((C\d+)\) (.*)", " ".join(item.split())).groups()
                found[match.group(1), label] = text.rstrip(".;")
    return found


def split(text):
    """The parts of a list of types or arguments, at its outermost commas."""
    parts, depth = [""], 0
    for char in text:
        depth += (char in "<([") - (char in ">)]")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts if part.strip()]


def shape_of(type):
    match = TENSOR.fullmatch(type)
    return match and ([size for size in match.group(1).split("x") if size], match.group(2))


def open_sizes(type, dims):
    shape, element = shape_of(type)
    return "tensor<" + "".join(("?" if dim in dims else size) + "x" for dim, size in enumerate(shape)) + element + ">"


def subsets(dims, pairs):
    """Which sizes become dynamic: all, all of an operand, each alone, and with `pairs` each two."""
    dims = list(dims)
    tried = [set(dims)] + [{dim for dim in dims if dim[0] == operand} for operand in {dim[0] for dim in dims}]
    tried += [{dim} for dim in dims] + [set(pair) for pair in itertools.combinations(dims, 2) if pairs]
    return [list(each) for each in sorted({tuple(sorted(each)) for each in tried if each})]


def variants(chunk, op, text, pairs):
    """Functions with the operation of the negative test `chunk` and more dynamic sizes: (arguments, operation, result)."""
    line = next((line.strip() for line in chunk.splitlines() if f"mica.{op} " in line and "expected-error" not in line), None)
    header = re.search(r"func\.func @\w+\((.*)\)", chunk)
    if not line or not header or " : " not in line or line.endswith("{"):
        return
    arguments = [part.split(":", 1) for part in split(header.group(1))]
    arguments = {name.strip(): type.strip() for name, type in arguments}
    body, types = line.split(" = ", 1)[1].rsplit(" : ", 1)
    names = re.findall(r"%\w+", body)
    if any(name not in arguments for name in names):
        return
    if types.startswith("(") or not (TENSOR.search(body) or " to " in types):
        # One type is that of all.
        results = types.rsplit("->", 1)[-1].strip()
        results = split(results[1:-1] if results.startswith("(") else results)
        body += " : (OPERANDS) -> (RESULTS)"
    else:
        # Types in the middle are those of operands, behind `to` that of the result; else it has the first operand's.
        whole, body, results, at = line.split(" = ", 1)[1], "", [], 0
        for match in TENSOR.finditer(whole):
            operand = next((place for place, name in enumerate(names) if arguments[name] == match.group(0)), None)
            isResult = whole[:match.start()].endswith(" to ")
            if not isResult and operand is None:
                return
            results = [match.group(0)] if isResult else results
            body += whole[at:match.start()] + ("RESULTS" if isResult else f"OPERAND{operand}")
            at = match.end()
        body += whole[at:]
    count = re.match(r"%\w+:(\d+)", line)
    if count and int(count.group(1)) != len(results):
        return
    dims = [(operand, dim) for operand, name in enumerate(names) if shape_of(arguments[name])
            for dim, size in enumerate(shape_of(arguments[name])[0]) if size != "?"]
    about_result = text.startswith(("the result", "`values`", "there is one result"))
    for opened in subsets(dims, pairs):
        operands = [open_sizes(arguments[name], {dim for operand, dim in opened if operand == at}) if shape_of(arguments[name])
                    else arguments[name] for at, name in enumerate(names)]
        given = [results or operands[:1]]
        if not about_result and results:
            given.append([open_sizes(type, range(9)) if shape_of(type) else type for type in results])
            given.append([open_sizes(type, {dim for operand, dim in opened if operand == 0}) if shape_of(type) else type for type in results])
        for each in sorted({tuple(types) for types in given}):
            # A result that has to have the type of the operand has it now.
            if not (about_result and "has the type of the" in text and each[0] == operands[0]) and len(each) == max(1, len(results)):
                yield names, operands, arguments, body, each


def function(name, names, operands, body, results):
    # Each operand is an argument of its own: nothing folds because two are one.
    listed = ", ".join(f"%v{at}: {type}" for at, type in enumerate(operands))
    places = iter(range(len(names)))
    if len({*operands, *results}) == 1:
        body = body.replace("(OPERANDS) -> (RESULTS)", operands[0])
    body = re.sub(r"%\w+", lambda _: f"%v{next(places)}", body).replace("OPERANDS", ", ".join(operands)).replace("RESULTS", ", ".join(results))
    body = re.sub(r"OPERAND(\d+)", lambda match: operands[int(match.group(1))], body)
    count = f":{len(results)}" if len(results) > 1 else ""
    returned = ", ".join(f"%r#{at}" if count else "%r" for at in range(len(results)))
    return f"""func.func @{name}({listed}) -> ({", ".join(results)}) {{
  %r{count} = {body}
  return {returned} : {", ".join(results)}
}}
"""


def cases_of(options, listed):
    """(name, op, label, test, variant): per negative test of a constraint, its variants."""
    for path in sorted(options.tests.glob("invalid*.mlir")):
        for chunk in path.read_text().split("// -----"):
            name = re.search(r"func\.func @((\w+?)_(c\d+)(?:_\w+)?)\(", chunk)
            if not name or (name.group(2), name.group(3).upper()) not in listed or not re.fullmatch(options.only or ".*", name.group(1)):
                continue
            op, label = name.group(2), name.group(3).upper()
            for at, variant in enumerate(variants(chunk, op, listed[op, label], options.every > 0)):
                yield f"{name.group(1)}_{at}", op, label, f"{path.name}: `@{name.group(1)}`", variant


def rejected_by_verifier(texts, program, unless=r"\(C\d+\)|must be|invalid kind of type|failed to (verify|infer)|has_same|type of return"):
    """The positions of those of the functions `texts` that the verifier rejects."""
    program.write_text("// -----\n".join(texts))
    said = subprocess.run(["mica-opt", program, "-split-input-file", "-o", os.devnull], capture_output=True, text=True).stderr
    # Text that is no program would be taken for one that is rejected.
    for error in re.findall(rf"{program.name}:\d+:\d+: error: .*", said):
        if not re.search(unless, error):
            print(error)
    wrong = {int(line) for line in re.findall(rf"{program.name}:(\d+):\d+: error", said)}
    rejected, line = set(), 1
    for at, text in enumerate(texts):
        lines = text.count("\n")
        if wrong & set(range(line, line + lines)):
            rejected.add(at)
        line += lines + 1
    return rejected


def accepted_by_verifier(cases, work):
    """The cases that the verifier accepts, with their text, but rejects where the operands have the sizes of the test: an open size of a
    result alone may be what the constraint asks for."""
    texts = [function(name, names, operands, body, results) for name, *_, (names, operands, _, body, results) in cases]
    rejected = rejected_by_verifier(texts, work / "all.mlir")
    left = [at for at in range(len(cases)) if at not in rejected]
    given = [function(name, names, [arguments[each] for each in names], body, results)
             for name, *_, (names, _, arguments, body, results) in (cases[at] for at in left)]
    # An operation with one type for all has no text with another one for its result.
    return [(cases[left[at]], texts[left[at]]) for at in sorted(rejected_by_verifier(given, work / "given.mlir", r"error: "))]


def required(accepted, work):
    """(op, label) of all that host functions check of these functions."""
    program, found, labels = work / "accepted.mlir", set(), []
    program.write_text("".join(text for _, text in accepted))
    done = subprocess.run(["mica-opt", program, "--pass-pipeline=builtin.module(func.func(mica-dispatch-check-reshapes))"], capture_output=True, text=True)
    for line in done.stdout.splitlines():
        if match := re.search(r'mica_sched\.check_sizes .*?"\((C\d+)\)', line):
            labels.append(match.group(1))
        elif match := re.search(r"= mica\.(\w+) ", line):
            found |= {(match.group(1), label) for label in labels}
            labels = []
    return found


def run_batch(batch, folder, plain):
    """Compiles the functions of `batch` as one program and runs each; (good, names the label, what was said) per function."""
    folder.mkdir(parents=True, exist_ok=True)
    program, artifact = folder / "constraints.mlir", folder / "artifact"
    program.write_text("".join(text for _, text in batch))
    done = subprocess.run(["mica-compile", program, "-O0", "-o", artifact, "--force", "--dump-passes=off", *(["--plain"] if plain else [])],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    starts, line = {}, 1
    for (name, *_), text in batch:
        starts[name] = line
        line += text.count("\n")
    # A program that no kernel takes runs in its host functions, all of it: the one at fault alone, then.
    fallback = re.search(r"constraints\.mlir:(\d+):\d+: warning: the whole program runs in its host functions", done.stderr)
    if fallback and len(batch) > 1:
        at = max(index for index, ((name, *_), _) in enumerate(batch) if starts[name] <= int(fallback.group(1)))
        results = run_batch(batch[:at] + batch[at + 1:], folder, plain)
        return results[:at] + run_batch(batch[at:at + 1], folder / "alone", plain) + results[at:]

    def run(case):
        name, op, label, _, (names, operands, arguments, body, results) = case
        inputs = []
        for argument in names:
            sizes, element = shape_of(arguments[argument]) or ([], arguments[argument])
            inputs.append("--input=" + "".join(("3" if size == "?" else size) + "x" for size in sizes) + element + "=1")
        done = subprocess.run(["mica-run", artifact, f"--entry={name}", *inputs], capture_output=True, text=True, timeout=120)
        good = done.returncode == 1 and "error: " in done.stderr and (plain or f"constraints.mlir:{starts[name] + 1}:" in done.stderr)
        return good, f"({label})" in done.stderr, (f"@{name} {body} : ({', '.join(operands)}) -> ({', '.join(results)}): exit code {done.returncode}: "
                                                   f"{(done.stderr + done.stdout)[:400].strip()}")

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(run, (case for case, _ in batch)))


def table_of(listed, tests, checked):
    rows = ["| op | | constraint | checked by | test |", "|---|---|---|---|---|"]
    for (op, label), text in listed.items():
        where = "verifier; host function, where types leave sizes open" if (op, label) in checked else "verifier"
        rows.append(f"| `mica.{op}` | {label} | {text} | {where} | {'; '.join(dict.fromkeys(tests.get((op, label), [])))} |")
    return "\n".join(rows) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tests", type=pathlib.Path)
    parser.add_argument("definitions", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=0, help="besides the first function of each test, each Nth of the others")
    parser.add_argument("--share", type=int, default=1, help="runs each Nth of these")
    parser.add_argument("--only", default="")
    parser.add_argument("--table", type=pathlib.Path, help="page whose table, between the marks constraints:begin and constraints:end, is compared")
    parser.add_argument("--write", action="store_true", help="writes that table")
    parser.add_argument("--plain", action="store_true", help="the reference lowering, which names no label")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)

    listed, failures, checked, tests, taken, labelled = constraints(options.definitions), [], set(), {}, [], 0
    cases = list(cases_of(options, listed))
    for path in sorted(options.tests.glob("invalid*.mlir")):
        for test, op, label in re.findall(r"func\.func @((\w+?)_(c\d+)(?:_\w+)?)\(", path.read_text()):
            tests.setdefault((op, label.upper()), []).append(f"{path.name}: `@{test}`")
    failures += [f"mica.{op} ({label}): no negative test" for op, label in listed if (op, label) not in tests]
    # What the verifier still rejects, it decides.
    accepted, seen = accepted_by_verifier(cases, options.work), set()
    for at, (case, text) in enumerate(accepted):
        checked.add(case[1:3])
        if case[3] not in seen or (options.every and at % options.every == 0):
            taken.append((case, text))
        seen.add(case[3])
    if not options.only:
        failures += [f"mica.{op} ({label}): no negative test breaks it by sizes" for op, label in sorted(required(accepted, options.work) - checked)]
    taken = taken[::options.share]
    for begin in range(0, len(taken), 100):
        for good, named, what in run_batch(taken[begin:begin + 100], options.work / str(begin), options.plain):
            labelled += named
            if not good:
                failures.append(what)
    if options.table:
        page, begin, end = options.table.read_text(), "<!-- constraints:begin -->\n", "<!-- constraints:end -->"
        now, table = page[page.index(begin) + len(begin):page.index(end)], table_of(listed, tests, checked)
        if options.write:
            options.table.write_text(page.replace(begin + now + end, begin + table + end))
        elif now != table:
            failures.append(f"{options.table} has another table; constraints.py --write writes the right one")
    print("\n".join(failures))
    print(f"{len(listed)} constraints, {len(checked)} of them checked at run time; {len(accepted)} functions, {len(taken)} run, "
          f"{labelled} name the label, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
