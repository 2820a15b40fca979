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

def ConvertTosaToMica : Pass<"convert-tosa-to-mica"> {
  let summary = "Turn operations of tosa into their twins in mica, one to one";
  let description = [{
    On entry: any IR. On exit: each operation of `tosa` that `mica` can say has become one operation of `mica` with its
    location: `add`, `sub`, `mul`, `maximum`, `minimum`, `negate`, `exp`, `tanh`, `erf`, `sigmoid`, `matmul`, `conv2d`,
    `max_pool2d`, `avg_pool2d`, `reduce_sum`, `reduce_max`, `reshape`, `transpose`, `const`. An operation stays in `tosa`
    where its twin has another meaning: zero points or a shift that are not a constant 0, NaN modes other than
    `PROPAGATE`, element types that `mica` does not have, the mean of integers, and dynamic dimensions of elementwise
    operands that are not known to be equal (tosa repeats one that is 1 at run time, mica does not). Constants used by
    operations that stay also stay.

    Example:

    ```mlir
    func.func @mul(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
      %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
      %0 = tosa.mul %a, %b, %shift : (tensor<4xf32>, tensor<4xf32>, tensor<1xi8>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mica::MicaDialect"];
}

def FinishTosaLowering : Pass<"mica-tensor-finish-tosa-lowering"> {
  let summary = "Remove unused constants of tosa, and name every operation of tosa that is left";
  let description = [{
    Runs after upstream's conversions of tosa. On entry: any IR. On exit: no operation of `tosa`; the pass fails where one
    is left that is used or has effects, with an error for each.

    Example:

    ```mlir
    func.func @unused() {
      %0 = tosa.const_shape {values = dense<[2, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
      return
    }
    ```
  }];
}

#endif // MICA_PASSES_TENSOR_PASSES
