#!/usr/bin/env python3
"""Runs the fuzzers of a build (cmake --preset fuzz, or fuzz-programs), one after the other.

usage: fuzz.py BUILD_DIR [--minutes=N] [--only=NAME] [--merge]

Each fuzzer (test/Fuzz) starts from its kept inputs in test/Fuzz/Corpus/<name> and those that earlier runs found, in
BUILD_DIR/fuzz/<name>. A finding is written to BUILD_DIR/fuzz/findings and ends that fuzzer; BUILD_DIR/fuzz/minutes.json adds
up how long each has run. --merge runs nothing and copies into the kept corpus the small inputs that reach code it does not
reach yet. Exit code 1 where there is a finding.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
CORPUS = SOURCE / "test" / "Fuzz" / "Corpus"
# More inputs to start from, where they are installed.
SEEDS = {"onnx": pathlib.Path("/usr/share/libonnx-testdata/data")}
KEPT_INPUTS = 40  # by one --merge
KEPT_BYTES = 2048  # larger inputs are not kept: the corpus is read in every test run
# Words of the formats, so that mutations meet them.
WORDS = ["{", "}", "[", "]", "null", "true", "-1", "1e999", "\\x93NUMPY", "'descr'", "<f4", "|V1", "PK\\x01\\x02",
         "PK\\x03\\x04", "PK\\x05\\x06", "PK\\x06\\x06", "PK\\x06\\x07", "dtype", "shape", "data_offsets", "BF16", "__metadata__"]


def fuzzers(build, only):
    prefix = "mica-fuzz-"
    found = sorted(p for p in (build / "test" / "Fuzz").glob(prefix + "*") if p.is_file() and "." not in p.name)
    return [(p.name[len(prefix):], p) for p in found if only in p.name]


def add_minutes(work, name, seconds, executions):
    file = work / "minutes.json"
    totals = json.loads(file.read_text()) if file.exists() else {}
    entry = totals.setdefault(name, {"minutes": 0, "executions": 0})
    entry["minutes"] = round(entry["minutes"] + seconds / 60, 2)
    entry["executions"] += executions
    file.write_text(json.dumps(totals, indent=2) + "\n")
    return entry


def fuzz(name, program, work, minutes):
    """Runs one fuzzer; True where it found nothing."""
    corpus, findings = work / name, work / "findings"
    for folder in (corpus, findings):
        folder.mkdir(parents=True, exist_ok=True)
    words = work / "words"
    words.write_text("".join('"' + w.replace('"', '\\"') + '"\n' for w in WORDS))
    seeds = [str(SEEDS[name])] if name in SEEDS and SEEDS[name].is_dir() else []
    start = time.time()
    done = subprocess.run([str(program), f"-max_total_time={int(minutes * 60)}", "-timeout=60", "-rss_limit_mb=4096",
                           "-max_len=4096", f"-dict={words}", f"-artifact_prefix={findings}/{name}-",
                           "-print_final_stats=1", str(corpus), str(CORPUS / name), *seeds],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    executions = re.search(r"stat::number_of_executed_units: *(\d+)", done.stdout)
    total = add_minutes(work, name, time.time() - start, int(executions.group(1)) if executions else 0)
    if done.returncode == 0:
        print(f"{name}: no finding; {total['minutes']} minutes and {total['executions']} inputs so far", flush=True)
        return True
    (findings / f"{name}.log").write_text(done.stdout)
    print(f"{name}: FINDING, see {findings}/{name}.log\n" + "\n".join(done.stdout.splitlines()[-40:]), flush=True)
    return False


def merge(name, program, work):
    """Copies into the kept corpus what reaches code that the kept corpus does not."""
    kept = CORPUS / name
    kept.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        small, target = pathlib.Path(folder) / "small", pathlib.Path(folder) / "kept"
        small.mkdir()
        shutil.copytree(kept, target)
        for file in (work / name).glob("*"):
            if file.stat().st_size <= KEPT_BYTES:
                shutil.copy(file, small)
        before = {p.name for p in target.iterdir()}
        subprocess.run([str(program), "-merge=1", "-use_value_profile=0", "-use_counters=0", str(target), str(small)], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # Enough to show each kind; the others stay in BUILD_DIR.
        new = sorted((p for p in target.iterdir() if p.name not in before), key=lambda p: (p.stat().st_size, p.name))
        new = new[::-(-len(new) // KEPT_INPUTS) or 1]
        for file in new:
            shutil.copy(file, kept / file.name[:12])
    print(f"{name}: {len(new)} new inputs kept")


def main():
    build, minutes, only, merging = None, 5.0, "", False
    for arg in sys.argv[1:]:
        if arg.startswith("--minutes="):
            minutes = float(arg.split("=", 1)[1])
        elif arg.startswith("--only="):
            only = arg.split("=", 1)[1]
        elif arg == "--merge":
            merging = True
        elif not arg.startswith("-") and build is None:
            build = pathlib.Path(arg).resolve()
        else:
            print(__doc__)
            return 2
    found = fuzzers(build, only) if build else []
    if not found:
        print(f"no fuzzers in {build}: cmake --preset fuzz && ninja -C build-fuzz" if build else __doc__)
        return 2
    work = build / "fuzz"
    if merging:
        for name, program in found:
            merge(name, program, work)
        return 0
    return 0 if all([fuzz(name, program, work, minutes) for name, program in found]) else 1


if __name__ == "__main__":
    sys.exit(main())
