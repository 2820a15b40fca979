"""Kernels with one thing wrong: each is a difference with the inputs that --check-reference makes up.

usage: wrong_kernels.py WORK [--every=N] [--all]

A row of TABLE is a program, a way to break the text of a kernel, and which place. Each is done to a copy of the artifact as a hand would:
kernel.ll (or kernel.mlir) is edited, and `mica-run DIR --check-reference` builds what follows from it. It has to end with
exit code 3. --every=N takes every Nth row; --all tries every place of every way in every program and prints what was not seen, to find rows.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

F = "func.func @f"
PROGRAMS = {
    "add": f"{F}(%a: tensor<37xf32>, %b: tensor<37xf32>) -> tensor<37xf32> {{\n"
           "%0 = mica.add %a, %b : tensor<37xf32>\nreturn %0 : tensor<37xf32>\n}",
    "poly": f"{F}(%a: tensor<5x13xf32>, %b: tensor<5x13xf32>) -> tensor<5x13xf32> {{\n"
            "%0 = arith.mulf %a, %b : tensor<5x13xf32>\n%1 = arith.subf %0, %a : tensor<5x13xf32>\n"
            "%2 = arith.divf %1, %b : tensor<5x13xf32>\nreturn %2 : tensor<5x13xf32>\n}",
    "tanh": f"{F}(%a: tensor<41xf32>) -> tensor<41xf32> {{\n%0 = math.tanh %a : tensor<41xf32>\nreturn %0 : tensor<41xf32>\n}}",
    "f64": f"{F}(%a: tensor<19xf64>) -> tensor<19xf64> {{\n%0 = math.exp %a : tensor<19xf64>\n"
           "%1 = arith.addf %0, %a : tensor<19xf64>\nreturn %1 : tensor<19xf64>\n}",
    "relu": f"{F}(%a: tensor<33xf32>) -> tensor<33xf32> {{\n%0 = mica.relu %a : tensor<33xf32>\nreturn %0 : tensor<33xf32>\n}}",
    "bf16": f"{F}(%a: tensor<29xbf16>, %b: tensor<29xbf16>) -> tensor<29xbf16> {{\n%0 = arith.mulf %a, %b : tensor<29xbf16>\n"
            "%1 = arith.addf %0, %a : tensor<29xbf16>\nreturn %1 : tensor<29xbf16>\n}",
    "matmul": f"{F}(%a: tensor<9x17xf32>, %b: tensor<17x21xf32>) -> tensor<9x21xf32> {{\n"
              "%0 = mica.matmul %a, %b : (tensor<9x17xf32>, tensor<17x21xf32>) -> tensor<9x21xf32>\nreturn %0 : tensor<9x21xf32>\n}",
    "matmul_bf16": f"{F}(%a: tensor<6x40xbf16>, %b: tensor<40x10xbf16>) -> tensor<6x10xbf16> {{\n"
                   "%0 = mica.matmul %a, %b : (tensor<6x40xbf16>, tensor<40x10xbf16>) -> tensor<6x10xbf16>\n"
                   "return %0 : tensor<6x10xbf16>\n}",
    "conv": f"{F}(%x: tensor<1x6x7x3xf32>, %w: tensor<3x3x3x5xf32>) -> tensor<1x4x5x5xf32> {{\n"
            "%e = tensor.empty() : tensor<1x4x5x5xf32>\n%z = arith.constant 0.0 : f32\n"
            "%i = linalg.fill ins(%z : f32) outs(%e : tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>\n"
            "%0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x6x7x3xf32>, tensor<3x3x3x5xf32>) "
            "outs(%i : tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>\nreturn %0 : tensor<1x4x5x5xf32>\n}",
    "softmax": f"{F}(%a: tensor<5x11xf32>) -> tensor<5x11xf32> {{\n%0 = mica.softmax %a axis = 1 : tensor<5x11xf32>\n"
               "return %0 : tensor<5x11xf32>\n}",
    "sum": f"{F}(%a: tensor<6x35xf32>) -> tensor<6xf32> {{\n%e = tensor.empty() : tensor<6xf32>\n%z = arith.constant 0.0 : f32\n"
           "%i = linalg.fill ins(%z : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>\n"
           "%0 = linalg.reduce {arith.addf} ins(%a : tensor<6x35xf32>) outs(%i : tensor<6xf32>) dimensions = [1]\n"
           "return %0 : tensor<6xf32>\n}",
    "max": f"{F}(%a: tensor<7x23xf32>) -> tensor<7xf32> {{\n%e = tensor.empty() : tensor<7xf32>\n%z = arith.constant 0xFF800000 : f32\n"
           "%i = linalg.fill ins(%z : f32) outs(%e : tensor<7xf32>) -> tensor<7xf32>\n"
           "%0 = linalg.reduce {arith.maximumf} ins(%a : tensor<7x23xf32>) outs(%i : tensor<7xf32>) dimensions = [1]\n"
           "return %0 : tensor<7xf32>\n}",
    "pool": f"{F}(%x: tensor<1x6x6x5xf32>, %w: tensor<2x2xf32>) -> tensor<1x3x3x5xf32> {{\n%e = tensor.empty() : tensor<1x3x3x5xf32>\n"
            "%z = arith.constant 0.0 : f32\n"
            "%i = linalg.fill ins(%z : f32) outs(%e : tensor<1x3x3x5xf32>) -> tensor<1x3x3x5xf32>\n"
            "%0 = linalg.pooling_nhwc_sum {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x6x6x5xf32>, tensor<2x2xf32>) "
            "outs(%i : tensor<1x3x3x5xf32>) -> tensor<1x3x3x5xf32>\nreturn %0 : tensor<1x3x3x5xf32>\n}",
    "gather": f"{F}(%x: tensor<8x7xf32>, %i: tensor<5xi32>) -> tensor<5x7xf32> {{\n"
              "%0 = mica.gather %x, %i axis = 0 : (tensor<8x7xf32>, tensor<5xi32>) -> tensor<5x7xf32>\nreturn %0 : tensor<5x7xf32>\n}",
    "cast": f"{F}(%x: tensor<26xf32>) -> tensor<26xi32> {{\n%0 = mica.cast %x : tensor<26xf32> to tensor<26xi32>\n"
            "return %0 : tensor<26xi32>\n}",
    "ints": f"{F}(%x: tensor<30xi32>, %y: tensor<30xi32>, %z: tensor<30xi32>) -> tensor<30xi32> {{\n"
            "%0 = arith.muli %x, %y : tensor<30xi32>\n%1 = arith.subi %0, %x : tensor<30xi32>\n%2 = arith.xori %1, %y : tensor<30xi32>\n"
            "%3 = arith.divsi %2, %z : tensor<30xi32>\nreturn %3 : tensor<30xi32>\n}",
    "shift": f"{F}(%x: tensor<18xi64>, %y: tensor<18xi64>) -> tensor<18xi64> {{\n%0 = arith.shrsi %x, %y : tensor<18xi64>\n"
             "%1 = arith.andi %0, %x : tensor<18xi64>\nreturn %1 : tensor<18xi64>\n}",
    "select": f"{F}(%x: tensor<31xf32>, %y: tensor<31xf32>) -> tensor<31xf32> {{\n%0 = arith.cmpf olt, %x, %y : tensor<31xf32>\n"
              "%1 = arith.select %0, %x, %y : tensor<31xi1>, tensor<31xf32>\nreturn %1 : tensor<31xf32>\n}",
    "transpose": f"{F}(%x: tensor<9x6xf32>) -> tensor<6x9xf32> {{\n"
                 "%0 = mica.transpose %x permutation = [1, 0] : (tensor<9x6xf32>) -> tensor<6x9xf32>\nreturn %0 : tensor<6x9xf32>\n}",
    "sort": f"{F}(%x: tensor<3x12xf32>) -> (tensor<3x12xf32>, tensor<3x12xi64>) {{\n"
            "%0, %1 = mica.sort %x axis = 1 : (tensor<3x12xf32>) -> (tensor<3x12xf32>, tensor<3x12xi64>)\n"
            "return %0, %1 : tensor<3x12xf32>, tensor<3x12xi64>\n}",
    "norm": f"{F}(%x: tensor<4x24xf32>) -> tensor<4x24xf32> {{\n%0 = mica.layer_norm %x axis = 1 epsilon = 1.0e-5 : tensor<4x24xf32>\n"
            "return %0 : tensor<4x24xf32>\n}",
    "dot": f"{F}(%a: tensor<5x16xi8>, %b: tensor<16x6xi8>) -> tensor<5x6xi32> {{\n%e = tensor.empty() : tensor<5x6xi32>\n"
           "%z = arith.constant 0 : i32\n%i = linalg.fill ins(%z : i32) outs(%e : tensor<5x6xi32>) -> tensor<5x6xi32>\n"
           "%0 = linalg.matmul ins(%a, %b : tensor<5x16xi8>, tensor<16x6xi8>) outs(%i : tensor<5x6xi32>) -> tensor<5x6xi32>\n"
           "return %0 : tensor<5x6xi32>\n}",
}


def wrongLane(match):
    vector, lanes, element, value = match.group(2), int(match.group(3)), match.group(4), match.group(5)
    other = "42.0" if element in ("float", "double", "bfloat", "half") else "42"
    return (f"{match.group(1)}%wrong.lane = insertelement {vector} {value}, {element} {other}, i64 {min(2, lanes - 1)}\n"
            f"{match.group(1)}store {vector} %wrong.lane, ptr")


def lessOne(match):
    return f"{match.group(1)}{int(match.group(2)) - 1}"


WAYS = {  # a pattern in kernel.ll and what stands in its place
    "add-sub": (r" fadd ", " fsub "),
    "sub-add": (r" fsub ", " fadd "),
    "mul-add": (r" fmul ", " fadd "),
    "div-mul": (r" fdiv ", " fmul "),
    "greater-less": (r"fcmp (o|u)gt", r"fcmp \1lt"),
    "less-greater": (r"fcmp (o|u)lt", r"fcmp \1gt"),
    "lane": (r"( +)store (<(\d+) x (\w+)>) (%[\w.]+), ptr", wrongLane),
    "value": (r"store float %[\w.]+, ptr", "store float 42.0, ptr"),
    "value-i32": (r"store i32 %[\w.]+, ptr", "store i32 7, ptr"),
    "value-i64": (r"store i64 %[\w.]+, ptr", "store i64 7, ptr"),
    "edge": (r"(icmp (?:slt|ult) i64 %[\w.]+, )(\d+)", lessOne),
    "fma": (r"(@llvm\.fm(?:a|uladd)\.\w+\()([^,()]+), ([^,()]+), ([^,()]+)\)", r"\1\4, \3, \2)"),
    "extent": (r"(icmp ult i32 %[\w.]+, )(\d+)", lessOne),
    "mask": (r"<i1 true, i1 true", "<i1 true, i1 false"),
    "constant": (r"float 1\.000000e\+00", "float 1.500000e+00"),
    "sign": (r"fneg ([^%]*)(%[\w.]+)", r"fadd \1\2, zeroinitializer"),
    "maximum": (r"@llvm\.maximum\.", "@llvm.minimum."),
    "minimum": (r"@llvm\.minimum\.", "@llvm.maximum."),
    "muli": (r" mul (<\d+ x i32>|i32) ", r" add \1 "),
    "subi": (r" sub (<\d+ x i32>|i32) ", r" add \1 "),
    "xori": (r" xor (<\d+ x i32>|i32) ", r" or \1 "),
    "sdiv": (r" sdiv ", " srem "),
    "ashr": (r" ashr ", " lshr "),
    "andi": (r" and (<\d+ x i64>) ", r" or \1 "),
    "sext": (r" sext (<\d+ x i8>|i8) ", r" zext \1 "),
    "signed": (r"icmp slt i32", "icmp ult i32"),
}
TABLE = [
    ("conv", "fma", 0), ("conv", "fma", 1), ("conv", "mask", 0), ("gather", "extent", 1), ("gather", "extent", 4),
    ("matmul", "fma", 0), ("matmul", "mask", 1), ("matmul_bf16", "fma", 0), ("matmul_bf16", "mask", 0),
    ("add", "add-sub", 0), ("add", "lane", 0), ("add", "value", 0), ("add", "add-sub", 1), ("poly", "sub-add", 0),
    ("poly", "mul-add", 0), ("poly", "div-mul", 0), ("poly", "lane", 0), ("tanh", "mul-add", 0), ("tanh", "div-mul", 0),
    ("tanh", "less-greater", 0), ("tanh", "lane", 0), ("f64", "add-sub", 0), ("f64", "lane", 0), ("f64", "add-sub", 1),
    ("f64", "lane", 1), ("relu", "lane", 0), ("relu", "value", 0), ("relu", "lane", 1), ("bf16", "add-sub", 0),
    ("bf16", "mul-add", 0), ("bf16", "lane", 0), ("bf16", "add-sub", 1), ("matmul", "lane", 0), ("matmul", "lane", 1),
    ("matmul", "lane", 8), ("softmax", "add-sub", 0), ("softmax", "sub-add", 0), ("softmax", "mul-add", 0),
    ("softmax", "div-mul", 0), ("sum", "add-sub", 1), ("sum", "value", 0), ("sum", "add-sub", 23), ("sum", "value", 1),
    ("max", "lane", 0), ("max", "value", 0), ("max", "lane", 1), ("pool", "add-sub", 35), ("cast", "greater-less", 0),
    ("cast", "less-greater", 0), ("cast", "lane", 0), ("cast", "maximum", 0), ("ints", "lane", 0), ("ints", "value-i32", 0),
    ("ints", "muli", 0), ("ints", "xori", 0), ("shift", "lane", 0), ("shift", "ashr", 0), ("shift", "andi", 0),
    ("shift", "lane", 1), ("select", "less-greater", 0), ("select", "lane", 0), ("select", "value", 0),
    ("select", "less-greater", 1), ("transpose", "lane", 0), ("transpose", "value", 0), ("transpose", "lane", 1),
    ("sort", "less-greater", 0), ("sort", "lane", 0), ("sort", "value-i64", 0), ("norm", "add-sub", 11),
    ("norm", "sub-add", 0), ("norm", "mul-add", 0), ("dot", "muli", 0), ("dot", "sext", 0), ("dot", "muli", 1),
]


class Table:
    def __init__(self, work):
        self.work = work

    def artifact(self, program):
        folder = self.work / program
        if not (folder / "manifest.json").exists():
            model = self.work / f"{program}.mlir"
            model.write_text(PROGRAMS[program] + "\n")
            ran = subprocess.run(["mica-compile", model, "-o", folder, "--force"], capture_output=True, text=True)
            if ran.returncode:
                sys.exit(f"{program}: does not compile\n{ran.stderr}")
            ran = subprocess.run(["mica-run", folder, "--check-reference"], capture_output=True, text=True)
            if ran.returncode:
                sys.exit(f"{program}: the right kernel is complained of\n{ran.stdout}{ran.stderr}")
        return folder

    def texts(self, program):
        return sorted(self.artifact(program).glob("kernels/*/kernel.ll"))

    def places(self, program, way):
        """Every place of `way`: file and number of the match in it."""
        return [(file, i) for file in self.texts(program) for i, _ in enumerate(re.finditer(WAYS[way][0], file.read_text()))]

    def check(self, program, way, place):
        """The exit code of the check of the program with that place edited; nothing where the kernel has no such place."""
        places = self.places(program, way)
        # The table is for vectors of AVX-512; kernels with others have fewer places.
        if place >= len(places):
            return None
        file, number = places[place]
        copy = self.work / f"{program}-{way}-{place}"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.artifact(program), copy, symlinks=True)
        edited = copy / file.relative_to(self.artifact(program))
        text, pattern = edited.read_text(), WAYS[way]
        match = list(re.finditer(pattern[0], text))[number]
        changed = pattern[1](match) if callable(pattern[1]) else match.expand(pattern[1])
        edited.write_text(text[:match.start()] + changed + text[match.end():])
        try:
            ran = subprocess.run(["mica-run", copy, "--check-reference"], capture_output=True, text=True, timeout=60)
        except subprocess.TimeoutExpired:
            return "no end"
        if ran.returncode == 3:
            shutil.rmtree(copy)
        return ran.returncode if ran.returncode in (0, 3) else ran.stderr.strip().split("\n")[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    table = Table(options.work)
    rows = TABLE[:: options.every]
    if options.all:
        rows = [(program, way, i) for program in PROGRAMS if options.only in program for way in WAYS
                for i in sorted({0, 1, len(table.places(program, way)) - 1}) if 0 <= i < len(table.places(program, way))]
    wrong, made = [], 0
    for program, way, place in rows:
        code = table.check(program, way, place)
        if options.all:
            print(f'    ("{program}", "{way}", {place}),  # {code}', flush=True)
        if code is None:
            print(f"{program}, {way} {place}: not in the kernel for this processor")
            continue
        made += 1
        if code != 3:
            wrong.append(f"{program}, {way} {place}: {code}")
    print("\n".join(wrong))
    print(f"{made} wrong kernels, {made - len(wrong)} of them a difference; {len(rows) - made} not made")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
