"""Every example of the operations' pages in other spellings: clauses in any order, one type or all of them.

usage: assembly.py DOCS/Dialects/Mica MICA_OPT [ORDERS]
ORDERS: how many orders of the clauses are tried for each use, 6 by default.
Each spelling must parse to the same program. A clause given twice, or a required one left out, is an error that names it.
"""
import itertools
import pathlib
import random
import re
import subprocess
import sys

PAGES, MICA_OPT, ORDERS = pathlib.Path(sys.argv[1]), sys.argv[2], int((sys.argv[3:] or ["6"])[0])
RANDOM = random.Random(7)
failures, spellings, refusals, shortened = [], 0, 0, set()


def run(program, *flags):
    done = subprocess.run([MICA_OPT, "-", *flags], input=program, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


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


for file in sorted(PAGES.glob("*.md")):
    page, op = file.read_text(), file.stem
    example = re.search(r"```mlir\n(.*?)```", page, re.S)
    if not example:
        continue
    code, printed, problem = run(example[1])
    if code:
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
            spelling = before + start + " ".join(order) + " " + types + after
            code, again, problem = run(spelling)
            spellings += 1
            if code or again != printed:
                failures.append(f"{op}: '{' '.join(order)}': {problem or 'another program'}")
        for clause in clauses:
            word = re.match(r"\w+", clause)[0]
            for wanted, changed in ((f"clause '{word}' is given twice", [*clauses, clause]),
                                    (f"expected clause '{word}'", [other for other in clauses if other != clause])):
                if "expected" in wanted and word not in required:
                    continue
                code, _, problem = run(before + start + " ".join(changed) + " " + types + after)
                refusals += 1
                if code != 1 or wanted not in problem or "is written: mica." + op not in problem:
                    failures.append(f"{op}: no \"{wanted}\" for '{' '.join(changed)}': {problem}")

    # The types of each operation in full, as the generic form has them.
    _, generic, _ = run(example[1], "--mlir-print-op-generic")
    full = re.findall(rf'"mica\.{op}"\(.*?\) : (\([^\n]*\) -> [^\n]*?)(?: loc|$)', generic, re.M)
    short = list(re.finditer(rf"(mica\.{op}\b[^\n]*) : (tensor<[^\n]*>)$", printed, re.M))
    if full and len(full) == len(short) and f"`mica.{op}`" in page and "(type | functional-type" in page:
        for types, use in zip(full, short):
            operands, result = types.split(" -> ")
            if use[2].startswith("tensor") and "->" not in use[2]:
                spelling = printed[:use.start(2)] + types + printed[use.end(2):]
                code, again, problem = run(spelling)
                shortened.add(op)
                if code or again != printed:
                    failures.append(f"{op}: the types {types}: {problem or 'another program'}")
                code, _, problem = run(printed[:use.start(2)] + "(" + result + ", " * bool(operands != "()") + operands[1:] + " -> " + result +
                                       printed[use.end(2):])
                if code != 1 or not re.search(r"got \d+ operand types, expected \d+", problem):
                    failures.append(f"{op}: one type too many: {problem}")

for failure in failures:
    print(failure)
print(f"{spellings} spellings, {refusals} refusals, {len(shortened)} operations with one type, {len(failures)} failed")
