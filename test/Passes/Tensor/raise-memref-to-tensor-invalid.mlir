// RUN: mica-opt %s --split-input-file --verify-diagnostics --mica-tensor-raise-memref-to-tensor

func.func @vectors_leave(%m: memref<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  // expected-error @+1 {{makes a value of type 'vector<4xf32>' beside code that stays outside; scalars can pass between the two}}
  %v = vector.transfer_read %m[%c0], %zero : memref<4xf32>, vector<4xf32>
  return %v : vector<4xf32>
}

// -----

func.func private @print(memref<2x2xf32, strided<[?, ?], offset: ?>>)
func.func @a_layout_without_strides() {
  // expected-error @+1 {{has the layout affine_map<(d0, d1) -> (d1, d0)>, which strides cannot express, and which 'memref.cast' depends on; allocate it without a layout, or apply mlir-opt --normalize-memrefs}}
  %m = memref.alloc() : memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>
  %u = memref.cast %m : memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>> to memref<?x?xf32, affine_map<(d0, d1) -> (d1, d0)>>
  return
}
