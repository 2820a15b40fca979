//===- TaskListOps.cpp - task lists, tasks and their buffers ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Assembly format and constraints of task_list, task, arena, dynamic, constant and view.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "dialects/MicaSched/IR/PartsAttr.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mica::sched;

//===------------------------------------------------------------------------------------------------------------===//
// task_list
//===------------------------------------------------------------------------------------------------------------===//

ParseResult TaskListOp::parse(OpAsmParser &parser, OperationState &state) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  IntegerAttr bytes;
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(), state.attributes) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren, /*allowType=*/true) ||
      parser.parseKeyword("arena") ||
      parser.parseAttribute(bytes, parser.getBuilder().getI64Type(), getArenaBytesAttrName(state.name),
                            state.attributes) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes))
    return failure();
  Region *body = state.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  if (body->empty()) {
    Block &block = body->emplaceBlock();
    for (OpAsmParser::Argument &argument : arguments)
      block.addArgument(argument.type, parser.getEncodedSourceLoc(argument.ssaName.location));
  }
  return success();
}

void TaskListOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << '(';
  llvm::interleaveComma(getBody().getArguments(), printer,
                        [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ") arena " << getArenaBytes();
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {SymbolTable::getSymbolAttrName(), getArenaBytesAttrName().getValue()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

ArrayRef<BlockArgument> TaskListOp::getBufferParameters() {
  return ArrayRef<BlockArgument>(getBody().getArguments()).take_while([](BlockArgument argument) {
    return isa<MemRefType>(argument.getType());
  });
}

ArrayRef<BlockArgument> TaskListOp::getScalarParameters() {
  return ArrayRef<BlockArgument>(getBody().getArguments()).drop_front(getBufferParameters().size());
}

static bool hasIdentityLayout(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && memref.getLayout().isIdentity();
}

LogicalResult TaskListOp::verifyRegions() {
  if (!llvm::all_of(getBufferParameters(), [](BlockArgument a) { return hasIdentityLayout(a.getType()); }) ||
      !llvm::all_of(getScalarParameters(), [](BlockArgument a) { return a.getType().isIndex(); }))
    return emitOpError("(C1) takes memrefs with identity layout, then index values");
  if (getArenaBytes() % kBufferAlignment != 0)
    return emitOpError() << "(C3) has an arena of " << getArenaBytes() << " bytes, which is no multiple of "
                         << kBufferAlignment;
  for (Operation &op : getBody().front()) {
    if (!isa<ArenaOp, ConstantOp, DynamicOp, ViewOp, TaskOp>(op))
      return op.emitOpError("(C2) of task_list: a list holds buffer operations and tasks only");
    if (auto arena = dyn_cast<ArenaOp>(op)) {
      int64_t end = arena.getOffset() + bufferBytes(cast<MemRefType>(arena.getType())).value_or(0);
      if (end > static_cast<int64_t>(getArenaBytes()))
        return arena.emitOpError() << "(C3) of task_list: ends at byte " << end << " of an arena of "
                                   << getArenaBytes();
    }
  }
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// task
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult TaskOp::verifySymbolUses(SymbolTableCollection &symbols) {
  ModuleOp kernel = lookupKernel(*this, getKernel(), symbols);
  if (!kernel)
    return emitOpError() << "(C1) names '" << getKernel() << "', which is no kernel of this program";
  auto ids = kernel->getAttrOfType<ArrayAttr>(kOpIdsAttr);
  if (ids && ids.size() != getOpIds().size())
    return emitOpError() << "(C4) lists " << getOpIds().size() << " op ids, but kernel '" << getKernel() << "' has "
                         << ids.size();
  // The signature of a kernel in the LLVM dialect is unknown.
  std::optional<KernelSignature> signature = kernelSignature(kernel);
  if (!signature)
    return success();
  if (signature->bindings.size() != getBuffers().size())
    return emitOpError() << "(C2) binds " << getBuffers().size() << " buffers, but kernel '" << getKernel()
                         << "' takes " << signature->bindings.size();
  for (auto [index, buffer, binding] : llvm::enumerate(getBuffers(), signature->bindings)) {
    if (buffer.getType() != binding.type)
      return emitOpError() << "(C2) buffer " << index << " has type " << buffer.getType() << ", but kernel '"
                           << getKernel() << "' takes " << binding.type;
    if (binding.access != Access::Read && llvm::count(getBuffers(), buffer) > 1)
      return emitOpError() << "(C5) binds buffer " << index << ", which kernel '" << getKernel() << "' writes, twice";
  }
  if (signature->launchScalars() != static_cast<int64_t>(getScalars().size()))
    return emitOpError() << "(C3) passes " << getScalars().size() << " scalars, but kernel '" << getKernel()
                         << "' takes " << signature->launchScalars();
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// Buffers
//===------------------------------------------------------------------------------------------------------------===//

static LogicalResult verifyOffset(Operation *op, int64_t offset) {
  if (offset >= 0 && offset % kBufferAlignment == 0)
    return success();
  return op->emitOpError() << "(C2) lies at byte " << offset << ", which is no multiple of " << kBufferAlignment;
}

LogicalResult ArenaOp::verify() {
  auto type = dyn_cast<MemRefType>(getType());
  if (!type || !hasIdentityLayout(type) || !bufferBytes(type))
    return emitOpError() << "(C1) must have a static shape and identity layout, got " << getType();
  return verifyOffset(*this, getOffset());
}

LogicalResult DynamicOp::verify() {
  auto type = dyn_cast<MemRefType>(getType());
  if (!type || !hasIdentityLayout(type) || type.hasStaticShape())
    return emitOpError() << "(C1) must have a dynamic dimension and identity layout, got " << getType();
  return success();
}

LogicalResult mica::sched::ConstantOp::verify() {
  auto type = dyn_cast<MemRefType>(getType());
  ShapedType value = getValue().getShapedType();
  auto parts = (*this)->getAttrOfType<DictionaryAttr>(kPartsAttr);
  if (!type || !hasIdentityLayout(type) || (parts && value.getRank() == 0) ||
      type.getShape() != value.getShape().drop_front(parts ? 1 : 0) || type.getElementType() != value.getElementType())
    return emitOpError() << "(C1) holds " << (parts ? "parts of a value" : "a value") << " of type " << value
                         << " in a buffer of type " << getType();
  if (!parts)
    return success();
  auto grid = parts.getAs<DenseI64ArrayAttr>("grid"), axes = parts.getAs<DenseI64ArrayAttr>("axes");
  int64_t count = grid && axes ? 1 : -1;
  for (int64_t axis : axes ? axes.asArrayRef() : ArrayRef<int64_t>())
    count = grid && axis >= 0 && axis < grid.size() ? count * grid[axis] : -1;
  std::optional<int64_t> bytes = bufferBytes(type);
  if (count != value.getDimSize(0) || !bytes || *bytes % kBufferAlignment != 0)
    return emitOpError() << "(A19) holds " << value.getDimSize(0) << " parts of " << bytes.value_or(0) << " bytes for "
                         << std::max<int64_t>(count, 0) << " ranks";
  return success();
}

LogicalResult ViewOp::verify() {
  auto type = dyn_cast<MemRefType>(getType());
  auto source = dyn_cast<MemRefType>(getSource().getType());
  if (!type || !source || !hasIdentityLayout(type))
    return emitOpError() << "(C1) must have identity layout, got " << getType();
  if (failed(verifyOffset(*this, getOffset())))
    return failure();
  std::optional<int64_t> bytes = bufferBytes(type), available = bufferBytes(source);
  if (bytes && available && static_cast<int64_t>(getOffset()) + *bytes > *available)
    return emitOpError() << "(C3) needs " << *bytes << " bytes from byte " << getOffset() << " of a buffer of "
                         << *available;
  int64_t expected = isa<TaskListOp>((*this)->getParentOp()) ? 0 : type.getNumDynamicDims();
  if (expected != static_cast<int64_t>(getSizes().size()))
    return emitOpError() << "(C4) gives " << getSizes().size() << " sizes where " << expected << " are needed";
  return success();
}
