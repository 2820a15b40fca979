//===- Passes.td - passes of the area Tensor ----------------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_PASSES
#define MICA_PASSES_TENSOR_PASSES

include "mlir/Pass/PassBase.td"

def AssignIds : Pass<"mica-assign-ids", "mlir::ModuleOp"> {
  let summary = "give every op of the program its id";
  let description = [{
    Runs first in phase `tensor`, on the program as parsed. Each op of a function, constants and terminators apart, gets a
    fused location whose metadata is `mica.op:` and 12 hex digits: the first of the SHA-256 of the function's name, the op's
    kind and the op's ordinal among its kind in the function, one to a line. Operations in a region that is an op's own
    computation (the body of `linalg.generic`, of `tensor.pad`) carry the id of that op; those in control flow (`scf.for`,
    `tosa.while_loop`) have their own.

    Whatever is made later from an op takes its location, and so its id. An op that already carries ids keeps them, so a
    recorded layer can be compiled again.

    On entry: anything. On exit: every op named above carries at least one id.

    Example:

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = math.exp %x : tensor<4xf32> loc("f.mlir":2:8)
      return %0 : tensor<4xf32>
    }
    // becomes: the first op of kind math.exp in @f
      %0 = math.exp %x : tensor<4xf32> loc(fused<"mica.op:a81e53e8196c">["f.mlir":2:8])
    ```
  }];
}

#endif // MICA_PASSES_TENSOR_PASSES
