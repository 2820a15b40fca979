#!/usr/bin/env python3
"""Makes each pass of passes/**/*Passes.td do nothing, and reports tests of test/Passes that do not notice.

usage: mutation_check.py BUILD_DIR [--only=REGEX] [--share=K/N] [--jobs=N] [--tests=DIR] [--json=FILE]

For each pass, every test file whose RUN lines name the pass is run with mica-opt and the plugin MicaWithoutPass. Then

  - each RUN line that names the pass must fail;
  - in files that are about the pass, each function with a CHECK-LABEL must fail, by at least one RUN line;
  - at least one RUN line must name the pass.

What must stay green says so in a comment in front of the RUN line or of the first CHECK-LABEL of the function:

  // MUTATION: stays green, REASON

A marked line or function that fails is reported too: its mark is no longer true. Before that, every file is run with
all passes, and must pass. Exit code 0 when there is nothing to report.

  --only=REGEX    passes whose argument matches
  --share=K/N     every Nth pass, starting with the Kth (from 0)
  --tests=DIR     instead of test/Passes
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

MARK = re.compile(r"MUTATION: stays green, (.+)")
LABEL = re.compile(r"([A-Z][\w-]*)-LABEL:(.*)")
RUN = re.compile(r"RUN:(.*)")
# What makes a RUN line fail by itself; one without it makes a file for the next.
JUDGES = re.compile(r"FileCheck|verify-diagnostics|\b(not|diff|cmp|grep|count)\b")
# CHECK lines that FileCheck could not match: "FILE:LINE:COLUMN: error: ..."
FAILED = re.compile(r"^(.+?):(\d+):\d+: error: (.*)$", re.M)


@dataclasses.dataclass
class RunLine:
    text: str
    line: int
    mark: str = ""


@dataclasses.dataclass
class Function:
    name: str
    line: int
    mark: str = ""
    labels: dict = dataclasses.field(default_factory=dict)  # prefix -> line


class TestFile:
    """RUN lines and labelled functions of a test."""

    def __init__(self, path):
        self.path = path
        self.runs, self.functions = [], []
        seen = collections.Counter()
        by_key = {}
        mark, continued = "", False
        for number, text in enumerate(path.read_text().splitlines(), 1):
            if found := MARK.search(text):
                mark = found.group(1)
                continue
            if found := RUN.search(text):
                line = found.group(1).strip()
                if continued:
                    self.runs[-1].text += " " + line
                else:
                    self.runs.append(RunLine(line, number, mark))
                mark = ""
                continued = line.endswith("\\")
                self.runs[-1].text = self.runs[-1].text.removesuffix("\\")
                continue
            if found := LABEL.search(text):
                prefix, rest = found.groups()
                name = re.search(r"@[\w$.]+", rest)
                name = name.group(0) if name else rest.strip()
                # The nth function of a name: chunks of a split file use names again.
                seen[prefix, name] += 1
                key = (name, seen[prefix, name])
                if key not in by_key:
                    by_key[key] = Function(name, number)
                    self.functions.append(by_key[key])
                by_key[key].labels[prefix] = number
                by_key[key].mark = by_key[key].mark or mark
                mark = ""
        self.requires = set(re.findall(r"REQUIRES:\s*(.*)", path.read_text()))

    def groups(self, argument):
        """Lists of RUN lines, each of which must fail without the pass: a line that names it, and what reads its output.
        A file of the pass's name that names it nowhere is about pipelines with the pass in them."""
        named = [names(run.text, argument) for run in self.runs]
        if not any(named) and self.path.name.split(".")[0] == argument:
            named = [re.search(r"\bmica-opt ", run.text) is not None for run in self.runs]
        result, inside, judges = [], False, False
        for index, run in enumerate(self.runs):
            if inside and (not judges or not re.search(r"\bmica-\w+ ", run.text)):
                result[-1].append(index)
            elif named[index]:
                result.append([index])
                inside, judges = True, False
            else:
                inside = False
            judges = judges or JUDGES.search(run.text) is not None
        return result


def names(text, argument):
    return re.search(r"(?<![\w-])(?:--?)?" + re.escape(argument) + r"(?![\w-])", text) is not None


def is_about(path, argument, passes):
    """Whether the file's name is that of the pass, with or without its area. Longer names win: lower-checks, lower."""
    stem = path.name.split(".")[0]

    def fits(candidate):
        short = re.sub(r"^mica-(\w+)-", "", candidate)
        return max((len(name) for name in (candidate, short) if stem == name or stem.startswith(name + "-")), default=0)

    best = max((fits(p) for p in passes), default=0)
    return best > 0 and fits(argument) == best


class Checker:
    def __init__(self, build, source, folder):
        self.build, self.source, self.folder = build, source, pathlib.Path(folder)
        self.llvm = next(line.split('"')[1] for line in (build / "test" / "lit.site.cfg.py").read_text().splitlines()
                         if line.startswith("config.llvm_tools_dir"))
        plugin = build / "test" / "Plugins" / "MicaWithoutPass.so"
        if not plugin.exists():
            sys.exit(f"mutation_check.py: error: {plugin} is missing; build the target MicaWithoutPass")
        tools = self.folder / "bin"
        tools.mkdir()
        (tools / "mica-opt").write_text(
            f'#!/bin/sh\nexec {build}/bin/mica-opt --load-dialect-plugin={plugin} "$@"\n')
        (tools / "FileCheck").write_text(
            f'#!/bin/sh\nexec {self.llvm}/FileCheck --dump-input=never "$@" 2>>"$MUTATION_LOG"\n')
        for tool in tools.iterdir():
            tool.chmod(0o755)
        self.path = os.pathsep.join([str(tools), str(build / "bin"), self.llvm, os.environ["PATH"]])

    def expand(self, test, text, scratch):
        for name, value in (("%mica_src", self.source), ("%mica_build", self.build), ("%python", "python3"),
                            ("%s", test.path), ("%S", test.path.parent), ("%t", scratch)):
            text = re.sub(re.escape(name) + r"(?!\w)", lambda _: str(value), text)
        if left := re.search(r"(?<![\w%])%\{?[a-z]\w*", text):
            sys.exit(f"mutation_check.py: error: {test.path}: {left.group(0)} is not known here")
        return text

    def run(self, test, argument):
        """For each RUN line: whether it fails, and the lines of the test at which FileCheck found a difference."""
        with tempfile.TemporaryDirectory(dir=self.folder) as scratch:
            script = ["set -o pipefail"]
            for index, run in enumerate(test.runs):
                log = f"{scratch}/log{index}"
                script += [f"export MUTATION_LOG={log}", f": > {log}",
                           f"{{ {self.expand(test, run.text, scratch + '/t')}\n}} > /dev/null 2>&1",
                           f"echo $? > {scratch}/code{index}"]
            environment = dict(os.environ, PATH=self.path, NO_COLOR="1", MICA_CACHE_DIR=str(self.folder / "cache"))
            environment.pop("MICA_TEST_WITHOUT_PASS", None)
            if argument:
                environment["MICA_TEST_WITHOUT_PASS"] = argument
            subprocess.run(["bash", "-c", "\n".join(script)], env=environment, cwd=scratch, timeout=600,
                           stdin=subprocess.DEVNULL)
            result = []
            for index in range(len(test.runs)):
                log = pathlib.Path(f"{scratch}/log{index}").read_text(errors="replace")
                lines = [(int(n), message) for file, n, message in FAILED.findall(log) if file == str(test.path)]
                result.append((pathlib.Path(f"{scratch}/code{index}").read_text().strip() != "0", lines))
            return result


def prefixes(run):
    """The check prefixes of the FileCheck call on a RUN line, none where it reads another file."""
    call = run.text.rsplit("FileCheck", 1)
    if len(call) == 1 or "%s" not in call[1]:
        return []
    found = re.findall(r"--?check-prefix(?:es)?[= ](\S+)", call[1])
    return [p for group in found for p in group.split(",")] or ["CHECK"]


def failed_functions(test, group, outcomes):
    """(failed, judged) functions by the RUN lines of a group."""
    failed, judged = set(), set()
    for index in group:
        known = prefixes(test.runs[index])
        starts = sorted((f.labels[p], i) for i, f in enumerate(test.functions) for p in known if p in f.labels)
        judged |= {i for _, i in starts}
        fails, lines = outcomes[index]
        if fails and not lines:
            failed |= {i for _, i in starts}  # not FileCheck but mica-opt failed
        for line, message in lines:
            before = [i for start, i in starts if start <= line]
            failed |= set(before[-1:])
            # Where a label is missing, FileCheck looks neither at what follows nor at what comes right before.
            if "-LABEL:" in message:
                failed |= {i for start, i in starts if start >= line}
                failed |= set([i for start, i in starts if start < line][-1:])
    return failed, judged


def check(checker, test, argument, passes):
    """What is wrong with a test of a pass, as (line, message)."""
    groups = test.groups(argument)
    outcomes = checker.run(test, argument)
    problems = []
    failed, judged = set(), set()
    for group in groups:
        run = test.runs[group[0]]
        red = any(outcomes[index][0] for index in group)
        if not red and not run.mark:
            problems.append((run.line, f"this RUN line stays green without {argument}"))
        if red and run.mark:
            problems.append((run.line, f"this RUN line fails without {argument}; its mark says that it does not"))
        now_failed, now_judged = failed_functions(test, group, outcomes)
        failed |= now_failed
        if not run.mark:
            judged |= now_judged
    if is_about(test.path, argument, passes):
        for index in sorted(judged):
            function = test.functions[index]
            if index not in failed and not function.mark:
                problems.append((function.line, f"{function.name} stays green without {argument}"))
            if index in failed and function.mark:
                problems.append((function.line, f"{function.name} fails without {argument}; its mark says that it does not"))
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--share", default="0/1")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--tests", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    source = pathlib.Path(__file__).resolve().parents[2]
    passes = sorted({argument for td in (source / "passes").rglob("*Passes.td")
                     for argument in re.findall(r'\bPass<"([\w-]+)"', td.read_text())})
    folder = (options.tests or source / "test" / "Passes").resolve()
    tests = [TestFile(path) for path in sorted(folder.rglob("*")) if path.suffix in (".mlir", ".test")
             and not {"Inputs", "Open"} & set(path.relative_to(folder).parts)]
    first, step = map(int, options.share.split("/"))
    chosen = [p for p in passes if re.search(options.only, p)][first::step]
    jobs = [(test, p) for p in chosen for test in tests if test.groups(p)]
    problems, report = [], []
    with tempfile.TemporaryDirectory() as scratch, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        checker = Checker(options.build.resolve(), source, scratch)
        used = {id(test): test for test, _ in jobs}
        for test, outcomes in zip(used.values(), pool.map(lambda t: checker.run(t, ""), used.values())):
            for run, (fails, _) in zip(test.runs, outcomes):
                if fails:
                    problems.append((test.path, run.line, "this RUN line fails with all passes, too"))
        for (test, argument), found in zip(jobs, pool.map(lambda job: check(checker, *job, passes), jobs)):
            problems += [(test.path, line, message) for line, message in found]
            report.append({"pass": argument, "test": str(test.path), "problems": found})
    tested = {argument for _, argument in jobs}
    for argument in chosen:
        if argument not in tested and not options.tests:
            problems.append((folder, 0, f"no RUN line names {argument}"))
    for path, line, message in sorted(problems):
        print(f"{os.path.relpath(path, source)}{f':{line}' if line else ''}: {message}")
    if options.json:
        options.json.write_text(json.dumps(report, indent=1))
    marks = sum(bool(x.mark) for t in used.values() for x in t.runs + t.functions)
    print(f"{len(chosen)} passes, {len(used)} tests, {marks} marked to stay green: {len(problems)} problems")
    return 1 if problems or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
