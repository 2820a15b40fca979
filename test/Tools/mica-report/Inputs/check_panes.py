"""Holds what the page of every pass shows against the states that the pass was given and left, put together here of the recorded snapshots, by text alone.
No detail may read alike on both sides, and every change is at a line of the text shown that has its op.

usage: check_panes.py ARTIFACT REPORT     prints a line; exit code 1 where a page shows something else
"""
import base64
import json
import pathlib
import re
import subprocess
import sys
import zlib

RUN = ["position", "op", "ms", "changed", "file", "before", "opsBefore", "opsAfter", "diff", "counts", "structural", "asText", "beforeText", "afterText", "beforeIsPart"]


class Report:
    def __init__(self, folder):
        self.folder, self.packs = pathlib.Path(folder), {}
        self.top, self.artifact = self.data("report"), self.data("artifact0")

    def data(self, name):
        text = (self.folder / "data" / (name + ".js")).read_text()
        return json.loads(zlib.decompress(base64.b64decode(text.split('","')[1].split('")')[0])))

    def text(self, number):
        pack = max(i for i, first in enumerate(self.top["packs"]) if first <= number)
        if pack not in self.packs:
            self.packs[pack] = self.data(f"pack{pack}")
        return self.packs[pack][number - self.top["packs"][pack]]


def snapshot(artifact, name):
    file = artifact / "passes_dump" / name
    return file.read_text() if file.exists() else subprocess.run(["zstd", "-dc", f"{file}.zst"], capture_output=True, text=True, check=True).stdout


def find(lines, path):
    """The lines of the op that the symbols `path` lead to, as [first, last)."""
    first, last = 0, len(lines)
    for name in path:
        is_it = re.compile(r"^(\s*)(?!%)[\w.]+ [^@\"]*@" + re.escape(name) + r"(?![\w.$])")
        first, found = next(((i, m) for i in range(first, last) if (m := is_it.match(lines[i]))), (None, None))
        if first is None:
            return None
        if lines[first].rstrip().endswith("{"):
            last = next(i for i in range(first + 1, last) if re.match(re.escape(found[1]) + r"\}", lines[i])) + 1
        else:
            last = first + 1
        first += 1
    return first - 1, last


def inside(inner, outer):
    return inner != outer and (not outer or inner.startswith(outer + "."))


def state(artifact, records, op, position):
    """The text of the state of `op` after pass `position`; whether it is a file as it is."""
    base, parts = None, []
    for record in records:
        if record["position"] > position or not record.get("file"):
            continue
        if record["op"] == op or inside(op, record["op"]):
            base, parts = record, []
        elif inside(record["op"], op):
            parts = [p for p in parts if p["op"] != record["op"] and not inside(p["op"], record["op"])] + [record]
    lines = snapshot(artifact, base["file"] if base else "0000_input.mlir").split("\n")
    outer = base["op"] if base else ""
    if op != outer:
        place = find(lines, op[len(outer):].strip(".").split("."))
        if place is None:
            return None, False
        lines = lines[place[0]:place[1]]
    for number, part in enumerate(parts):
        # `op` itself is the outermost symbol of its text.
        place = find(lines, ([op.split(".")[-1]] if op else []) + part["op"][len(op):].strip(".").split("."))
        if place is None:
            continue
        text = snapshot(artifact, part["file"])
        for alias in re.findall(r"^([#!]\w+) = ", text, re.M):
            text = re.sub(re.escape(alias) + r"(?!\w)", f"{alias[0]}p{number}_{alias[1:]}", text)
        new = text.rstrip("\n").split("\n")
        aliases = [line for line in new if re.match(r"[#!]\w+ = ", line)]
        indent = re.match(r"\s*", lines[place[0]])[0]
        lines = aliases + lines[:place[0]] + [indent + line for line in new if line not in aliases] + lines[place[1]:]
    return "\n".join(lines), op == outer and not parts


def printed(text):
    """As mica-opt prints it: aliases and names of values made anew."""
    done = subprocess.run(["mica-opt", "-", "--allow-unregistered-dialect", "--mlir-very-unsafe-disable-verifier-on-parsing", "--verify-each=0"], input=text, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else "does not parse: " + done.stderr[:200]


def same(shown, expected, is_part):
    if shown.rstrip("\n") == expected.rstrip("\n"):
        return True
    # A part of a file lacks the aliases that stand before it.
    return not is_part and printed(shown) == printed(expected)


def main():
    artifact, report = pathlib.Path(sys.argv[1]), Report(sys.argv[2])
    records = sorted(json.loads((artifact / "passes_dump/index.json").read_text())["records"], key=lambda r: r["position"])
    files = report.artifact["files"]
    wrong, pages, made, details = [], 0, 0, 0
    for row in report.artifact["passRuns"]:
        run = dict(zip(RUN, row))
        if run["file"] < 0:
            continue
        pages += 1
        title = f"{run['position']:04} on '{run['op']}'"
        panes = []
        for side, number, position in (("before", run["beforeText"] if run["beforeText"] >= 0 else files[run["before"]][3] if run["before"] >= 0 else -1, run["position"] - 1),
                                       ("after", run["afterText"] if run["afterText"] >= 0 else files[run["file"]][3], run["position"])):
            shown = report.text(number) if number >= 0 else None
            panes.append((shown or "").split("\n"))
            expected, is_file = state(artifact, records, run["op"], position)
            made += not is_file
            if shown is None or expected is None:
                wrong.append(f"{title}: the pane {side} is empty")
            elif not same(shown, expected, side == "before" and run["beforeIsPart"]):
                wrong.append(f"{title}: the pane {side} shows {len(shown.splitlines())} lines, expected {len(expected.splitlines())}")
        if run["diff"] < 0 or not run["structural"]:
            wrong.append(f"{title}: not compared by structure: {run['asText']}")
            continue
        for kind, op, *lines, listed, _, _, _, _, _, _ in json.loads(report.text(run["diff"]))["rows"]:
            details += len(listed)
            for what, before, after in listed:
                if before and before == after:
                    wrong.append(f"{title}: both sides of '{what}' of {op} are '{before[:80]}'")
            for pane, line, name in zip(panes, lines, ("before", "after")):
                word = op.split(".")[-1] if kind != "changed" else ""
                if line and not (line <= len(pane) and word in pane[line - 1]):
                    wrong.append(f"{title}: {kind} {op} is not in line {line} of the pane {name}")
    for text in wrong[:20]:
        print("WRONG", text)
    print(f"{pages} pages, {made} states that are no file of their own, {details} details: {len(wrong)} wrong")
    return 1 if wrong or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
