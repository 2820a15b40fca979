# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops on scalars: arith, math, index, complex, ub, and those of llvm."""
from program import BITS, FLOATS, INTEGERS, joined, on_each, program

PAIRS = ([1.5, -2.25, 0.0, -0.0, 7.0], [2.0, 0.75, -0.0, 3.5, -7.0])
INTEGER_PAIRS = ([7, -7, 100, -128, 5], [2, 3, -7, 5, -5])
SHIFTS = ([7, -7, 100, -128, 5], [1, 2, 3, 4, 0])
POSITIVE = [0.25, 1.0, 2.5, 9.0, 0.5]
ANY = [0.5, -0.25, 0.0, -0.0, 0.875]

# math: op -> values of its domain.
UNARY = {"absf": ANY, "acosh": [1.0, 1.5, 4.0], "asin": ANY, "acos": ANY, "asinh": ANY, "atan": ANY, "atanh": ANY, "cbrt": [8.0, -1.0, 0.0],
         "ceil": [1.25, -1.25, -0.5, 2.0], "cos": ANY, "cosh": ANY, "sin": ANY, "sinh": ANY, "erf": ANY, "erfc": ANY, "exp": ANY,
         "exp2": ANY, "expm1": ANY, "floor": [1.25, -1.25, -0.5, 2.0], "log": POSITIVE, "log10": POSITIVE, "log1p": ANY,
         "log2": POSITIVE, "rsqrt": POSITIVE, "sqrt": POSITIVE, "tan": ANY, "tanh": ANY, "round": [2.5, -2.5, 0.4, -0.4],
         "roundeven": [2.5, -2.5, 3.5, -0.4], "trunc": [2.75, -2.75, 0.4, -0.4]}


def arith():
    for op in ("addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf", "maxnumf", "minnumf"):
        for kind in FLOATS:
            a, b = PAIRS
            if op in ("maxnumf", "minnumf"):  # of zeros LLVM gives either
                a, b = [1.5, -2.25, 7.0], [2.0, 0.75, -7.0]
            if op == "remf":
                a, b = [1.5, -2.25, 7.0, -7.0], [2.0, 0.75, 2.5, 2.5]
            yield on_each(f"arith.{op}", kind, {"a": (kind, a), "b": (kind, b)}, f"%r = arith.{op} %a, %b : {kind}\nvector.print %r : {kind}")
    for kind in FLOATS:
        # As f64: what mlir-runner prints of the bits of an f16 depends on what lies beside them.
        wide = "" if kind == "f64" else f"%w = arith.extf %r : {kind} to f64\n"
        yield on_each("arith.negf", kind, {"a": (kind, ANY)}, f"%r = arith.negf %a : {kind}\n{wide}vector.print {'%w' if wide else '%r'} : f64")
        lines = "".join(f"%{p} = arith.cmpf {p}, %a, %b : {kind}\nvector.print %{p} : i1\n" for p in
                        ("oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno"))
        yield on_each("arith.cmpf", kind, {"a": (kind, [1.5, -0.0, 2.0]), "b": (kind, [2.0, 0.0, 2.0])}, lines)
        yield on_each("arith.select", kind, {"c": ("i1", [True, False]), "a": (kind, [1.5, -0.0]), "b": (kind, [2.0, -0.0])},
                      f"%r = arith.select %c, %a, %b : {kind}\nvector.print %r : {kind}")
    for op in ("addi", "subi", "muli", "divsi", "divui", "ceildivsi", "ceildivui", "floordivsi", "remsi", "remui", "andi", "ori", "xori",
               "shli", "shrsi", "shrui", "maxsi", "maxui", "minsi", "minui"):
        a, b = SHIFTS if op.startswith("sh") else INTEGER_PAIRS
        yield joined(f"arith.{op}", "integers", [
            ({"a": (k, a), "b": (k, b)}, f"%r = arith.{op} %a, %b : {k}\nvector.print %r : {k}") for k in INTEGERS])
        yield on_each(f"arith.{op}", "index", {"a": ("index", a), "b": ("index", b)},
                      f"%r = arith.{op} %a, %b : index\nvector.print %r : index")
    for op in ("addi", "andi", "ori", "xori", "muli"):
        yield on_each(f"arith.{op}", "i1", {"a": ("i1", [True, True, False, False]), "b": ("i1", [True, False, True, False])},
                      f"%r = arith.{op} %a, %b : i1\nvector.print %r : i1")
    for op, results in (("addui_extended", "i1"), ("mulsi_extended", ""), ("mului_extended", "")):
        yield joined(f"arith.{op}", "integers", [
            ({"a": (k, INTEGER_PAIRS[0]), "b": (k, INTEGER_PAIRS[1])},
             f"%r, %s = arith.{op} %a, %b : {k}{', i1' if results else ''}\nvector.print %r : {k}\nvector.print %s : {results or k}")
            for k in INTEGERS])
    yield joined("arith.cmpi", "integers", [
        ({"a": (k, INTEGER_PAIRS[0]), "b": (k, INTEGER_PAIRS[1])},
         "".join(f"%{p} = arith.cmpi {p}, %a, %b : {k}\nvector.print %{p} : i1\n"
                 for p in ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"))) for k in [*INTEGERS, "index"]])
    for k in [*INTEGERS, "index", "i1"]:
        yield on_each("arith.select", k, {"c": ("i1", [True, False]), "a": (k, [1, 0]), "b": (k, [0, 1])},
                      f"%r = arith.select %c, %a, %b : {k}\nvector.print %r : {k}")
    for op, pairs in (("extsi", [(a, b) for a in ["i1", *INTEGERS] for b in INTEGERS if BITS[a] < BITS[b]]),
                      ("extui", [(a, b) for a in ["i1", *INTEGERS] for b in INTEGERS if BITS[a] < BITS[b]]),
                      ("trunci", [(a, b) for a in INTEGERS for b in ["i1", *INTEGERS] if BITS[a] > BITS[b]])):
        yield joined(f"arith.{op}", "integers", [
            ({"a": (a, [False, True] if a == "i1" else [5, -100, 127])}, f"%r = arith.{op} %a : {a} to {b}\nvector.print %r : {b}")
            for a, b in pairs])
    for op, start, stop in (("extf", 1.5, 0), ("truncf", -1.625, 0)):
        for a, b in [(a, b) for a in FLOATS for b in FLOATS if (BITS[a] < BITS[b] if op == "extf" else BITS[a] > BITS[b])]:
            yield on_each(f"arith.{op}", f"{a}-{b}", {"a": (a, [start, -0.0, 3.1415926, 100.5])},
                          f"%r = arith.{op} %a : {a} to {b}\nvector.print %r : {b}")
    for op in ("sitofp", "uitofp"):
        for f in FLOATS:
            yield joined(f"arith.{op}", f, [({"a": (k, [5, -100, 127, 0])}, f"%r = arith.{op} %a : {k} to {f}\nvector.print %r : {f}")
                                            for k in (INTEGERS if op == "sitofp" else ["i32", "i16", "i8"])])
    for op in ("fptosi", "fptoui"):
        for f in FLOATS:
            yield joined(f"arith.{op}", f, [({"a": (f, [5.75, 100.0, 0.5, 0.0])}, f"%r = arith.{op} %a : {f} to {k}\nvector.print %r : {k}")
                                            for k in INTEGERS])
    yield joined("arith.bitcast", "all", [({"a": (a, [1.5, -0.0])}, f"%r = arith.bitcast %a : {a} to {b}\nvector.print %r : {b}")
                                          for a, b in (("f64", "i64"), ("f32", "i32"), ("f16", "i16"), ("bf16", "i16"), ("f16", "bf16"))])
    yield joined("arith.index_cast", "all", [({"a": ("index", [5, -3])}, f"%r = arith.index_cast %a : index to {k}\nvector.print %r : {k}")
                                             for k in INTEGERS])
    yield joined("arith.index_castui", "all", [({"a": (k, [5, -3])}, f"%r = arith.index_castui %a : {k} to index\nvector.print %r : index")
                                               for k in INTEGERS])
    yield program("arith.constant", "scalars", "\n".join(
        f"%{i} = arith.constant {v}\nvector.print %{i} : {k}" for i, (v, k) in enumerate(
            (("1.5 : f64", "f64"), ("-0.0 : f32", "f32"), ("0x7F800000 : f32", "f32"), ("-2.5 : f16", "f16"), ("-0.0 : bf16", "bf16"), ("-1 : i8", "i8"), ("true", "i1"), ("-5 : index", "index")))))
    for small in ("f8E4M3FN", "f8E5M2"):
        yield on_each("arith.extf", small, {"a": (small, [1.5, -0.0, 0.25])}, f"%r = arith.extf %a : {small} to f32\nvector.print %r : f32")
    yield on_each("arith.truncf", "f8E4M3FN", {"a": ("f32", [1.5, -0.0, 3.3])},
                  "%r = arith.truncf %a : f32 to f8E4M3FN\n%s = arith.extf %r : f8E4M3FN to f32\nvector.print %s : f32")
    yield on_each("arith.muli", "i48", {"a": ("i32", [100000, -7]), "b": ("i32", [70000, 9])}, """%c = arith.extsi %a : i32 to i48
%d = arith.extsi %b : i32 to i48
%e = arith.muli %c, %d : i48
%r = arith.extsi %e : i48 to i64
vector.print %r : i64""")


def math():
    for op, values in UNARY.items():
        for kind in FLOATS[:2]:
            yield on_each(f"math.{op}", kind, {"a": (kind, values)}, f"%r = math.{op} %a : {kind}\nvector.print %r : {kind}",
                          pipeline="libm" if op in ("expm1", "log1p") else "default")
        if op in ("absf", "ceil", "floor", "sqrt", "exp", "log", "cos", "sin", "round", "roundeven", "trunc", "tanh", "erf"):
            yield joined(f"math.{op}", "small", [({"a": (k, values)}, f"%r = math.{op} %a : {k}\nvector.print %r : {k}") for k in FLOATS[2:]])
    yield joined("math.absi", "integers", [({"a": (k, [5, -100, 0])}, f"%r = math.absi %a : {k}\nvector.print %r : {k}") for k in INTEGERS])
    for op in ("ctlz", "cttz", "ctpop"):
        yield joined(f"math.{op}", "integers", [({"a": (k, [5, -100, 0])}, f"%r = math.{op} %a : {k}\nvector.print %r : {k}") for k in INTEGERS])
    for op, a, b in (("atan2", *PAIRS), ("copysign", *PAIRS), ("powf", POSITIVE, [2.0, -1.5, 0.5, 3.0, 0.0])):
        yield joined(f"math.{op}", "floats", [({"a": (k, a), "b": (k, b)}, f"%r = math.{op} %a, %b : {k}\nvector.print %r : {k}")
                                              for k in FLOATS[:2]])
    yield joined("math.ipowi", "integers", [({"a": (k, [3, -2, 1]), "b": (k, [2, 3, 9])}, f"%r = math.ipowi %a, %b : {k}\nvector.print %r : {k}")
                                            for k in ("i64", "i32")], pipeline="funcs")
    yield joined("math.fpowi", "floats", [({"a": (k, [3.0, -2.0, 1.5]), "b": ("i32", [2, 3, -1])},
                                           f"%r = math.fpowi %a, %b : {k}, i32\nvector.print %r : {k}") for k in FLOATS[:2]])
    yield joined("math.fma", "floats", [({"a": (k, [1.5, -2.0]), "b": (k, [2.0, 0.5]), "c": (k, [0.25, 1.0])},
                                         f"%r = math.fma %a, %b, %c : {k}\nvector.print %r : {k}") for k in FLOATS])
    for op in ("isfinite", "isinf", "isnan", "isnormal"):
        yield joined(f"math.{op}", "floats", [({"a": (k, [1.5, 0.0, "0x7F800000" if k == "f32" else "0x7FF0000000000000"])},
                                               f"%r = math.{op} %a : {k}\nvector.print %r : i1") for k in FLOATS[:2]])
    yield joined("math.sincos", "floats", [({"a": (k, ANY)}, f"%r, %s = math.sincos %a : {k}\nvector.print %r : {k}\nvector.print %s : {k}")
                                           for k in FLOATS[:2]])
    yield joined("math.clampf", "floats", [({"a": (k, [1.5, -3.0, 0.0]), "lo_": (k, [-1.0] * 3), "hi_": (k, [1.0] * 3)},
                                            f"%m = arith.maximumf %a, %lo_ : {k}\n%r = arith.minimumf %m, %hi_ : {k}\nvector.print %r : {k}")
                                           for k in FLOATS[:2]])


def index():
    for op in ("add", "sub", "mul", "divs", "divu", "ceildivs", "ceildivu", "floordivs", "rems", "remu", "maxs", "maxu", "mins", "minu",
               "and", "or", "xor", "shl", "shrs", "shru"):
        a, b = SHIFTS if op.startswith("sh") else INTEGER_PAIRS
        yield on_each(f"index.{op}", "index", {"a": ("index", a), "b": ("index", b)}, f"%r = index.{op} %a, %b\nvector.print %r : index")
    yield on_each("index.cmp", "index", {"a": ("index", INTEGER_PAIRS[0]), "b": ("index", INTEGER_PAIRS[1])}, "".join(
        f"%{p} = index.cmp {p}(%a, %b)\nvector.print %{p} : i1\n" for p in ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")))
    for op in ("casts", "castu"):
        yield joined(f"index.{op}", "all", [({"a": (k, [5, -3])}, f"%r = index.{op} %a : {k} to index\nvector.print %r : index")
                                            for k in ("i32", "i8", "i64")])
    yield program("index.constant", "all", """%0 = index.constant -7
vector.print %0 : index
%1 = index.bool.constant true
vector.print %1 : i1
%2 = index.sizeof
vector.print %2 : index""")


def complexes():
    for made in complex_programs():
        made.pipeline = "complex"
        yield made


def complex_programs():
    for kind in FLOATS[:2]:
        c = f"complex<{kind}>"
        one = {"x": (kind, [1.5, -0.5, 2.0]), "y": (kind, [0.5, 2.0, -0.25])}
        two = {**one, "u": (kind, [2.0, 1.0, -1.0]), "v": (kind, [-1.0, 0.5, 0.75])}
        make = f"%a = complex.create %x, %y : {c}\n"
        both = make + f"%b = complex.create %u, %v : {c}\n"
        parts = f"%re = complex.re %r : {c}\n%im = complex.im %r : {c}\nvector.print %re : {kind}\nvector.print %im : {kind}"
        for op in ("add", "sub", "mul", "div", "pow", "atan2"):
            yield on_each(f"complex.{op}", kind, two, both + f"%r = complex.{op} %a, %b : {c}\n{parts}")
        for op in ("exp", "expm1", "log", "log1p", "neg", "rsqrt", "sign", "sin", "cos", "sqrt", "tan", "tanh", "conj"):
            yield on_each(f"complex.{op}", kind, one, make + f"%r = complex.{op} %a : {c}\n{parts}")
        for op in ("abs", "angle"):
            yield on_each(f"complex.{op}", kind, one, make + f"%r = complex.{op} %a : {c}\nvector.print %r : {kind}")
        for op in ("eq", "neq"):
            yield on_each(f"complex.{op}", kind, two, both + f"%r = complex.{op} %a, %b : {c}\nvector.print %r : i1")
        yield on_each("complex.powi", kind, {**one, "n": ("i32", [2, 3, 0])}, make + f"%r = complex.powi %a, %n : {c}, i32\n{parts}")
        yield program("complex.constant", kind, f"%r = complex.constant [1.5 : {kind}, -2.0 : {kind}] : {c}\n{parts}")
    yield on_each("complex.bitcast", "f32", {"x": ("i64", [4611686019492741120])},
                  "%a = arith.bitcast %x : i64 to f64\n%b = arith.bitcast %a : f64 to i64\n%r = complex.bitcast %b : i64 to complex<f32>\n"
                  "%re = complex.re %r : complex<f32>\nvector.print %re : f32")
    # In memory, and in tensors.
    yield program("complex.create", "memref", """%c0 = arith.constant 0 : index
%x = arith.constant 1.5 : f32
%y = arith.constant -2.0 : f32
%a = complex.create %x, %y : complex<f32>
%m = memref.alloc() : memref<2xcomplex<f32>>
memref.store %a, %m[%c0] : memref<2xcomplex<f32>>
%b = memref.load %m[%c0] : memref<2xcomplex<f32>>
%im = complex.im %b : complex<f32>
vector.print %im : f32""")
    yield program("complex.mul", "tensor", """%t = arith.constant dense<[(1.0, 2.0), (3.0, -1.0)]> : tensor<2xcomplex<f32>>
%e = tensor.empty() : tensor<2xcomplex<f32>>
%r = linalg.mul ins(%t, %t : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) outs(%e : tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
%c0 = arith.constant 0 : index
%b = tensor.extract %r[%c0] : tensor<2xcomplex<f32>>
%re = complex.re %b : complex<f32>
%im = complex.im %b : complex<f32>
vector.print %re : f32
vector.print %im : f32""")


def llvm():
    for op in ("add", "sub", "mul", "sdiv", "udiv", "srem", "urem", "and", "or", "xor", "shl", "lshr", "ashr"):
        a, b = SHIFTS if op in ("shl", "lshr", "ashr") else INTEGER_PAIRS
        yield joined(f"llvm.{op}", "integers", [({"a": (k, a), "b": (k, b)}, f"%r = llvm.{op} %a, %b : {k}\nvector.print %r : {k}")
                                                for k in ("i64", "i32", "i8")])
    for op in ("fadd", "fsub", "fmul", "fdiv", "frem"):
        yield joined(f"llvm.{op}", "floats", [({"a": (k, [1.5, -2.25, 7.0]), "b": (k, [2.0, 0.75, -2.5])},
                                               f"%r = llvm.{op} %a, %b : {k}\nvector.print %r : {k}") for k in FLOATS[:2]])
    yield on_each("llvm.icmp", "i32", {"a": ("i32", [1, -2]), "b": ("i32", [2, -2])},
                  'vector.print %a : i32\n%r = llvm.icmp "slt" %a, %b : i32\nvector.print %r : i1')
    yield on_each("llvm.fcmp", "f32", {"a": ("f32", [1.0, -2.0]), "b": ("f32", [2.0, -2.0])},
                  '%r = llvm.fcmp "olt" %a, %b : f32\nvector.print %r : i1')
    yield on_each("llvm.select", "i32", {"c": ("i1", [True, False]), "a": ("i32", [1, -2]), "b": ("i32", [2, 9])},
                  "%r = llvm.select %c, %a, %b : i1, i32\nvector.print %r : i32")
    for op, a, b, values in (("sext", "i8", "i32", [5, -3]), ("zext", "i8", "i32", [5, -3]), ("trunc", "i32", "i8", [5, 300]),
                             ("sitofp", "i32", "f32", [5, -3]), ("uitofp", "i32", "f32", [5, 3]), ("fptosi", "f32", "i32", [5.5, -3.25]),
                             ("fptoui", "f32", "i32", [5.5, 3.25]), ("fpext", "f32", "f64", [5.5, -0.0]), ("fptrunc", "f64", "f32", [5.5, -0.0]),
                             ("bitcast", "f32", "i32", [5.5, -0.0])):
        yield on_each(f"llvm.{op}", f"{a}-{b}", {"a": (a, values)}, f"%r = llvm.{op} %a : {a} to {b}\nvector.print %r : {b}")
    for op in ("fabs", "ceil", "floor", "sqrt", "exp", "exp2", "log", "log2", "log10", "sin", "cos", "trunc", "round", "roundeven", "rint", "nearbyint"):
        yield on_each(f"llvm.intr.{op}", "f32", {"a": ("f32", POSITIVE)}, f"%r = llvm.intr.{op}(%a) : (f32) -> f32\nvector.print %r : f32")
    for op in ("acos", "asin", "atan", "tan", "sinh", "cosh", "tanh", "exp10"):
        yield on_each(f"llvm.intr.{op}", "f64", {"a": ("f64", [0.25, 0.5])}, f"%r = llvm.intr.{op}(%a) : (f64) -> f64\nvector.print %r : f64")
    for op in ("scmp", "ucmp"):
        yield on_each(f"llvm.intr.{op}", "i32", {"a": ("i32", [3, -3]), "b": ("i32", [4, -4])}, f"%r = llvm.intr.{op}(%a, %b) : (i32, i32) -> i8\nvector.print %r : i8")
    for op in ("fshl", "fshr"):
        yield on_each(f"llvm.intr.{op}", "i32", {"a": ("i32", [3, -3]), "b": ("i32", [4, -4])}, f"%r = llvm.intr.{op}(%a, %b, %a) : (i32, i32, i32) -> i32\nvector.print %r : i32")
    yield on_each("llvm.fneg", "f32", {"a": ("f32", [1.5, 0.0])}, "%r = llvm.fneg %a : f32\nvector.print %r : f32")
    for op in ("maxnum", "minnum", "maximum", "minimum", "copysign", "pow"):
        yield on_each(f"llvm.intr.{op}", "f32", {"a": ("f32", [1.5, 2.0]), "b": ("f32", [2.5, 1.0])},
                      f"%r = llvm.intr.{op}(%a, %b) : (f32, f32) -> f32\nvector.print %r : f32")
    for op in ("smax", "smin", "umax", "umin", "sadd.sat", "uadd.sat", "ssub.sat", "usub.sat"):
        yield on_each(f"llvm.intr.{op}", "i8", {"a": ("i8", [100, -100, 5]), "b": ("i8", [100, 100, -6])},
                      f"%r = llvm.intr.{op}(%a, %b) : (i8, i8) -> i8\nvector.print %r : i8")
    for op in ("bitreverse", "bswap", "ctpop"):
        yield on_each(f"llvm.intr.{op}", "i32", {"a": ("i32", [1, -2, 100])}, f"%r = llvm.intr.{op}(%a) : (i32) -> i32\nvector.print %r : i32")
    for op in ("ctlz", "cttz", "abs"):
        flag = "is_int_min_poison" if op == "abs" else "is_zero_poison"
        yield on_each(f"llvm.intr.{op}", "i32", {"a": ("i32", [1, -2, 100])},
                      f'%r = "llvm.intr.{op}"(%a) <{{{flag} = false}}> : (i32) -> i32\nvector.print %r : i32')
    yield on_each("llvm.intr.fma", "f64", {"a": ("f64", [1.5, 2.0]), "b": ("f64", [2.5, 1.0])},
                  "%r = llvm.intr.fma(%a, %b, %a) : (f64, f64, f64) -> f64\nvector.print %r : f64")
    yield on_each("llvm.intr.sadd.with.overflow", "i8", {"a": ("i8", [100, 5]), "b": ("i8", [100, 6])}, """
%s = "llvm.intr.sadd.with.overflow"(%a, %b) : (i8, i8) -> !llvm.struct<(i8, i1)>
%r = llvm.extractvalue %s[0] : !llvm.struct<(i8, i1)>
%o = llvm.extractvalue %s[1] : !llvm.struct<(i8, i1)>
vector.print %r : i8
vector.print %o : i1""")
    yield on_each("llvm.freeze", "i32", {"a": ("i32", [1, 2])}, "%r = llvm.freeze %a : i32\nvector.print %r : i32")
    yield program("llvm.mlir.constant", "all", """%0 = llvm.mlir.constant(42 : i64) : i64
vector.print %0 : i64
%1 = llvm.mlir.constant(-0.0 : f32) : f32
vector.print %1 : f32
%2 = llvm.mlir.zero : i32
vector.print %2 : i32""")
    yield program("llvm.alloca", "i32", """%one = llvm.mlir.constant(1 : i64) : i64
%v = llvm.mlir.constant(7 : i32) : i32
%p = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
llvm.store %v, %p : i32, !llvm.ptr
%r = llvm.load %p : !llvm.ptr -> i32
vector.print %r : i32""")
    yield program("llvm.getelementptr", "f32", """%n = llvm.mlir.constant(4 : i64) : i64
%v = llvm.mlir.constant(2.5 : f32) : f32
%p = llvm.alloca %n x f32 : (i64) -> !llvm.ptr
%q = llvm.getelementptr %p[2] : (!llvm.ptr) -> !llvm.ptr, f32
llvm.store %v, %q : f32, !llvm.ptr
%r = llvm.load %q : !llvm.ptr -> f32
vector.print %r : f32""")
    yield program("llvm.call", "function", """%a = llvm.mlir.constant(20 : i32) : i32
%r = llvm.call @twice(%a) : (i32) -> i32
vector.print %r : i32""", """llvm.func @twice(%a: i32) -> i32 {
  %0 = llvm.add %a, %a : i32
  llvm.return %0 : i32
}""")
    yield program("llvm.func", "branches", """%a = llvm.mlir.constant(5 : i64) : i64
%r = llvm.call @factorial(%a) : (i64) -> i64
vector.print %r : i64""", """llvm.func @factorial(%n: i64) -> i64 {
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^head(%n, %one : i64, i64)
^head(%k: i64, %p: i64):
  %more = llvm.icmp "sgt" %k, %one : i64
  llvm.cond_br %more, ^body, ^done
^body:
  %q = llvm.mul %p, %k : i64
  %l = llvm.sub %k, %one : i64
  llvm.br ^head(%l, %q : i64, i64)
^done:
  llvm.return %p : i64
}""")
    yield program("llvm.mlir.global", "text", """%p = llvm.mlir.addressof @text : !llvm.ptr
llvm.call @printString(%p) : (!llvm.ptr) -> ()
call @printNewline() : () -> ()""", """llvm.mlir.global internal constant @text("hello, world\\00")
llvm.func @printString(!llvm.ptr)""")
    yield program("llvm.mlir.global", "state", """%p = llvm.mlir.addressof @counter : !llvm.ptr
%0 = llvm.load %p : !llvm.ptr -> i32
%1 = llvm.add %0, %0 : i32
llvm.store %1, %p : i32, !llvm.ptr
%2 = llvm.load %p : !llvm.ptr -> i32
vector.print %2 : i32""", "llvm.mlir.global internal @counter(21 : i32) : i32")
    yield program("llvm.insertvalue", "struct", """%0 = llvm.mlir.undef : !llvm.struct<(i32, f32)>
%a = llvm.mlir.constant(3 : i32) : i32
%1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(i32, f32)>
%r = llvm.extractvalue %1[0] : !llvm.struct<(i32, f32)>
vector.print %r : i32""")
    yield program("llvm.extractelement", "vector", """%v = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
%i = llvm.mlir.constant(2 : i32) : i32
%r = llvm.extractelement %v[%i : i32] : vector<4xi32>
%w = llvm.insertelement %r, %v[%i : i32] : vector<4xi32>
%s = llvm.shufflevector %w, %v [0, 2, 4, 6] : vector<4xi32>
vector.print %r : i32
vector.print %s : vector<4xi32>""")
    for op in ("add", "mul", "and", "or", "xor", "smax", "smin", "umax", "umin"):
        yield program(f"llvm.intr.vector.reduce.{op}", "i32", f"""%v = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
%r = "llvm.intr.vector.reduce.{op}"(%v) : (vector<4xi32>) -> i32
vector.print %r : i32""")
    yield program("llvm.intr.vector.reduce.fadd", "f32", """%v = arith.constant dense<[1.0, 2.0, -3.0, 4.5]> : vector<4xf32>
%s = llvm.mlir.constant(0.5 : f32) : f32
%r = "llvm.intr.vector.reduce.fadd"(%s, %v) : (f32, vector<4xf32>) -> f32
vector.print %r : f32""")
    yield program("llvm.inttoptr", "roundtrip", """%one = llvm.mlir.constant(1 : i64) : i64
%v = llvm.mlir.constant(9 : i32) : i32
%p = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
%i = llvm.ptrtoint %p : !llvm.ptr to i64
%q = llvm.inttoptr %i : i64 to !llvm.ptr
llvm.store %v, %q : i32, !llvm.ptr
%r = llvm.load %p : !llvm.ptr -> i32
vector.print %r : i32""")
    yield program("llvm.atomicrmw", "i32", """%one = llvm.mlir.constant(1 : i64) : i64
%v = llvm.mlir.constant(9 : i32) : i32
%p = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
llvm.store %v, %p : i32, !llvm.ptr
%o = llvm.atomicrmw add %p, %v seq_cst : !llvm.ptr, i32
llvm.fence seq_cst
%r = llvm.load %p : !llvm.ptr -> i32
vector.print %o : i32
vector.print %r : i32""", pipeline="cf")
    yield program("llvm.switch", "i32", """%a = llvm.mlir.constant(2 : i32) : i32
%r = llvm.call @pick(%a) : (i32) -> i32
vector.print %r : i32""", """llvm.func @pick(%a: i32) -> i32 {
  %x = llvm.mlir.constant(10 : i32) : i32
  %y = llvm.mlir.constant(20 : i32) : i32
  llvm.switch %a : i32, ^other [
    2: ^two
  ]
^two:
  llvm.return %y : i32
^other:
  llvm.return %x : i32
}""")
    yield program("llvm.intr.memcpy", "bytes", """%n = llvm.mlir.constant(4 : i64) : i64
%one = llvm.mlir.constant(1 : i64) : i64
%v = llvm.mlir.constant(77 : i32) : i32
%p = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
%q = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
llvm.store %v, %p : i32, !llvm.ptr
"llvm.intr.memcpy"(%q, %p, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
%r = llvm.load %q : !llvm.ptr -> i32
vector.print %r : i32""")
    yield program("llvm.intr.stacksave", "pointer", """%p = llvm.intr.stacksave : !llvm.ptr
llvm.intr.stackrestore %p : !llvm.ptr
%r = llvm.mlir.constant(1 : i32) : i32
vector.print %r : i32""", pipeline="cf")


def ub():
    yield on_each("ub.poison", "unused", {"c": ("i1", [True, True]), "a": ("i32", [3, 4])},
                  "%p = ub.poison : i32\n%r = arith.select %c, %a, %p : i32\nvector.print %r : i32")
    yield program("ub.poison", "vector", """%p = ub.poison : vector<2xf32>
%x = arith.constant 1.5 : f32
%0 = vector.insert %x, %p[0] : f32 into vector<2xf32>
%1 = vector.insert %x, %0[1] : f32 into vector<2xf32>
vector.print %1 : vector<2xf32>""")


def programs():
    for table in (arith, math, index, complexes, llvm, ub):
        yield from table()
