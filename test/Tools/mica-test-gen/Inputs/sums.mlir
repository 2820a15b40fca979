module attributes {some.thing} {
  func.func private @unused(i32)
  func.func @sum(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %0 = arith.addf %a, %b : tensor<4xf32>
    %1 = arith.mulf %0, %b : tensor<4xf32>
    %2 = arith.addf %a, %b : tensor<4xf32>
    %3 = math.exp %2 : tensor<4xf32>
    return %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  func.func @other(%a: f32) -> f32 {
    return %a : f32
  }
}
