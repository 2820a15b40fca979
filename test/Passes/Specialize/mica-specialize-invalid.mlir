// RUN: mica-opt %s --split-input-file --verify-diagnostics --mica-specialize="entry=main sizes=0.0=24"

// expected-error@below {{'0.0=24': argument 0 has no dynamic dimension 0}}
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

// -----

// expected-error@below {{'0.0=24': there are 0 arguments}}
func.func @main() {
  return
}

// -----

// expected-error@below {{'0.0=24': argument 0 is no tensor, and tensors alone can be specialized}}
func.func @main(%x: memref<?xf32>) {
  return
}

// -----

// expected-error@below {{entry 'main' cannot be specialized: the program itself calls it}}
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
func.func @caller(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @main(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// expected-error@below {{there is no entry 'main' to specialize}}
module {
  func.func private @main(%x: tensor<?xf32>)
}
