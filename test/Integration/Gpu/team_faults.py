"""Plants faults in launches whose threads work together, and asks whether the checks of assert-level=all see each.

usage: team_faults.py PROGRAM.mlir WORK_DIR ATTEMPTS INPUT...

In the snapshot before the checks are made, an index of one access far outside its buffer takes the place of the right one: of an
asynchronous copy (where it reads, and where it writes), a matrix load, loads and stores of elements and vectors. The simulator's own
checks are off. The program as it is must report nothing.
"""
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import snapshot_files

PROGRAM, WORK, ATTEMPTS, INPUTS = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), ["--input=" + i for i in sys.argv[4:]]
# Kind, the access up to the index that is replaced, what is said of it.
KINDS = [("copy from", re.compile(r"nvgpu\.device_async_copy %\w+\[(?:[^\]]*, )?()%\w+\], "), "loads outside"),
         ("copy to", re.compile(r"nvgpu\.device_async_copy %\w+\[[^\]]*\], %\w+\[(?:[^\]]*, )?()%\w+\]"), "stores outside"),
         ("matrix load", re.compile(r"nvgpu\.ldmatrix %\w+\[(?:[^\]]*, )?()%\w+\]"), "loads outside"),
         ("vector load", re.compile(r"vector\.load %\w+\[(?:[^\]]*, )?()%\w+\]"), "loads outside"),
         ("vector store", re.compile(r"vector\.store %\w+, %\w+\[(?:[^\]]*, )?()%\w+\]"), "stores outside"),
         ("load", re.compile(r"memref\.load %\w+\[(?:[^\]]*, )?()%\w+\]"), "loads outside"),
         ("store", re.compile(r"memref\.store %\w+, %\w+\[(?:[^\]]*, )?()%\w+\]"), "stores outside")]


def run(folder):
    ran = subprocess.run(["mica-run", folder, *INPUTS], capture_output=True, text=True, errors="replace")
    return ran.returncode, ran.stdout + ran.stderr


def planted(text, number, match):
    """`text` with a fault in line `number`."""
    lines = text.splitlines(keepends=True)
    line, at = lines[number], match.start(1)
    lines[number] = "%fault = arith.constant 1000000 : index\n" + line[:at] + "%fault" + re.sub(r"^%\w+", "", line[at:])
    return "".join(lines)


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    clean = WORK / "clean"
    subprocess.run(["mica-compile", "--target=sim", "--mica-debug=assert-level=all,sim-check=none", PROGRAM, "-o", clean], check=True,
                   stdout=subprocess.DEVNULL)
    code, said = run(clean)
    print("clean:", "nothing reported" if code == 0 and "check failed" not in said else said[:500])
    snapshot_files.unseal(clean / "passes_dump")
    index = json.loads((clean / "passes_dump/index.json").read_text())
    first = next(each["position"] for each in index["passes"] if each["pass"] == "mica-check-insert")
    snapshots = {}
    for record in index["records"]:
        if record["position"] < first and record["op"] and record.get("file"):
            snapshots[record["op"]] = record["file"]
    places = {kind: [] for kind, _, _ in KINDS}
    for kernel, file in sorted(snapshots.items()):
        text = snapshot_files.read_text(clean / "passes_dump" / file)
        inside = False
        for number, line in enumerate(text.splitlines(keepends=True)):
            inside = inside or "gpu.launch " in line
            for kind, pattern, _ in KINDS:
                if inside and (match := pattern.search(line)):
                    places[kind].append((file, number, match))
    draw, found, tried = random.Random(7), 0, 0
    for kind, _, words in KINDS:
        for file, number, match in draw.sample(places[kind], min(ATTEMPTS, len(places[kind]))):
            tried += 1
            faulty = WORK / "faulty"
            shutil.rmtree(faulty, ignore_errors=True)
            shutil.copytree(clean, faulty)
            (faulty / "passes_dump" / file).write_text(
                planted(snapshot_files.read_text(clean / "passes_dump" / file), number, match))
            code, said = run(faulty)
            if code == 3 and "check failed" in said and words in said and "in thread (" in said:
                found += 1
            else:
                print(f"{kind} in {file}, line {number + 1}, is not reported, exit code {code}: {said[-600:]}")
        print(f"{kind}: {min(ATTEMPTS, len(places[kind]))} of {len(places[kind])} places")
    print(f"{found} of {tried} faults found")


main()
