// PIPELINE: mica-phase-dispatch
module {
  func.func @size_that_the_type_does_not_say(%arg0: tensor<?xi32>) -> tensor<4x?xi32> {
    %extracted_slice = tensor.extract_slice %arg0[0] [8] [1] : tensor<?xi32> to tensor<8xi32>
    %cast = tensor.cast %extracted_slice : tensor<8xi32> to tensor<?xi32>
    %expanded = tensor.expand_shape %cast [[0, 1]] output_shape [4, 2] : tensor<?xi32> into tensor<4x?xi32>
    return %expanded : tensor<4x?xi32>
  }
}
