//===- VerifyControlFlow.cpp - constraints of branches and loops -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The labelled constraints of the operations of ControlFlowOps.td.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/MicaDialect.h"

using namespace mlir;
using namespace mica;

/// The region ends with mica.yield of values of `types`.
static LogicalResult verifyYields(Operation *op, StringRef label, StringRef name, Region &region, TypeRange types) {
  auto yield = dyn_cast<YieldOp>(region.front().getTerminator());
  if (!yield)
    return op->emitOpError() << "(" << label << ") the " << name << " region must end with mica.yield, got "
                             << region.front().getTerminator()->getName();
  if (yield.getValues().getTypes() == types)
    return success();
  InFlightDiagnostic error = op->emitOpError();
  error << "(" << label << ") the " << name << " region must yield (" << types << "), got ("
        << yield.getValues().getTypes() << ")";
  return error;
}

static bool isCondition(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0 && tensor.getElementType().isInteger(1);
}

LogicalResult IfOp::verifyRegions() {
  if (!isCondition(getCondition().getType()))
    return emitOpError() << "(C1) the condition must be a tensor<i1>, got " << getCondition().getType();
  for (Region *region : getRegions())
    if (region->getNumArguments() != 0)
      return emitOpError() << "(C2) the regions take no arguments, but the "
                           << (region == &getThenRegion() ? "first" : "second") << " takes "
                           << region->getNumArguments();
  return failure(failed(verifyYields(*this, "C3", "first", getThenRegion(), getResultTypes())) ||
                 failed(verifyYields(*this, "C3", "second", getElseRegion(), getResultTypes())));
}

LogicalResult WhileOp::verifyRegions() {
  TypeRange carried = getInits().getTypes();
  for (auto [name, types] : {std::pair<StringRef, TypeRange>{"results", getResultTypes()},
                             {"arguments of the first region", getCondition().getArgumentTypes()},
                             {"arguments of the second region", getBody().getArgumentTypes()}})
    if (types != carried)
      return emitOpError() << "(C1) the " << name << " must have the types of the initial values, (" << carried
                           << "), got (" << types << ")";
  Type condition = RankedTensorType::get({}, IntegerType::get(getContext(), 1));
  return failure(failed(verifyYields(*this, "C2", "first", getCondition(), condition)) ||
                 failed(verifyYields(*this, "C3", "second", getBody(), carried)));
}

LogicalResult YieldOp::verify() {
  Operation *parent = (*this)->getParentOp();
  if (isa_and_present<IfOp, WhileOp>(parent))
    return success();
  return emitOpError() << "(C1) must end a region of mica.if or mica.while, got "
                       << (parent ? parent->getName().getStringRef() : "nothing");
}
