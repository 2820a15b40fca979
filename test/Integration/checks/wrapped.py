#!/usr/bin/env python3
"""The programs at fault of this folder's tables, called from other code: each fault is found there too, at its own line.

usage: wrapped.py WORK [--tables=LIST] [--wrappers=LIST] [--ways=LIST] [--every=N] [--in-turn] [--of-constraints=N] [--only=REGEX] [--switches=LIST] [--show]

A program becomes a private function that @pN calls: as it is; with constants for all arguments that are numbers or tensors of integers; with
tensors and buffers of sizes that only the call knows; in a branch, in loops of one iteration, in all of these; and, where its arguments are
numbers, in the body of a linalg.generic. What fails without a wrapper fails in each, by its line; right inputs run without a message and print
what they print without a wrapper. The compiler may refuse what constants do wrong, by its line. Of the tables `constraints` (sizes that a labelled
constraint forbids) and `edges` (sizes and numbers at their edges, drawn) there are no right inputs; what those of `edges` print is compared.
"""
import argparse
import concurrent.futures
import math
import os
import pathlib
import random
import re
import subprocess
import sys

import arithmetic
import bounds
import constraints
import edges
import levels
import nan
import positions
import sizes_in_loops
import uninitialized

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "faults"))
import table as faults  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]

WAYS = {"O0": ["-O0"], "O1": ["-O1"], "O2": [], "O3": ["-O3"], "sim": ["--target=sim"], "plain": ["--plain"]}
ALIAS = re.compile(r"^(#\w+) = (.*)\n", re.M)


class Case:
    """One program: `text` has functions of which the public one is @NAME, `fault` and `right` are its inputs."""

    def __init__(self, name, text, fault, right, switches, clean=None, flags=(), drawn=False):
        self.name, self.fault, self.right, self.switches, self.flags, self.drawn = name, list(fault), None if right is None else list(right), switches, list(flags), drawn
        self.texts = [self.prepared(text), self.prepared(clean or text)]

    @staticmethod
    def prepared(text):
        for alias, meaning in ALIAS.findall(text):
            text = re.sub(re.escape(alias) + r"\b", meaning, ALIAS.sub("", text, count=1))
        return re.sub(r"@(f|norm)\b", lambda match: "@NAME" if match.group(1) == "f" else "@NAME_norm", text)


def tables(work, of_constraints_share=1):
    """{name: cases}"""
    def of_levels():
        for what, program, fault, right in levels.programs():
            for level in ("user", "all"):
                yield Case(f"{what} ({level})", program, fault, right, f"assert-level={level}")

    def of_harness(module, switches):
        for case in module.cases():
            if case.get("code", 3) != 4:
                yield Case(case["name"], case["faulty"], case["inputs"], case.get("clean_inputs", case["inputs"]), case.get("debug", switches),
                           case["clean"], case.get("flags", ()))

    def of_positions():
        for what, program, inputs, *more in positions.programs():
            more = more[0] if more else {}
            if not more.get("defined"):
                for outside in more.get("outside", positions.OUTSIDE)[::2]:
                    yield Case(f"{what} at {outside}", program, [each.replace("POS", str(outside)) for each in inputs],
                               [each.replace("POS", str(more.get("inside", positions.INSIDE))) for each in inputs], "")

    def of_loops():
        """Of each drawn loop that has both, inputs with an access outside and inputs without."""
        for number in range(60):
            draw = random.Random(number)
            program, found = sizes_in_loops.Program(draw), {}
            for size, extents, n, o, bad, _ in sizes_in_loops.cases(program, draw):
                marked = program.text(extents).replace("@main(", "@f(")
                for each in bad:
                    marked = marked.replace(f"// {each}", "// HERE")
                inputs = [f"{size}xi64=7", f"{'x'.join(map(str, extents))}xi64=0", f"index={n}", f"index={o}"]
                found.setdefault(bool(bad), (marked, inputs))
            if len(found) == 2:
                yield Case(f"loop {number}", found[True][0], found[True][1], found[False][1], "", found[False][0])

    def of_faults():
        for case in faults.cases():
            if case["code"] != 4 and "line" not in case:
                yield Case(case["name"], case["program"], case["inputs"], case["clean"], case["switches"])
    def of_constraints():
        listed = constraints.constraints(ROOT / "dialects" / "Mica" / "IR")
        given = argparse.Namespace(tests=ROOT / "test" / "Dialect" / "Mica", only="", every=0)
        folder = work / "constraints"
        folder.mkdir(parents=True, exist_ok=True)
        for case, text in constraints.accepted_by_verifier(list(constraints.cases_of(given, listed))[::of_constraints_share], folder):
            name, *_, (names, _, arguments, _, _) = case
            head, line, rest = text.split("\n", 2)
            inputs = []
            for argument in names:
                sizes, element = shape_of(arguments[argument])[0] or [], shape_of(arguments[argument])[1]
                inputs.append("".join(("3" if size == "?" else size) + "x" for size in sizes) + element + "=1")
            yield Case(name, "\n".join((head.replace(f"@{name}(", "@f("), line + " // HERE", rest)), inputs, None, "")

    def of_edges():
        programs = [(what, program.rstrip("\n")) for what, program, *_ in levels.programs()]
        # Each operation of the others may be the one at fault.
        for each in re.split(r"(?m)^(?=func\.func)", edges.SIZED)[1:]:
            lines = re.sub(r"@NAME\w?\(", "@f(", each).replace("\n     :", " :").rstrip("\n").split("\n")
            programs.append((lines[1].split()[-1], "\n".join(line + " // HERE" if " = " in line else line for line in lines)))
        for seed in range(4 * len(programs)):
            draw, (what, program) = random.Random(seed), programs[seed % len(programs)]
            types = [type for _, type in signature(program.replace("@f(", "@NAME("))[0]]
            yield Case(f"{what}, seed {seed}", program + "\n", [edges.value(draw, type).removeprefix("--input=") for type in types], None, "assert-level=all", drawn=True)
    return {"levels": of_levels, "arithmetic": lambda: of_harness(arithmetic, "assert-level=all"), "bounds": lambda: of_harness(bounds, "assert-level=all"),
            "nan": lambda: of_harness(nan, "nan-check"), "uninitialized": lambda: of_harness(uninitialized, "uninitialized-read-check"),
            "positions": of_positions, "loops": of_loops, "faults": of_faults, "constraints": of_constraints, "edges": of_edges}


def signature(text):
    """(start, end) of the arguments of @NAME, [(name, type)] of them and the types of its results."""
    head = re.search(r"func\.func @NAME\((.*?)\)(?: -> (.*?))? \{\n", text)
    arguments = [tuple(part.split(": ", 1)) for part in re.split(r", (?=%)", head.group(1)) if part]
    results = (head.group(2) or "").strip("()")
    return arguments, re.findall(r"(?:[^,<\s]|<[^>]*>)+", results)


def shape_of(type):
    match = re.fullmatch(r"(?:tensor|memref)<((?:[\d?]+x)*)(\w+)>", type)
    return (match.group(1).split("x")[:-1], match.group(2)) if match else (None, type)


def constant(name, type, given):
    """The op that makes argument `name` from its input; None for buffers, floats, what is drawn, and what has no elements."""
    value = given.partition("=")[2]
    sizes, element = shape_of(type)
    if not value or ":" in value or not re.fullmatch(r"i\d+|index", element) or type.startswith("memref"):
        return None
    if type == "i1" and value not in ("0", "1"):
        return None
    if sizes is None:
        return f"{name} = arith.constant {value} : {type}" if type != "i1" else f"{name} = arith.constant {['false', 'true'][int(value)]}"
    if "?" in sizes:
        return None
    values, shape = value.split(","), [int(size) for size in sizes]
    values = values * (math.prod(shape) // len(values))
    for size in reversed(shape):
        values = ["[" + ", ".join(values[i:i + size]) + "]" for i in range(0, len(values), size)]
    return f"{name} = arith.constant dense<{values[0]}> : {type}"


def zero(name, type, lines):
    """Makes a value of `type` that stands for results that no iteration gives."""
    sizes, element = shape_of(type)
    number = "0" if re.fullmatch(r"i\d+|index", element) else "0.0"
    if sizes is None:
        lines.append(f"{name} = arith.constant {number if type != 'i1' else 'false'}" + (f" : {type}" if type != "i1" else ""))
    elif "?" not in sizes:
        lines.append(f"{name} = arith.constant dense<{number}> : {type}")
    else:
        lines.append(f"{name}z = arith.constant {number} : {element}")
        lines.append(f"{name} = tensor.splat {name}z[{', '.join('%one' for size in sizes if size == '?')}] : {type}")


class Refused(Exception):
    """The wrapper does not apply to this program."""


def wrap(case, which, wrapper):
    """(text, inputs): the program of `case` at fault (which = 0) or right (1) in `wrapper`."""
    text, inputs = case.texts[which], [case.fault, case.right][which]
    arguments, results = signature(text)
    # Inputs that the table leaves to mica-run depend on the argument's name.
    inputs = inputs or [("".join(size + "x" for size in shape_of(type)[0] or []) + shape_of(type)[1] + "=1") for _, type in arguments]
    if wrapper == "none":
        return text, inputs
    if wrapper == "inline":
        # The constants in the program itself.
        made = [constant(name, type, given) for (name, type), given in zip(arguments, inputs, strict=True)]
        if not any(made):
            raise Refused
        left = [(argument, given) for argument, given, each in zip(arguments, inputs, made) if not each]
        head = re.search(r"func\.func @NAME\(.*?\)((?: -> .*?)? \{)\n", text)
        new = f"func.func @NAME({', '.join(': '.join(argument) for argument, _ in left)}){head.group(1)} {' '.join(each for each in made if each)}\n"
        return text[:head.start()] + new + text[head.end():], [given for _, given in left]
    # A branch or loop that gives a buffer runs in host functions, without the checks that these programs ask for.
    if wrapper in ("if", "for", "while", "all") and any(type.startswith("memref") for type in results):
        raise Refused
    arguments = [("%w_" + name[1:], type) for name, type in arguments]
    lines, kept, left, passed = ["%one = arith.constant 1 : index", "%nil = arith.constant 0 : index"], [], [], []
    constants, dynamic = wrapper in ("constants", "all", "generic constants"), wrapper in ("dynamic", "all")
    generic = wrapper.startswith("generic")
    if generic and (len(results) != 1 or any(shape_of(type)[0] is not None for _, type in arguments + [("", results[0])])):
        raise Refused
    changed = not constants
    for (name, type), given in zip(arguments, inputs, strict=True):
        made = constant(name, type, given) if constants else None
        sizes = shape_of(type)[0]
        if made:
            changed = True
            lines.append(made)
            passed.append(name)
        elif dynamic and sizes and "?" not in sizes:
            open_type = type.replace("x".join(sizes) + "x", "?x" * len(sizes), 1)
            kept.append((name, open_type))
            lines.append(f"{name}c = {type.split('<')[0]}.cast {name} : {open_type} to {type}")
            passed.append(name + "c")
            left.append(given)
        else:
            kept.append((name, type))
            passed.append(name)
            left.append(given)
    if (not changed and wrapper != "all") or (wrapper == "dynamic" and all(name in passed for name, _ in arguments)):
        raise Refused
    inner = re.sub(r"func\.func @NAME\(", "func.func private @NAME_inner(", text)
    types = ", ".join(type for _, type in arguments)
    result_types = ", ".join(results)
    names = [f"%r{i}" for i in range(len(results))]

    def call(prefix):
        given = ", ".join(prefix + name[1:] for name in names)
        return f"{given + ' = ' if given else ''}func.call @NAME_inner({', '.join(passed)}) : ({types}) -> ({result_types})"

    def closed(kind, prefix, outer, inside):
        """Lines that run `inside` (values with `prefix`) in `kind`, with values of `outer`."""
        given = ", ".join(outer + name[1:] for name in names)
        yields = ", ".join(prefix + name[1:] for name in names)
        end = f"{yields} : {result_types}" if results else ""
        initial = ", ".join(f"%zero{i}" for i in range(len(results)))
        if kind == "if":
            els = [] if not results else ["} else {", f"scf.yield {initial} : {result_types}"]
            arrow = f" -> ({result_types})" if results else ""
            return [f"{given + ' = ' if given else ''}scf.if %yes{arrow} {{", *inside, f"scf.yield {end}" if results else "", *els, "}"]
        if kind == "for":
            iters = ", ".join(f"%a{outer[1:]}{i} = %zero{i}" for i in range(len(results)))
            iters = f" iter_args({iters}) -> ({result_types})" if results else ""
            return [f"{given + ' = ' if given else ''}scf.for %i{outer[1:]} = %nil to %turns step %one{iters} {{", *inside, f"scf.yield {end}" if results else "", "}"]
        assert kind == "while"
        u = outer[1:]
        iters = ", ".join([f"%k{u} = %nil"] + [f"%a{u}{i} = %zero{i}" for i in range(len(results))])
        all_types = ", ".join(["index", *results])
        carried = ", ".join([f"%k{u}"] + [f"%a{u}{i}" for i in range(len(results))])
        block = ", ".join([f"%l{u}: index"] + [f"%b{u}{i}: {type}" for i, type in enumerate(results)])
        return [f"%n{u}{', ' if given else ''}{given} = scf.while ({iters}) : ({all_types}) -> ({all_types}) {{",
                f"%c{u} = arith.cmpi slt, %k{u}, %turns : index", f"scf.condition(%c{u}) {carried} : {all_types}", "} do {", f"^bb0({block}):", *inside,
                f"%m{u} = arith.addi %l{u}, %one : index", f"scf.yield %m{u}{', ' if yields else ''}{yields} : {all_types}", "}"]

    kinds = {"if": ["if"], "for": ["for"], "while": ["while"], "all": ["while", "if", "for"]}.get(wrapper, [])
    if kinds:
        for i, type in enumerate(results):
            zero(f"%zero{i}", type, lines)
    if "for" in kinds or "while" in kinds:
        kept.append(("%turns", "index"))
        left.append("index=1")
    if "if" in kinds:
        kept.append(("%yes", "i1"))
        left.append("i1=1")
    if generic:
        tensors = [(name, type) for name, type in kept]
        left = ["8x" + given for given in left]
        result, maps = f"tensor<8x{results[0]}>", ", ".join([levels.M] * (len(tensors) + 1))
        ins = f"ins({', '.join(name + 't' for name, _ in tensors)} : {', '.join(f'tensor<8x{type}>' for _, type in tensors)}) " if tensors else ""
        body = ", ".join([f"{name}: {type}" for name, type in tensors] + [f"%out: {results[0]}"])
        lines += [f"%e = tensor.empty() : {result}", f'%w = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}} {ins}outs(%e : {result}) {{',
                  f"^bb0({body}):", call("%"), f"linalg.yield %r0 : {results[0]}", f"}} -> {result}", f"return %w : {result}"]
        head = ", ".join(f"{name}t: tensor<8x{type}>" for name, type in tensors)
        return inner + f"func.func @NAME({head}) -> {result} {{\n  " + "\n  ".join(lines) + "\n}\n", left
    prefix = "%v" if kinds else "%"
    inside = [call(prefix)]
    for depth, kind in reversed(list(enumerate(kinds))):
        outer = f"%w{depth}" if depth else "%"
        inside = closed(kind, prefix, outer, inside)
        prefix = outer
    lines += inside + [f"return {', '.join(names)} : {result_types}" if results else "return"]
    head = ", ".join(f"{name}: {type}" for name, type in kept)
    return inner + f"func.func @NAME({head}) -> ({result_types}) {{\n  " + "\n  ".join(lines) + "\n}\n", left


WRAPPERS = ("inline", "call", "constants", "dynamic", "if", "for", "while", "all", "generic", "generic constants")


def numbers(said):
    """What a run printed, without the lines that have types."""
    return "\n".join(line for line in said.splitlines() if not line.startswith("result"))


class Runner:
    def __init__(self, options):
        self.options = options
        self.environment = dict(os.environ, MICA_CACHE_DIR=str(options.work / "cache"), NO_COLOR="1")

    def outcomes(self, jobs, folder, switches, way):
        """Of each (key, text, inputs, flags): (exit code, names the line, stderr, stdout); programs that are refused or run in host functions run alone."""
        folder.mkdir(parents=True, exist_ok=True)
        source, text, lines, owners = folder / "table.mlir", "", {}, []
        for number, (key, program, *_) in enumerate(jobs):
            start = text.count("\n") + 1
            text += program.replace("NAME", f"p{number}")
            here = [start + at for at, line in enumerate(program.splitlines()) if "// HERE" in line]
            if any("linalg.generic" in line for line in program.splitlines() if "// HERE" in line):
                here += range(here[0], here[0] + 8)
            lines[number] = here
            owners += [number] * program.count("\n")
        source.write_text(text)
        command = ["mica-compile", source, "-o", folder / "out", "--force", "--dump-passes=off", *WAYS[way], *jobs[0][3]]
        command += [f"--mica-debug={switches}"] if switches else []
        done = subprocess.run(command, capture_output=True, text=True, timeout=1200)

        def named(number, said):
            return any(f"table.mlir:{line}:" in said for line in lines[number])

        if len(jobs) == 1 and done.returncode:
            return {jobs[0][0]: (done.returncode, named(0, done.stderr), done.stderr, "")}
        alone = set()
        if done.returncode:
            alone = {owners[int(line) - 1] for line in re.findall(r"table\.mlir:(\d+):\d+: error", done.stderr)} or set(range(len(jobs)))
        else:
            for line in re.findall(r"table\.mlir:(\d+):\d+: warning: [^\n]*host function", done.stderr):
                alone.add(owners[int(line) - 1])
        if alone and len(jobs) > 1:
            found = {}
            if len(alone) == len(jobs) and len(jobs) > 4:
                half = len(jobs) // 2
                found.update(self.outcomes(jobs[:half], folder / "a", switches, way))
                found.update(self.outcomes(jobs[half:], folder / "b", switches, way))
                return found
            for number in sorted(alone):
                found.update(self.outcomes([jobs[number]], folder / f"alone{number}", switches, way))
            rest = [job for number, job in enumerate(jobs) if number not in alone]
            if rest:
                found.update(self.outcomes(rest, folder / "rest", switches, way))
            return found
        found = {}
        for number, (key, _, inputs, _) in enumerate(jobs):
            try:
                run = subprocess.run(["mica-run", folder / "out", f"--entry=p{number}", "--threads=2", *(f"--input={each}" for each in inputs)], capture_output=True,
                                     text=True, timeout=60, errors="replace", env=self.environment)
                found[key] = (run.returncode, named(number, run.stderr), run.stderr, run.stdout)
            except subprocess.TimeoutExpired:
                found[key] = (124, False, "no end in a minute", "")
        return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--tables", default="levels,arithmetic,bounds,nan,uninitialized,positions,loops,faults,constraints,edges")
    parser.add_argument("--wrappers", default=",".join(WRAPPERS))
    parser.add_argument("--ways", default="O2")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--of-constraints", type=int, default=1, help="of the candidates of the table constraints, each Nth")
    parser.add_argument("--in-turn", action="store_true", help="each program in every second wrapper, in turn")
    parser.add_argument("--only", default="")
    parser.add_argument("--switches", default="", help="only programs that run with these")
    parser.add_argument("--show", action="store_true", help="prints what each run at fault says")
    parser.add_argument("--batch", type=int, default=60)
    options = parser.parse_args()
    options.work = options.work.resolve()
    cases = []
    for name in options.tables.split(","):
        cases += [(f"{name}: {case.name}", case) for case in tables(options.work, options.of_constraints)[name]() if re.search(options.only, case.name)]
    cases = [each for each in cases if not options.switches or each[1].switches == options.switches][::options.every]
    runner, batches, inputs_of = Runner(options), [], {}
    for way in options.ways.split(","):
        groups = {}
        for turn, wrapper in enumerate(("none", *options.wrappers.split(","))):
            for at, (_, case) in enumerate(cases):
                if options.in_turn and turn and (turn + at) % 2:
                    continue
                for which in (0,) if case.right is None else (0, 1):
                    if case.drawn and "generic" in wrapper:
                        continue
                    try:
                        text, inputs = wrap(case, which, wrapper)
                    except Refused:
                        continue
                    groups.setdefault((case.switches, tuple(case.flags)), []).append(((way, wrapper, at, which), text, inputs, case.flags))
        for (switches, _), jobs in groups.items():
            for begin in range(0, len(jobs), options.batch):
                batches.append((jobs[begin:begin + options.batch], options.work / f"b{len(batches)}", switches, way))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = {}
        for found in pool.map(lambda batch: runner.outcomes(*batch), batches):
            results.update(found)
    failures, runs = [], 0
    for (way, wrapper, at, which), (code, named, said, printed) in results.items():
        name = cases[at][0]
        label = f"{way}, {wrapper}: {name}, {['at fault', 'right'][which]}"
        text = (said + printed).strip()[:500]
        base_code, base_named, _, base = results[way, "none", at, which]
        if options.show and which == 0:
            print(label, code, text)
        runs += 1
        if code not in (0, 1, 3):
            failures.append(f"{label}: ends with {code}: {text}")
        elif which:
            if code or "error:" in said or "check failed" in said or "NaN/Inf" in said:
                failures.append(f"{label}: ends with {code}: {text}")
            elif not base_code and "generic" not in wrapper and numbers(printed) != numbers(base):
                failures.append(f"{label}: prints {numbers(printed)[:200]}, without the wrapper {numbers(base)[:200]}")
        elif cases[at][1].drawn and not base_code:
            if code or numbers(printed) != numbers(base):
                failures.append(f"{label}: ends with {code}: {text}, without the wrapper with {numbers(base)[:200]}")
        elif base_named and not named:
            folds = "remsi` of the smallest" in name and "constants" in wrapper + wrapper.replace("all", "constants").replace("inline", "constants")
            if not folds:
                failures.append(f"{label}: ends with {code}, without the wrapper with {base_code}: {text}")
    for failure in failures:
        print(failure)
    print(f"{len(cases)} programs at fault, {runs} runs in wrappers, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
