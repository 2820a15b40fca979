// PIPELINE: builtin.module(func.func(mica-reference-expand-vectors))
module {
  func.func @sums(%arg0: vector<4611686018427387904x3xf32>, %arg1: vector<3xf32>) -> vector<3xf32> {
    %0 = vector.multi_reduction <add>, %arg0, %arg1 [0] : vector<4611686018427387904x3xf32> to vector<3xf32>
    return %0 : vector<3xf32>
  }
  func.func @all(%arg0: vector<4611686018427387904x3xi32>, %arg1: i32) -> i32 {
    %0 = vector.multi_reduction <xor>, %arg0, %arg1 [0, 1] : vector<4611686018427387904x3xi32> to i32
    return %0 : i32
  }
  func.func @scan(%arg0: vector<4611686018427387904x3xi32>, %arg1: vector<3xi32>) -> vector<4611686018427387904x3xi32> {
    %dest, %accumulated_value = vector.scan <add>, %arg0, %arg1 {inclusive = true, reduction_dim = 0 : i64} : vector<4611686018427387904x3xi32>, vector<3xi32>
    return %dest : vector<4611686018427387904x3xi32>
  }
  func.func @narrow(%arg0: memref<4611686018427387904xi4>, %arg1: memref<4611686018427387904xi1>, %arg2: index, %arg3: vector<4611686018427387904xi1>) {
    %0 = vector.load %arg0[%arg2] : memref<4611686018427387904xi4>, vector<4611686018427387904xi4>
    %cst = arith.constant dense<0> : vector<4611686018427387904xi4>
    %1 = arith.cmpi eq, %0, %cst : vector<4611686018427387904xi4>
    vector.maskedstore %arg1[%arg2], %1, %arg3 : memref<4611686018427387904xi1>, vector<4611686018427387904xi1>, vector<4611686018427387904xi1>
    return
  }
}