// An entry whose own code never ends: the values that its loop carries change, so only loop-timeout tells.
// REQUIRES: compiler
// RUN: %python -c "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:], timeout=100).returncode != 4)" mica-run %s --input=i32=0 --mica-debug=loop-timeout=0.5 2>&1 | FileCheck %s
// CHECK: mica-run: error: the loop scf.while [{{[0-9a-f]+}}] at {{.*}}hang-host.mlir:[[#@LINE+9]]:8 has run for {{[0-9.]+}} s (loop-timeout=0.5): {{[0-9]+}} iterations; it carries
// RUN: mica-run %s --input=i32=7 --mica-debug=hang-timeout=30 | FileCheck %s --check-prefix=ENDS
// ENDS: 7

func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %last = tensor.extract %n[] : tensor<i32>
  // Up to n, in steps of 1, and around the numbers of 32 bits for ever where n is 0.
  %r = scf.while (%i = %zero) : (i32) -> i32 {
    %next = arith.addi %i, %one : i32
    %isend = arith.cmpi ne, %next, %last : i32
    %never = arith.cmpi eq, %last, %zero : i32
    %more = arith.ori %isend, %never : i1
    scf.condition(%more) %next : i32
  } do {
  ^bb0(%i: i32):
    scf.yield %i : i32
  }
  %t = tensor.from_elements %r : tensor<i32>
  return %t : tensor<i32>
}
