func.func @main(%a: tensor<70x104xf32>, %b: tensor<104x68xf32>, %bias: tensor<1x68xf32>, %at: tensor<?x33xf32>, %bt: tensor<40x?xf32>)
    -> (tensor<70x68xf32>, tensor<33x40xf32>) {
  %0 = mica.matmul %a, %b : (tensor<70x104xf32>, tensor<104x68xf32>) -> tensor<70x68xf32>
  %1 = mica.add %0, %bias : (tensor<70x68xf32>, tensor<1x68xf32>) -> tensor<70x68xf32>
  %2 = mica.matmul %at, %bt transpose_a transpose_b : (tensor<?x33xf32>, tensor<40x?xf32>) -> tensor<33x40xf32>
  return %1, %2 : tensor<70x68xf32>, tensor<33x40xf32>
}
