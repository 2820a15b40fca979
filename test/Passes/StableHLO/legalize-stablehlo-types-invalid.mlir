// What cannot be carried in another type is refused by name.

// RUN: mica-opt %s --legalize-stablehlo-types -split-input-file -verify-diagnostics

func.func @main(%x: tensor<2xf8E4M3FNUZ>) -> tensor<2xi8> {
  // expected-error @+1 {{'stablehlo.bitcast_convert' op is not supported in this form: the bits of elements that are carried in a wider type}}
  %0 = stablehlo.bitcast_convert %x : (tensor<2xf8E4M3FNUZ>) -> tensor<2xi8>
  return %0 : tensor<2xi8>
}

// -----

func.func @main(%x: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25, 1.0}>>) -> tensor<2xf32> {
  // expected-error @+1 {{'stablehlo.uniform_dequantize' op is not supported in this form: a quantized tensor has one scale for each index of its quantized dimension}}
  %0 = stablehlo.uniform_dequantize %x : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25, 1.0}>>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%x: tensor<2x!quant.uniform<i8:f32, 0.5>>, %c: tensor<!quant.uniform<i8:f32, 0.25>>) -> tensor<!quant.uniform<i8:f32, 0.25>> {
  // expected-error @+1 {{'stablehlo.reduce' op is not supported in this form: all quantized elements have one type}}
  %0 = "stablehlo.reduce"(%x, %c) ({
  ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.25>>, %b: tensor<!quant.uniform<i8:f32, 0.25>>):
    %1 = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 0.25>>
    stablehlo.return %1 : tensor<!quant.uniform<i8:f32, 0.25>>
  }) {dimensions = array<i64: 0>} : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.25>>) -> tensor<!quant.uniform<i8:f32, 0.25>>
  return %0 : tensor<!quant.uniform<i8:f32, 0.25>>
}

// -----

func.func @main(%x: tensor<4xf32>, %c: !stablehlo.token) -> tensor<4xf32> {
  // expected-error @+1 {{'stablehlo.infeed' op is not supported in this form: a program has no queue to a host; make the values arguments and results of the function}}
  %0:2 = "stablehlo.infeed"(%c) <{infeed_config = "", layout = [[0]]}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  // expected-error @+1 {{'stablehlo.outfeed' op is not supported in this form: a program has no queue to a host}}
  %1 = "stablehlo.outfeed"(%x, %c) <{outfeed_config = ""}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  // expected-error @+1 {{'stablehlo.send' op is not supported in this form: a program runs as one process, without others}}
  %2 = "stablehlo.send"(%x, %c) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  // expected-error @+1 {{'stablehlo.recv' op is not supported in this form: a program runs as one process, without others}}
  %3:2 = "stablehlo.recv"(%c) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  // expected-error @+1 {{'stablehlo.async_start' op is not supported in this form: nothing runs asynchronously}}
  %4 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    stablehlo.return %a : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  // expected-error @+1 {{'stablehlo.async_done' op is not supported in this form: nothing runs asynchronously}}
  %5 = "stablehlo.async_done"(%4) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  // expected-error @+1 {{'stablehlo.convert' op is not supported in this form: elements are of type f4E2M1FN, with which no op computes}}
  %6 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xf4E2M1FN>
  // expected-error @+1 {{'stablehlo.convert' op is not supported in this form: elements are of type f6E2M3FN}}
  %7 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xf6E2M3FN>
  // expected-error @+1 {{'stablehlo.convert' op is not supported in this form: elements are of type f6E3M2FN}}
  %8 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xf6E3M2FN>
  // expected-error @+1 {{'stablehlo.convert' op is not supported in this form: elements are of type f8E8M0FNU}}
  %9 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xf8E8M0FNU>
  return %x : tensor<4xf32>
}
