// Maxima and minima of negated integers.
func.func @wide(%x: tensor<67x5xi32>) -> (tensor<5xi32>, tensor<5xi32>) {
  %0 = mica.neg %x : tensor<67x5xi32>
  %1 = mica.reduce max %0 dims = [0] : (tensor<67x5xi32>) -> tensor<5xi32>
  %2 = mica.reduce min %0 dims = [0] : (tensor<67x5xi32>) -> tensor<5xi32>
  return %1, %2 : tensor<5xi32>, tensor<5xi32>
}
func.func @narrow(%x: tensor<67x8xi8>, %y: tensor<67x8xi16>) -> (tensor<8xi8>, tensor<8xi16>) {
  %0 = mica.neg %x : tensor<67x8xi8>
  %1 = mica.reduce max %0 dims = [0] : (tensor<67x8xi8>) -> tensor<8xi8>
  %2 = mica.neg %y : tensor<67x8xi16>
  %3 = mica.reduce min %2 dims = [0] : (tensor<67x8xi16>) -> tensor<8xi16>
  return %1, %3 : tensor<8xi8>, tensor<8xi16>
}
func.func @side_by_side(%x: tensor<1024xi8>, %y: tensor<1024xi16>) -> (tensor<1024xi8>, tensor<1024xi16>) {
  %0 = mica.neg %x : tensor<1024xi8>
  %1 = mica.neg %y : tensor<1024xi16>
  return %0, %1 : tensor<1024xi8>, tensor<1024xi16>
}
