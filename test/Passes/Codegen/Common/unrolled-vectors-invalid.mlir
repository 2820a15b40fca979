// RUN: mica-opt %s --split-input-file --verify-diagnostics --mica-codegen-expand-powers --allow-unregistered-dialect
// RUN: mica-opt %s --split-input-file --verify-diagnostics --mica-reference-expand-vectors --allow-unregistered-dialect

// Passes that write one operation for each element refuse vectors on which they would not end.
func.func @too_long(%x: vector<4611686018427387904x3xf32>, %acc: vector<3xf32>) -> vector<3xf32> {
  // expected-error @+1 {{op has a vector that is too long to be unrolled: got 'vector<4611686018427387904x3xf32>', expected at most 1048576 elements}}
  %0 = vector.multi_reduction <add>, %x, %acc [0] : vector<4611686018427387904x3xf32> to vector<3xf32>
  return %0 : vector<3xf32>
}

// -----

// The longest.
func.func @long_enough(%x: vector<1024x1024xf32>, %acc: vector<1024xf32>) -> vector<1024xf32> {
  %0 = vector.multi_reduction <add>, %x, %acc [1] : vector<1024x1024xf32> to vector<1024xf32>
  return %0 : vector<1024xf32>
}
