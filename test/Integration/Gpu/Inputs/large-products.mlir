func.func @main(%ah: tensor<2048x2048xf16>, %bh: tensor<2048x2048xf16>, %ab: tensor<2048x2048xbf16>, %bb: tensor<2048x2048xbf16>,
                %as: tensor<2048x2048xf32>, %bs: tensor<2048x2048xf32>, %ad: tensor<512x512xf64>, %bd: tensor<512x512xf64>)
    -> (tensor<2048x2048xf16>, tensor<2048x2048xbf16>, tensor<2048x2048xf32>, tensor<512x512xf64>) {
  %0 = mica.matmul %ah, %bh : tensor<2048x2048xf16>
  %1 = mica.matmul %ab, %bb : tensor<2048x2048xbf16>
  %2 = mica.matmul %as, %bs : tensor<2048x2048xf32>
  %3 = mica.matmul %ad, %bd : tensor<512x512xf64>
  return %0, %1, %2, %3 : tensor<2048x2048xf16>, tensor<2048x2048xbf16>, tensor<2048x2048xf32>, tensor<512x512xf64>
}
