//===- NormOps.td - normalizations ---------------------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Normalizations other than mica.layer_norm. Statistics are computed in f32 if the elements are narrower.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_NORM_OPS
#define MICA_NORM_OPS

include "dialects/Mica/IR/MicaEnums.td"

def Mica_RmsNormOp : Mica_SameTypeOp<"rms_norm"> {
  let summary = "root mean square normalization of the trailing dimensions";
  let description = [{
    Over the dimensions from `axis` to the last one: `result = input / sqrt(mean of input^2 + epsilon) * scale`.
    If `scale` is not given, it is 1.

    Constraints:
    - (C1) input and scale have the same element type, a float type;
    - (C2) `axis` is at least 0 and less than the rank of the operand;
    - (C3) the scale has the shape of the dimensions of the input from `axis` to the last one;
    - (C4) `epsilon` is finite and not negative;
    - (C5) the result has the type of the operand.

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
    $input
    `` custom<Clauses>("\"scale $?\"", $scale, "\"axis=\"", $axis, "\"epsilon=\"", $epsilon)
    attr-dict `:` custom<Types>(type($input), ref($scale), type($scale), type($result))
  }];
}

def Mica_BatchNormOp : Mica_SameTypeOp<"batch_norm", [AttrSizedOperandSegments]> {
  let summary = "batch normalization with given mean and variance";
  let description = [{
    Batch normalization at inference. For each element of channel c,
    `result = (input - mean[c]) / sqrt(variance[c] + epsilon) * scale[c] + bias[c]`. The channels are the
    dimension `axis`: 1 for images in channels-first layout, the last dimension in channels-last layout. If
    `scale` is not given, it is 1; if `bias` is not given, it is 0.

    Constraints:
    - (C1) all operands have the same element type, a float type;
    - (C2) `axis` is at least 0 and less than the rank of the operand;
    - (C3) mean, variance, scale and bias have rank 1 and one element per channel;
    - (C4) `epsilon` is finite and not negative;
    - (C5) the result has the type of the operand.

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
    $input
    `` custom<Clauses>("\"mean $\"", $mean, "\"variance $\"", $variance, "\"scale $?\"", $scale, "\"bias $?\"", $bias,
                       "\"axis=\"", $axis, "\"epsilon=\"", $epsilon)
    attr-dict `:` custom<Types>(type($input), type($mean), type($variance), ref($scale), type($scale), ref($bias),
                                type($bias), type($result))
  }];
}

def Mica_GroupNormOp : Mica_SameTypeOp<"group_norm", [AttrSizedOperandSegments]> {
  let summary = "normalization of groups of channels to mean 0 and variance 1";
  let description = [{
    Dimension 0 is the batch. The dimension `axis` contains the channels, which are divided into `groups` groups
    of consecutive channels. For each element of the batch and each group, over the channels of the group and
    all other dimensions, `mean` is the mean of `input`, `variance` is the mean of `(input - mean)^2`, and
    `result = (input - mean) / sqrt(variance + epsilon) * scale[c] + bias[c]` in channel c. If `scale` is not
    given, it is 1; if `bias` is not given, it is 0. With one channel per group this is instance normalization.

    Constraints:
    - (C1) input, scale and bias have the same element type, a float type;
    - (C2) `axis` is at least 1 and less than the rank of the operand;
    - (C3) `groups` is at least 1 and divides the number of channels;
    - (C4) scale and bias have rank 1 and one element per channel;
    - (C5) `epsilon` is finite and not negative;
    - (C6) the result has the type of the operand.

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
    $input
    `` custom<Clauses>("\"scale $?\"", $scale, "\"bias $?\"", $bias, "\"groups=\"", $groups, "\"axis=\"", $axis,
                       "\"epsilon=\"", $epsilon)
    attr-dict `:` custom<Types>(type($input), ref($scale), type($scale), ref($bias), type($bias), type($result))
  }];
}

#endif // MICA_NORM_OPS
