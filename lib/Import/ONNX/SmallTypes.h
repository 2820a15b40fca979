//===- SmallTypes.h - element types that programs do not have ------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// float8e4m3fnuz, float8e5m2fnuz and float4e2m1 are carried in f32, which holds each of their numbers, int2 and uint2
// in 4 bits. ONNX converts and moves such elements and computes with none of them, so only conversions round.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_IMPORT_ONNX_SMALLTYPES_H
#define MICA_LIB_IMPORT_ONNX_SMALLTYPES_H

#include "lib/Import/ONNX/Node.h"

namespace mica::importer {

/// The type of TensorProto.DataType `dataType`, if it is one of these; else null.
mlir::Type smallTypeOf(int32_t dataType, mlir::MLIRContext &context);

/// The elements of a constant, a byte each, as bytes of the carrier.
std::string carriedElements(llvm::StringRef bytes, mlir::Type small, bool isUnsigned);

/// Whether the operator moves elements without a look at them.
bool keepsSmallElements(llvm::StringRef op);

/// Refuses a node that takes elements of a small type and neither moves nor converts them.
mlir::LogicalResult checkSmallOperands(Node &node);

/// `value` as the nearest elements of `small`, in its carrier. With `saturates` what is beyond the largest number
/// becomes that number, as float4e2m1 always does.
mlir::Value toSmall(Node &node, mlir::Value value, bool fromUnsigned, mlir::Type small, bool isUnsigned,
                    bool saturates);

/// `value` in a float type of 8 bits; what is beyond the largest number becomes that number.
mlir::Value saturated(Node &node, mlir::Value value, bool fromUnsigned, mlir::Type element);

} // namespace mica::importer

#endif // MICA_LIB_IMPORT_ONNX_SMALLTYPES_H
