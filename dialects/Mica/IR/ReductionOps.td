//===- ReductionOps.td - reductions and normalizations -------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Reductions along dimensions, softmax and layer normalization.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_REDUCTION_OPS
#define MICA_REDUCTION_OPS

include "dialects/Mica/IR/MicaEnums.td"

def Mica_ReduceOp : Mica_InferredOp<"reduce"> {
  let summary = "sum, mean, product, maximum or minimum along dimensions";
  let description = [{
    Reduces the elements along `dims`, in an unspecified order:

    | kind | result | of no elements |
    |---|---|---|
    | `sum` | the sum; integers wrap around | 0 |
    | `mean` | the sum divided by the number of elements | NaN |
    | `prod` | the product; integers wrap around | 1 |
    | `max` | the largest element, NaN if there is one; on `i1` whether any is true | -inf, the smallest integer, false |
    | `min` | the smallest element, NaN if there is one; on `i1` whether all are true | inf, the largest integer, true |

    Sums and products of floats narrower than f32 are accumulated in f32 and rounded once. The reduced
    dimensions are removed, or kept with size 1 if `keep_dims` is given.

    Constraints:
    - (C1) the element type is a float type for `mean`, a float or integer type for `sum` and `prod`, and any
      type for `max` and `min`;
    - (C2) `dims` is not empty, strictly increasing, and within the rank of the operand;
    - (C3) the result has the element type of the operand and the inferred shape.

    Example:

    ```mlir
    func.func @row_sums(%x: tensor<?x64x8xf32>) -> tensor<?x1x1xf32> {
      %0 = mica.reduce sum %x dims = [1, 2] keep_dims : (tensor<?x64x8xf32>) -> tensor<?x1x1xf32>
      return %0 : tensor<?x1x1xf32>
    }
    ```
  }];
  let arguments = (ins Mica_ReduceKindAttr:$kind, Mica_Tensor:$input, DenseI64ArrayAttr:$dims, UnitAttr:$keep_dims);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = [{
    `` $kind $input
    `` custom<Clauses>("\"dims=\"", $dims, "\"keep_dims?\"", $keep_dims)
    attr-dict `:` custom<Types>(type($input), type($result))
  }];
}

def Mica_SoftmaxOp : Mica_SameTypeOp<"softmax", [SameOperandsAndResultType]> {
  let summary = "softmax along one dimension";
  let description = [{
    `result = e^(input - m) / s`, where m is the maximum of `input` and s is the sum of `e^(input - m)` along
    the dimension `axis`. Subtracting the maximum prevents overflow. A row that contains NaN or +inf, or only
    -inf, becomes NaN.

    Constraints:
    - (C1) the element type is a float type;
    - (C2) `axis` is at least 0 and less than the rank of the operand;
    - (C3) the result has the type of the operand.

    Example:

    ```mlir
    func.func @softmax(%x: tensor<?x10xf32>) -> tensor<?x10xf32> {
      %0 = mica.softmax %x axis = 1 : tensor<?x10xf32>
      return %0 : tensor<?x10xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input, I64Attr:$axis);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = "$input `axis` `=` $axis attr-dict `:` type($input)";
}

def Mica_LayerNormOp : Mica_SameTypeOp<"layer_norm", [
    AttrSizedOperandSegments,
    TypesMatchWith<"(C5) the result has the operand's type", "input", "result", "$_self">]> {
  let summary = "normalization of the trailing dimensions to mean 0 and variance 1";
  let description = [{
    Over the dimensions from `axis` to the last one, `mean` is the mean of `input`, `variance` is the mean of
    `(input - mean)^2`, and `result = (input - mean) / sqrt(variance + epsilon) * scale + bias`. If `scale` is
    not given, it is 1; if `bias` is not given, it is 0.

    Constraints:
    - (C1) input, scale and bias have the same element type, a float type;
    - (C2) `axis` is at least 0 and less than the rank of the operand;
    - (C3) scale and bias have the shape of the dimensions of the input from `axis` to the last one;
    - (C4) `epsilon` is finite and not negative;
    - (C5) the result has the type of the operand.

    Example:

    ```mlir
    func.func @layer_norm(%x: tensor<?x128x64xf32>, %s: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<?x128x64xf32> {
      %0 = mica.layer_norm %x scale %s : tensor<64xf32> bias %b : tensor<64xf32> axis = 2 epsilon = 1.0e-5
         : tensor<?x128x64xf32>
      return %0 : tensor<?x128x64xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input, Optional<Mica_Tensor>:$scale, Optional<Mica_Tensor>:$bias, I64Attr:$axis,
                       F64Attr:$epsilon);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = [{
    $input
    `` custom<Clauses>("\"scale $:?\"", $scale, type($scale), "\"bias $:?\"", $bias, type($bias), "\"axis=\"", $axis,
                       "\"epsilon=\"", $epsilon)
    attr-dict `:` type($input)
  }];
}

#endif // MICA_REDUCTION_OPS
