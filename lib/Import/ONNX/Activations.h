//===- Activations.h - activation functions that other operators apply ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The operators of com.microsoft that ONNX Runtime fuses name the function after them.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_IMPORT_ONNX_ACTIVATIONS_H
#define MICA_IMPORT_ONNX_ACTIVATIONS_H

#include "lib/Import/ONNX/Node.h"

namespace mica::importer {

/// Sets result 0 to the activation function `name` of `value`; "" is none. `parameters` are its attributes in the order
/// of the ONNX operator, defaults where they are left out. Refuses other names.
mlir::LogicalResult setActivated(Node &node, mlir::Value value, llvm::StringRef name,
                                 llvm::ArrayRef<double> parameters);

} // namespace mica::importer

#endif // MICA_IMPORT_ONNX_ACTIVATIONS_H
