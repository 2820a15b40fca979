// Affine loops over buffers, with bounds from maps, a conditional and a reduction.
// RUN: %python %S/same_text.py mica-run %s | FileCheck %s

#upper = affine_map<(d0) -> (d0 + 1)>
#inside = affine_set<(d0, d1) : (d0 - d1 - 1 >= 0)>

func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
func.func private @printF32(f32)
func.func private @printNewline()

// CHECK: rank = 2 offset = 0 sizes = [4, 4] strides = [4, 1] data =
// CHECK-NEXT: {{\[}}[0,   0,   0,   0],
// CHECK-NEXT: [-1,   2,   0,   0],
// CHECK-NEXT: [-2,   -3,   4,   0],
// CHECK-NEXT: [-3,   -4,   -5,   6]]
// CHECK-NEXT: {{^}}-6{{$}}
func.func @main() {
  %zero = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<4x4xf32>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      affine.store %zero, %m[%i, %j] : memref<4x4xf32>
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to #upper(%i) {
      %s = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %j)
      %int = arith.index_cast %s : index to i32
      %f = arith.sitofp %int : i32 to f32
      affine.if #inside(%i, %j) {
        %n = arith.negf %f : f32
        affine.store %n, %m[%i, %j] : memref<4x4xf32>
      } else {
        affine.store %f, %m[%i, %j] : memref<4x4xf32>
      }
    }
  }
  %u = memref.cast %m : memref<4x4xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  %sum = affine.for %i = 0 to 4 iter_args(%outer = %zero) -> f32 {
    %row = affine.for %j = 0 to 4 iter_args(%inner = %outer) -> f32 {
      %x = affine.load %m[%i, %j] : memref<4x4xf32>
      %next = arith.addf %inner, %x : f32
      affine.yield %next : f32
    }
    affine.yield %row : f32
  }
  call @printF32(%sum) : (f32) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %m : memref<4x4xf32>
  return
}
