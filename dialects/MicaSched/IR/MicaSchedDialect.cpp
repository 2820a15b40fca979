//===- MicaSchedDialect.cpp - the dialect `mica_sched` ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Registration of the dialect's types and operations. Verifiers of attributes are in VerifyAttributes.cpp, operations
// in one file per family.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/MicaSchedDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

#include "dialects/MicaSched/IR/MicaSchedDialect.cpp.inc"

#include "dialects/MicaSched/IR/MicaSchedEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/MicaSched/IR/MicaSchedTypes.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/MicaSched/IR/MicaSchedOps.cpp.inc"

namespace {
/// Code on buffers may be inlined, with the checks in it and before it; the dialect's other ops do not exist yet when
/// the inliner runs.
struct MicaSchedInlinerInterface : mlir::DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(mlir::Operation *op, mlir::Region *, bool, mlir::IRMapping &) const final {
    return llvm::isa<mica::sched::BufferRegionOp, mica::sched::CheckReshapeOp, mica::sched::CheckSumOp,
                     mica::sched::CheckSizesOp>(op);
  }
  bool isLegalToInline(mlir::Region *region, mlir::Region *, bool, mlir::IRMapping &) const final {
    return llvm::isa<mica::sched::BufferRegionOp>(region->getParentOp());
  }
};
} // namespace

void mica::sched::MicaSchedDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/MicaSched/IR/MicaSchedTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/MicaSched/IR/MicaSchedOps.cpp.inc"
      >();
  addInterfaces<MicaSchedInlinerInterface>();
}
