// PIPELINE: mica-reference-decompose-tensors
func.func @main(%x: tensor<2x4xcomplex<f32>>, %o: tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<2x4xcomplex<f32>>) outs(%o : tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
  return %0 : tensor<2x4xcomplex<f32>>
}
