"""The programs of table.py: `// HERE` marks the line at fault."""

BODY = """#m = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<8x{0}>, %b: tensor<8x{0}>) -> tensor<8x{0}> {{
  %e = tensor.empty() : tensor<8x{0}>
  %q = linalg.generic {{indexing_maps = [#m, #m, #m], iterator_types = ["parallel"]}} ins(%a, %b : tensor<8x{0}>, tensor<8x{0}>) outs(%e : tensor<8x{0}>) {{
  ^bb0(%x: {0}, %y: {0}, %o: {0}):
{1}
  }} -> tensor<8x{0}>
  return %q : tensor<8x{0}>
}}
"""
# Fused with what stands before and after it, the fault in the middle.
CHAIN = """func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {{
  %0 = mica.add %a, %b : tensor<4x8xf32>
  %q = {0} // HERE
  %1 = mica.mul %q, %b : tensor<4x8xf32>
  %2 = mica.softmax %1 axis = 1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}}
"""
# Updates its argument, which is overwritten when the fault is found.
UPDATED = """#m = affine_map<(d0) -> (d0)>
func.func @f(%a: memref<8x{0}>, %b: memref<8x{0}>) {{
  linalg.generic {{indexing_maps = [#m, #m], iterator_types = ["parallel"]}} ins(%b : memref<8x{0}>) outs(%a : memref<8x{0}>) {{
  ^bb0(%y: {0}, %x: {0}):
{1}
  }}
  return
}}
"""
# A kernel that writes over its input: a loop carries it.
CARRIED = """#m = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<8xf32> {
    %q = linalg.generic {indexing_maps = [#m], iterator_types = ["parallel"]} outs(%x : tensor<8xf32>) {
    ^bb0(%v: f32):
      %one = arith.constant 1.0 : f32
      %s = arith.subf %v, %one : f32
      %t = math.sqrt %s : f32 // HERE
      linalg.yield %t : f32
    } -> tensor<8xf32>
    scf.yield %q : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
"""
CALLED = """func.func private @norm(%x: tensor<4xf32>) -> tensor<4xf32> {
  %q = mica.log %x : tensor<4xf32> // HERE
  return %q : tensor<4xf32>
}
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @norm(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @norm(%b) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = mica.add %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
"""
NAMED = """#blk = loc("model.py":40:7)
#loc = loc("scores"("attention"(callsite("model.py":12:9 at #blk))))
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mica.neg %a : tensor<4xf32>
  %1 = mica.sqrt %0 : tensor<4xf32> loc(#loc)
  %2 = mica.exp %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
"""
HOST_SCALAR = """func.func @f(%x: memref<4xf32>, %y: f32) -> f32 {{
  %c0 = arith.constant 0 : index
  %0 = memref.load %x[%c0] : memref<4xf32>
  %q = {0} // HERE
  %1 = arith.addf %q, %y : f32
  return %1 : f32
}}
"""
REDUCTION = """func.func @f(%a: tensor<?x5xf32>) -> tensor<?xf32> {
  %q = mica.rsqrt %a : tensor<?x5xf32> // HERE
  %1 = mica.reduce sum %q dims = [1] : (tensor<?x5xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
"""
MATMUL = """func.func @f(%a: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.matmul %a, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %q = mica.log %0 : tensor<4x8xf32> // HERE
  return %q : tensor<4x8xf32>
}
"""
EXTRACT = """#m = affine_map<(d0) -> (d0)>
func.func @f(%t: tensor<10xf32>, %i: tensor<8xi64>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %q = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]} ins(%i : tensor<8xi64>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: i64, %o: f32):
    %k = arith.index_cast %x : i64 to index
    %v = tensor.extract %t[%k] : tensor<10xf32> // HERE
    %w = arith.addf %v, %v : f32
    linalg.yield %w : f32
  } -> tensor<8xf32>
  return %q : tensor<8xf32>
}
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
LOOP_LOG = """func.func @f(%a: memref<10xf32>) -> memref<10xf32> {
  %t = memref.alloc() : memref<10xf32>
  affine.for %i = 0 to 10 {
    %0 = affine.load %a[%i] : memref<10xf32>
    %1 = arith.addf %0, %0 : f32
    affine.store %1, %t[%i] : memref<10xf32>
  }
  affine.for %i = 0 to 10 {
    %0 = affine.load %t[%i] : memref<10xf32>
    %1 = math.log %0 : f32 // HERE
    affine.store %1, %t[%i] : memref<10xf32>
  }
  return %t : memref<10xf32>
}
"""
STORE = """func.func @f(%x: memref<10xi32>, %p: memref<10xi32>) {
  affine.for %i = 0 to 10 {
    %0 = affine.load %p[%i] : memref<10xi32>
    %1 = arith.index_cast %0 : i32 to index
    memref.store %0, %x[%1] : memref<10xi32> // HERE
  }
  return
}
"""
HOST_INDEX = """func.func @f(%x: tensor<4xi64>, %t: tensor<?xf32>) -> tensor<?xf32> {{
  %c0 = arith.constant 0 : index
  %v = tensor.extract %x[%c0] : tensor<4xi64>
  %k = arith.index_cast %v : i64 to index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  {0}
}}
"""
PURE_LOOP = """func.func @f(%n: i64, %step: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %r = scf.while (%i = %zero) : (i64) -> i64 { // HERE
    %c = arith.cmpi slt, %i, %n : i64
    scf.condition(%c) %i : i64
  } do {
  ^bb0(%i: i64):
    %1 = arith.addi %i, %step : i64
    scf.yield %1 : i64
  }
  return %r : i64
}
"""
VIEW = """func.func @f(%m: memref<?xf32>, %o: memref<?xf32>, %at: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.dim %o, %c0 : memref<?xf32>
  %v = memref.subview %m[%at] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  scf.for %i = %c0 to %s step %c1 {
    %x = memref.load %v[%i] : memref<?xf32, strided<[1], offset: ?>> // HERE
    %y = arith.addf %x, %x : f32
    memref.store %y, %o[%i] : memref<?xf32>
  }
  return
}
"""
KERNEL_LOOP = """#m = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<8xi64>, %b: tensor<8xi64>) -> tensor<8xi64> {
  %e = tensor.empty() : tensor<8xi64>
  %q = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel"]} ins(%a, %b : tensor<8xi64>, tensor<8xi64>) outs(%e : tensor<8xi64>) {
  ^bb0(%n: i64, %step: i64, %o: i64):
    %zero = arith.constant 0 : i64
    %r = scf.while (%i = %zero) : (i64) -> i64 { // HERE
      %c = arith.cmpi slt, %i, %n : i64
      scf.condition(%c) %i : i64
    } do {
    ^bb0(%i: i64):
      %1 = arith.addi %i, %step : i64
      scf.yield %1 : i64
    }
    linalg.yield %r : i64
  } -> tensor<8xi64>
  return %q : tensor<8xi64>
}
"""
LAUNCHING_LOOP = """func.func @f(%a: tensor<8xf32>, %d: tensor<8xf32>, %most: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %r = scf.while (%x = %a) : (tensor<8xf32>) -> tensor<8xf32> { // HERE
    %v = tensor.extract %x[%c0] : tensor<8xf32>
    %c = arith.cmpf olt, %v, %most : f32
    scf.condition(%c) %x : tensor<8xf32>
  } do {
  ^bb0(%x: tensor<8xf32>):
    %1 = mica.add %x, %d : tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
"""
RESHAPE = """func.func @f(%a: tensor<?xf32>, %s: tensor<2xindex>) -> tensor<?x?xf32> {
  %0 = mica.exp %a : tensor<?xf32>
  %q = tensor.reshape %0(%s) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32> // HERE
  %1 = mica.neg %q : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
"""
# The kernel overwrites what it reads.
SCATTER = """func.func @f(%a: tensor<10x4xf32>, %i: tensor<3xi64>, %u: tensor<3x4xf32>) -> tensor<10x4xf32> {
  %0 = mica.neg %a : tensor<10x4xf32>
  %q = mica.scatter add %0, %i, %u axis = 0 : (tensor<10x4xf32>, tensor<3xi64>, tensor<3x4xf32>) -> tensor<10x4xf32> // HERE
  return %q : tensor<10x4xf32>
}
"""
DISCARDED = """#m = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %q = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %zero = arith.constant 0.0 : f32
    %l = math.log %x : f32 // HERE
    %c = arith.cmpf ogt, %x, %zero : f32
    %y = arith.select %c, %l, %zero : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  return %q : tensor<8xf32>
}
"""
UNINITIALIZED = """func.func @f(%n: index) -> memref<20xf32> {
  %r = memref.alloc() : memref<20xf32>
  %t = memref.alloc() : memref<20xf32>
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %one, %t[%i] : memref<20xf32>
  }
  affine.for %i = 0 to 20 {
    %0 = affine.load %t[%i] : memref<20xf32> // HERE
    %1 = arith.addf %0, %0 : f32
    affine.store %1, %r[%i] : memref<20xf32>
  }
  return %r : memref<20xf32>
}
"""
# No kernel takes a function that calls itself: it runs as one host function.
RECURSION = """func.func @f(%n: i64, %m: memref<4xi64>, %d: i64) -> i64 {{
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %z = arith.cmpi eq, %n, %c0 : i64
  %r = scf.if %z -> i64 {{
    %i = arith.index_cast %d : i64 to index
    %v = memref.load %m[%i] : memref<4xi64>{0}
    %q = arith.divsi %v, %d : i64{1}
    %p = arith.cmpi sgt, %q, %c0 : i64
    cf.assert %p, "positive"{2}
    scf.yield %q : i64
  }} else {{
    %k = arith.subi %n, %c1 : i64
    %q = func.call @f(%k, %m, %d) : (i64, memref<4xi64>, i64) -> i64
    %s = arith.addi %q, %c1 : i64
    scf.yield %s : i64
  }}
  return %r : i64
}}
"""
# The body of a structured op in such a function, which has a kernel.
RECURSIVE_BODY = """#m = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%a: tensor<2x3xi32>, %b: tensor<2x3xi32>, %n: i64) -> tensor<2x3xi32> {
  %c0 = arith.constant 0 : i64
  %z = arith.cmpi sgt, %n, %c0 : i64
  %r = scf.if %z -> tensor<2x3xi32> {
    %k = arith.subi %c0, %n : i64
    %q = func.call @f(%b, %b, %k) : (tensor<2x3xi32>, tensor<2x3xi32>, i64) -> tensor<2x3xi32>
    scf.yield %q : tensor<2x3xi32>
  } else {
    %e = tensor.empty() : tensor<2x3xi32>
    %q = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<2x3xi32>, tensor<2x3xi32>) outs(%e : tensor<2x3xi32>) {
    ^bb0(%x: i32, %y: i32, %o: i32):
      %c = arith.cmpi sgt, %x, %y : i32
      %d = scf.if %c -> i32 {
        %d = arith.remsi %x, %y : i32 // HERE
        scf.yield %d : i32
      } else {
        scf.yield %x : i32
      }
      linalg.yield %d : i32
    } -> tensor<2x3xi32>
    scf.yield %q : tensor<2x3xi32>
  }
  return %r : tensor<2x3xi32>
}
"""
# An insertion in the terminator of a loop that prints, which is why it has no kernel.
PRINTED_INSERTION = """func.func @f(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c2 = arith.constant 2 : index
  %d = tensor.empty(%n) : tensor<?xf32>
  %r = scf.forall (%i) in (%n) shared_outs(%o = %d) -> tensor<?xf32> {
    %s = tensor.extract_slice %a[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %p = arith.divsi %i, %c2 : index
    %k = arith.addi %i, %p : index
    vector.print %k : index
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%k] [1] [1] : tensor<1xf32> into tensor<?xf32> // HERE
    }
  }
  return %r : tensor<?xf32>
}
"""
# A buffer that is a temporary of the kernel.
LOCAL = """func.func @f(%p: memref<4xi32>, %o: memref<4xf32>) {
  %f = arith.constant 2.0 : f32
  %t = memref.alloc() : memref<5xf32>
  affine.for %i = 0 to 5 {
    affine.store %f, %t[%i] : memref<5xf32>
  }
  affine.for %i = 0 to 4 {
    %k = affine.load %p[%i] : memref<4xi32>
    %j = arith.index_cast %k : i32 to index
    %x = memref.load %t[%j] : memref<5xf32> // HERE
    affine.store %x, %o[%i] : memref<4xf32>
  }
  memref.dealloc %t : memref<5xf32>
  return
}
"""
# Loops in a kernel that would not end, because what a failed check gives is not what they look for.
SEARCH = """func.func @f(%m: memref<4xi32>, %key: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %r:2 = scf.while (%i = %c0, %s = %z) : (index, i32) -> (index, i32) {
    %v = memref.load %m[%i] : memref<4xi32> // HERE
    %c = arith.cmpi ne, %v, %key : i32
    scf.condition(%c) %i, %s : index, i32
  } do {
  ^bb0(%i: index, %s: i32):
    %j = arith.addi %i, %c1 : index
    %v = memref.load %m[%i] : memref<4xi32>
    %t = arith.addi %s, %v : i32
    scf.yield %j, %t : index, i32
  }
  return %r#1 : i32
}
"""
SEARCHES = """#m = affine_map<(d0) -> (d0)>
func.func @f(%t: tensor<8xi32>, %k: tensor<4xi32>) -> tensor<4xi32> {
  %e = tensor.empty() : tensor<4xi32>
  %q = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]} ins(%k : tensor<4xi32>) outs(%e : tensor<4xi32>) {
  ^bb0(%x: i32, %o: i32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.while (%i = %c0) : (index) -> index {
      %v = tensor.extract %t[%i] : tensor<8xi32> // HERE
      %c = arith.cmpi ne, %v, %x : i32
      scf.condition(%c) %i : index
    } do {
    ^bb0(%i: index):
      %j = arith.addi %i, %c1 : index
      scf.yield %j : index
    }
    %p = arith.index_cast %r : index to i32
    linalg.yield %p : i32
  } -> tensor<4xi32>
  return %q : tensor<4xi32>
}
"""
# Vectors have no elements that could be named; the operands of the first lane are.
VECTOR = """func.func @f(%a: memref<16xi32>, %b: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c4 {
    %x = vector.load %a[%i] : memref<16xi32>, vector<4xi32>
    %y = vector.load %b[%i] : memref<16xi32>, vector<4xi32>
    %q = arith.divsi %x, %y : vector<4xi32> // HERE
    vector.store %q, %a[%i] : memref<16xi32>, vector<4xi32>
  }
  return
}
"""
# The buffer is updated in place; in the host function it has a copy.
PARALLEL = """func.func @f(%table: memref<?xi32>, %n: index, %d: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %v = memref.load %table[%i] : memref<?xi32> // HERE
    %q = arith.divsi %v, %d : i32
    %z = arith.cmpi sge, %q, %d : i32
    cf.assert %z, "too small"
    memref.store %q, %table[%i] : memref<?xi32>
    scf.reduce
  }
  return
}
"""
ARGUMENT = """func.func @f(%table: memref<4xi32>, %where: index) -> i32 {
  %0 = memref.load %table[%where] : memref<4xi32> // HERE
  return %0 : i32
}
"""
# Its tensor has settled long before its counter.
SETTLED_LOOP = """func.func @f(%n: i64, %a: tensor<4xf32>) -> (i64, tensor<4xf32>) {{
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r:2 = scf.while (%i = %n, %t = %a) : (i64, tensor<4xf32>) -> (i64, tensor<4xf32>) {{{0}
    %go = arith.cmpi ne, %i, %c0 : i64
    scf.condition(%go) %i, %t : i64, tensor<4xf32>
  }} do {{
  ^bb0(%i: i64, %t: tensor<4xf32>):
    %h = arith.shrsi %i, %c1 : i64
    %s = arith.subi %i, %c1 : i64
    %neg = arith.cmpi slt, %i, %c0 : i64
    %k = arith.select %neg, %h, %s : i64
    %u = math.tanh %t : tensor<4xf32>
    %v = arith.subf %u, %u : tensor<4xf32>
    scf.yield %k, %v : i64, tensor<4xf32>
  }}
  return %r#0, %r#1 : i64, tensor<4xf32>
}}
"""
# The element that divides by 0 is of a dimension that the loop sums over.
REDUCED = """#n = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
func.func @f(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4xi32> {
  %z = arith.constant dense<0> : tensor<4xi32>
  %q = linalg.generic {indexing_maps = [#n, #n, #r], iterator_types = ["parallel", "reduction"]} ins(%a, %b : tensor<4x8xi32>, tensor<4x8xi32>) outs(%z : tensor<4xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %d = arith.divsi %x, %y : i32 // HERE
    %s = arith.addi %o, %d : i32
    linalg.yield %s : i32
  } -> tensor<4xi32>
  return %q : tensor<4xi32>
}
"""
TRANSPOSED = """#n = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
func.func @f(%a: tensor<4x8xi32>, %b: tensor<8x4xi32>) -> tensor<8x4xi32> {
  %e = tensor.empty() : tensor<8x4xi32>
  %q = linalg.generic {indexing_maps = [#t, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<4x8xi32>, tensor<8x4xi32>) outs(%e : tensor<8x4xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %d = arith.remui %y, %x : i32 // HERE
    linalg.yield %d : i32
  } -> tensor<8x4xi32>
  return %q : tensor<8x4xi32>
}
"""
# Two bodies in one kernel, the second at fault because of what the first gives.
SECOND_BODY = """#m = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<8xi32>, %b: tensor<8xi32>) -> tensor<8xi32> {
  %e = tensor.empty() : tensor<8xi32>
  %p = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel"]} ins(%a, %b : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %d = arith.subi %x, %y : i32
    linalg.yield %d : i32
  } -> tensor<8xi32>
  %q = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel"]} ins(%p, %b : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %d = arith.divui %y, %x : i32 // HERE
    linalg.yield %d : i32
  } -> tensor<8xi32>
  return %q : tensor<8xi32>
}
"""
COLLAPSED = """func.func @f(%a: tensor<2x4xi32>, %b: tensor<8xi32>) -> tensor<2x4xi32> {
  %c = tensor.collapse_shape %a [[0, 1]] : tensor<2x4xi32> into tensor<8xi32>
  %q = arith.ceildivsi %b, %c : tensor<8xi32> // HERE
  %e = tensor.expand_shape %q [[0, 1]] output_shape [2, 4] : tensor<8xi32> into tensor<2x4xi32>
  %g = arith.addi %e, %a : tensor<2x4xi32>
  return %g : tensor<2x4xi32>
}
"""
REMAINDER = """#m = affine_map<(d0) -> (d0)>
func.func @f(%t: tensor<8xi32>) -> tensor<8xi32> {
  %e = tensor.empty() : tensor<8xi32>
  %q = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]} ins(%t : tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%x: i32, %o: i32):
    %k = arith.index_cast %x : i32 to index
    %m = affine.apply affine_map<(d0)[s0] -> ((d0 + 3) mod s0)>(%k)[%k] // HERE
    %r = arith.index_cast %m : index to i32
    linalg.yield %r : i32
  } -> tensor<8xi32>
  return %q : tensor<8xi32>
}
"""
SWITCH = """func.func @f(%s: index, %a: i32, %b: i32) -> i32 {
  %r = scf.index_switch %s -> i32
  case 0 {
    %x = arith.divsi %a, %b : i32
    scf.yield %x : i32
  }
  case 1 {
    %x = arith.remui %a, %b : i32 // HERE
    scf.yield %x : i32
  }
  default {
    scf.yield %a : i32
  }
  return %r : i32
}
"""
ASYNC = """func.func @f(%x: memref<4xi64>, %n: i64) -> i64 {
  %t, %v = async.execute -> !async.value<i64> {
    %c1 = arith.constant 1 : index
    %a = memref.load %x[%c1] : memref<4xi64>
    %d = arith.divsi %a, %n : i64 // HERE
    async.yield %d : i64
  }
  %r = async.await %v : !async.value<i64>
  return %r : i64
}
"""
MATRIX = """#m = affine_map<(d0) -> (d0)>
func.func @f(%t: tensor<?x?xf32>, %i: tensor<?xi64>, %j: tensor<?xi64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %i, %c0 : tensor<?xi64>
  %e = tensor.empty(%n) : tensor<?xf32>
  %q = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel"]} ins(%i, %j : tensor<?xi64>, tensor<?xi64>) outs(%e : tensor<?xf32>) {
  ^bb0(%x: i64, %y: i64, %o: f32):
    %k = arith.index_cast %x : i64 to index
    %l = arith.index_cast %y : i64 to index
    %v = tensor.extract %t[%k, %l] : tensor<?x?xf32> // HERE
    %w = arith.mulf %v, %v : f32
    linalg.yield %w : f32
  } -> tensor<?xf32>
  return %q : tensor<?xf32>
}
"""
# The kernel updates a copy of the buffer.
TRIANGLE = """func.func @f(%x: memref<5x5xf32>, %n: index) {
  %c = arith.constant 2.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %e = arith.addi %i, %c1 : index
    scf.for %j = %c0 to %e step %c1 {
      memref.store %c, %x[%i, %j] : memref<5x5xf32> // HERE
    }
  }
  return
}
"""
HISTOGRAM = """func.func @f(%d: memref<8xi32>, %h: memref<4xi32>) {
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %k = memref.load %d[%i] : memref<8xi32>
    %j = arith.index_cast %k : i32 to index
    %r = memref.atomic_rmw addi %one, %h[%j] : (i32, memref<4xi32>) -> i32 // HERE
    scf.reduce
  }
  return
}
"""
PART = """func.func @f(%m: memref<16xf32>, %o: index, %s: index) {
  %c = arith.constant 2.0 : f32
  %v = memref.subview %m[%o] [%s] [1] : memref<16xf32> to memref<?xf32, strided<[1], offset: ?>> // HERE
  linalg.fill ins(%c : f32) outs(%v : memref<?xf32, strided<[1], offset: ?>>)
  return
}
"""
LOADED_VECTOR = """func.func @f(%x: memref<20xf32>, %o: memref<4xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %v = vector.load %x[%k] : memref<20xf32>, vector<4xf32> // HERE
  vector.store %v, %o[%c0] : memref<4xf32>, vector<4xf32>
  return
}
"""
INSERTED = """func.func @f(%t: tensor<6xf32>, %p: tensor<3xi64>) -> tensor<6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %v = arith.constant 5.0 : f32
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %t) -> tensor<6xf32> {
    %k = tensor.extract %p[%i] : tensor<3xi64>
    %j = arith.index_cast %k : i64 to index
    %b = tensor.insert %v into %a[%j] : tensor<6xf32> // HERE
    scf.yield %b : tensor<6xf32>
  }
  return %r : tensor<6xf32>
}
"""
GATHERED = """func.func @f(%t: tensor<6x4xf32>, %i: tensor<3x1xi64>) -> tensor<3x4xf32> {
  %g = tensor.gather %t[%i] gather_dims([0]) : (tensor<6x4xf32>, tensor<3x1xi64>) -> tensor<3x4xf32> // HERE
  %q = mica.exp %g : tensor<3x4xf32>
  return %q : tensor<3x4xf32>
}
"""
ITERATED = """func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> tensor<4x4xf32> {
    %p = mica.matmul %x, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %s = mica.sub %p, %x : tensor<4x4xf32>
    %q = mica.sqrt %s : tensor<4x4xf32> // HERE
    scf.yield %q : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}
"""
ALLOCATED = """func.func @f(%x: memref<8xf32>, %n: memref<8xi64>) {
  %z = arith.constant 0 : index
  affine.parallel (%i) = (0) to (8) {
    %k = affine.load %n[%i] : memref<8xi64>
    %s = arith.index_cast %k : i64 to index
    %m = memref.alloc(%s) : memref<?xf32> // HERE
    %a = affine.load %x[%i] : memref<8xf32>
    memref.store %a, %m[%z] : memref<?xf32>
    %v = memref.load %m[%z] : memref<?xf32>
    memref.dealloc %m : memref<?xf32>
    affine.store %v, %x[%i] : memref<8xf32>
  }
  return
}
"""
UNCHANGING = """func.func @f(%n: i64, %end: i64, %y: f32) -> (i64, f32) {
  %one = arith.constant 1.0 : f32
  %r:2 = scf.while (%i = %n, %z = %y) : (i64, f32) -> (i64, f32) { // HERE
    %c = arith.cmpi ne, %i, %end : i64
    scf.condition(%c) %i, %z : i64, f32
  } do {
  ^bb0(%i: i64, %z: f32):
    %w = arith.addf %z, %one : f32
    scf.yield %i, %w : i64, f32
  }
  return %r#0, %r#1 : i64, f32
}
"""
BROADCAST = """func.func @f(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %a = tosa.exp %x : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %q = tosa.add %a, %y : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32> // HERE
  return %q : tensor<?x4xf32>
}
"""
GENERATED = """func.func @f(%n: index, %t: tensor<6xi64>) -> tensor<?x6xi64> {
  %q = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %v = tensor.extract %t[%j] : tensor<6xi64>
    %k = arith.index_cast %i : index to i64
    %d = arith.divsi %k, %v : i64 // HERE
    tensor.yield %d : i64
  } : tensor<?x6xi64>
  return %q : tensor<?x6xi64>
}
"""
# The body may have no side effects: it is checked behind the update.
ATOMIC = """func.func @f(%h: memref<4xi32>, %d: memref<4xi32>) {
  affine.parallel (%i) = (0) to (4) {
    %y = affine.load %d[%i] : memref<4xi32>
    %r = memref.generic_atomic_rmw %h[%i] : memref<4xi32> {
    ^bb0(%x: i32):
      %q = arith.divsi %x, %y : i32 // HERE
      memref.atomic_yield %q : i32
    }
  }
  return
}
"""
ENDLESS = """#m = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<8xi64>, %b: tensor<8xi64>) -> tensor<8xi64> {
  %e = tensor.empty() : tensor<8xi64>
  %q = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel"]} ins(%a, %b : tensor<8xi64>, tensor<8xi64>) outs(%e : tensor<8xi64>) {
  ^bb0(%x: i64, %y: i64, %o: i64):
    %half = arith.constant 0.5 : f32
    %r:2 = scf.while (%i = %x, %h = %half) : (i64, f32) -> (i64, f32) { // HERE
      %c = arith.cmpi ne, %i, %y : i64
      scf.condition(%c) %i, %h : i64, f32
    } do {
    ^bb0(%i: i64, %h: f32):
      %g = arith.addf %h, %h : f32
      scf.yield %i, %g : i64, f32
    }
    linalg.yield %r#0 : i64
  } -> tensor<8xi64>
  return %q : tensor<8xi64>
}
"""
