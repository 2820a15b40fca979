func.func @repeated(%n: tensor<i32>, %x: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
  %0:2 = mica.while(%n, %x) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
  ^bb0(%i: tensor<i32>, %a: tensor<4xf32>):
    %left = tensor.extract %i[] : tensor<i32>
    %zero = arith.constant 0 : i32
    %more = arith.cmpi sgt, %left, %zero : i32
    %1 = tensor.from_elements %more : tensor<i1>
    mica.yield %1 : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %a: tensor<4xf32>):
    %one = mica.constant dense<1> : tensor<i32>
    %1 = mica.sub %i, %one : tensor<i32>
    %2 = mica.add %a, %a : tensor<4xf32>
    mica.yield %1, %2 : tensor<i32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<i32>, tensor<4xf32>
}

func.func @chosen(%c: tensor<i1>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = mica.if %c : (tensor<i1>) -> tensor<?xf32> {
    %1 = mica.exp %x : tensor<?xf32>
    mica.yield %1 : tensor<?xf32>
  } else {
    mica.yield %x : tensor<?xf32>
  }
  %2 = mica.neg %0 : tensor<?xf32>
  return %2 : tensor<?xf32>
}

func.func @decode(%token: tensor<2x8xf32>, %keys: tensor<1x2x6x8xf32>, %values: tensor<1x2x6x8xf32>)
    -> (tensor<2x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>) {
  %start = mica.constant dense<2> : tensor<i64>
  %0:4 = mica.while(%start, %token, %keys, %values)
      : (tensor<i64>, tensor<2x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>)
     -> (tensor<i64>, tensor<2x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>) {
  ^bb0(%p: tensor<i64>, %t: tensor<2x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x6x8xf32>):
    %at = tensor.extract %p[] : tensor<i64>
    %end = arith.constant 6 : i64
    %more = arith.cmpi slt, %at, %end : i64
    %1 = tensor.from_elements %more : tensor<i1>
    mica.yield %1 : tensor<i1>
  } do {
  ^bb0(%p: tensor<i64>, %t: tensor<2x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x6x8xf32>):
    %q = mica.reshape %t : (tensor<2x8xf32>) -> tensor<1x2x1x8xf32>
    %k1 = mica.cache_update %k, %q at %p axis = 2
        : (tensor<1x2x6x8xf32>, tensor<1x2x1x8xf32>, tensor<i64>) -> tensor<1x2x6x8xf32>
    %n = mica.neg %q : tensor<1x2x1x8xf32>
    %v1 = mica.cache_update %v, %n at %p axis = 2
        : (tensor<1x2x6x8xf32>, tensor<1x2x1x8xf32>, tensor<i64>) -> tensor<1x2x6x8xf32>
    %a = mica.attention %q, %k1, %v1 position %p causal
        : (tensor<1x2x1x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>, tensor<i64>) -> tensor<1x2x1x8xf32>
    %next = mica.reshape %a : (tensor<1x2x1x8xf32>) -> tensor<2x8xf32>
    %one = mica.constant dense<1> : tensor<i64>
    %p1 = mica.add %p, %one : tensor<i64>
    mica.yield %p1, %next, %k1, %v1 : tensor<i64>, tensor<2x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>
  }
  return %0#1, %0#2, %0#3 : tensor<2x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>
}
