//===- HostOps.cpp - ops of host functions ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Constraints of submit, result, alloc and host_functions.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/MicaSchedDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mica::sched;

LogicalResult SubmitOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto list = symbols.lookupNearestSymbolFrom<TaskListOp>(*this, getListAttr());
  if (!list)
    return emitOpError() << "(C1) names '" << getList() << "', which is no task list of this program";
  auto types = llvm::map_range(list.getBufferParameters(), [](BlockArgument a) { return a.getType(); });
  if (!llvm::equal(getBuffers().getTypes(), types))
    return emitOpError() << "(C2) passes buffers (" << getBuffers().getTypes() << "), which are not those that list '"
                         << getList() << "' takes";
  if (getScalars().size() != list.getScalarParameters().size())
    return emitOpError() << "(C2) passes " << getScalars().size() << " scalars, but list '" << getList() << "' takes "
                         << list.getScalarParameters().size();
  return success();
}

/// (C1) of the ops that allocate memory.
static LogicalResult verifyMemory(Operation *op, Type type, size_t sizes) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || !memref.getLayout().isIdentity())
    return op->emitOpError() << "(C1) must have identity layout, got " << type;
  if (static_cast<size_t>(memref.getNumDynamicDims()) != sizes)
    return op->emitOpError() << "(C1) gives " << sizes << " sizes for " << memref.getNumDynamicDims()
                             << " dynamic dimensions";
  return success();
}

LogicalResult ResultOp::verify() {
  if (failed(verifyMemory(*this, getType(), getSizes().size())))
    return failure();
  // After the host function became an llvm.func, its type has no results.
  auto func = (*this)->getParentOfType<FunctionOpInterface>();
  if (func && func->getName().getDialectNamespace() == "func" && getIndex() >= func.getNumResults())
    return emitOpError() << "(C2) is result " << getIndex() << " of a function of " << func.getNumResults();
  return success();
}

LogicalResult ByteSizeOp::verify() {
  if (failed(verifyMemory(*this, getType(), getSizes().size())))
    return failure();
  if (!elementBytes(cast<MemRefType>(getType()).getElementType()))
    return emitOpError() << "(C2) is asked for the bytes of " << getType() << ", whose elements have no fixed size";
  return success();
}

LogicalResult CheckReshapeOp::verify() {
  for (auto [type, sizes] : {std::pair(getFrom(), getFromSizes()), std::pair(getTo(), getToSizes())})
    if (cast<RankedTensorType>(type).getNumDynamicDims() != sizes.size())
      return emitOpError() << "(C1) gives " << sizes.size() << " sizes for "
                           << cast<RankedTensorType>(type).getNumDynamicDims() << " dynamic dimensions of " << type;
  return success();
}

LogicalResult CheckSumOp::verify() {
  if (getSizes().size() < 2)
    return emitOpError() << "(C1) adds up " << getSizes().size() << " sizes; it takes two or more";
  return success();
}

LogicalResult CheckSizesOp::verify() {
  StringRef rest = getMessage();
  while (!rest.empty()) {
    rest = rest.split('{').second;
    size_t index;
    // "{1:f}" shows the bits of a f64.
    StringRef number = rest.split('}').first;
    number.consume_back(":f");
    if (!rest.empty() && (number.getAsInteger(10, index) || index >= getValues().size()))
      return emitOpError() << "(C1) has '{" << rest.split('}').first << "}' in its message, and " << getValues().size()
                           << " values";
  }
  return success();
}

/// Erases checks that always hold.
LogicalResult CheckSizesOp::canonicalize(CheckSizesOp op, PatternRewriter &rewriter) {
  if (!matchPattern(op.getOk(), m_One()))
    return failure();
  rewriter.eraseOp(op);
  return success();
}

LogicalResult AllocOp::verify() { return verifyMemory(*this, getType(), getSizes().size()); }

LogicalResult ReleaseOp::verify() {
  if (!getMark().getDefiningOp<MarkOp>())
    return emitOpError("(C1) 'mark' is not the result of a mica_sched.mark");
  return success();
}

LogicalResult HostFunctionsOp::verifyRegions() {
  for (Operation &op : getBody().front())
    if (op.getName().getDialectNamespace() != "llvm")
      return op.emitOpError("(C1) of host_functions: only ops of the LLVM dialect are allowed");
  for (Attribute attribute : getEntries()) {
    auto entry = dyn_cast<ArrayAttr>(attribute);
    auto name = entry && entry.size() == 4 ? dyn_cast<StringAttr>(entry[0]) : nullptr;
    auto type = name ? dyn_cast<TypeAttr>(entry[1]) : nullptr;
    if (!type || !isa<FunctionType>(type.getValue()) || !isa<ArrayAttr>(entry[2]) || !isa<ArrayAttr>(entry[3]))
      return emitOpError() << "(C2) 'entries' has " << attribute
                           << "; expected [name, function type, attributes of arguments, attributes of results]";
    const auto symbol = StringAttr::get(getContext(), "mica_entry_" + name.getValue());
    if (!mlir::SymbolTable::lookupSymbolIn(*this, symbol))
      return emitOpError() << "(C2) has no function 'mica_entry_" << name.getValue() << "'";
  }
  return success();
}
