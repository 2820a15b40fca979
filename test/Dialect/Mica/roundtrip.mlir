// Text and bytecode hold the same: what comes back from bytecode prints as what went in, weights included.

// RUN: mica-opt %S/ops.mlir -o %t.mlir
// RUN: mica-opt %S/ops.mlir -emit-bytecode -o %t.mlirbc
// RUN: mica-opt %t.mlirbc -o %t.back.mlir
// RUN: diff %t.mlir %t.back.mlir

// And the generic form, which shows every attribute, defaults included.

// RUN: mica-opt %S/ops.mlir -mlir-print-op-generic -o %t.generic.mlir
// RUN: mica-opt %t.generic.mlir -o %t.back.mlir
// RUN: diff %t.mlir %t.back.mlir
// RUN: grep -c '"mica\.' %t.generic.mlir | FileCheck %s
// CHECK: {{^[3-9][0-9]$}}
