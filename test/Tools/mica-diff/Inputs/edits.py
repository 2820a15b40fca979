"""Makes random edits in programs and holds what mica-diff says against each: the op that was edited and nothing else.

usage: edits.py SEED EDITS PROGRAM.mlir...     prints a line per program; exit code 1 where a difference is not the edit
"""
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

COMMUTATIVE = ["arith.addf", "arith.mulf", "arith.maximumf", "arith.minimumf", "llvm.fadd", "llvm.fmul"]
OTHERS = ["arith.subf", "arith.divf", "llvm.fsub", "llvm.fdiv"]
BINARY = re.compile(r"^(\s*)(%[\w#]+) = (" + "|".join(re.escape(op) for op in COMMUTATIVE + OTHERS) + r") (%[\w#]+), (%[\w#]+)( .*: \S*f32\S*|\s*: \S*f32\S*)$")
UNARY = re.compile(r"^(\s*)(%\w+) = (math\.\w+|arith\.negf|llvm\.fneg) (%[\w#]+)((?: fastmath<\w+>)? : \S*f32\S*)$")
CONSTANT = re.compile(r"^(\s*)(%\w+) = (arith\.constant |llvm\.mlir\.constant\()(-?\d+|-?\d\.\d+e[+-]\d\d)( : (?:index|i32|i64|f32).*)$")
ANY_CONSTANT = re.compile(r"^(\s*)(%\w+) = (?:arith\.constant|llvm\.mlir\.constant).*$")
ALLOCATION = re.compile(r"^(\s*)(%\w+) = memref\.alloc\(\).*$")


def matching(lines, pattern):
    return [(i, found) for i, line in enumerate(lines) if (found := pattern.match(line))]


def scope(lines, at):
    """The lines below `at` in which its value can be used: as far as they are indented as much."""
    indent = len(lines[at]) - len(lines[at].lstrip())
    end = at + 1
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) >= indent or lines[end].lstrip().startswith("^")):
        end += 1
    return range(at + 1, end)


def replace(line, old, new):
    return re.sub(re.escape(old) + r"(?![\w#])", new, line)


def uses(lines, at, name):
    return [i for i in scope(lines, at) if re.search(re.escape(name) + r"(?![\w#])", lines[i])]


# An edit gives the lines and what is to be said: None for nothing, else a list of (kind, op, details, line before, line
# after).
def another_op(draw, lines):
    i, found = draw.choice(matching(lines, BINARY))
    op = draw.choice([o for o in COMMUTATIVE + OTHERS if o != found[3] and o.split(".")[0] == found[3].split(".")[0]])
    lines[i] = lines[i].replace(found[3], op)
    return [("changed", op, ["operation"], i + 1, i + 1)]


def in_every_layer(draw, lines):
    """The same edit in several places is one change."""
    i, found = draw.choice(matching(lines, BINARY))
    same = [j for j, f in matching(lines, BINARY) if f[3] == found[3]]
    op = draw.choice([o for o in COMMUTATIVE + OTHERS if o != found[3] and o.split(".")[0] == found[3].split(".")[0]])
    chosen = draw.sample(same, min(len(same), draw.randrange(2, 30)))
    for j in chosen:
        lines[j] = lines[j].replace(found[3], op)
    return [("changed", op, ["operation"], j + 1, j + 1) for j in sorted(chosen)]


def commuted(draw, lines):
    i, found = draw.choice([(i, f) for i, f in matching(lines, BINARY) if f[3] in COMMUTATIVE])
    lines[i] = f"{found[1]}{found[2]} = {found[3]} {found[5]}, {found[4]}{found[6]}"
    return []


def exchanged(draw, lines):
    i, found = draw.choice([(i, f) for i, f in matching(lines, BINARY) if f[3] in OTHERS and f[4] != f[5]])
    lines[i] = f"{found[1]}{found[2]} = {found[3]} {found[5]}, {found[4]}{found[6]}"
    return [("changed", found[3], ["operand 0", "operand 1"], i + 1, i + 1)]


def new_value(draw, constant):
    return f"{draw.randrange(100000, 999999)}" + (".0" if "." in constant[4] else "")


def another_value(draw, lines):
    i, found = draw.choice(matching(lines, CONSTANT))
    lines[i] = f"{found[1]}{found[2]} = {found[3]}{new_value(draw, found)}{found[5]}"
    return [("changed", found[3].rstrip(" ("), ["attribute 'value'"], i + 1, i + 1)]


def another_constant(draw, lines):
    """One of several uses of a constant takes a new one."""
    at, found = draw.choice([(i, f) for i, f in matching(lines, CONSTANT) if len(uses(lines, i, f[2])) > 1])
    user = draw.choice(uses(lines, at, found[2]))
    op = re.match(r"^\s*%\w+ = ((?:arith|math|llvm)\.[\w.]+) ", lines[user])
    if len(re.findall(re.escape(found[2]) + r"(?![\w#])", lines[user])) != 1 or not op:
        return None
    lines[user] = replace(lines[user], found[2], "%edited")
    lines.insert(at + 1, f"{found[1]}%edited = {found[3]}{new_value(draw, found)}{found[5]}")
    return [("added", found[3].rstrip(" ("), [], 0, at + 2), ("changed", op[1], None, user + 1, user + 2)]


def constants_move(draw, lines):
    constants = matching(lines, ANY_CONSTANT)
    pairs = [(i, j) for (i, f), (j, g) in zip(constants, constants[1:]) if j == i + 1 and f[1] == g[1]]
    for i, j in draw.sample(pairs, min(4, len(pairs))):
        lines[i], lines[j] = lines[j], lines[i]
    return [] if pairs else None


def constant_twice(draw, lines):
    """A use takes a second constant of the same value: it was added, and nothing else changed."""
    at, found = draw.choice([(i, f) for i, f in matching(lines, CONSTANT) if len(uses(lines, i, f[2])) > 1])
    user = draw.choice(uses(lines, at, found[2]))
    lines[user] = replace(lines[user], found[2], "%edited")
    lines.insert(at + 1, f"{found[1]}%edited = {found[3]}{found[4]}{found[5]}")
    return [("added", found[3].rstrip(" ("), [], 0, None)]


def allocations_move(draw, lines):
    allocations = matching(lines, ALLOCATION)
    pairs = [(i, j) for (i, f), (j, g) in zip(allocations, allocations[1:]) if f[1] == g[1] and not any(f[2] in lines[k] for k in range(i + 1, j + 1))]
    if not pairs:
        return None
    for i, j in draw.sample(pairs, min(2, len(pairs))):
        first = lines[i]
        lines[i:j] = lines[i + 1:j] + [""]
        del lines[j - 1]
        lines.insert(j, first)
    return []


def removed(draw, lines):
    at, found = draw.choice(matching(lines, UNARY))
    for user in uses(lines, at, found[2]):
        lines[user] = replace(lines[user], found[2], found[4])
    del lines[at]
    return [("removed", found[3], [], at + 1, 0)]


def added(draw, lines):
    at, found = draw.choice(matching(lines, BINARY))
    for user in uses(lines, at, found[2]):
        lines[user] = replace(lines[user], found[2], "%edited")
    name = "llvm.fneg" if found[3].startswith("llvm") else "math.log1p"
    lines.insert(at + 1, f"{found[1]}%edited = {name} {found[2]} :{found[6].rsplit(':', 1)[1]}")
    return [("added", name, [], 0, at + 2)]


EDITS = [another_op, in_every_layer, commuted, exchanged, another_value, another_constant, constants_move, constant_twice, allocations_move, removed, added]


def said(change):
    place = lambda side: change.get(side, {}).get("line", 0)
    return (change["kind"], change["op"], [d["what"] for d in change["details"]], place("before"), place("after"))


def fits(want, have):
    return want[0] == have[0] and want[1] == have[1] and (want[2] is None or want[2] == have[2]) and want[3] in (None, have[3]) and want[4] in (None, have[4])


def check(before, after, expected, scratch):
    paths = [scratch / "before.mlir", scratch / "after.mlir", scratch / "diff.json"]
    paths[0].write_text("\n".join(before))
    paths[1].write_text("\n".join(after))
    result = subprocess.run(["mica-diff", str(paths[0]), str(paths[1]), f"--json={paths[2]}"], capture_output=True, text=True)
    if result.returncode not in (0, 3):
        return f"exit code {result.returncode}: {result.stderr[:300]}"
    comparison = json.loads(paths[2].read_text())["comparisons"][0]
    if not comparison["structural"]:
        return "the edit does not parse: " + comparison.get("as_text_because", "")
    have = [said(change) for change in comparison["changes"]]
    alike = [d for change in comparison["changes"] for d in change["details"] if d["before"] == d["after"]]
    if alike:
        return f"both sides of a detail are alike: {alike[0]}"
    groups = [sorted(group) for group in comparison.get("groups", [])]
    if len({(kind, op, str(details)) for kind, op, details, _, _ in expected}) == 1 < len(expected) and groups != [list(range(len(have)))]:
        return f"{len(expected)} equal edits are not one group: {have[:4]}, {groups}"
    rest = list(have)
    for want in expected:
        found = next((h for h in rest if fits(want, h)), None)
        if not found:
            return f"expected {want}, got {have[:4]} and {max(0, len(have) - 4)} more"
        rest.remove(found)
    return f"expected {expected}, got beside it {rest[:4]} and {max(0, len(rest) - 4)} more" if rest else ""


def main():
    seed, count, wrong = int(sys.argv[1]), int(sys.argv[2]), 0
    with tempfile.TemporaryDirectory() as folder:
        for program in map(pathlib.Path, sys.argv[3:]):
            original, made, kinds = program.read_text().split("\n"), 0, {}
            for number in range(count * 4):
                if made == count:
                    break
                draw = random.Random(f"{seed} {program.name} {number}")
                edit, lines = EDITS[number % len(EDITS)], list(original)
                try:
                    expected = edit(draw, lines)
                except IndexError:  # nothing in the program to make it of
                    continue
                if expected is None:
                    continue
                made += 1
                kinds[edit.__name__] = kinds.get(edit.__name__, 0) + 1
                if problem := check(original, lines, expected, pathlib.Path(folder)):
                    wrong += 1
                    print(f"WRONG {program.name}, edit {number} ({edit.__name__}): {problem}")
            print(f"{program.name}: {made} edits of {len(kinds)} kinds")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
