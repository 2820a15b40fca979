"""Uses of uninitialized elements: tails, heads, rows, accumulators, results, of every type, moved and not moved before."""


def case(name, op, says, faulty, clean, inputs=(), **more):
    return dict(name=name, op=op, says=says, faulty=faulty, clean=clean, inputs=list(inputs), first=True, **more)


# Two loops: what the first writes, the second uses.
LOOPS = """func.func @f(%x: memref<{n}x{t}>, %r: memref<{n}x{t}>) {{
  %b = memref.alloc() : memref<{n}x{t}>
  affine.for %i = {lo} to {hi} {{
    %0 = affine.load %x[%i] : memref<{n}x{t}>
    %1 = {op} %0, %0 : {t}
    affine.store %1, %b[%i] : memref<{n}x{t}>
  }}
  affine.for %i = 0 to {n} {{
    %0 = affine.load %b[%i] : memref<{n}x{t}> // HERE
    %1 = {op} %0, %0 : {t}
    affine.store %1, %r[%i] : memref<{n}x{t}>
  }}
  return
}}
"""
ROWS = """func.func @f(%x: memref<6x9xf32>, %r: memref<6x9xf32>) {{
  %b = memref.alloc() : memref<6x9xf32>
  affine.for %i = 0 to {rows} {{
    affine.for %j = 0 to {columns} step {step} {{
      %0 = affine.load %x[%i, %j] : memref<6x9xf32>
      affine.store %0, %b[%i, %j] : memref<6x9xf32>
    }}
  }}
  affine.for %i = 0 to 6 {{
    affine.for %j = 0 to 9 {{
      %0 = affine.load %b[%i, %j] : memref<6x9xf32> // HERE
      %1 = arith.mulf %0, %0 : f32
      affine.store %1, %r[%i, %j] : memref<6x9xf32>
    }}
  }}
  return
}}
"""
MOVED = """func.func @f(%x: memref<12xf32>, %r: memref<12xf32>) {{
  %a = memref.alloc() : memref<12xf32>
  %b = memref.alloc() : memref<12xf32>
  affine.for %i = 0 to {hi} {{
    %0 = affine.load %x[%i] : memref<12xf32>
    %1 = arith.negf %0 : f32
    affine.store %1, %a[%i] : memref<12xf32>
  }}
  affine.for %i = 0 to 12 {{
    %0 = affine.load %a[%i] : memref<12xf32>
    affine.store %0, %b[-%i + 11] : memref<12xf32>
  }}
  affine.for %i = {lo} to 12 {{
    %0 = affine.load %b[%i] : memref<12xf32> // HERE
    %1 = math.exp %0 : f32
    affine.store %1, %r[%i] : memref<12xf32>
  }}
  return
}}
"""
DYNAMIC = """func.func @f(%x: memref<?xf32>, %r: memref<?xf32>, %n: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc(%n) : memref<?xf32>
  %m = arith.subi %n, %c1 : index
  scf.for %i = %c0 to {upper} step %c1 {{
    %0 = memref.load %x[%i] : memref<?xf32>
    memref.store %0, %b[%i] : memref<?xf32>
  }}
  scf.for %i = %c0 to %n step %c1 {{
    %0 = memref.load %b[%i] : memref<?xf32> // HERE
    %1 = arith.addf %0, %0 : f32
    memref.store %1, %r[%i] : memref<?xf32>
  }}
  return
}}
"""
CONDITION = """func.func @f(%x: memref<8xi32>, %r: memref<8xi32>) {{
  %c5 = arith.constant 5 : i32
  %b = memref.alloc() : memref<8xi1>
  affine.for %i = 0 to {hi} {{
    %0 = affine.load %x[%i] : memref<8xi32>
    %1 = arith.cmpi sgt, %0, %c5 : i32
    affine.store %1, %b[%i] : memref<8xi1>
  }}
  affine.for %i = 0 to 8 {{
    %0 = affine.load %b[%i] : memref<8xi1> // HERE
    scf.if %0 {{
      affine.store %c5, %r[%i] : memref<8xi32>
    }}
  }}
  return
}}
"""
POSITION = """func.func @f(%x: memref<8xf32>, %r: memref<8xf32>) {{
  %c0 = arith.constant 0 : index
  %p = memref.alloc() : memref<8xindex>
  affine.for %i = 0 to {hi} {{
    affine.store %c0, %p[%i] : memref<8xindex>
  }}
  affine.for %i = 0 to 8 {{
    %k = affine.load %p[%i] : memref<8xindex> // HERE
    %0 = memref.load %x[%k] : memref<8xf32>
    affine.store %0, %r[%i] : memref<8xf32>
  }}
  return
}}
"""
CHOSEN = """func.func @f(%x: memref<8xf32>, %r: memref<8xf32>) {{
  %c4 = arith.constant 4 : index
  %b = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 4 {{
    %0 = affine.load %x[%i] : memref<8xf32>
    affine.store %0, %b[%i] : memref<8xf32>
  }}
  affine.for %i = 0 to 8 {{
    %0 = affine.load %b[%i] : memref<8xf32> {0}
    %1 = affine.load %x[%i] : memref<8xf32>
    %c = arith.cmpi {1}, %i, %c4 : index
    %2 = arith.select %c, %0, %1 : f32
    %3 = arith.addf %2, %2 : f32
    affine.store %3, %r[%i] : memref<8xf32>
  }}
  return
}}
"""
VECTOR = """func.func @f(%x: memref<32xf32>, %r: memref<32xf32>) {{
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %hi = arith.constant {hi} : index
  %c32 = arith.constant 32 : index
  %b = memref.alloc() : memref<32xf32>
  scf.for %i = %c0 to %hi step %c8 {{
    %0 = vector.load %x[%i] : memref<32xf32>, vector<8xf32>
    vector.store %0, %b[%i] : memref<32xf32>, vector<8xf32>
  }}
  scf.for %i = %c0 to %c32 step %c8 {{
    %0 = vector.load %b[%i] : memref<32xf32>, vector<8xf32> // HERE
    %1 = arith.addf %0, %0 : vector<8xf32>
    vector.store %1, %r[%i] : memref<32xf32>, vector<8xf32>
  }}
  return
}}
"""
MASKED = """func.func @f(%x: memref<16xf32>, %r: memref<16xf32>) {{
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %pass = arith.constant dense<0.0> : vector<16xf32>
  %m = vector.constant_mask [11] : vector<16xi1>
  %n = vector.constant_mask [{0}] : vector<16xi1>
  %b = memref.alloc() : memref<16xf32>
  %0 = vector.load %x[%c0] : memref<16xf32>, vector<16xf32>
  vector.maskedstore %b[%c0], %m, %0 : memref<16xf32>, vector<16xi1>, vector<16xf32>
  %1 = vector.maskedload %b[%c0], %n, %pass : memref<16xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32> // HERE
  %2 = arith.mulf %1, %1 : vector<16xf32>
  vector.store %2, %r[%c0] : memref<16xf32>, vector<16xf32>
  return
}}
"""
GATHER = """func.func @f(%x: memref<16xf32>, %at: memref<4xi32>, %r: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %pass = arith.constant dense<0.0> : vector<4xf32>
  %m = arith.constant dense<true> : vector<4xi1>
  %b = memref.alloc() : memref<16xf32>
  affine.for %i = 0 to 10 {
    %0 = affine.load %x[%i] : memref<16xf32>
    affine.store %0, %b[%i] : memref<16xf32>
  }
  %k = vector.load %at[%c0] : memref<4xi32>, vector<4xi32>
  %1 = vector.gather %b[%c0] [%k], %m, %pass : memref<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32> // HERE
  %2 = arith.addf %1, %1 : vector<4xf32>
  vector.store %2, %r[%c0] : memref<4xf32>, vector<4xf32>
  return
}
"""
VIEW = """func.func @f(%x: memref<8x8xf32>, %r: memref<4x4xf32>) {{
  %b = memref.alloc() : memref<8x8xf32>
  affine.for %i = 0 to {hi} {{
    affine.for %j = 0 to 8 {{
      %0 = affine.load %x[%i, %j] : memref<8x8xf32>
      affine.store %0, %b[%i, %j] : memref<8x8xf32>
    }}
  }}
  %s = memref.subview %b[3, 2] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: 26>>
  affine.for %i = 0 to 4 {{
    affine.for %j = 0 to 4 {{
      %0 = affine.load %s[%i, %j] : memref<4x4xf32, strided<[8, 1], offset: 26>> // HERE
      %1 = arith.addf %0, %0 : f32
      affine.store %1, %r[%i, %j] : memref<4x4xf32>
    }}
  }}
  return
}}
"""
AGAIN = """func.func @f(%x: memref<8xf32>, %r: memref<8xf32>) {{
  affine.for %k = 0 to 3 {{
    %b = memref.alloc() : memref<8xf32>
    affine.if affine_set<(d0) : ({0})>(%k) {{
      affine.for %i = 0 to 8 {{
        %0 = affine.load %x[%i] : memref<8xf32>
        affine.store %0, %b[%i] : memref<8xf32>
      }}
    }}
    affine.for %i = 0 to 8 {{
      %0 = affine.load %b[%i] : memref<8xf32> // HERE
      %1 = arith.addf %0, %0 : f32
      affine.store %1, %r[%i] : memref<8xf32>
    }}
    memref.dealloc %b : memref<8xf32>
  }}
  return
}}
"""
MATMUL = """func.func @f(%a: tensor<{m}x{k}xf32>, %b: tensor<{k}x{n}xf32>) -> tensor<{m}x{n}xf32> {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{m}x{n}xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>) outs({o} : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32> // HERE
  return %0 : tensor<{m}x{n}xf32>
}}
"""
SUM = """func.func @f(%a: tensor<6x40x{t}>) -> tensor<6x{t}> {{
  %z = arith.constant {z} : {t}
  %e = tensor.empty() : tensor<6x{t}>
  %i = linalg.fill ins(%z : {t}) outs(%e : tensor<6x{t}>) -> tensor<6x{t}>
  %0 = linalg.reduce {{ {add} }} ins(%a : tensor<6x40x{t}>) outs({o} : tensor<6x{t}>) dimensions = [1] // HERE
  return %0 : tensor<6x{t}>
}}
"""
# Kernels of their own: what one leaves out, another one uses.
INSERT = """func.func @f(%x: tensor<8x{n}xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> {{
  %e = tensor.empty() : tensor<8x16xf32>
  %t = math.exp %y : tensor<8x16xf32>
  %i = tensor.insert_slice %x into %e[0, 0] [8, {n}] [1, 1] : tensor<8x{n}xf32> into tensor<8x16xf32>
  %p = tensor.empty() : tensor<16x8xf32>
  %u = linalg.transpose ins(%i : tensor<8x16xf32>) outs(%p : tensor<16x8xf32>) permutation = [1, 0]
  %q = tensor.empty() : tensor<8x8xf32>
  %z = arith.constant 0.0 : f32
  %w = linalg.fill ins(%z : f32) outs(%q : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%t, %u : tensor<8x16xf32>, tensor<16x8xf32>) outs(%w : tensor<8x8xf32>) -> tensor<8x8xf32> // HERE
  %r = tensor.empty() : tensor<8x16xf32>
  %v = linalg.fill ins(%z : f32) outs(%r : tensor<8x16xf32>) -> tensor<8x16xf32>
  %k = linalg.matmul ins(%m, %y : tensor<8x8xf32>, tensor<8x16xf32>) outs(%v : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %k : tensor<8x16xf32>
}}
"""
RESULT = """func.func @f(%x: tensor<{n}xf32>) -> tensor<16xf32> {{
  %e = tensor.empty() : tensor<16xf32>
  %i = tensor.insert_slice %x into %e[0] [{n}] [1] : tensor<{n}xf32> into tensor<16xf32> // HERE
  return %i : tensor<16xf32>
}}
"""
BUFFER_RESULT = """func.func @f(%x: memref<16xf32>) -> memref<16xf32> {{
  %b = memref.alloc() : memref<16xf32>
  affine.for %i = 0 to {0} {{ // HERE
    %0 = affine.load %x[%i] : memref<16xf32>
    %1 = arith.mulf %0, %0 : f32
    affine.store %1, %b[%i] : memref<16xf32>
  }}
  return %b : memref<16xf32>
}}
"""


def loops(name, t, op, says, n=20, lo=0, hi=17):
    fill = dict(t=t, op=op, n=n)
    return case(name, "affine.load", says, LOOPS.format(lo=lo, hi=hi, **fill), LOOPS.format(lo=0, hi=n, **fill))


# The host function reads an element of a tensor that a kernel wrote in part, to choose what comes next.
HOST = """func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {{
  %i = arith.constant {i} : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %s = mica.exp %y : tensor<4xf32>
  %t = tensor.insert_slice %s into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %v = tensor.extract %t[%i] : tensor<8xf32> // HERE
  %p = arith.cmpf ogt, %v, %z : f32
  %r = scf.if %p -> tensor<4xf32> {{
    %0 = mica.exp %x : tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }} else {{
    %1 = mica.neg %x : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }}
  return %r : tensor<4xf32>
}}
"""
# And for the size of a tensor.
HOST_SIZE = """func.func @f(%y: tensor<4xindex>) -> tensor<?xf32> {{
  %i = arith.constant {i} : index
  %z = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8xindex>
  %t = tensor.insert_slice %y into %e[0] [4] [1] : tensor<4xindex> into tensor<8xindex>
  %n = tensor.extract %t[%i] : tensor<8xindex> // HERE
  %r = tensor.splat %z[%n] : tensor<?xf32>
  return %r : tensor<?xf32>
}}
"""


def cases():
    for t, op in [("f32", "arith.addf"), ("f64", "arith.mulf"), ("f16", "arith.addf"), ("bf16", "arith.mulf"),
                  ("f8E4M3FN", "arith.addf"), ("f8E5M2", "arith.mulf"), ("i1", "arith.addi"), ("i4", "arith.addi"),
                  ("i8", "arith.muli"), ("i16", "arith.muli"), ("i32", "arith.addi"), ("i64", "arith.addi"),
                  ("index", "arith.addi")]:
        yield loops(f"tail_{t}", t, op, [f"reads 3 uninitialized elements of %\\w+ \\(inside the kernel\\), the first at \\[17\\]; "
                                         f".*20x{t}.* of memref.alloc .*:2:.*written by affine.store .*:6:"])
    yield loops("head", "f32", "arith.addf", [r"reads 2 uninitialized elements of .*, the first at \[0\]"], lo=2, hi=20)
    yield loops("nothing", "f32", "arith.addf", [r"reads 20 uninitialized elements of .*, the first at \[0\]"], hi=0)
    for name, rows, columns, step, says in [("last_row", 5, 9, 1, r"reads 9 uninitialized elements of .* at \[5, 0\]"),
                                            ("last_column", 6, 8, 1, r"reads 6 uninitialized elements of .* at \[0, 8\]"),
                                            ("every_second", 6, 9, 2, r"reads 24 uninitialized elements of .* at \[0, 1\]")]:
        yield case(name, "affine.load", [says], ROWS.format(rows=rows, columns=columns, step=step), ROWS.format(rows=6, columns=9, step=1))
    # Moved to another buffer first, where the use is: the allocation is the first one. Moved and never used: no fault.
    yield case("moved", "affine.load", [r"reads 4 uninitialized elements of .* at \[0\]; of a buffer .* of memref.alloc \[.*\] at .*:2:"],
               MOVED.format(hi=8, lo=0), MOVED.format(hi=8, lo=4))
    yield case("dynamic", "memref.load", [r"reads 1 uninitialized element of .* at \[6\]"], DYNAMIC.format(upper="%m"), DYNAMIC.format(upper="%n"),
               ["7xf32=1", "7xf32=0", "index=7"])
    yield case("condition", "affine.load", [r"reads 2 uninitialized elements of .* at \[6\]"], CONDITION.format(hi=6), CONDITION.format(hi=8), ["8xi32=9", "8xi32=0"])
    yield case("position", "affine.load", [r"reads 1 uninitialized element of .* at \[7\]"], POSITION.format(hi=7), POSITION.format(hi=8))
    yield case("chosen", "affine.load", [r"reads 4 uninitialized elements of .* at \[4\]"], CHOSEN.format("// HERE", "sge"), CHOSEN.format("", "slt"))
    yield case("vector", "vector.load", [r"reads 16 uninitialized elements of .* at \[16\]"], VECTOR.format(hi=16), VECTOR.format(hi=32))
    yield case("masked", "vector.maskedload", [r"reads 3 uninitialized elements of .* at \[11\]"], MASKED.format(14), MASKED.format(11))
    yield case("gathered", "vector.gather", [r"reads 2 uninitialized elements of .* at \[12\]"], GATHER, GATHER, ["16xf32=1", "4xi32=3,12,9,15", "4xf32=0"],
               clean_inputs=["16xf32=1", "4xi32=3,2,9,0", "4xf32=0"])
    yield case("view", "affine.load", [r"reads 8 uninitialized elements of .* at \[5, 2\]"], VIEW.format(hi=5), VIEW.format(hi=7))
    yield case("allocated_again", "affine.load", [r"reads 16 uninitialized elements of .* at \[0\]"], AGAIN.format("-d0 >= 0"), AGAIN.format("d0 >= 0"))
    for name, m, k, n in [("accumulator", 5, 7, 3), ("accumulator_tiled", 64, 96, 48), ("accumulator_dynamic", 33, 65, 31)]:
        yield case(name, "linalg.matmul", [r"reads \d+ uninitialized elements? of "], MATMUL.format(m=m, k=k, n=n, o="%e"), MATMUL.format(m=m, k=k, n=n, o="%i"))
    for t, z, add in [("f32", "0.0", "arith.addf"), ("i32", "0", "arith.addi")]:
        yield case(f"sum_{t}", "linalg.reduce", [r"reads \d+ uninitialized elements? of"], SUM.format(t=t, z=z, add=add, o="%e"), SUM.format(t=t, z=z, add=add, o="%i"))
    yield case("slot_again", "linalg.matmul", [r"reads \d+ uninitialized elements? of %\w+ .* at \[\d+, \d+\]; of bytes \d+ to \d+ of the arena"],
               INSERT.format(n=13), INSERT.format(n=16))
    yield dict(case("result", "tensor.insert_slice", [r"check failed: result 0 \(16xf32\) of entry 'f' has 4 uninitialized elements, the first at \[12\]"],
                    RESULT.format(n=12), RESULT.format(n=16)), first=False)
    yield dict(case("result_tail", "affine.for", [r"check failed: result 0 \(16xf32\) of entry 'f' has 1 uninitialized element, the first at \[15\]"],
                    BUFFER_RESULT.format(15), BUFFER_RESULT.format(16)), first=False)
    yield case("host_condition", "tensor.extract", [r"reads an uninitialized element; of .*in the host function of entry 'f'"], HOST.format(i=4), HOST.format(i=3))
    yield case("host_size", "tensor.extract", [r"reads an uninitialized element; of .*in the host function of entry 'f'"], HOST_SIZE.format(i=7), HOST_SIZE.format(i=0))
