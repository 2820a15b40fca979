"""Divisions, shifts and asserts, in kernels and in host functions; a loop without end."""

KERNEL = """#m = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<40x{0}>, %b: tensor<40x{0}>) -> tensor<40x{0}> {{
  %e = tensor.empty() : tensor<40x{0}>
  %0 = linalg.generic {{indexing_maps = [#m, #m, #m], iterator_types = ["parallel"]}} ins(%a, %b : tensor<40x{0}>, tensor<40x{0}>) outs(%e : tensor<40x{0}>) {{ // HERE
  ^bb0(%x: {0}, %y: {0}, %o: {0}):
    %r = arith.{1} %x, %y : {0}
    linalg.yield %r : {0}
  }} -> tensor<40x{0}>
  return %0 : tensor<40x{0}>
}}
"""
LOOP = """func.func @f(%x: memref<10xi32>, %y: i32) {{
  affine.for %i = 0 to 10 {{
    %0 = affine.load %x[%i] : memref<10xi32>
    %1 = arith.{0} %0, %y : i32 // HERE
    affine.store %1, %x[%i] : memref<10xi32>
  }}
  return
}}
"""
# An assert keeps its loop in the host function.
HOST = """func.func @f(%x: memref<10xi32>, %n: index, %most: i32) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {{
    %0 = memref.load %x[%i] : memref<10xi32>{1}
    %c = arith.cmpi sle, %0, %most : i32
    cf.assert %c, "too large"{0}
    %1 = arith.divsi %most, %0 : i32{2}
    memref.store %1, %x[%i] : memref<10xi32>
  }}
  return
}}
"""
ENDLESS = """func.func @f(%x: memref<4xi64>, %step: i64) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %end = arith.constant 1000 : i64
  %r = scf.while (%i = %zero) : (i64) -> i64 { // HERE
    %c = arith.cmpi slt, %i, %end : i64
    scf.condition(%c) %i : i64
  } do {
  ^bb0(%i: i64):
    %0 = memref.load %x[%c0] : memref<4xi64>
    %1 = arith.muli %0, %step : i64
    memref.store %1, %x[%c0] : memref<4xi64>
    %2 = arith.addi %i, %1 : i64
    scf.yield %2 : i64
  }
  return
}
"""


def case(name, op, says, program, inputs, clean, **more):
    return dict(name=name, op=op, says=says, faulty=program, clean=program, inputs=inputs, clean_inputs=clean, **more)


def cases():
    for op in ("divsi", "divui", "remsi", "remui", "ceildivsi", "floordivsi"):
        yield case("zero_" + op, "linalg.generic", ["integer division by zero"], KERNEL.format("i32", op),
                   ["40xi32=7", "40xi32=" + ",".join("0" if i == 33 else "3" for i in range(40))], ["40xi32=7", "40xi32=3"])
    yield case("zero_divsi_i64", "linalg.generic", ["integer division by zero"], KERNEL.format("i64", "divsi"),
               ["40xi64=7", "40xi64=0"], ["40xi64=7", "40xi64=3"])
    yield case("overflowing_division", "linalg.generic", ["one that overflows"], KERNEL.format("i32", "divsi"),
               ["40xi32=-2147483648", "40xi32=-1"], ["40xi32=-2147483647", "40xi32=-1"])
    for op in ("shli", "shrsi", "shrui"):
        yield case("far_" + op, "linalg.generic", ["shift by a number of bits outside the type's width"],
                   KERNEL.format("i32", op), ["40xi32=7", "40xi32=32"], ["40xi32=7", "40xi32=31"])
    yield case("backward_shift", "linalg.generic", ["shift by"], KERNEL.format("i16", "shli"), ["40xi16=7", "40xi16=-1"],
               ["40xi16=7", "40xi16=15"])
    for op, bad in (("divsi", 0), ("shli", 40)):
        yield case("in_a_loop_" + op, "arith." + op, [f"\\((1, )?{bad}\\)", "10 times"], LOOP.format(op), ["10xi32=1", f"i32={bad}"],
                   ["10xi32=1", "i32=3"])
    good = ["10xi32=1", "index=10", "i32=3"]
    yield case("assert", "cf.assert", ["assertion failed: too large", "host function of entry 'f'"],
               HOST.format(" // HERE", "", ""), ["10xi32=5", "index=10", "i32=3"], good)
    yield case("assert_by_default", "cf.assert", ["assertion failed: too large"], HOST.format(" // HERE", "", ""),
               ["10xi32=5", "index=10", "i32=3"], good, debug="assert-level=user")
    yield case("host_division", "arith.divsi", ["\\(3, 0\\)"], HOST.format("", "", " // HERE"),
               ["10xi32=0", "index=10", "i32=3"], good)
    yield case("host_load", "memref.load", ["loads outside its buffer: index 10 in dimension 0, whose extent is 10"],
               HOST.format("", " // HERE", ""), ["10xi32=1", "index=12", "i32=3"], good)
    yield case("endless_loop", "scf.while", ["hang"], ENDLESS, ["4xi64=1", "i64=0"], ["4xi64=1", "i64=1"], code=4,
               debug="assert-level=all,hang-timeout=1")
