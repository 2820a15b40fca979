//===- NormOps.td - normalizations ---*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Normalizations beside mica.layer_norm. Their statistics are computed in f32 where the elements are narrower.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_NORM_OPS
#define MICA_NORM_OPS

include "dialects/Mica/IR/MicaEnums.td"

def Mica_RmsNormOp : Mica_SameTypeOp<"rms_norm"> {
  let summary = "Trailing dimensions divided by their root mean square";
  let description = [{
    Along the dimensions from `axis` to the last: `result = input / sqrt(mean of input^2 + epsilon) * scale`. Without
    `scale` it is 1.

    Constraints:
    - (C1) input and scale have one element type, one of the float types;
    - (C2) `axis` is at least 0 and smaller than the operand's rank;
    - (C3) the scale has the shape of the input's dimensions from `axis` to the last;
    - (C4) `epsilon` is finite and not negative;
    - (C5) the result has the operand's type.

    Example:

    ```mlir
    func.func @rms_norm(%x: tensor<?x128x64xf32>, %s: tensor<64xf32>) -> tensor<?x128x64xf32> {
      %0 = mica.rms_norm %x scale %s axis = 2 epsilon = 1.0e-6 : (tensor<?x128x64xf32>, tensor<64xf32>) -> tensor<?x128x64xf32>
      return %0 : tensor<?x128x64xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input, Optional<Mica_Tensor>:$scale, I64Attr:$axis, F64Attr:$epsilon);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = [{
    $input (`scale` $scale^)? `axis` `=` $axis `epsilon` `=` $epsilon attr-dict `:` functional-type(operands, results)
  }];
}

def Mica_BatchNormOp : Mica_SameTypeOp<"batch_norm", [AttrSizedOperandSegments]> {
  let summary = "Channels normalized by a mean and a variance that are given";
  let description = [{
    Batch normalization at inference: for each element of channel c,
    `result = (input - mean[c]) / sqrt(variance[c] + epsilon) * scale[c] + bias[c]`. The channels are dimension `axis`
    (1 for images with the channels first, the last one for images with the channels last). Without `scale` it is 1,
    without `bias` 0.

    Constraints:
    - (C1) all operands have one element type, one of the float types;
    - (C2) `axis` is at least 0 and smaller than the operand's rank;
    - (C3) mean, variance, scale and bias have rank 1 and as many elements as there are channels;
    - (C4) `epsilon` is finite and not negative;
    - (C5) the result has the operand's type.

    Example:

    ```mlir
    func.func @batch_norm(%x: tensor<?x16x32x32xf32>, %m: tensor<16xf32>, %v: tensor<16xf32>, %s: tensor<16xf32>,
                          %b: tensor<16xf32>) -> tensor<?x16x32x32xf32> {
      %0 = mica.batch_norm %x mean %m variance %v scale %s bias %b axis = 1 epsilon = 1.0e-5
         : (tensor<?x16x32x32xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<?x16x32x32xf32>
      return %0 : tensor<?x16x32x32xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input, Mica_Tensor:$mean, Mica_Tensor:$variance, Optional<Mica_Tensor>:$scale,
                       Optional<Mica_Tensor>:$bias, I64Attr:$axis, F64Attr:$epsilon);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = [{
    $input `mean` $mean `variance` $variance (`scale` $scale^)? (`bias` $bias^)? `axis` `=` $axis `epsilon` `=` $epsilon
    attr-dict `:` functional-type(operands, results)
  }];
}

def Mica_GroupNormOp : Mica_SameTypeOp<"group_norm", [AttrSizedOperandSegments]> {
  let summary = "Groups of channels normalized to mean 0 and variance 1";
  let description = [{
    Dimension 0 is the batch, dimension `axis` the channels, which are divided into `groups` of neighbours. For each
    element of the batch and each group, over the channels of the group and all other dimensions: `mean` is the mean of
    `input`, `variance` the mean of `(input - mean)^2`, and
    `result = (input - mean) / sqrt(variance + epsilon) * scale[c] + bias[c]` in channel c. Without `scale` it is 1,
    without `bias` 0. With one group per channel this is instance normalization.

    Constraints:
    - (C1) input, scale and bias have one element type, one of the float types;
    - (C2) `axis` is at least 1 and smaller than the operand's rank;
    - (C3) `groups` is at least 1 and divides the number of channels;
    - (C4) scale and bias have rank 1 and as many elements as there are channels;
    - (C5) `epsilon` is finite and not negative;
    - (C6) the result has the operand's type.

    Example:

    ```mlir
    func.func @group_norm(%x: tensor<?x16x8x8xf32>, %s: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<?x16x8x8xf32> {
      %0 = mica.group_norm %x scale %s bias %b groups = 4 axis = 1 epsilon = 1.0e-5
         : (tensor<?x16x8x8xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<?x16x8x8xf32>
      return %0 : tensor<?x16x8x8xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input, Optional<Mica_Tensor>:$scale, Optional<Mica_Tensor>:$bias, I64Attr:$groups,
                       I64Attr:$axis, F64Attr:$epsilon);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = [{
    $input (`scale` $scale^)? (`bias` $bias^)? `groups` `=` $groups `axis` `=` $axis `epsilon` `=` $epsilon attr-dict
    `:` functional-type(operands, results)
  }];
}

#endif // MICA_NORM_OPS
