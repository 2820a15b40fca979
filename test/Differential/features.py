"""What random programs are made of: which ops, element types and shapes of data flow are drawn, and how often.

usage: features.py SEED COUNT [--dialect=FOLDER] [--need=NAME]..

A line per op and feature of the programs of seeds SEED, SEED + 1, ..: in how many it is. Exit code 1 where one that is asked for
is in none: the features --need, the ops of which --dialect (docs/Dialects/Mica) has a page.
"""
import argparse
import collections
import pathlib
import re
import sys

VIEWS = {"tensor.extract_slice", "tensor.insert_slice", "tensor.expand_shape", "tensor.collapse_shape", "memref.subview",
         "mica.slice", "mica.reshape"}
LOOPS = {"scf.for", "scf.while", "mica.while"}
OP = re.compile(r'^\s*(?:(%\w+(?:, %\w+)*)(?::\d+)? = )?"?([a-z_]+\.[a-z_0-9]+|call|return)"?\b(.*)')


def features(text):
    """The set of names of what is in one program: its ops, "type T", and the features below."""
    found, users, makers, size = set(), collections.Counter(), {}, 1
    for line in text.splitlines():
        if line.startswith("// run "):
            size = 0 if re.search(r'"(?:\d+x)*0x', line) else size
            found |= {"twin"} if '"twin"' in line else set()
            found |= {"stores to an argument"} if '"stores"' in line else set()
            continue
        found |= {f"type {t}" for t in re.findall(r"x(f8E\w+|bf16|f\d+|i\d+)>", line)}
        found |= {"dynamic size"} if "?" in line else set()
        match = OP.match(line)
        if not match:
            continue
        results, op, rest = match.groups()
        op = {"call": "func.call", "return": "func.return"}.get(op, op)
        found.add(op)
        operands = set(re.findall(r"%\w+", rest))
        users.update(operands)
        if op in VIEWS and any(makers.get(o) in VIEWS for o in operands):
            found.add("view of a view")
        if op in LOOPS and "tensor<" in rest:
            found.add("loop that carries a tensor")
        for name in (results or "").split(", "):
            makers[name] = op
    if any(count > 2 and name in makers for name, count in users.items()):
        found.add("value with three users")
    return found | ({"size 0"} if size == 0 else set())


def histogram(programs):
    """(name, in how many of the programs) of every op and feature, the frequent ones first."""
    counts = collections.Counter()
    for text in programs:
        counts.update(features(text))
    return counts.most_common()


def main():
    from draws import Draws
    from generate import generate
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--dialect", type=pathlib.Path)
    parser.add_argument("--need", action="append", default=[])
    options = parser.parse_args()
    counts = histogram(generate(Draws(seed), f"p{seed}") for seed in range(options.seed, options.seed + options.count))
    for name, found in counts:
        print(f"{found:7} {name}")
    pages = sorted(options.dialect.glob("*.md")) if options.dialect else []
    needed = options.need + [f"{page.parent.name.lower()}.{page.stem}" for page in pages]
    missing = sorted(set(needed) - {name for name, _ in counts})
    if missing:
        print(f"in none of the programs: {', '.join(missing)}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
