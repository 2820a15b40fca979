// Ops whose output maps leave elements out: an offset, a stride, a diagonal, a row, a reversed range, the last step.
func.func @offset(%x: tensor<3xf32>, %y: tensor<5xf32>) -> tensor<5xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0 + 1)>], iterator_types = ["parallel"]} ins(%x : tensor<3xf32>) outs(%y : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
func.func @stride(%x: tensor<3xf32>, %y: tensor<5xf32>) -> tensor<5xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(2 * d0)>], iterator_types = ["parallel"]} ins(%x : tensor<3xf32>) outs(%y : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
func.func @stride_add(%x: tensor<3xf32>, %y: tensor<6xf32>) -> tensor<6xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(2 * d0 + 1)>], iterator_types = ["parallel"]} ins(%x : tensor<3xf32>) outs(%y : tensor<6xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
func.func @diag(%x: tensor<3xf32>, %y: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0, d0)>], iterator_types = ["parallel"]} ins(%x : tensor<3xf32>) outs(%y : tensor<3x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}
func.func @diagcopy(%x: tensor<3x3xf32>, %y: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0)->(d0, d0)>, affine_map<(d0)->(d0, d0)>], iterator_types = ["parallel"]} ins(%x : tensor<3x3xf32>) outs(%y : tensor<3x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}
func.func @row(%x: tensor<?xf32>, %y: tensor<3x?xf32>) -> tensor<3x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(1, d0)>], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%y : tensor<3x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<3x?xf32>
  return %0 : tensor<3x?xf32>
}
func.func @reverse(%x: tensor<4xf32>, %y: tensor<6xf32>) -> tensor<6xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(4 - d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%y : tensor<6xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
func.func @reduce_stride(%x: tensor<3x4xf32>, %y: tensor<6xf32>) -> tensor<6xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0,d1)->(d0,d1)>, affine_map<(d0,d1)->(2*d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x4xf32>) outs(%y : tensor<6xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
func.func @last(%x: tensor<3x?xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0,d1)->(d0,d1)>, affine_map<(d0,d1)->(d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x?xf32>) outs(%y : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func @chain(%x: tensor<3xf32>, %y: tensor<6xf32>) -> tensor<6xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0 + 2)>], iterator_types = ["parallel"]} ins(%x : tensor<3xf32>) outs(%y : tensor<6xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<6xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<6xf32>) outs(%y : tensor<6xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  return %1 : tensor<6xf32>
}
func.func @two(%x: tensor<3xf32>, %y: tensor<6xf32>) -> (tensor<6xf32>, tensor<3xf32>) {
  %e = tensor.empty() : tensor<3xf32>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0 + 2)>, affine_map<(d0)->(d0)>], iterator_types = ["parallel"]} ins(%x : tensor<3xf32>) outs(%y, %e : tensor<6xf32>, tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %a, %s : f32, f32
  } -> (tensor<6xf32>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<6xf32>, tensor<3xf32>
}
func.func @membuf(%x: memref<3xf32>, %y: memref<6xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0 + 2)>], iterator_types = ["parallel"]} ins(%x : memref<3xf32>) outs(%y : memref<6xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}
func.func private @callee(%x: tensor<3xf32>, %y: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0, d0)>], iterator_types = ["parallel"]} ins(%x : tensor<3xf32>) outs(%y : tensor<3x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}
func.func @called(%x: tensor<3xf32>, %y: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = func.call @callee(%x, %y) : (tensor<3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}
func.func @layers(%x: tensor<2x3xf32>, %y: tensor<2x4x3xf32>) -> tensor<2x4x3xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0,d1)->(d0,d1)>, affine_map<(d0,d1)->(d0, 2, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x3xf32>) outs(%y : tensor<2x4x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}
