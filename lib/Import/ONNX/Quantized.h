//===- Quantized.h - results of quantised operators -----------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_IMPORT_ONNX_QUANTIZED_H
#define MICA_IMPORT_ONNX_QUANTIZED_H

#include "lib/Import/ONNX/Node.h"

namespace mica::importer {

/// Sets result 0 to `sum` (i32) times scaleA * scaleB / y_scale, rounded to nearest even, plus y_zero_point, clamped to
/// the zero point's type. `yScale`, `yZeroPoint`: inputs of the node. The scales are broadcast to the sum.
mlir::LogicalResult requantize(Node &node, mlir::Value sum, mlir::Value scaleA, mlir::Value scaleB, unsigned yScale,
                               unsigned yZeroPoint);

/// A float tensor in unsigned bytes, as DynamicQuantizeLinear makes it. The scale (f32) and the zero point have rank 0.
struct QuantizedTensor {
  mlir::Value values, scale, zeroPoint;
};
QuantizedTensor dynamicallyQuantized(Node &node, mlir::Value input);

/// Input `i` as floats, by the scale and the zero point in the inputs after it.
mlir::Value dequantized(Node &node, unsigned i);
/// Sets result 0, of the type of input `like`, to `real` by the scale and the zero point in inputs `scale` and
/// `scale + 1`.
mlir::LogicalResult setQuantized(Node &node, mlir::Value real, unsigned scale, unsigned like = 0);

} // namespace mica::importer

#endif // MICA_IMPORT_ONNX_QUANTIZED_H
