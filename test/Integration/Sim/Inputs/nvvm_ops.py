"""Shuffles, matches, votes and reductions of the NVVM dialect, drawn at random, against what the PTX ISA says of each.

usage: nvvm_ops.py WORK --count=N --seed=S

A program has one warp, and stores what each lane got; what it should get is computed here, from the pseudo-code of the PTX ISA.
"""
import argparse
import pathlib
import random
import subprocess
import sys

LANES = 32


def signed(value):
    value &= 0xFFFFFFFF
    return value - (1 << 32) if value >= 1 << 31 else value


def shuffle(rng, values):
    """PTX ISA, shfl.sync: bval is `offset`, cval has the clamp and the mask of segments."""
    kind = rng.choice(["bfly", "down", "up", "idx"])
    width = rng.choice([4, 8, 16, 32])
    clamp = 0 if kind == "up" else 31
    c = (LANES - width) << 8 | clamp
    offset = rng.randrange(0, LANES)
    got, valid = [], []
    for lane in range(LANES):
        segment = c >> 8 & 31
        most = lane & segment | clamp & ~segment
        least = lane & segment
        if kind == "up":
            source, ok = lane - offset, lane - offset >= most
        elif kind == "down":
            source, ok = lane + offset, lane + offset <= most
        elif kind == "bfly":
            source, ok = lane ^ offset, (lane ^ offset) <= most
        else:
            source = least | offset & ~segment & 31
            ok = source <= most
        got.append(values[source if ok else lane])
        valid.append(int(ok))
    type_ = "!llvm.struct<(i32, i1)>"
    lines = [f"%o = arith.constant {offset} : i32", f"%c = arith.constant {c} : i32",
             f"%r = nvvm.shfl.sync {kind} %all, %v, %o, %c {{return_value_and_is_valid}} : i32 -> {type_}",
             f"%a = llvm.extractvalue %r[0] : {type_}", f"%p = llvm.extractvalue %r[1] : {type_}", "%b = arith.extui %p : i1 to i32"]
    return lines, got, valid


def match(rng, values):
    if rng.random() < 0.5:
        masks = [sum((values[i] == v) << i for i in range(LANES)) for v in values]
        lines = ["%a = nvvm.match.sync any %all, %v : i32 -> i32", "%b = arith.constant 0 : i32"]
        return lines, [signed(mask) for mask in masks], [0] * LANES
    isAll = all(v == values[0] for v in values)
    type_ = "!llvm.struct<(i32, i1)>"
    lines = [f"%r = nvvm.match.sync all %all, %v : i32 -> {type_}", f"%a = llvm.extractvalue %r[0] : {type_}",
             f"%p = llvm.extractvalue %r[1] : {type_}", "%b = arith.extui %p : i1 to i32"]
    return lines, [-1 if isAll else 0] * LANES, [int(isAll)] * LANES


def redux(rng, values):
    kind = rng.choice(["add", "and", "or", "xor", "max", "min", "umax", "umin"])
    total = values[0]
    for v in values[1:]:
        unsigned = (total & 0xFFFFFFFF, v & 0xFFFFFFFF)
        total = {"add": total + v, "and": total & v, "or": total | v, "xor": total ^ v, "max": max(total, v), "min": min(total, v),
                 "umax": max(unsigned), "umin": min(unsigned)}[kind]
        total = signed(total)
    return [f"%a = nvvm.redux.sync {kind} %v, %all : i32 -> i32", "%b = arith.constant 0 : i32"], [total] * LANES, [0] * LANES


def elect(rng, values):
    """Of the lanes that are active, the first one is elected; another could be, but only one."""
    first = rng.randrange(0, LANES)
    lines = [f"%first = arith.constant {first} : i32", "%is = arith.cmpi uge, %lane, %first : i32", "%none = arith.constant 0 : i32",
             "%a = scf.if %is -> i32 {", "  %p = nvvm.elect.sync -> i1", "  %e = arith.extui %p : i1 to i32", "  scf.yield %e : i32",
             "} else {", "  scf.yield %none : i32", "}", "%b = arith.constant 0 : i32"]
    return lines, [int(lane == first) for lane in range(LANES)], [0] * LANES


def registers(rng, values):
    name, value = rng.choice([("tid.x", None), ("laneid", None), ("ntid.x", 32), ("nctaid.y", 1), ("warpsize", 32), ("warpid", 0), ("nwarpid", 1)])
    lines = [f"%a = nvvm.read.ptx.sreg.{name} : i32", "%b = arith.constant 0 : i32"]
    return lines, list(range(LANES)) if value is None else [value] * LANES, [0] * LANES


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    failures = 0
    for i in range(options.count):
        rng = random.Random(f"{options.seed} {i}")
        values = [rng.choice([signed(rng.getrandbits(32)), rng.randrange(-3, 3)]) for _ in range(LANES)]
        if rng.random() < 0.1:
            values = [7] * LANES
        lines, first, second = rng.choice([shuffle, shuffle, match, redux, elect, registers])(rng, values)
        body = "\n    ".join(lines)
        program = f"""memref.global "private" constant @values : memref<{LANES}xi32> = dense<{values}>
func.func @main() -> (memref<{LANES}xi32>, memref<{LANES}xi32>) {{
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %values = memref.get_global @values : memref<{LANES}xi32>
  %x = memref.alloc() : memref<{LANES}xi32>
  %y = memref.alloc() : memref<{LANES}xi32>
  %z = memref.alloc() : memref<{LANES}xi32>
  memref.copy %values, %x : memref<{LANES}xi32> to memref<{LANES}xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {{
    %all = arith.constant -1 : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %v = memref.load %x[%tx] : memref<{LANES}xi32>
    nvvm.memory.barrier <gpu>
    {body}
    memref.store %a, %y[%tx] : memref<{LANES}xi32>
    memref.store %b, %z[%tx] : memref<{LANES}xi32>
    gpu.terminator
  }}
  memref.dealloc %x : memref<{LANES}xi32>
  return %y, %z : memref<{LANES}xi32>, memref<{LANES}xi32>
}}
"""
        file = options.work / f"{i}.mlir"
        file.write_text(program)
        results = [options.work / f"{i}.{k}.npy" for k in range(2)]
        done = subprocess.run(["mica-run", "--target=sim", str(file), *(f"--output=@{r}" for r in results)], capture_output=True, text=True)
        if done.returncode != 0:
            print(f"{file}: exit code {done.returncode}\n{done.stderr}")
            failures += 1
            continue
        # .npy, version 1: the header's length is at byte 8.
        got = []
        for result in results:
            data = result.read_bytes()
            start = 10 + int.from_bytes(data[8:10], "little")
            got.append([int.from_bytes(data[start + 4 * k:start + 4 * k + 4], "little", signed=True) for k in range(LANES)])
        if got != [first, second]:
            print(f"{file}: got {got}\nexpected {[first, second]}")
            failures += 1
    print(f"{options.count} programs, {failures} failures")
    sys.exit(failures > 0)


main()
