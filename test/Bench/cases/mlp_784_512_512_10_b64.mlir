func.func @main(%x: tensor<64x784xf32>, %w1: tensor<784x512xf32>, %b1: tensor<512xf32>, %w2: tensor<512x512xf32>,
                %b2: tensor<512xf32>, %w3: tensor<512x10xf32>, %b3: tensor<10xf32>) -> tensor<64x10xf32> {
  %c1 = mica.reshape %b1 : (tensor<512xf32>) -> tensor<1x512xf32>
  %c2 = mica.reshape %b2 : (tensor<512xf32>) -> tensor<1x512xf32>
  %c3 = mica.reshape %b3 : (tensor<10xf32>) -> tensor<1x10xf32>
  %0 = mica.matmul %x, %w1 : (tensor<64x784xf32>, tensor<784x512xf32>) -> tensor<64x512xf32>
  %1 = mica.add %0, %c1 : (tensor<64x512xf32>, tensor<1x512xf32>) -> tensor<64x512xf32>
  %2 = mica.relu %1 : tensor<64x512xf32>
  %3 = mica.matmul %2, %w2 : (tensor<64x512xf32>, tensor<512x512xf32>) -> tensor<64x512xf32>
  %4 = mica.add %3, %c2 : (tensor<64x512xf32>, tensor<1x512xf32>) -> tensor<64x512xf32>
  %5 = mica.relu %4 : tensor<64x512xf32>
  %6 = mica.matmul %5, %w3 : (tensor<64x512xf32>, tensor<512x10xf32>) -> tensor<64x10xf32>
  %7 = mica.add %6, %c3 : (tensor<64x10xf32>, tensor<1x10xf32>) -> tensor<64x10xf32>
  return %7 : tensor<64x10xf32>
}
