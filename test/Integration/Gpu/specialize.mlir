// Programs for certain sizes are for the device of the program they are made of.
// REQUIRES: compiler
// RUN: rm -rf %t.cache && env MICA_CACHE_DIR=%t.cache MICA_LOGS=recompiles mica-run %s --target=sim --input=4x8xf32=1 --mica-debug=specialize=exact,specialize-wait,op-log-level=info 2>&1 | FileCheck %s
// CHECK: main is compiled for the sizes of its first call: main:0.0=4
// CHECK: [OP] COMPLETE exp [id=1] target=sim:0

func.func @main(%a: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = "mica.exp"(%a) : (tensor<?x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
