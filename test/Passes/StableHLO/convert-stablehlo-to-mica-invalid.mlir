// What is not converted is refused by name, all at once, and says what is supported.

// RUN: mica-opt %s --convert-stablehlo-to-mica -verify-diagnostics

func.func @f(%a: tensor<4xf32>, %i: tensor<4xi32>, %d: tensor<?xf32>, %u: tensor<4xui8>, %c: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op is not supported in this form: there is no code for the target 'foo'}}
  %0 = stablehlo.custom_call @foo(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{'stablehlo.compare' op is not supported in this form: UNSIGNED on signless integers is not; SIGNED is}}
  %1 = stablehlo.compare LT, %i, %i, UNSIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  // expected-error @+1 {{'stablehlo.exponential' op is not supported in this form: elements are of type i32; it works on floats}}
  %2 = stablehlo.exponential %i : tensor<4xi32>
  // expected-error @+1 {{'stablehlo.add' op is not supported in this form: elements are of type ui8; it works on floats and signed integers}}
  %3 = stablehlo.add %u, %u : tensor<4xui8>
  // expected-error @+1 {{'stablehlo.reshape' op is not supported in this form: the sizes of the result must be static, but for one}}
  %4 = stablehlo.reshape %d : (tensor<?xf32>) -> tensor<?x?xf32>
  %5 = stablehlo.reduce(%a init: %c) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%x: tensor<f32>, %y: tensor<f32>) {
    %t = stablehlo.tanh %x : tensor<f32>
    // expected-error @+1 {{'stablehlo.reshape' op is not supported in this form: in a computation on elements, all values have rank 0}}
    %s = stablehlo.reshape %t : (tensor<f32>) -> tensor<1xf32>
    %6 = stablehlo.reshape %s : (tensor<1xf32>) -> tensor<f32>
    stablehlo.return %6 : tensor<f32>
  }
  // expected-error @+1 {{'stablehlo.all_gather' op is not supported in this form: its groups or pairs are not along axes of one grid of ranks}}
  %7 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<8xf32>
  %8 = stablehlo.constant dense<4> : tensor<1xi64>
  // expected-error @+1 {{'stablehlo.rng' op is not supported in this form: the specification defines no generator for it; rng_bit_generator is supported}}
  %9 = stablehlo.rng %c, %c, %8, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  // expected-error @+1 {{'stablehlo.rng_bit_generator' op is not supported in this form: the state is two 64-bit integers}}
  %10:2 = stablehlo.rng_bit_generator %i, algorithm = PHILOX : (tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  // expected-error @+1 {{'stablehlo.einsum' op is not supported in this form: its labels are letters, '...' and '->'}}
  %11 = stablehlo.einsum %a, %a, config = "aa,a->a" : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{'stablehlo.torch_index_select' op is not supported in this form: 'dim' and 'batch_dims' are not those of its operands}}
  %12 = "stablehlo.torch_index_select"(%a, %i) <{dim = 5 : i64, batch_dims = 0 : i64}> : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  // expected-error @+1 {{'stablehlo.cross-replica-sum' op is not supported in this form: a program runs as one process, without others}}
  %13 = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}
