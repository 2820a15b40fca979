//===- Passes.td - Specialization pass definitions -----------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SPECIALIZE_PASSES
#define MICA_PASSES_SPECIALIZE_PASSES

include "mlir/Pass/PassBase.td"

def Specialize : Pass<"mica-specialize", "mlir::ModuleOp"> {
  let summary = "Specialize an entry point for static argument sizes";
  let description = [{
    Replaces dynamic dimensions of the entry point's arguments by the sizes given and propagates them. Types of
    values, and of the entry point's results, become static where they follow from these sizes. Other functions
    become private; functions that are no longer called are erased.

    Sizes are propagated through ops of `mica` and `tosa`, destinations of `linalg` ops, elementwise ops,
    `tensor.dim` and `tensor.empty`. In front of any other op, a `tensor.cast` restores the original type, and
    the canonicalization of phase `tensor` propagates from there.

    Precondition: a program of phase `input` with the ids of mica-tensor-assign-ids.

    Example, with `entry=main sizes=0.0=32`:

    ```mlir
    func.func @main(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
      %0 = mica.exp %x : tensor<?x64xf32>
      return %0 : tensor<?x64xf32>
    }
    // becomes
    func.func @main(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
      %0 = mica.exp %x : tensor<32x64xf32>
      return %0 : tensor<32x64xf32>
    }
    ```
  }];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"", "Name of the function to specialize">,
    ListOption<"sizes", "sizes", "std::string",
               "Sizes as ARGUMENT.DIMENSION=SIZE, with arguments and dimensions counted from 0; each of these "
               "dimensions must be dynamic">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

#endif // MICA_PASSES_SPECIALIZE_PASSES
