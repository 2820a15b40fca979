func.func @main(%x: tensor<37x700xf32>, %s: tensor<700xf32>, %b: tensor<700xf32>, %y: tensor<?x300xf32>, %l: tensor<3x5000xf32>, %i: tensor<9x333xi8>, %h: tensor<50x7x33xf16>) -> (tensor<37x700xf32>, tensor<37x700xf32>, tensor<37xf32>, tensor<?xf32>, tensor<3xf32>, tensor<3x5000xf32>, tensor<9xi8>, tensor<50xf16>, tensor<f32>) {
  %0 = mica.softmax %x axis = 1 : tensor<37x700xf32>
  %1 = mica.reduce sum %x dims = [1] : (tensor<37x700xf32>) -> tensor<37xf32>
  %2 = mica.layer_norm %x scale %s : tensor<700xf32> bias %b : tensor<700xf32> axis = 1 epsilon = 1.0e-5 : tensor<37x700xf32>
  %6 = mica.reduce sum %y dims = [1] : (tensor<?x300xf32>) -> tensor<?xf32>
  %7 = mica.reduce max %l dims = [1] : (tensor<3x5000xf32>) -> tensor<3xf32>
  %8 = mica.softmax %l axis = 1 : tensor<3x5000xf32>
  %9 = mica.reduce sum %i dims = [1] : (tensor<9x333xi8>) -> tensor<9xi8>
  %10 = mica.reduce max %h dims = [1, 2] : (tensor<50x7x33xf16>) -> tensor<50xf16>
  %11 = mica.reduce sum %l dims = [0, 1] : (tensor<3x5000xf32>) -> tensor<f32>
  return %0, %2, %1, %6, %7, %8, %9, %10, %11 : tensor<37x700xf32>, tensor<37x700xf32>, tensor<37xf32>, tensor<?xf32>, tensor<3xf32>, tensor<3x5000xf32>, tensor<9xi8>, tensor<50xf16>, tensor<f32>
}
