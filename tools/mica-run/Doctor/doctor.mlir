// The programs of mica-run --doctor: each goes wrong on some inputs and not on others. Operations that can have positions of their own
// make, so that the doctor knows what a report has to name (lib/RunTool/Doctor/Cases.cpp).
#v = affine_map<(d0) -> (d0)>

// Reads at positions that were loaded: outside where a position is.
func.func @gather(%t: tensor<?xf32>, %at: tensor<?xi64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %at, %c0 : tensor<?xi64>
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%at : tensor<?xi64>) outs(%e : tensor<?xf32>) {
  ^bb0(%i: i64, %o: f32):
    %k = arith.index_cast %i : i64 to index
    %x = tensor.extract %t[%k] : tensor<?xf32> loc("planted-gather":1:1)
    linalg.yield %x : f32
  } -> tensor<?xf32> loc("planted-gather":1:1)
  return %0 : tensor<?xf32>
}

// Writes at positions that were loaded.
func.func @scatter(%x: memref<?xf32>, %at: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %n = memref.dim %at, %c0 : memref<?xi64>
  scf.for %i = %c0 to %n step %c1 {
    %p = memref.load %at[%i] : memref<?xi64>
    %k = arith.index_cast %p : i64 to index
    memref.store %one, %x[%k] : memref<?xf32> loc("planted-scatter":1:1)
  }
  return
}

// Reads the element before and the one after: outside where the second buffer is longer than the first allows.
func.func @shift_by_one(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %y, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.addi %i, %c1 : index
    %0 = memref.load %x[%k] : memref<?xf32> loc("planted-edge":1:1)
    memref.store %0, %y[%i] : memref<?xf32>
  }
  return
}

func.func @slice(%x: tensor<?xf32>, %offset: index, %size: index) -> tensor<?xf32> {
  %0 = tensor.extract_slice %x[%offset] [%size] [1] : tensor<?xf32> to tensor<?xf32> loc("planted-slice":1:1)
  %1 = mica.exp %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}

func.func @divide(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %e = tensor.empty(%n) : tensor<?xi32>
  %0 = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]} ins(%a, %b : tensor<?xi32>, tensor<?xi32>) outs(%e : tensor<?xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %r = arith.divsi %x, %y : i32 loc("planted-division":1:1)
    linalg.yield %r : i32
  } -> tensor<?xi32> loc("planted-division":1:1)
  return %0 : tensor<?xi32>
}

func.func @shift(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %e = tensor.empty(%n) : tensor<?xi32>
  %0 = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]} ins(%a, %b : tensor<?xi32>, tensor<?xi32>) outs(%e : tensor<?xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %r = arith.shli %x, %y : i32 loc("planted-shift":1:1)
    linalg.yield %r : i32
  } -> tensor<?xi32> loc("planted-shift":1:1)
  return %0 : tensor<?xi32>
}

func.func @assert(%x: tensor<?xf32>, %n: i64) -> tensor<?xf32> {
  %zero = arith.constant 0 : i64
  %c = arith.cmpi sgt, %n, %zero : i64
  cf.assert %c, "a number above zero is needed" loc("planted-assert":1:1)
  %0 = mica.exp %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// The NaN originates in the division, and is seen where only the last kernel is checked.
func.func @quotient(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = mica.div %a, %b : tensor<?xf32> loc("planted-nan":1:1)
  return %0 : tensor<?xf32>
}
func.func @quotient_bf16(%a: tensor<?xbf16>, %b: tensor<?xbf16>) -> tensor<?xbf16> {
  %0 = mica.div %a, %b : tensor<?xbf16> loc("planted-nan":2:1)
  return %0 : tensor<?xbf16>
}
func.func @overflow(%a: tensor<?xf64>) -> tensor<?xf64> {
  %0 = mica.exp %a : tensor<?xf64> loc("planted-nan":3:1)
  return %0 : tensor<?xf64>
}
func.func @chain(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = mica.div %a, %b : tensor<8x8xf32> loc("planted-nan":4:1)
  %1 = mica.matmul %0, %w : tensor<8x8xf32>
  %2 = mica.softmax %1 axis = 1 : tensor<8x8xf32> loc("planted-nan":5:1)
  return %2 : tensor<8x8xf32>
}

// Four kernels that wait for nothing, one of which goes wrong.
func.func @side_by_side(%a: tensor<?xi32>, %b: tensor<?xi32>, %x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xi32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %e = tensor.empty(%n) : tensor<?xi32>
  %0 = mica.exp %x : tensor<?xf32>
  %1 = mica.tanh %x : tensor<?xf32>
  %2 = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]} ins(%a, %b : tensor<?xi32>, tensor<?xi32>) outs(%e : tensor<?xi32>) {
  ^bb0(%p: i32, %q: i32, %o: i32):
    %r = arith.remsi %p, %q : i32 loc("planted-fault":1:1)
    linalg.yield %r : i32
  } -> tensor<?xi32> loc("planted-fault":1:1)
  %3 = mica.sqrt %x : tensor<?xf32>
  return %0, %1, %2, %3 : tensor<?xf32>, tensor<?xf32>, tensor<?xi32>, tensor<?xf32>
}

// Comes to no end where the step is 0.
func.func @loop(%x: memref<4xi64>, %step: i64) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %end = arith.constant 1000 : i64
  %r = scf.while (%i = %zero) : (i64) -> i64 {
    %c = arith.cmpi slt, %i, %end : i64
    scf.condition(%c) %i : i64
  } do {
  ^bb0(%i: i64):
    %0 = memref.load %x[%c0] : memref<4xi64>
    %1 = arith.muli %0, %step : i64
    memref.store %1, %x[%c0] : memref<4xi64>
    %2 = arith.addi %i, %1 : i64
    scf.yield %2 : i64
  } loc("planted-loop":1:1)
  return
}

// Uses all of a buffer of which the last elements were not written.
func.func @tail(%x: memref<?xf32>, %r: memref<?xf32>, %left_out: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %end = arith.subi %n, %left_out : index
  %b = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %end step %c1 {
    %0 = memref.load %x[%i] : memref<?xf32>
    %1 = arith.negf %0 : f32
    memref.store %1, %b[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.load %b[%i] : memref<?xf32> loc("planted-tail":1:1)
    %1 = arith.mulf %0, %0 : f32
    memref.store %1, %r[%i] : memref<?xf32>
  }
  return
}
