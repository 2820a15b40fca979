#!/usr/bin/env python3
"""Reads, edits and resets a packed snapshot of a program, as a user would with zstd.

    packed_snapshots.py mica-compile mica-run mica-opt MODEL WORK
"""
import json
import pathlib
import subprocess
import sys

import snapshot_files

COMPILE, RUN, OPT, MODEL, WORK = sys.argv[1:]
folder = pathlib.Path(WORK) / "artifact"
dump = folder / "passes_dump"


def call(*command, fails=False):
    done = subprocess.run(command, capture_output=True, text=True)
    if (done.returncode != 0) != fails:
        sys.exit(f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def expect(holds, what):
    if not holds:
        sys.exit(f"packed_snapshots.py: {what}")


def result():
    return call(RUN, str(folder), "--no-rebuild")


call(COMPILE, MODEL, "-o", str(folder), "--dump-format=archive")
expect((dump / "snapshots.archive").exists() and not list(dump.glob("00[1-9]*")), "the snapshots are not sealed")
snapshot_files.unseal(dump)
manifest = json.loads((folder / "manifest.json").read_text())
packed = [f for f in manifest["files"] if f.get("packed")]
texts = {record["path"]: snapshot_files.packed(folder / record["path"])[0] for record in packed}
hashes = json.loads((dump / "snapshots.json").read_text())["snapshots"]
sealed = [f["path"] for f in packed if not f["hash"]]
expect(sorted(hashes) == sorted(path.removeprefix("passes_dump/") for path in sealed), "other snapshots than the manifest has")
for path in texts:
    expect(not (folder / path).exists(), path)
print(f"sealed snapshots: {len(sealed)}, all of them there")

snapshot = next(dump.glob("*_mica-dispatch-outline-kernels.mlir.zst"))
name = snapshot.with_suffix("")
shown = [call(OPT, str(file), "--mlir-print-debuginfo") for file in (name, snapshot)]
expect(shown[0] == shown[1], "other IR under the other name")
expect(f'"{manifest["ops"][-1]["id"]}"' in shown[0] and "block.mlir" in shown[0], "no ids, or no places in the program")
print("opened under both names, with ids")

before = result()
text = snapshot_files.read_text(name)
name.write_text(text.replace("arith.addf", "arith.subf", 1))
said = call(RUN, str(folder))
expect("rebuilt from passes_dump/" + name.name in said, said)
expect(result() != before, "the results are the same")
print("edited: rebuilt, other results")

call(RUN, str(folder), "--reset")
expect(result() == before and not name.exists(), "not as before")
now = json.loads((folder / "manifest.json").read_text())
expect([f["hash"] for f in now["files"] if f.get("packed")] == [f["hash"] for f in packed], "other snapshots than before")
expect({r["path"]: snapshot_files.packed(folder / r["path"])[0] for r in packed} == texts, "other texts than before")
print("reset: the results as before, and no plain text")

other = next(path for path in sealed if path != "passes_dump/" + name.name)
packed_file = folder / (other + ".zst")
packed_file.rename(packed_file.with_suffix(".away"))
expect("remove snapshots.json beside it" in call(RUN, str(folder), fails=True), "what to do about a removed snapshot")
(dump / "snapshots.json").unlink()
expect(snapshot_files.read_text(folder / other) == texts[other], "a removed snapshot does not come back")
snapshot.write_bytes(snapshot.read_bytes()[:-9][5:])
expect("is not what zstd wrote" in call(OPT, str(snapshot), fails=True), "damage is not seen")
print("removed, or damaged: not what zstd wrote")
