#!/usr/bin/env python3
"""Compiles and runs programs whose constants have equal bytes, and compares every result with the bytes that were written.

usage: equal_constants.py MICA_COMPILE MICA_RUN WORK

What is equal but for one thing: shape, element type, spelling (splat, dense, resource), alignment of the resource, emptiness, and a
resource that has the name Mica gives to other bytes. Each program returns all of its constants, each added to an argument of zeros too.
"""
import json
import pathlib
import struct
import subprocess
import sys

COMPILE, RUN, WORK = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
BITS = {"i1": 8, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "f16": 16, "bf16": 16, "f32": 32, "f64": 64, "index": 64}


def call(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def npy_bytes(path):
    data = path.read_bytes()
    size = struct.unpack("<H", data[8:10])[0]
    return data[10 + size:]


def program(constants, resources=()):
    """constants: (type text, literal or None for dense<0>)."""
    lines, names = [], []
    for number, (kind, literal) in enumerate(constants):
        lines.append(f"  %c{number} = arith.constant {literal} : tensor<{kind}>")
        names.append((f"%c{number}", kind))
    for number, (kind, _) in enumerate(constants):
        dtype = kind.split("x")[-1]
        add = "arith.addf" if "f" in dtype else "arith.addi" if dtype != "i1" else "arith.xori"
        lines.append(f"  %s{number} = {add} %c{number}, %z{number} : tensor<{kind}>")
        names.append((f"%s{number}", kind))
    arguments = ", ".join(f"%z{n}: tensor<{kind}>" for n, (kind, _) in enumerate(constants))
    types = ", ".join(f"tensor<{kind}>" for _, kind in names)
    text = f"func.func @main({arguments}) -> ({types}) {{\n" + "\n".join(lines)
    text += f"\n  return {', '.join(name for name, _ in names)} : {types}\n}}\n"
    if resources:
        entries = ",\n".join(f'      {name}: "0x{align:08X}{data.hex().upper()}"' for name, align, data in
                             ((n, int.from_bytes(struct.pack("<I", a), "big"), d) for n, a, d in resources))
        text += "{-#\n  dialect_resources: {\n    builtin: {\n" + entries + "\n    }\n  }\n#-}\n"
    return text


def check(name, constants, expected, resources=()):
    file, folder = WORK / f"{name}.mlir", WORK / name
    file.write_text(program(constants, resources))
    call(COMPILE, file, "-o", folder)
    outputs = [WORK / f"{name}.{i}.npy" for i in range(2 * len(constants))]
    call(RUN, folder, *(f"--input={kind}=0" if "x" in kind else "--input" for kind, _ in constants), *(f"--output=@{path}" for path in outputs))
    for number, path in enumerate(outputs):
        found, wanted = npy_bytes(path), expected[number % len(constants)]
        if found != wanted:
            sys.exit(f"{name}: result {number} ({constants[number % len(constants)][0]}): got {found[:16].hex()}, expected {wanted[:16].hex()}")
    print(f"{name}: {len(constants)} constants")
    return folder


def hexed(data):
    return f'dense<"0x{data.hex().upper()}">'


# Every element small and positive, also as f16, f32 and f64 (no NaN, which an addition may change).
pattern = b"".join(struct.pack("<Q", 0x3C003C003C003C00 + (k << 4)) for k in range(64))
shapes = {"f32": ["128", "1x128", "128x1", "2x64", "1x1x128"], "i32": ["128", "1x128"], "i64": ["64", "8x8"], "f64": ["64"], "i16": ["256"], "f16": ["256", "16x16"], "i8": ["512"],
          "bf16": ["256"]}
kinds = [f"{shape}x{dtype}" for dtype, list_ in shapes.items() for shape in list_]
check("zeros-splat", [(kind, "dense<0.0>" if "f" in kind else "dense<0>") for kind in kinds], [bytes(512)] * len(kinds))
check("zeros-hex", [(kind, hexed(bytes(512))) for kind in kinds], [bytes(512)] * len(kinds))
check("dense", [(kind, hexed(pattern)) for kind in kinds], [pattern] * len(kinds))
check("resources", [(kind, f"dense_resource<{'ab'[k % 2]}>") for k, kind in enumerate(kinds)], [pattern] * len(kinds),
      [("a", 4, pattern), ("b", 64, pattern)])
check("dense-and-resource", [("128xf32", hexed(pattern)), ("1x128xf32", "dense_resource<a>"), ("128xi32", "dense_resource<a>"), ("128xf32", "dense_resource<a>")],
      [pattern] * 4, [("a", 16, pattern)])
ones = bytes([1] * 512)
check("i1-and-i8", [("512xi1", "dense<true>"), ("512xi8", "dense<1>"), ("16x32xi1", "dense<true>"), ("128xi32", "dense<16843009>")], [ones] * 4)
mixed = bytes(k % 3 == 0 for k in range(512))
booleans = "dense<[" + ", ".join("true" if bit else "false" for bit in mixed) + "]>"
check("i1-mixed", [("512xi1", booleans), ("512xi8", hexed(mixed))], [mixed] * 2)
check("small", [("2x2xf32", hexed(bytes(16))), ("4xf32", hexed(bytes(16))), ("4xi32", "dense<0>"), ("2xi64", "dense<0>"), ("1x4xi32", "dense<[[0, 0, 0, 0]]>")],
      [bytes(16)] * 5)
check("empty", [("0xf32", "dense<0.0>"), ("0x3xi32", "dense<0>"), ("3x0xi8", "dense<0>"), ("128xf32", hexed(pattern))], [b"", b"", b"", pattern])
check("only-empty", [("0xf32", "dense<0.0>"), ("0x3xi32", "dense<0>")], [b"", b""])
folder = check("named", [("128xf32", hexed(pattern))], [pattern])
name = json.loads((folder / "manifest.json").read_text())["constants"][0]["name"]
other = b"".join(struct.pack("<I", 0x3F800000 + k) for k in range(128))
check("taken-name", [("128xf32", hexed(pattern)), ("128xf32", f"dense_resource<{name}>"), ("1x128xf32", hexed(pattern))], [pattern, other, pattern], [(name, 4, other)])
