// RUN: mica-opt %s --split-input-file --verify-diagnostics --mica-dispatch-outline-kernels -o /dev/null

#id = affine_map<(i) -> (i)>
// expected-error @+1 {{'func.func' op has groups of ops that need each other's results}}
func.func @group_is_not_convex(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>)
      outs(%e : tensor<4xf32>) attrs = {mica_sched.group = 0 : i64} {
  ^bb0(%in: f32, %out: f32):
    %x = math.exp %in : f32
    linalg.yield %x : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<4xf32>)
      outs(%e : tensor<4xf32>) attrs = {mica_sched.group = 1 : i64} {
  ^bb0(%in: f32, %out: f32):
    %x = math.exp %in : f32
    linalg.yield %x : f32
  } -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%0, %1 : tensor<4xf32>, tensor<4xf32>)
      outs(%e : tensor<4xf32>) attrs = {mica_sched.group = 0 : i64} {
  ^bb0(%in: f32, %in1: f32, %out: f32):
    %x = arith.addf %in, %in1 : f32
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

func.func @group_lies_in_one_block(%a: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.fill {mica_sched.group = 0 : i64} ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.if %c -> tensor<4xf32> {
    // expected-error @+1 {{is in group 0 like an op of another block; a group lies in one block}}
    %1 = linalg.fill {mica_sched.group = 0 : i64} ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    scf.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @type_that_no_kernel_takes(%c: complex<f32>) -> tensor<4xcomplex<f32>> {
  %e = tensor.empty() : tensor<4xcomplex<f32>>
  // expected-error @+1 {{uses a value of type 'complex<f32>', which cannot be passed to a kernel}}
  %0 = linalg.fill {mica_sched.group = 0 : i64} ins(%c : complex<f32>) outs(%e : tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}
