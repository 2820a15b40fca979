//===- DetailText.h - describing differences --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A detail describes a difference in one line: for long texts the part around the first difference, for tensors the
// first element that differs, for weights their hashes. Different values never have the same description.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_IRTOOLS_DETAILTEXT_H
#define MICA_LIB_IRTOOLS_DETAILTEXT_H

#include "mica/IRTools/Diff.h"
#include "mica/IRTools/Document.h"

#include "mlir/IR/Value.h"

namespace mica::irtools {

/// `before` and `after` differ; null if absent on that side.
Detail attributeDetail(std::string what, mlir::Attribute before, mlir::Attribute after);
Detail typeDetail(std::string what, mlir::Type before, mlir::Type after);
/// A value by its definition, since names differ between texts: "arith.constant 2.5 : f32 of line 4", "argument 0 of
/// func.func".
std::string describeValue(mlir::Value value, const Document &document);
/// "block 2, at line 14".
std::string describeBlock(mlir::Block *block, const Document &document);

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_DETAILTEXT_H
