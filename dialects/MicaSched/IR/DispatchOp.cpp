//===- DispatchOp.cpp - calls of kernels on tensors -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// mica_sched.dispatch: assembly format, constraints, result shapes.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/MicaSchedDialect.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mica::sched;

//===------------------------------------------------------------------------------------------------------------===//
// Format: mica_sched.dispatch @k(inputs) scalars(..) sizes(..) {attributes} : (types of inputs, scalars) -> results
//===------------------------------------------------------------------------------------------------------------===//

static ParseResult parseOptionalGroup(OpAsmParser &parser, StringRef keyword,
                                      SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  return parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren);
}

ParseResult DispatchOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> inputs, scalars, sizes;
  FlatSymbolRefAttr kernel;
  FunctionType type;
  SMLoc typeLoc;
  if (parser.parseAttribute(kernel, getKernelAttrName(state.name), state.attributes) ||
      parser.parseOperandList(inputs, OpAsmParser::Delimiter::Paren) ||
      parseOptionalGroup(parser, "scalars", scalars) || parseOptionalGroup(parser, "sizes", sizes) ||
      parser.parseOptionalAttrDict(state.attributes) || parser.parseColon() || parser.getCurrentLocation(&typeLoc) ||
      parser.parseType(type))
    return failure();
  if (type.getNumInputs() != inputs.size() + scalars.size())
    return parser.emitError(typeLoc) << "expected " << inputs.size() + scalars.size()
                                     << " operand types (inputs, then scalars), got " << type.getNumInputs();
  if (parser.resolveOperands(inputs, type.getInputs().take_front(inputs.size()), typeLoc, state.operands) ||
      parser.resolveOperands(scalars, type.getInputs().drop_front(inputs.size()), typeLoc, state.operands) ||
      parser.resolveOperands(sizes, parser.getBuilder().getIndexType(), state.operands))
    return failure();
  state.addTypes(type.getResults());
  state.getOrAddProperties<Properties>().operandSegmentSizes = {
      static_cast<int32_t>(inputs.size()), static_cast<int32_t>(scalars.size()), static_cast<int32_t>(sizes.size())};
  return success();
}

void DispatchOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getKernelAttr() << '(' << getInputs() << ')';
  if (!getScalars().empty())
    printer << " scalars(" << getScalars() << ')';
  if (!getSizes().empty())
    printer << " sizes(" << getSizes() << ')';
  printer.printOptionalAttrDict((*this)->getAttrs(), {getKernelAttrName(), getOperandSegmentSizesAttrName()});
  printer << " : ";
  SmallVector<Type> operandTypes(getInputs().getTypes());
  llvm::append_range(operandTypes, getScalars().getTypes());
  printer.printFunctionalType(operandTypes, getResultTypes());
}

//===------------------------------------------------------------------------------------------------------------===//
// Constraints
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult DispatchOp::verify() {
  int64_t dynamic = 0;
  for (Type type : getResultTypes())
    dynamic += cast<RankedTensorType>(type).getNumDynamicDims();
  if (dynamic != static_cast<int64_t>(getSizes().size()))
    return emitOpError() << "(C5) gives " << getSizes().size() << " sizes, but its results have " << dynamic
                         << " dynamic dimensions";
  return success();
}

/// Compares the tensors of a dispatch with the kernel's buffers of the corresponding access.
static LogicalResult verifyTensors(DispatchOp op, StringRef label, StringRef what, TypeRange tensors,
                                   const KernelSignature &signature, Access access) {
  SmallVector<MemRefType> expected;
  for (const KernelSignature::Binding &binding : signature.bindings)
    if (binding.access == access || binding.access == Access::ReadWrite)
      expected.push_back(binding.type);
  if (expected.size() != tensors.size())
    return op.emitOpError() << "(" << label << ") has " << tensors.size() << " " << what << "s, but kernel '"
                            << op.getKernel() << "' takes " << expected.size();
  for (auto [index, tensor, buffer] : llvm::enumerate(tensors, expected)) {
    auto type = cast<RankedTensorType>(tensor);
    if (type.getShape() != buffer.getShape() || type.getElementType() != buffer.getElementType())
      return op.emitOpError() << "(" << label << ") " << what << " " << index << " has type " << type
                              << ", but kernel '" << op.getKernel() << "' takes " << buffer;
  }
  return success();
}

LogicalResult DispatchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  ModuleOp kernel = lookupKernel(*this, getKernel(), symbols);
  if (!kernel)
    return emitOpError() << "(C1) names '" << getKernel() << "', which is no kernel of this program";
  if (!kernelFunction(kernel))
    return emitOpError() << "(C1) kernel '" << getKernel() << "' holds no function of that name";
  std::optional<KernelSignature> signature = kernelSignature(kernel);
  if (!signature)
    return emitOpError() << "(C1) the function of kernel '" << getKernel()
                         << "' does not take buffers with access, then scalars";
  if (failed(verifyTensors(*this, "C2", "input", getInputs().getTypes(), *signature, Access::Read)) ||
      failed(verifyTensors(*this, "C3", "result", getResultTypes(), *signature, Access::Write)))
    return failure();
  if (!llvm::equal(getScalars().getTypes(), signature->scalars))
    return emitOpError() << "(C4) passes scalars (" << getScalars().getTypes() << "), but kernel '" << getKernel()
                         << "' takes (" << signature->scalars << ")";
  SmallVector<int64_t> updates = signature->updatedInputs();
  bool inPlace = llvm::any_of(updates, [](int64_t input) { return input >= 0; });
  if (getUpdates() ? *getUpdates() != ArrayRef<int64_t>(updates) : inPlace) {
    InFlightDiagnostic error = emitOpError();
    error << "(C7) 'updates' is ";
    if (getUpdates())
      error << "[" << *getUpdates() << "]";
    else
      error << "missing";
    return error << ", but by the access of its buffers kernel '" << getKernel() << "' updates [" << updates << "]";
  }
  auto ids = kernel->getAttrOfType<ArrayAttr>(kOpIdsAttr);
  if (getOpIdsAttr() && ids && getOpIdsAttr().size() != ids.size())
    return emitOpError() << "(C6) lists " << getOpIdsAttr().size() << " op ids, but kernel '" << getKernel() << "' has "
                         << ids.size();
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// Shapes
//===------------------------------------------------------------------------------------------------------------===//

OpOperand *DispatchOp::getUpdatedInput(unsigned index) {
  std::optional<ArrayRef<int64_t>> updates = getUpdates();
  // Called before the constraints are verified, so any value is possible.
  if (!updates || index >= updates->size() || (*updates)[index] < 0 ||
      (*updates)[index] >= static_cast<int64_t>(getInputs().size()))
    return nullptr;
  return &getInputsMutable()[(*updates)[index]];
}

OperandRange DispatchOp::getResultSizes(unsigned index) {
  unsigned first = 0;
  for (unsigned i = 0; i < index; ++i)
    first += cast<RankedTensorType>(getResult(i).getType()).getNumDynamicDims();
  return getSizes().slice(first, cast<RankedTensorType>(getResult(index).getType()).getNumDynamicDims());
}

LogicalResult DispatchOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  for (OpResult result : getOperation()->getResults()) {
    auto type = cast<RankedTensorType>(result.getType());
    OperandRange sizes = getResultSizes(result.getResultNumber());
    unsigned next = 0;
    SmallVector<OpFoldResult> shape;
    for (int64_t dim : type.getShape())
      shape.push_back(ShapedType::isDynamic(dim) ? OpFoldResult(sizes[next++]) : builder.getIndexAttr(dim));
    shapes.push_back(std::move(shape));
  }
  return success();
}
