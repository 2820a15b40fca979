// RUN: mica-run --target=sim %s | FileCheck %s
// RUN: sed -e 's/%%limit = arith.constant 6/%%limit = arith.constant 9/' %s > %t.wide.mlir
// RUN: not mica-run --target=sim %t.wide.mlir 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: sed -e 's/dense<\[0, 3, 1, 2\]>/dense<[0, 3, 1, 70]>/' %s > %t.gather.mlir
// RUN: not mica-run --target=sim %t.gather.mlir 2>&1 | FileCheck %s --check-prefix=GATHER
// Accesses of several elements: those that are off take no place, so what they would touch may lie outside.

// CHECK: [0,   1,   2,   3,   4,   5,   -1,   -1]
// CHECK-NEXT: [0,   3,   1,   2,   -1,   -1,   -1,   -1]
// CHECK-NEXT: [0,   1,   2,   3,   4,   5,   6,   7]
// CHECK-NEXT: [7,   6,   5,   4,   -1,   -1,   -1,   -1]

// OUTSIDE: bounds: {{.*}} by thread (0,0,0) of block (0,0,0)
// GATHER: bounds: {{.*}} by thread (0,0,0) of block (0,0,0)

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @masked(%in: memref<8xf32>, %out: memref<4x8xf32>)
        workgroup(%ws: memref<8xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %limit = arith.constant 6 : index
      %none = arith.constant dense<-1.0> : vector<16xf32>
      %mask = vector.create_mask %limit : vector<16xi1>
      %some = vector.maskedload %in[%c0], %mask, %none : memref<8xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      vector.maskedstore %out[%c0, %c0], %mask, %some : memref<4x8xf32>, vector<16xi1>, vector<16xf32>
      %order = arith.constant dense<[0, 3, 1, 2]> : vector<4xi32>
      %all = arith.constant dense<true> : vector<4xi1>
      %four = arith.constant dense<0.0> : vector<4xf32>
      %picked = vector.gather %in[%c0] [%order], %all, %four : memref<8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
      vector.store %picked, %out[%c1, %c0] : memref<4x8xf32>, vector<4xf32>
      memref.copy %in, %ws : memref<8xf32> to memref<8xf32, #gpu.address_space<workgroup>>
      scf.for %i = %c0 to %limit step %c1 {
        %v = memref.load %ws[%i] : memref<8xf32, #gpu.address_space<workgroup>>
        memref.store %v, %out[%c2, %i] : memref<4x8xf32>
      }
      %c6 = arith.constant 6 : index
      %rest = vector.load %ws[%c6] : memref<8xf32, #gpu.address_space<workgroup>>, vector<2xf32>
      vector.store %rest, %out[%c2, %c6] : memref<4x8xf32>, vector<2xf32>
      %back = arith.constant dense<[3, 2, 1, 0]> : vector<4xi32>
      %last = vector.load %in[%c6] : memref<8xf32>, vector<2xf32>
      %c4 = arith.constant 4 : index
      %tail = vector.load %in[%c4] : memref<8xf32>, vector<4xf32>
      vector.scatter %out[%c3, %c0] [%back], %all, %tail : memref<4x8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
      gpu.return
    }
  }

  func.func private @printMemrefF32(memref<*xf32>)

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %minus = arith.constant -1.0 : f32
    %in = memref.alloc() : memref<8xf32>
    %out = memref.alloc() : memref<4x8xf32>
    linalg.fill ins(%minus : f32) outs(%out : memref<4x8xf32>)
    scf.for %i = %c0 to %c8 step %c1 {
      %n = arith.index_cast %i : index to i32
      %v = arith.sitofp %n : i32 to f32
      memref.store %v, %in[%i] : memref<8xf32>
    }
    gpu.launch_func @kernels::@masked blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%in : memref<8xf32>, %out : memref<4x8xf32>)
    %cast = memref.cast %out : memref<4x8xf32> to memref<*xf32>
    call @printMemrefF32(%cast) : (memref<*xf32>) -> ()
    return
  }
}
