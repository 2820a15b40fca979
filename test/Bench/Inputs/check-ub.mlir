// What bench_check_ub.py measures: loops over elements, which cost the most, and ops on whole tensors.
func.func @loads(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = arith.constant 200000 : index
  %z = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<256xf32>
  linalg.fill ins(%z : f32) outs(%m : memref<256xf32>)
  %k = arith.constant 255 : index
  %r = scf.for %i = %c0 to %c step %c1 iter_args(%s = %z) -> f32 {
    %j = arith.andi %i, %k : index
    %x = memref.load %m[%j] : memref<256xf32>
    %y = arith.mulf %x, %x : f32
    memref.store %y, %m[%j] : memref<256xf32>
    %t = arith.addf %s, %y : f32
    scf.yield %t : f32
  }
  memref.dealloc %m : memref<256xf32>
  return %r : f32
}
func.func @partly(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = arith.constant 200000 : index
  %z = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<256xf32>
  memref.store %z, %m[%c0] : memref<256xf32>
  %r = scf.for %i = %c0 to %c step %c1 iter_args(%s = %z) -> f32 {
    %x = memref.load %m[%c0] : memref<256xf32>
    %y = arith.mulf %x, %x : f32
    memref.store %y, %m[%c0] : memref<256xf32>
    %t = arith.addf %s, %y : f32
    scf.yield %t : f32
  }
  memref.dealloc %m : memref<256xf32>
  return %r : f32
}
func.func @parallel(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = arith.constant 200000 : index
  %z = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<200000xf32>
  scf.parallel (%i) = (%c0) to (%c) step (%c1) {
    memref.store %z, %m[%i] : memref<200000xf32>
    %x = memref.load %m[%i] : memref<200000xf32>
    scf.reduce
  }
  memref.dealloc %m : memref<200000xf32>
  return
}
func.func @vectors(%n: index) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c = arith.constant 400000 : index
  %z = arith.constant 1.0 : f32
  %v = arith.constant dense<1.0> : vector<8xf32>
  %m = memref.alloc() : memref<400000xf32>
  linalg.fill ins(%z : f32) outs(%m : memref<400000xf32>)
  %r = scf.for %i = %c0 to %c step %c8 iter_args(%s = %v) -> vector<8xf32> {
    %x = vector.load %m[%i] : memref<400000xf32>, vector<8xf32>
    %t = arith.addf %s, %x fastmath<nnan> : vector<8xf32>
    scf.yield %t : vector<8xf32>
  }
  memref.dealloc %m : memref<400000xf32>
  return %r : vector<8xf32>
}
func.func @elementwise(%a: tensor<1000x1000xf32>, %b: tensor<1000x1000xf32>) -> tensor<1000x1000xf32> {
  %0 = arith.addf %a, %b : tensor<1000x1000xf32>
  %1 = arith.mulf %0, %b : tensor<1000x1000xf32>
  %2 = math.tanh %1 : tensor<1000x1000xf32>
  return %2 : tensor<1000x1000xf32>
}
func.func @flags(%a: tensor<1000x1000xf32>, %b: tensor<1000x1000xf32>) -> tensor<1000x1000xf32> {
  %0 = arith.addf %a, %b fastmath<nnan> : tensor<1000x1000xf32>
  %1 = arith.mulf %0, %b fastmath<nnan,ninf> : tensor<1000x1000xf32>
  return %1 : tensor<1000x1000xf32>
}
func.func @generic(%a: tensor<1000x1000xf32>, %b: tensor<1000x1000xf32>) -> tensor<1000x1000xf32> {
  %e = tensor.empty() : tensor<1000x1000xf32>
  %0 = linalg.map { arith.addf } ins(%a, %b : tensor<1000x1000xf32>, tensor<1000x1000xf32>) outs(%e : tensor<1000x1000xf32>)
  return %0 : tensor<1000x1000xf32>
}
func.func @reduce(%a: tensor<1000x1000xf32>) -> tensor<1000xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1000xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<1000x1000xf32>) outs(%i : tensor<1000xf32>) dimensions = [1]
  return %0 : tensor<1000xf32>
}
func.func @matmul(%a: tensor<300x300xf32>, %b: tensor<300x300xf32>) -> tensor<300x300xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<300x300xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<300x300xf32>) -> tensor<300x300xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<300x300xf32>, tensor<300x300xf32>) outs(%i : tensor<300x300xf32>) -> tensor<300x300xf32>
  return %0 : tensor<300x300xf32>
}
func.func @softmax(%a: tensor<1000x500xf32>) -> tensor<1000x500xf32> {
  %e = tensor.empty() : tensor<1000x500xf32>
  %0 = linalg.softmax dimension(1) ins(%a : tensor<1000x500xf32>) outs(%e : tensor<1000x500xf32>) -> tensor<1000x500xf32>
  return %0 : tensor<1000x500xf32>
}
func.func @buffers(%a: tensor<600x600xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %z = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<600x600xf32>
  %n = memref.alloc() : memref<600x600xf32>
  linalg.fill ins(%z : f32) outs(%m : memref<600x600xf32>)
  linalg.transpose ins(%m : memref<600x600xf32>) outs(%n : memref<600x600xf32>) permutation = [1, 0]
  linalg.add ins(%m, %n : memref<600x600xf32>, memref<600x600xf32>) outs(%m : memref<600x600xf32>)
  %r = memref.load %m[%c0, %c0] : memref<600x600xf32>
  return %r : f32
}
