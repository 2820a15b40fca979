// RUN: mica-opt %s --split-input-file --verify-diagnostics --mica-tensor-verify-input --allow-unregistered-dialect

// All kinds of problems are named in one go.
func.func @ops_of_other_dialects(%m: memref<4xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{op 'gpu.thread_id' is not supported as input; it is specific to a device or runtime}}
  %0 = gpu.thread_id x
  // expected-error @+1 {{op 'memref.realloc' is not supported as input; allocate, copy and load instead}}
  %1 = memref.realloc %m(%n) : memref<4xf32> to memref<?xf32>
  // expected-error @+1 {{op 'other.op' belongs to an unknown dialect; programs are made of mica, linalg}}
  "other.op"() : () -> ()
  %2 = memref.load %m[%c0] : memref<4xf32>
  return %2 : f32
}

// -----

// expected-error @+1 {{'func.func' takes a value of type memref<4xmemref<4xf32>>; buffers hold elements of a type that tensors may have}}
func.func @buffers_of_buffers(%m: memref<4xmemref<4xf32>>) {
  return
}

// -----

func.func @beside(%x: tensor<4xf32>) {
  return
}
// expected-error @+1 {{op 'builtin.module' is not supported as input; a program is one module; move the functions of the inner one out of it}}
module @inner {
}

// -----

// expected-error @+1 {{'func.func' takes a value of type tensor<*xf32>; its rank is unknown; give ranked tensors}}
func.func @unranked(%x: tensor<*xf32>) {
  return
}

// -----

// expected-error @+1 {{'func.func' takes a value of type tensor<4xcomplex<f32>>; element types are f64, f32}}
func.func @element_type(%x: tensor<4xcomplex<f32>>) {
  return
}

// -----

// expected-error @+1 {{function '@nothing' has no body; calls out of the program go to the runtime's helpers}}
func.func private @nothing(tensor<4xf32>)
// One that is not called is no part of the program.
func.func private @unused(tensor<4xf32>)
func.func @calls_nothing(%x: tensor<4xf32>) {
  func.call @nothing(%x) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @calls_itself(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{function '@calls_itself' calls itself; write the recursion as a loop}}
  %0 = func.call @calls_itself(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Each level calls the next 4 times: 4^9 calls of the last.
// expected-error @+1 {{the calls of '@calls_often', inlined, make 371369 ops out of the 44 of the program; the limit is 100000; call a function in a loop (scf.for) instead of many times}}
func.func @calls_often(%x: f32) -> f32 {
  %0 = func.call @l1(%x) : (f32) -> f32
  %1 = func.call @l1(%0) : (f32) -> f32
  %2 = func.call @l1(%1) : (f32) -> f32
  %3 = func.call @l1(%2) : (f32) -> f32
  return %3 : f32
}
func.func private @l1(%x: f32) -> f32 {
  %0 = func.call @l2(%x) : (f32) -> f32
  %1 = func.call @l2(%0) : (f32) -> f32
  %2 = func.call @l2(%1) : (f32) -> f32
  %3 = func.call @l2(%2) : (f32) -> f32
  return %3 : f32
}
func.func private @l2(%x: f32) -> f32 {
  %0 = func.call @l3(%x) : (f32) -> f32
  %1 = func.call @l3(%0) : (f32) -> f32
  %2 = func.call @l3(%1) : (f32) -> f32
  %3 = func.call @l3(%2) : (f32) -> f32
  return %3 : f32
}
func.func private @l3(%x: f32) -> f32 {
  %0 = func.call @l4(%x) : (f32) -> f32
  %1 = func.call @l4(%0) : (f32) -> f32
  %2 = func.call @l4(%1) : (f32) -> f32
  %3 = func.call @l4(%2) : (f32) -> f32
  return %3 : f32
}
func.func private @l4(%x: f32) -> f32 {
  %0 = func.call @l5(%x) : (f32) -> f32
  %1 = func.call @l5(%0) : (f32) -> f32
  %2 = func.call @l5(%1) : (f32) -> f32
  %3 = func.call @l5(%2) : (f32) -> f32
  return %3 : f32
}
func.func private @l5(%x: f32) -> f32 {
  %0 = func.call @l6(%x) : (f32) -> f32
  %1 = func.call @l6(%0) : (f32) -> f32
  %2 = func.call @l6(%1) : (f32) -> f32
  %3 = func.call @l6(%2) : (f32) -> f32
  return %3 : f32
}
func.func private @l6(%x: f32) -> f32 {
  %0 = func.call @l7(%x) : (f32) -> f32
  %1 = func.call @l7(%0) : (f32) -> f32
  %2 = func.call @l7(%1) : (f32) -> f32
  %3 = func.call @l7(%2) : (f32) -> f32
  return %3 : f32
}
func.func private @l7(%x: f32) -> f32 {
  %0 = func.call @l8(%x) : (f32) -> f32
  %1 = func.call @l8(%0) : (f32) -> f32
  %2 = func.call @l8(%1) : (f32) -> f32
  %3 = func.call @l8(%2) : (f32) -> f32
  return %3 : f32
}
func.func private @l8(%x: f32) -> f32 {
  %0 = arith.negf %x : f32
  %1 = arith.negf %0 : f32
  %2 = arith.negf %1 : f32
  return %2 : f32
}

// -----

func.func @elided() -> tensor<4xf32> {
  // expected-error @+1 {{a constant's weights are elided (dense_resource<__elided__>): the file was printed without them; export again}}
  %0 = arith.constant dense_resource<__elided__> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @bytes_missing() -> tensor<4xf32> {
  // expected-error @+1 {{the resource 'weights' has no bytes in the file; the section {-# dialect_resources #-} at the end is missing}}
  %0 = arith.constant dense_resource<weights> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

ml_program.global private mutable @state(dense<0> : tensor<i64>) : tensor<i64>
func.func @stores(%x: tensor<i64>) {
  // expected-error @+1 {{op 'ml_program.global_store' is not supported as input; programs have no state between calls}}
  ml_program.global_store @state = %x : tensor<i64>
  return
}

// -----

// expected-error @+1 {{function '@vectors' takes or returns a vector; users call functions on tensors, buffers and scalars}}
func.func @vectors(%x: vector<8xf64>) -> vector<8xf64> {
  return %x : vector<8xf64>
}

// -----

// MLIR's verifier takes these: what they give is not defined.
func.func @dimensions_that_are_none(%x: tensor<?xf32>, %m: memref<?x4xf32>) -> (index, index, index) {
  %big = arith.constant 9223372036854775807 : index
  %two = arith.constant 2 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{op 'tensor.dim' queries dimension 9223372036854775807 of a value with 1; dimensions count from 0}}
  %0 = tensor.dim %x, %big : tensor<?xf32>
  // expected-error @+1 {{op 'memref.dim' queries dimension 2 of a value with 2; dimensions count from 0}}
  %1 = memref.dim %m, %two : memref<?x4xf32>
  %2 = memref.dim %m, %one : memref<?x4xf32>
  return %0, %1, %2 : index, index, index
}

// -----

func.func private @block_scaled_casts(%x: f8E4M3FN) -> f32 {
  // expected-error @+1 {{op 'arith.scaling_extf' is not supported as input; there is no code for block-scaled types; write arith.extf or truncf, and multiply by the scale}}
  %0 = arith.scaling_extf %x, %x : f8E4M3FN, f8E4M3FN to f32
  return %0 : f32
}

// -----

// MLIR's verifier takes these, but LLVM has no such loads and stores.
func.func private @vectors_in_memory(%m: memref<i32>, %x: memref<8x8xf32>, %v: vector<3xi32>, %k: vector<2x2xi1>, %w: vector<2x2xf32>, %i: index) -> (vector<2x2xf32>, vector<4xf32>) {
  // expected-error @+1 {{op 'affine.vector_store' accesses a vector of rank 1 in a buffer of rank 0; the buffer needs at least as many dimensions as the vector}}
  "affine.vector_store"(%v, %m) <{map = affine_map<() -> ()>}> : (vector<3xi32>, memref<i32>) -> ()
  // expected-error @+1 {{op 'vector.load' accesses a vector of rank 2; write vector.transfer_read or transfer_write, which take every rank}}
  %0 = vector.load %x[%i, %i] : memref<8x8xf32>, vector<2x2xf32>
  // expected-error @+1 {{op 'vector.maskedstore' accesses a vector of rank 2}}
  vector.maskedstore %x[%i, %i], %k, %w : memref<8x8xf32>, vector<2x2xi1>, vector<2x2xf32>
  %1 = vector.load %x[%i, %i] : memref<8x8xf32>, vector<4xf32>
  return %0, %1 : vector<2x2xf32>, vector<4xf32>
}

// -----

func.func private @softmax_of_integers(%x: tensor<2x3xi8>) -> tensor<2x3xi8> {
  // expected-error @+1 {{op 'linalg.softmax' works on elements that are no floats; convert them first (arith.sitofp), and the result back}}
  %0 = linalg.softmax dimension(1) ins(%x : tensor<2x3xi8>) outs(%x : tensor<2x3xi8>) -> tensor<2x3xi8>
  return %0 : tensor<2x3xi8>
}

// -----

func.func private @what_nothing_lowers(%b: memref<4xindex>, %i: index, %m: vector<2x3xi1>, %v: vector<2x3xf32>, %f: memref<2x3xf32>, %x: f32) -> f32 {
  // expected-error @+1 {{op 'arith.index_cast' casts a buffer; cast the elements that are loaded}}
  %0 = arith.index_cast %b : memref<4xindex> to memref<4xi32>
  // expected-error @+1 {{op 'bufferization.clone' makes a buffer of another type; a clone has the shape and the elements of its operand}}
  %1 = bufferization.clone %f : memref<2x3xf32> to memref<6xf32>
  // expected-error @+1 {{op 'vector.compressstore' accesses a vector of rank 2}}
  vector.compressstore %f[%i, %i], %m, %v : memref<2x3xf32>, vector<2x3xi1>, vector<2x3xf32>
  // expected-error @+1 {{op 'memref.atomic_rmw' multiplies, for which kernels have no atomic instruction}}
  %2 = memref.atomic_rmw mulf %x, %f[%i, %i] : (f32, memref<2x3xf32>) -> f32
  return %2 : f32
}

// -----

func.func private @vectors_of_other_elements(%v: vector<2x3xf32>, %a: vector<3xf32>, %b: memref<3xf32>) -> (vector<3xf32>, vector<3xf32>) {
  // expected-error @+1 {{op 'vector.multi_reduction' combines elements of type f32 by xor}}
  %0 = vector.multi_reduction <xor>, %v, %a [0] : vector<2x3xf32> to vector<3xf32>
  // expected-error @+1 {{op 'vector.insert' inserts a value of type memref<3xf32>}}
  %1 = "vector.insert"(%b, %a) <{static_position = array<i64: 0>}> : (memref<3xf32>, vector<3xf32>) -> vector<3xf32>
  // expected-error @+1 {{op 'vector.outerproduct' multiplies by a value of type memref<3xf32>; give a vector, or an element of it}}
  %2 = "vector.outerproduct"(%a, %b, %a) <{kind = #vector.kind<mul>}> : (vector<3xf32>, memref<3xf32>, vector<3xf32>) -> vector<3xf32>
  return %0, %1 : vector<3xf32>, vector<3xf32>
}

// -----

func.func @resized_channels(%a: tensor<2x4x4x1xi8>) -> tensor<3x3x11x2xi8> {
  %scale = tosa.const_shape {values = dense<[2, 4, 4, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<[3, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-error @+2 {{op 'tosa.resize' makes 3 images of 2; it changes heights and widths alone}}
  // expected-error @+1 {{op 'tosa.resize' makes 2 channels of 1; it changes heights and widths alone}}
  %0 = tosa.resize %a, %scale, %offset, %border {mode = NEAREST_NEIGHBOR} : (tensor<2x4x4x1xi8>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<3x3x11x2xi8>
  return %0 : tensor<3x3x11x2xi8>
}

// -----

func.func @divisors(%n: index, %x: memref<8xf32>, %y: tensor<8xf32>) {
  // expected-error @+1 {{op 'affine.apply' divides by 0 in an affine map; floordiv, ceildiv and mod need a divisor above 0}}
  %0 = affine.apply affine_map<()[s0] -> (s0 floordiv 0)>()[%n]
  // expected-error @+1 {{op 'affine.min' divides by -3 in an affine map; floordiv, ceildiv and mod need a divisor above 0}}
  %1 = affine.min affine_map<()[s0] -> (5, s0 mod -3)>()[%n]
  %v = arith.constant 1.0 : f32
  affine.for %i = 0 to 8 {
    // expected-error @+1 {{op 'affine.store' divides by 0 in an affine map; floordiv, ceildiv and mod need a divisor above 0}}
    affine.store %v, %x[%i ceildiv 0] : memref<8xf32>
  }
  return
}

// -----

func.func @forall_step(%x: tensor<8xf32>, %s: tensor<1xf32>) -> tensor<8xf32> {
  %none = arith.constant 0 : index
  // expected-error @+1 {{op 'scf.forall' has the step 0; a step must be above 0}}
  %z = scf.forall (%i) = (0) to (8) step (%none) shared_outs(%o = %x) -> tensor<8xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %z : tensor<8xf32>
}

// -----

func.func @step(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %back = arith.constant -1 : index
  %v = arith.constant 1.0 : f32
  // expected-error @+1 {{op 'scf.for' has the step -1; a step must be above 0}}
  scf.for %i = %c0 to %c8 step %back {
    memref.store %v, %x[%i] : memref<8xf32>
  }
  return
}

// -----

// What has no use is removed; if other ranks execute it, they would wait.

shard.grid @grid(shape = 4)
func.func @sends(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{the result of 'shard.send' has no use, so the exchange would be removed; use it, or return it}}
  %0 = shard.send %x on @grid grid_axes = [0] destination = [1] : (tensor<4xf32>) -> tensor<4xf32>
  return %x : tensor<4xf32>
}

// -----

shard.grid @grid(shape = 4)
func.func @on_some(%x: tensor<4xf32>, %condition: i1) -> tensor<4xf32> {
  scf.if %condition {
    // expected-error @+1 {{the result of 'shard.all_reduce' has no use, so the exchange would be removed; use it, or return it}}
    %0 = shard.all_reduce %x on @grid grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  }
  return %x : tensor<4xf32>
}
