// RUN: mica-opt %s -verify-diagnostics -pass-pipeline='builtin.module(func.func(mica-reference-decompose-tensors))'

func.func @softmax_of_complex(%x: tensor<2x4xcomplex<f32>>, %o: tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>> {
  // expected-error @below {{the reference lowering cannot decompose 'linalg.softmax'}}
  %0 = linalg.softmax dimension(1) ins(%x : tensor<2x4xcomplex<f32>>) outs(%o : tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
  return %0 : tensor<2x4xcomplex<f32>>
}
