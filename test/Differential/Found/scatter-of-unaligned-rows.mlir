// A row of 31 i16 has an alignment of 2, the copy of it one of 64: in SPIR-V a copy of memory has one alignment for both.
// run {"entry": "p", "inputs": ["8x31xi16=random:650:-128:128", "3x8xi32=random:407:0:8", "3x8x31xi16=random:805:-32768:32768"], "error": [0.0]}
func.func @p(%a0: tensor<8x31xi16>, %a2: tensor<3x8xi32>, %a3: tensor<3x8x31xi16>) -> tensor<8x31xi16> {
  %v1 = mica.scatter add %a0, %a2, %a3 axis = 0 batch_dims = 0 : (tensor<8x31xi16>, tensor<3x8xi32>, tensor<3x8x31xi16>) -> tensor<8x31xi16>
  return %v1 : tensor<8x31xi16>
}
