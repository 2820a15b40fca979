// RUN: mica-opt %s --split-input-file --verify-diagnostics --mica-tensor-raise-memref-to-tensor

func.func @vectors_leave(%m: memref<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  // expected-error @+1 {{makes a value of type 'vector<4xf32>' beside code that stays outside; scalars can pass between the two}}
  %v = vector.transfer_read %m[%c0], %zero : memref<4xf32>, vector<4xf32>
  return %v : vector<4xf32>
}
