//===- Kernels.cpp - queries of kernels -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Names, lookup and calling convention of kernel modules; see MicaSchedDialect.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/MicaSchedDialect.h"

#include "mica/Support/Checked.h"

using namespace mlir;
using namespace mica::sched;

bool mica::sched::isKernelName(StringRef name) {
  auto allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  return !name.empty() && name.size() <= kMaxKernelName && llvm::all_of(name, allowed);
}

bool mica::sched::isKernelModule(Operation *op) { return isa<ModuleOp>(op) && op->hasAttr(kKernelAttr); }

FunctionOpInterface mica::sched::kernelFunction(ModuleOp kernel) {
  std::optional<StringRef> name = kernel.getSymName();
  if (!name)
    return nullptr;
  for (Operation &op : *kernel.getBody())
    if (auto func = dyn_cast<FunctionOpInterface>(op))
      if (func.getName() == *name)
        return func;
  return nullptr;
}

ModuleOp mica::sched::lookupKernel(Operation *from, StringRef name, SymbolTableCollection &symbols) {
  Operation *program = from->getParentOp();
  while (program && (!isa<ModuleOp>(program) || isKernelModule(program)))
    program = program->getParentOp();
  if (!program)
    return nullptr;
  Operation *found = symbols.lookupSymbolIn(program, StringAttr::get(from->getContext(), name));
  return found && isKernelModule(found) ? cast<ModuleOp>(found) : nullptr;
}

std::optional<int64_t> mica::sched::elementBytes(Type element) {
  if (element.isIndex())
    return 8;
  // In memory an i48 has the size of an i64.
  if (element.isIntOrFloat())
    return llvm::PowerOf2Ceil((element.getIntOrFloatBitWidth() + 7) / 8);
  if (auto complex = dyn_cast<ComplexType>(element))
    if (std::optional<int64_t> part = elementBytes(complex.getElementType()))
      return 2 * *part;
  return std::nullopt;
}

std::optional<int64_t> mica::sched::bufferBytes(ShapedType type) {
  std::optional<int64_t> element = elementBytes(type.getElementType());
  if (!element || !type.hasStaticShape())
    return std::nullopt;
  return checkedBytes(type.getShape(), *element);
}

StringRef mica::sched::accessName(Access access) {
  switch (access) {
  case Access::Read:
    return "read";
  case Access::Write:
    return "write";
  case Access::ReadWrite:
    return "readwrite";
  }
  return "";
}

std::optional<Access> mica::sched::parseAccess(StringRef name) {
  for (Access access : {Access::Read, Access::Write, Access::ReadWrite})
    if (name == accessName(access))
      return access;
  return std::nullopt;
}

int64_t KernelSignature::launchScalars() const {
  int64_t count = scalars.size();
  for (const Binding &binding : bindings)
    count += binding.type.getNumDynamicDims();
  return count;
}

SmallVector<int64_t> KernelSignature::updatedInputs() const {
  SmallVector<int64_t> updates;
  int64_t inputs = 0;
  for (const Binding &binding : bindings) {
    if (binding.access != Access::Read)
      updates.push_back(binding.access == Access::ReadWrite ? inputs : -1);
    inputs += binding.access != Access::Write;
  }
  return updates;
}

std::optional<KernelSignature> mica::sched::kernelSignature(ModuleOp kernel) {
  FunctionOpInterface func = kernelFunction(kernel);
  if (!func)
    return std::nullopt;
  KernelSignature signature;
  unsigned index = 0, end = func.getNumArguments();
  for (; index < end; ++index) {
    auto type = dyn_cast<MemRefType>(func.getArgumentTypes()[index]);
    auto access = func.getArgAttrOfType<StringAttr>(index, kAccessAttr);
    if (!type || !access)
      break;
    std::optional<Access> parsed = parseAccess(access.getValue());
    if (!parsed)
      return std::nullopt;
    signature.bindings.push_back({type, *parsed});
  }
  while (index < end && func.getArgumentTypes()[index].isIntOrIndex())
    signature.scalars.push_back(func.getArgumentTypes()[index++]);
  // Phase kernel marks the function with its grid and appends [scratch], part, parts.
  if (func->hasAttr(kGridAttr)) {
    bool hasScratch = index < end && isa<MemRefType>(func.getArgumentTypes()[index]);
    if (!hasScratch) {
      if (signature.scalars.size() < 2)
        return std::nullopt;
      signature.scalars.pop_back_n(2);
    }
  } else if (index != end) {
    return std::nullopt;
  }
  return signature;
}
