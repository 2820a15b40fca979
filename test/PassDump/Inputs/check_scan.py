"""Compares the ops that the scanner of dumps finds in printed IR with those that MLIR's parser reads from it: names, lines and numbers.

usage: check_scan.py SCAN_OPS LLVM_BIN WORK [--share=K/N] [--limit=N]

The IR is what mlir-opt prints of every .mlir file of the suite, of the programs of test/Integration/Runner/corpus, and of these
lowered to the LLVM dialect. Ops that the printer leaves out, such as implied terminators, have no position in the text and are not
counted. --share=1/8: files 1, 9, 17, ...
"""
import collections
import concurrent.futures
import pathlib
import re
import subprocess
import sys

SUITE = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(SUITE / "Integration/Runner/corpus"))
FLAGS = ["--allow-unregistered-dialect", "--mlir-disable-threading"]
OP = re.compile(r'^\s*(?:(?:%[\w$.-]+(?::\d+)?(?:, )?)+ = )?"((?:[^"\\]|\\.)+)"(?=[(<])')


def sources():
    """(name, text, further flags) of each program."""
    for path in sorted(SUITE.rglob("*.mlir")):
        if "Corpus" not in path.parts and path.stat().st_size < 300_000:
            yield str(path.relative_to(SUITE)), path.read_text(errors="replace"), ["--split-input-file"]
    for table in ("scalars", "vectors", "buffers", "control", "tensors", "tosa"):
        for program in __import__(table).programs():
            yield f"{program.name}", program.text, []
            yield f"{program.name}, lowered", program.text, ["--test-lower-to-llvm"]


def run(command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=120)
    return done.stdout if done.returncode == 0 or "--split-input-file" in command else ""


def parsed(mlir_opt, path):
    """(line, name) of each op that has a place in the text."""
    text = run([mlir_opt, *FLAGS, "--mlir-print-op-generic", "--mlir-print-debuginfo", "--mlir-print-local-scope", path])
    ops, open_ = [], []
    for line in text.split("\n"):
        found, own = OP.match(line), None
        if found:
            own = [found.group(1), "unknown", open_[-1] if open_ else None]
            ops.append(own)
            if line.endswith("({"):
                open_.append(own)
                continue
        if line.lstrip().startswith("})") and open_:
            own = open_.pop()
        if own:
            place = re.search(r'loc\("(?:[^"\\]|\\.)*":(\d+):(\d+)\)$', line)
            own[1] = (int(place.group(1)), int(place.group(2))) if place else "unknown"
    if not ops:
        return None
    # An op that its parent implies has its parent's position.
    listed = [("unknown" if place == "unknown" or (parent and place == parent[1]) else place[0], name) for name, place, parent in ops]
    # The module that the parser puts around.
    return listed[1:] if listed[0] in ((0, "builtin.module"), (1, "builtin.module")) and not re.match(r'(?:[#!].*\n|//.*\n|\s)*(?:module|"builtin.module"|builtin.module)', pathlib.Path(path).read_text()) else listed


def compare(want, got):
    """"" or what differs. Ops of short forms, `{ arith.addf }`, are in the text but have no position: where the scanner has one more of that name, it is this."""
    short = lambda name: name.rsplit(".", 1)[-1]
    known = collections.Counter((line, short(name)) for line, name in want if line != "unknown")
    placeless = collections.Counter(short(name) for line, name in want if line == "unknown")
    found = collections.Counter((line, short(name)) for line, name in got)
    missing = known - found
    extra = found - known
    for (line, name), count in extra.copy().items():
        if placeless[name] >= count:
            placeless[name] -= count
            del extra[line, name]
    return "" if not missing and not extra else f"only parsed {list(missing.items())[:3]}, only scanned {list(extra.items())[:3]}"


def main():
    scan_ops, llvm, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    options = dict(argument[2:].split("=") for argument in sys.argv[4:])
    part, parts = (int(n) for n in options.get("share", "1/1").split("/"))
    work.mkdir(parents=True, exist_ok=True)
    mlir_opt = str(llvm / "mlir-opt")
    programs = list(sources())[part - 1::parts][:int(options.get("limit", "1000000"))]

    def check(numbered):
        number, (name, text, flags) = numbered
        results = []
        for i, piece in enumerate(run([mlir_opt, *FLAGS, *flags, "-"], text).split("\n// -----\n")):
            if piece.strip() in ("", "module {\n}"):
                continue
            path = work / f"{number}_{i}.mlir"
            path.write_text(piece)
            want = parsed(mlir_opt, str(path))
            if want is None:
                continue
            lines = run([scan_ops, str(path)]).split("\n")[1:-1]
            if any(line.startswith("unparsed") for line in lines):
                results.append((name, len(want), "lines were not read"))
                continue
            results.append((name, len(want), compare(want, [(int(line.split(" ", 1)[0]), line.split(" ", 1)[1]) for line in lines])))
            path.unlink()
        return results

    files = ops = bad = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for results in pool.map(check, enumerate(programs)):
            for name, count, difference in results:
                files, ops = files + 1, ops + count
                if difference:
                    bad += 1
                    print(f"FAILED: {name}: {difference}")
    print(f"{files} files, {ops} ops: {bad} differ")
    return 1 if bad or not files else 0


sys.exit(main())
