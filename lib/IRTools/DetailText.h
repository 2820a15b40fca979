//===- DetailText.h - how two things that differ are shown ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A detail shows where the two part ways, in a line: of long texts the part around the first difference, of tensors the
// first element that differs, of weights their hash. Two that differ are never shown by the same text.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_IRTOOLS_DETAILTEXT_H
#define MICA_LIB_IRTOOLS_DETAILTEXT_H

#include "mica/IRTools/Diff.h"
#include "mica/IRTools/Document.h"

#include "mlir/IR/Value.h"

namespace mica::irtools {

/// `before` and `after` differ; null where there is none on that side.
Detail attributeDetail(std::string what, mlir::Attribute before, mlir::Attribute after);
Detail typeDetail(std::string what, mlir::Type before, mlir::Type after);
/// A value by what makes it, since names differ between texts: "arith.constant 2.5 : f32 of line 4", "argument 0 of
/// func.func".
std::string describeValue(mlir::Value value, const Document &document);
/// "block 2, at line 14".
std::string describeBlock(mlir::Block *block, const Document &document);

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_DETAILTEXT_H
