// A loop that launches kernels in each iteration, and does not end: hang-timeout sees that nothing that it carries changes, loop-timeout
// that it takes too long.
// REQUIRES: compiler
// RUN: %python %S/../mica-compile/Inputs/expect_exit.py 4 mica-run %s --entry=halved --input=4xf32=1 --input=f32=0 --mica-debug=hang-timeout=0.4 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNCHANGED
// UNCHANGED: error: the loop mica.while [{{[0-9a-f]*}}] at {{.*}}hang-loop.mlir:{{[0-9]+}}:10 makes no progress: nothing that it carries has changed for {{.*}} s, {{[0-9]+}} iterations; it carries
// UNCHANGED-SAME: %a (4xf32): 0, 0, 0, 0

// RUN: %python %S/../mica-compile/Inputs/expect_exit.py 4 mica-run %s --entry=counted --input=4xf32=1 --input=i64=1000000000000 --mica-debug=loop-timeout=0.4 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LONG
// LONG: error: the loop scf.for [{{[0-9a-f]*}}] at {{.*}}hang-loop.mlir:{{[0-9]+}}:{{[0-9]+}} has run for {{.*}} s (loop-timeout=0.4): {{[0-9]+}} iterations; it carries

// Both end where they should.
// RUN: mica-run %s --entry=halved --input=4xf32=1 --input=f32=0.3 --mica-debug=hang-timeout=30,loop-timeout=30 | FileCheck %s --check-prefix=ENDS
// ENDS: 0.25
// RUN: mica-run %s --entry=counted --input=4xf32=1 --input=i64=2 --mica-debug=hang-timeout=30,loop-timeout=30 | FileCheck %s --check-prefix=TWICE
// TWICE: 4

// A loop whose tensors no longer change ends by itself while its index moves. Entered again and again with the same values, it does not.
// RUN: mica-run %s --entry=settled --input=4xf32=0 --input=i64=100000 --input=0 --mica-debug=hang-timeout=0.05 | FileCheck %s --check-prefix=SETTLED
// SETTLED: 0
// RUN: %python %S/../mica-compile/Inputs/expect_exit.py 4 mica-run %s --entry=settled --input=4xf32=0 --input=i64=3 --input=1 --mica-debug=hang-timeout=0.4 2>&1 \
// RUN:   | FileCheck %s --check-prefix=AGAIN
// AGAIN: makes no progress: nothing that it carries has changed for {{.*}} s, {{[0-9]+}} iterations; it carries {{[0-2]}}, %b (4xf32): 0, 0, 0, 0

// Halves until all is below a limit; a limit of 0 is never reached.
func.func @halved(%x: tensor<4xf32>, %limit: tensor<f32>) -> tensor<4xf32> {
  %half = mica.constant dense<0.5> : tensor<4xf32>

  // Halves.
  %0:1 = mica.while(%x) : (tensor<4xf32>) -> (tensor<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    %zero = arith.constant 0 : index
    %first = tensor.extract %a[%zero] : tensor<4xf32>
    %bound = tensor.extract %limit[] : tensor<f32>
    %more = arith.cmpf oge, %first, %bound : f32
    %1 = tensor.from_elements %more : tensor<i1>
    mica.yield %1 : tensor<i1>
  } do {
  ^bb0(%a: tensor<4xf32>):
    %1 = mica.mul %a, %half : tensor<4xf32>
    mica.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

func.func @counted(%x: tensor<4xf32>, %n: tensor<i64>) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %count = tensor.extract %n[] : tensor<i64>
  %end = arith.index_cast %count : i64 to index
  %r = scf.for %i = %zero to %end step %one iter_args(%a = %x) -> tensor<4xf32> {
    %1 = mica.add %a, %a : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// As long as `again` says, and the result is a number.
func.func @settled(%x: tensor<4xf32>, %n: i64, %again: i1) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.index_cast %n : i64 to index
  %r = scf.while (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %1 = scf.for %i = %zero to %end step %one iter_args(%b = %a) -> tensor<4xf32> {
      %2 = mica.add %b, %b : tensor<4xf32>
      scf.yield %2 : tensor<4xf32>
    }
    // Not a number is not equal to itself.
    %first = tensor.extract %1[%zero] : tensor<4xf32>
    %number = arith.cmpf oeq, %first, %first : f32
    %more = arith.andi %again, %number : i1
    scf.condition(%more) %1 : tensor<4xf32>
  } do {
  ^bb0(%a: tensor<4xf32>):
    scf.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
