"""Runs every snapshot of an artifact's record by the reference lowering and compares it with the reference.

    check_passes.py DIR [--every=N] [mica-run flags]

At least one snapshot of each phase must be among them. --every=N: each Nth snapshot, and the first of each phase."""
import json
import pathlib
import subprocess
import sys

folder, flags = pathlib.Path(sys.argv[1]), sys.argv[2:]
every = int(flags.pop(0).partition("=")[2]) if flags and flags[0].startswith("--every=") else 1
index = json.loads((folder / "passes_dump" / "index.json").read_text())
phases = {entry["position"]: entry["phase"] for entry in index["passes"]}
positions = sorted({0} | {record["position"] for record in index["records"] if "file" in record})
firsts = {phases.get(position, "input"): position for position in reversed(positions)}
positions = [position for at, position in enumerate(positions) if at % every == 0 or position in firsts.values()]
failed = []
for position in positions:
    run = subprocess.run(["mica-run", str(folder), f"--from-snapshot={position}", "--check-reference", *flags],
                         capture_output=True, text=True)
    if run.returncode != 0:
        failed.append(position)
        print(f"snapshot {position} ({phases.get(position, 'input')}): exit code {run.returncode}\n{run.stdout}{run.stderr}")
seen = {phases.get(position, "input") for position in positions}
missing = {"input", "tensor", "dispatch", "schedule", "kernel", "lowered"} - seen
print(f"{len(positions) - len(failed)} of {len(positions)} snapshots agree; phases without a snapshot: {sorted(missing) or 'none'}")
sys.exit(bool(failed or missing))
