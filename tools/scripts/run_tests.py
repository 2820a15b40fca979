#!/usr/bin/env python3
"""Runs the lit suite and every GoogleTest executable of a build, and closes with one line: N passed, N failed.

usage: run_tests.py BUILD_DIR [--costs[=FILE]] [lit arguments ...]
--costs prints the processor time of all tests and of the dearest lit tests; with a FILE, each lit test's goes there.
Exit code 0 when nothing failed and something ran.
"""
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile


def lit_command(build):
    """The lit of the LLVM the build uses, or the one on PATH; none where there is neither."""
    for line in (build / "test" / "lit.site.cfg.py").read_text().splitlines():
        if line.startswith("config.llvm_tools_dir"):
            tools = line.split("=", 1)[1].strip().strip('"')
            if tools and os.path.exists(os.path.join(tools, "lit")):
                return os.path.join(tools, "lit")
    return shutil.which("lit")


def print_costs(tests, file):
    """The processor time of the lit tests, as test/measured_format.py measures it, and of all that ran."""
    costs = sorted(((t["metrics"]["cpu_seconds"], t["name"]) for t in tests if "cpu_seconds" in t.get("metrics", {})), reverse=True)
    if file:
        pathlib.Path(file).write_text("".join(f"{seconds:.2f}\t{name}\n" for seconds, name in costs))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    for seconds, name in costs[:20]:
        print(f"{seconds:8.1f} s  {name}")
    print(f"{(used.ru_utime + used.ru_stime) / 60:.1f} minutes of processor time, {sum(c for c, _ in costs) / 60:.1f} of them in lit tests")


def run_lit(build, extra, costs):
    """(passed, failed, skipped) of the lit suite. `costs`: whether to print them (None: no), and the file they go to."""
    lit = lit_command(build)
    if not lit:
        # A std-only build on a machine without LLVM: there is no FileCheck either.
        print("lit is not on this machine: the lit suite is skipped, the unit tests are not")
        return 0, 0, 1
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "lit.json")
        subprocess.run([lit, "-sv", "-o", out, *extra, str(build / "test")], check=False)
        if not os.path.exists(out):
            return 0, 1, 0
        tests = json.load(open(out))["tests"]
    if costs is not None:
        print_costs(tests, costs)
    codes = [t["code"] for t in tests]
    passed = sum(c in ("PASS", "XFAIL", "FLAKYPASS") for c in codes)
    skipped = sum(c in ("UNSUPPORTED", "SKIPPED", "EXCLUDED") for c in codes)
    return passed, len(codes) - passed - skipped, skipped


def run_unit(build):
    """(passed, failed, skipped) over all GoogleTest executables."""
    passed = failed = skipped = 0
    names = (build / "test" / "Unit" / "tests.txt").read_text().split()
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "gtest.json")
            run = subprocess.run([str(build / "test" / "Unit" / name), f"--gtest_output=json:{out}", "--gtest_brief=1"],
                                 check=False)
            if not os.path.exists(out):
                print(f"{name}: ended with {run.returncode} before it wrote its results")
                failed += 1
                continue
            report = json.load(open(out))
        tests = [t for suite in report["testsuites"] for t in suite["testsuite"]]
        bad = sum("failures" in t for t in tests)
        skip = sum(t.get("result") == "SKIPPED" for t in tests)
        if run.returncode != 0 and bad == 0:
            print(f"{name}: exit code {run.returncode} after all its tests")
            bad += 1
        failed += bad
        skipped += skip
        passed += len(tests) - bad - skip
    return passed, failed, skipped


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return 2
    build = pathlib.Path(sys.argv[1]).resolve()
    costs = next((a.partition("=")[2] for a in sys.argv[2:] if a.partition("=")[0] == "--costs"), None)
    unit = run_unit(build)
    lit = run_lit(build, [a for a in sys.argv[2:] if not a.startswith("--costs")], costs)
    passed, failed, skipped = (a + b for a, b in zip(unit, lit))
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
