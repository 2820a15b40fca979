"""Accesses outside their tensor: on each side and dimension, in gathers, slices of dynamic size, loops, vectors."""


def case(name, op, says, faulty, clean, inputs=(), **more):
    return dict(name=name, op=op, says=says, faulty=faulty, clean=clean, inputs=list(inputs), **more)


# A loop nest on buffers: what is accessed by which indices.
LOAD2 = """func.func @f(%x: memref<4x6xf32>, %y: memref<4x6xf32>) {{
  affine.for %i = 0 to 4 {{
    affine.for %j = 0 to 6 {{
      %0 = affine.load %x[{0}] : memref<4x6xf32> {1}
      %1 = arith.addf %0, %0 : f32
      affine.store %1, %y[%i, %j] : memref<4x6xf32>
    }}
  }}
  return
}}
"""
STORE2 = LOAD2.replace("affine.load %x[{0}] : memref<4x6xf32> {1}", "affine.load %x[%i, %j] : memref<4x6xf32>").replace(
    "affine.store %1, %y[%i, %j] : memref<4x6xf32>", "affine.store %1, %y[{0}] : memref<4x6xf32> {1}")
LOAD1 = """func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {{
    %k = arith.{0} %i, %c1 : index
    %0 = memref.load %x[%k] : memref<?xf32> // HERE
    memref.store %0, %y[%i] : memref<?xf32>
  }}
  return
}}
"""
GATHER = """#m = affine_map<(d0) -> (d0)>
func.func @f(%t: tensor<{0}xf32>, %at: tensor<40xi32>) -> tensor<40xf32> {{
  %e = tensor.empty() : tensor<40xf32>
  %0 = linalg.generic {{indexing_maps = [#m, #m], iterator_types = ["parallel"]}} ins(%at : tensor<40xi32>) outs(%e : tensor<40xf32>) {{ // HERE
  ^bb0(%i: i32, %o: f32):
    %k = arith.index_cast %i : i32 to index
    %v = tensor.extract %t[%k] : tensor<{0}xf32>
    linalg.yield %v : f32
  }} -> tensor<40xf32>
  return %0 : tensor<40xf32>
}}
"""
SLICE = """func.func @f(%x: tensor<{0}xf32>, %o: index, %n: index) -> tensor<?xf32> {{
  %s = tensor.extract_slice %x[%o] [%n] [{1}] : tensor<{0}xf32> to tensor<?xf32> // HERE
  return %s : tensor<?xf32>
}}
"""

CUBE = """func.func @f(%x: memref<3x4x5xf32>, %y: memref<3x4x5xf32>) {{
  affine.for %i = 0 to 3 {{
    affine.for %j = 0 to 4 {{
      affine.for %k = 0 to 5 {{
        %0 = affine.load %x[{0}] : memref<3x4x5xf32> // HERE
        affine.store %0, %y[%i, %j, %k] : memref<3x4x5xf32>
      }}
    }}
  }}
  return
}}
"""
SCATTER = """func.func @f(%x: memref<8xf32>, %at: memref<6xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %v = arith.constant 1.0 : f32
  scf.for %i = %c0 to %c6 step %c1 {
    %p = memref.load %at[%i] : memref<6xi32>
    %k = arith.index_cast %p : i32 to index
    memref.store %v, %x[%k] : memref<8xf32> // HERE
  }
  return
}
"""
VECTOR = """func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c8 {
    %0 = vector.load %x[%i] : memref<?xf32>, vector<8xf32> // HERE
    vector.store %0, %y[%i] : memref<?xf32>, vector<8xf32>
  }
  return
}
"""
# Sizes that only a call knows, and that disagree there.
# In a branch: what is always executed is refused before it runs.
SUM = """#m = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %p: i1) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = scf.if %p -> tensor<?xf32> {
    %0 = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel"]} ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) { // HERE
    ^bb0(%x: f32, %y: f32, %o: f32):
      %s = arith.addf %x, %y : f32
      linalg.yield %s : f32
    } -> tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  } else {
    scf.yield %a : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
"""
PUT = """func.func @f(%x: tensor<32xf32>, %s: tensor<4xf32>, %o: index) -> tensor<32xf32> {
  %0 = tensor.insert_slice %s into %x[%o] [4] [1] : tensor<4xf32> into tensor<32xf32> // HERE
  return %0 : tensor<32xf32>
}
"""


def cases():
    plain = LOAD2.format("%i, %j", "")
    for name, index, says in [
            ("above_rows", "%i + 1, %j", "loads outside .*4x6xf32.*index 4 in dimension 0, whose extent is 4"),
            ("below_rows", "%i - 1, %j", "index -1 in dimension 0"),
            ("above_columns", "%i, %j + 2", "index 6 in dimension 1, whose extent is 6"),
            ("below_columns", "%i, %j - 1", "index -1 in dimension 1"),
            ("transposed", "%j, %i", "index 4 in dimension 0")]:
        yield case("load_" + name, "affine.load", [says, "%"], LOAD2.format(index, "// HERE"), plain)
        yield case("store_" + name, "affine.store", [says.replace("loads", "stores").replace(".*4x6xf32", "")],
                   STORE2.format(index, "// HERE"), plain)
    dynamic = ["9xf32=0.5", "9xf32=0.5", "index=9"]
    yield case("dynamic_above", "memref.load", ["index 9 in dimension 0, whose extent is 9"], LOAD1.format("addi"),
               LOAD1.format("muli"), dynamic)
    yield case("dynamic_below", "memref.load", ["index -1 in dimension 0"], LOAD1.format("subi"), LOAD1.format("muli"),
               dynamic)
    yield case("loop_bound", "memref.load", ["index 9 in dimension 0, whose extent is 9"], LOAD1.format("muli"),
               LOAD1.format("muli"), ["9xf32=0.5", "10xf32=0.5", "index=10"], clean_inputs=["9xf32=0.5", "10xf32=0.5", "index=9"])
    for name, values in [("above", "random:1:0:65"), ("below", "random:1:-9:64")]:
        yield case("gather_" + name, "linalg.generic", ["loads outside %.* .*64xf32"], GATHER.format(64),
                   GATHER.format(64), ["64xf32=0.5", "40xi32=" + values], clean_inputs=["64xf32=0.5", "40xi32=random:1:0:64"])
    # Slices and operands of dynamic sizes are checked before the kernel (test/Integration/size-checks.test).
    for name, offset, size in [("above", 10, 23), ("behind", 33, 1), ("below", -1, 3)]:
        for extent in ("32", "?"):
            kind = "dynamic" if extent == "?" else "static"
            says = [rf"the slice \[{offset}\] \[{size}\] \[1\] .* of dimension 0 is not inside of the 32 elements"]
            yield case(f"slice_{name}_{kind}", "tensor.extract_slice", says, SLICE.format(extent, 1),
                       SLICE.format(extent, 1), ["32xf32=0.5", f"index={offset}", f"index={size}"],
                       clean_inputs=["32xf32=0.5", "index=10", "index=22"], code=1)
    yield case("slice_steps", "tensor.extract_slice", [r"the slice \[2\] \[12\] \[3\]"], SLICE.format("32", 3),
               SLICE.format("32", 3), ["32xf32=0.5", "index=2", "index=12"], clean_inputs=["32xf32=0.5", "index=2", "index=10"],
               code=1)
    for name, index, says in [("outer", "%i + 1, %j, %k", "index 3 in dimension 0, whose extent is 3"),
                              ("middle", "%i, %j - 2, %k", "index -2 in dimension 1, whose extent is 4"),
                              ("inner", "%i, %j, %k + 3", "index 5 in dimension 2, whose extent is 5")]:
        yield case("cube_" + name, "affine.load", [says], CUBE.format(index), CUBE.format("%i, %j, %k"))
    yield case("scatter", "memref.store", ["stores outside .* index 8 in dimension 0"], SCATTER, SCATTER, ["8xf32=0.5", "6xi32=1,2,8,3,4,5"],
               clean_inputs=["8xf32=0.5", "6xi32=1,2,7,3,4,0"])
    yield case("vector_tail", "vector.load", ["index 12 in dimension 0, whose extent is 12"], VECTOR, VECTOR,
               ["12xf32=0.5", "16xf32=0.5", "index=12"], clean_inputs=["16xf32=0.5", "16xf32=0.5", "index=12"])
    yield case("sizes_disagree", "linalg.generic", [r"dimension 0 of argument 1 \(%b\) is 9, but dimension 0 of argument 0 \(%a\) is 20"], SUM, SUM,
               ["20xf32=0.5", "9xf32=0.5", "i1=1"], clean_inputs=["20xf32=0.5", "20xf32=0.5", "i1=1"], code=1)
    yield case("put_behind", "tensor.insert_slice", [r"the slice \[30\] \[4\] \[1\]"], PUT, PUT, ["32xf32=0.5", "4xf32=0.5", "index=30"],
               clean_inputs=["32xf32=0.5", "4xf32=0.5", "index=28"], code=1)
