"""Every example of the operations' pages in other spellings: clauses in any order, one type or all of them.

usage: assembly.py DOCS/Dialects/Mica MICA_OPT [ORDERS]
ORDERS: how many orders of the clauses are tried for each use, 6 by default.
Each spelling must parse to the same program. A clause given twice, or a required one left out, is an error that names it. Programs are parsed
many at a time; a run says how the op of its first error is written, so one of each op is parsed alone.
"""
import bisect
import itertools
import pathlib
import random
import re
import subprocess
import sys

PAGES, MICA_OPT, ORDERS = pathlib.Path(sys.argv[1]), sys.argv[2], int((sys.argv[3:] or ["6"])[0])
RANDOM = random.Random(7)
failures, spellings, refusals, shortened = [], 0, 0, set()


def run(programs, *flags):
    """What is printed of each program, and what is said of it: nothing where it is right."""
    begins, text = [], ""
    for program in programs:
        begins.append(text.count("\n") + 1)
        text += program.rstrip("\n") + "\n// -----\n"
    done = subprocess.run([MICA_OPT, "-", "--split-input-file", *flags], input=text.removesuffix("// -----\n"), capture_output=True, text=True)
    printed, said, at = [each.strip() for each in done.stdout.split("// -----\n")], [""] * len(programs), 0
    for line in done.stderr.splitlines(keepends=True):
        if place := re.match(r"<stdin>:(\d+):", line):
            at = bisect.bisect_right(begins, int(place[1])) - 1
        said[at] += line
    assert len(printed) == len(programs) and bool(done.returncode) == any(said), done.stderr[-2000:]
    return list(zip(printed, said))


def clause_words(page):
    """Names of the clauses in the page's grammar, and those that are required."""
    grammar = re.search(r"\{ (.*?) \} attr-dict", re.sub(r"\s+", " ", page))
    if not grammar:
        return [], []
    words = re.findall(r"(\(?)`(\w+)`", grammar[1])
    return [word for _, word in words], [word for bracket, word in words if not bracket]


def cut(op, words):
    """`op`, from its name to its types, as its head and a text for each clause, or None where it has none of them."""
    places = [m.start() for m in re.finditer(r"(?<=\s)(?:" + "|".join(words) + r")\b(?=\s|\(|$)", op)]
    return (op[:places[0]], [op[a:b].strip() for a, b in zip(places, places[1:] + [len(op)])]) if places else None


def each_op(program, op):
    """(before, head, types, after) of each use of `op` in a printed program: a line each, from its name to the colon before its types."""
    for use in re.finditer(rf"mica\.{op}\b.*", program):
        text = use[0]
        depth, colon = 0, None
        for i, c in enumerate(text):
            depth += (c in "<([{") - (c in ">)]}" and text[i - 1] != "-")
            if c == ":" and depth == 0:
                colon = i
        yield program[:use.start()], text[:colon], text[colon:], program[use.end():]


examples = {}
for file in sorted(PAGES.glob("*.md")):
    page = file.read_text()
    if example := re.search(r"```mlir\n(.*?)```", page, re.S):
        examples[file.stem] = (page, example[1])
programs = [example for _, example in examples.values()]
tries, verdicts = [], []  # programs, and what is wrong with what comes of each
alone = {}  # a program of each operation that is refused


def same(op, how, spelling, printed):
    """Notes a program that must be the same as `printed`."""
    tries.append(spelling)
    verdicts.append(lambda again, problem: (problem or again != printed) and f"{op}: {how}: {problem or 'another program'}")


def wrong(text, program, *expected):
    """Notes a program that must be refused with words that match all of `expected`."""
    tries.append(program)
    verdicts.append(lambda _, problem: not all(re.search(each, problem) for each in ("error: ", *expected)) and f"{text}: {problem}")


# The types of each operation in full, as the generic form has them.
for (op, (page, _)), (printed, problem), (generic, _) in zip(examples.items(), run(programs), run(programs, "--mlir-print-op-generic"), strict=True):
    if problem:
        failures.append(f"{op}: the example does not parse: {problem}")
        continue
    words, required = clause_words(page)
    for before, head, types, after in each_op(printed, op):
        parts = cut(head, words) if words else None
        if not parts:
            continue
        start, clauses = parts
        orders = list(itertools.permutations(clauses))
        for order in RANDOM.sample(orders, min(len(orders), ORDERS)):
            spellings += 1
            same(op, f"'{' '.join(order)}'", before + start + " ".join(order) + " " + types + after, printed)
        for clause in clauses:
            word = re.match(r"\w+", clause)[0]
            for wanted, changed in ((f"clause '{word}' is given twice", [*clauses, clause]),
                                    (f"expected clause '{word}'", [other for other in clauses if other != clause])):
                if "expected" in wanted and word not in required:
                    continue
                refusals += 1
                wrong(f"{op}: no \"{wanted}\" for '{' '.join(changed)}'", before + start + " ".join(changed) + " " + types + after, re.escape(wanted))
                alone.setdefault(op, tries[-1])

    full = re.findall(rf'"mica\.{op}"\(.*?\) : (\([^\n]*\) -> [^\n]*?)(?: loc|$)', generic, re.M)
    short = list(re.finditer(rf"(mica\.{op}\b[^\n]*) : (tensor<[^\n]*>)$", printed, re.M))
    if full and len(full) == len(short) and f"`mica.{op}`" in page and "(type | functional-type" in page:
        for types, use in zip(full, short):
            operands, result = types.split(" -> ")
            if use[2].startswith("tensor") and "->" not in use[2]:
                shortened.add(op)
                same(op, f"the types {types}", printed[:use.start(2)] + types + printed[use.end(2):], printed)
                more = "(" + result + ", " * bool(operands != "()") + operands[1:] + " -> " + result
                wrong(f"{op}: one type too many", printed[:use.start(2)] + more + printed[use.end(2):], r"got \d+ operand types, expected \d+")

for op, program in alone.items():
    ((_, problem),) = run([program])
    if f"is written: mica.{op} " not in problem:
        failures.append(f"{op}: how it is written is not said: {problem}")
failures += [text for verdict, found in zip(verdicts, run(tries), strict=True) if (text := verdict(*found))]
for failure in failures:
    print(failure)
print(f"{spellings} spellings, {refusals} refusals, {len(shortened)} operations with one type, {len(failures)} failed")
