//===- Passes.td - passes of the area Specialize --------------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SPECIALIZE_PASSES
#define MICA_PASSES_SPECIALIZE_PASSES

include "mlir/Pass/PassBase.td"

def Specialize : Pass<"mica-specialize", "mlir::ModuleOp"> {
  let summary = "Give dynamic dimensions of an entry's arguments sizes, and what follows from them";
  let description = [{
    On entry: a program of phase `input` with the ids of mica-assign-ids. On exit: the entry takes arguments of the sizes
    given, and tensors whose shapes follow from them say so, its results too. Other functions become private, and those that
    nobody calls go.

    Shapes follow through operations of `mica` and `tosa`, destinations of `linalg`, elementwise operations, `tensor.dim`
    and `tensor.empty`; before all others a `tensor.cast` gives back the type from before, and the canonicalization of
    phase `tensor` carries on from there.

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
    Option<"entry", "entry", "std::string", /*default=*/"", "Name of the function">,
    ListOption<"sizes", "sizes", "std::string",
               "ARGUMENT.DIMENSION=SIZE, all counted from 0; the dimension must be dynamic">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

#endif // MICA_PASSES_SPECIALIZE_PASSES
