//===- ConstantParts.h - parts of constants that ranks have -------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A rank that slices a constant (mica_sched.collective all_slice) needs its part alone: the parts are stored one after
// the other, and no rank reads those of the others, nor copies its own at each call.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SCHEDULE_CONSTANTPARTS_H
#define MICA_PASSES_SCHEDULE_CONSTANTPARTS_H

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "dialects/MicaSched/IR/PartsAttr.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/SymbolTable.h"

#include <optional>

namespace mica {

/// All parts of a constant, as mica_sched.constant has them.
struct ConstantParts {
  mlir::DenseResourceElementsAttr value; ///< part after part
  llvm::SmallVector<int64_t> grid, axes;
};

/// What `dispatch` slices of a constant, maybe of a slice of one. Nothing if it does something else, if the constant is
/// not stored in a resource, or if parts are no multiple of the alignment of buffers.
std::optional<ConstantParts> slicedConstant(sched::DispatchOp dispatch, mlir::SymbolTableCollection &symbols);

/// The part that a rank has, as a buffer of `type`.
mlir::Value makePart(mlir::OpBuilder &builder, mlir::Location loc, mlir::MemRefType type, const ConstantParts &parts);

} // namespace mica

#endif // MICA_PASSES_SCHEDULE_CONSTANTPARTS_H
