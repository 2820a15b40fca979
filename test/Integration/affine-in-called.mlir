// RUN: mica-run %s --input=8xf32=random:1 --input=2xf32=7 --input=3 --input=2 --check-reference 2>&1 | FileCheck %s
// RUN: mica-compile %s -o %t --force 2>&1 | FileCheck %s --check-prefix=KERNELS

// Ops of affine in a function that is called in a loop take its arguments as symbols, which the values of the loop are not: they are expanded, the call
// is inlined, and kernels compute the loop's body.
// KERNELS-NOT: warning
// KERNELS: {{[1-9]}} kernel
// CHECK: same
func.func private @store(%x: tensor<8xf32>, %s: tensor<2xf32>, %o: index) -> tensor<8xf32> {
  %z = scf.forall (%i) in (2) shared_outs(%a = %x) -> (tensor<8xf32>) {
    %p = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0)>(%i)[%o]
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %a[%p] [2] [1] : tensor<2xf32> into tensor<8xf32>
    }
  }
  return %z : tensor<8xf32>
}

func.func private @squares(%x: memref<8xf32>, %n: index) {
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xf32>
    %w = affine.if affine_set<(d0)[s0] : (s0 - d0 - 1 >= 0)>(%i)[%n] -> f32 {
      %sq = arith.mulf %v, %v : f32
      affine.yield %sq : f32
    } else {
      affine.yield %v : f32
    }
    affine.store %w, %x[%i] : memref<8xf32>
  }
  return
}
func.func @main(%x: tensor<8xf32>, %s: tensor<2xf32>, %turns: index, %o: index) -> tensor<8xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %m = bufferization.alloc_tensor() copy(%x) : tensor<8xf32>
  %b = bufferization.to_buffer %m : tensor<8xf32> to memref<8xf32>
  scf.for %i = %zero to %turns step %one {
    func.call @squares(%b, %i) : (memref<8xf32>, index) -> ()
  }
  %y = bufferization.to_tensor %b restrict : memref<8xf32> to tensor<8xf32>
  %r = scf.for %i = %zero to %turns step %one iter_args(%a = %y) -> (tensor<8xf32>) {
    %v = func.call @store(%a, %s, %i) : (tensor<8xf32>, tensor<2xf32>, index) -> tensor<8xf32>
    scf.yield %v : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
