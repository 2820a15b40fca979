"""Stores programs as portable artifacts and as what jax.export's serialize() returns, compiles both, and then damaged copies of
all: cut off, with a byte changed, with a piece repeated. Each must end with exit code 0 or 1.

damage.py FOLDER FILE.mlir... [--count=N | --minutes=N] [--seed=N]"""
import argparse
import pathlib
import random
import struct
import subprocess
import sys
import time

import store


def exported(module):
    """A flatbuffer with the root table of jax/_src/export/serialization.fbs, of which only the module is there."""
    fields = [0] * 16
    fields[13] = 4  # the place of mlir_module_serialized in the table
    vtable = struct.pack("<HH", 4 + 2 * len(fields), 8) + struct.pack(f"<{len(fields)}H", *fields)
    table = 4 + len(vtable)
    return (struct.pack("<I", table) + vtable + struct.pack("<i", len(vtable)) + struct.pack("<I", 4) +
            struct.pack("<I", len(module)) + module)


def compile_file(path):
    run = subprocess.run(["mica-compile", "--compile-to=input", str(path), "-o", "-"], capture_output=True, text=True,
                         errors="replace", timeout=60)
    return run.returncode, run.stdout, run.stderr


def artifacts(file):
    """The program as one artifact; or, where a part cannot be stored, each function that can."""
    try:
        return [store.store(file.read_text(), (1, 13))]
    except store.Unsupported:
        pass
    printed, _ = store.generic([str(file)])
    stored = []
    for function in store.functions_of(printed or ""):
        try:
            stored.append(store.bytes_of([store.convert(function, (1, 13))], (1, 13)))
        except (store.Unsupported, AttributeError):
            continue
    return stored


def damaged(data, draw):
    data = bytearray(data)
    at = draw.randrange(len(data))
    kind = draw.randrange(4)
    if kind == 0:
        return bytes(data[:at])
    if kind == 1:
        data[at] ^= 1 << draw.randrange(8)
    elif kind == 2:
        data[at] = draw.choice([0, 1, 2, 127, 128, 255])
    else:
        data[at:at] = data[at:at + draw.randrange(1, 9)]
    return bytes(data)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("files", type=pathlib.Path, nargs="+")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    everything, same = [], True
    for module in (module for file in options.files for module in artifacts(file)):
        files = {"program.mlirbc": module, "program.jax": exported(module)}
        printed = []
        for name, data in files.items():
            (options.folder / name).write_bytes(data)
            printed.append(compile_file(options.folder / name))
        everything += files.values()
        if printed[0] != printed[1]:
            same = False
            print("as bytecode and as an export:", printed)
    if same:
        print("as bytecode and as an export: the same program")
    draw, crashes, tried, end = random.Random(options.seed), 0, 0, time.time() + options.minutes * 60
    while time.time() < end if options.minutes else tried < options.count:
        tried += 1
        data = damaged(draw.choice(everything), draw)
        path = options.folder / "damaged"
        path.write_bytes(data)
        code, _, errors = compile_file(path)
        if code not in (0, 1) or code == 1 and "error:" not in errors:
            crashes += 1
            kept = options.folder / f"crash-{crashes}"
            kept.write_bytes(data)
            print(f"exit code {code}: {kept}\n{errors[:600]}")
    print(f"{tried} damaged files: {crashes} crashes")
    return 1 if crashes or not same else 0


if __name__ == "__main__":
    sys.exit(main())
