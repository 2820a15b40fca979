//===- InlineHostFunctions.cpp - inlining functions that run without kernels --------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See HostFunctions.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Schedule/HostFunctions.h"
#include "passes/Schedule/Passes.h"

#include "dialects/MicaSched/IR/HostOp.h"
#include "dialects/MicaSched/IR/LaunchAttr.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mica {
#define GEN_PASS_DEF_INLINEHOSTFUNCTIONS
#include "passes/Schedule/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

/// Whether `op` of the host functions is the same as the program's symbol of that name: a declaration, or memory that
/// all objects of a program share.
static bool isShared(Operation *op) {
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op))
    return function.isExternal();
  auto global = dyn_cast<LLVM::GlobalOp>(op);
  return global && global.getLinkage() != LLVM::Linkage::Internal && global.getLinkage() != LLVM::Linkage::Private;
}

/// Gives `symbol` of `host` a name that is unused in it and in `program`.
static LogicalResult makeUnique(sched::HostFunctionsOp host, Operation *symbol, SymbolTable &program) {
  StringAttr old = SymbolTable::getSymbolName(symbol);
  std::string name;
  for (unsigned number = 0; name.empty() || program.lookup(name) || SymbolTable::lookupSymbolIn(host, name); ++number)
    name = ("mica_host_" + old.getValue() + (number ? "_" + Twine(number) : Twine())).str();
  auto fresh = StringAttr::get(host.getContext(), name);
  if (failed(SymbolTable::replaceAllSymbolUses(old, fresh, &host.getBody())))
    return symbol->emitError() << "uses of '" << old.getValue() << "' cannot be renamed";
  SymbolTable::setSymbolName(symbol, fresh);
  return success();
}

/// A declaration with the signature of an entry of the LLVM dialect.
static void makeEntrySignature(OpBuilder &builder, Location loc, ArrayAttr entry) {
  auto signature =
      func::FuncOp::create(builder, loc, ("mica_plain_signature_" + cast<StringAttr>(entry[0]).getValue()).str(),
                           cast<FunctionType>(cast<TypeAttr>(entry[1]).getValue()));
  signature.setPrivate();
  signature->setAttr(sched::kEntryAttr, builder.getUnitAttr());
  signature->setAttr(sched::kPlainEntryAttr, builder.getArrayAttr({entry[0], entry[1]}));
  signature.setAllArgAttrs(cast<ArrayAttr>(entry[2]));
  signature.setAllResultAttrs(cast<ArrayAttr>(entry[3]));
}

LogicalResult mica::inlineHostFunctions(ModuleOp program) {
  for (sched::HostFunctionsOp host : llvm::make_early_inc_range(program.getOps<sched::HostFunctionsOp>())) {
    SymbolTable symbols(program);
    Block &body = host.getBody().front();
    for (Operation &op : llvm::make_early_inc_range(body)) {
      StringAttr name = SymbolTable::getSymbolName(&op);
      if (!name || !symbols.lookup(name))
        continue;
      Operation *known = symbols.lookup(name);
      auto declaration = dyn_cast<LLVM::LLVMFuncOp>(known);
      auto definition = dyn_cast<LLVM::LLVMFuncOp>(op);
      if (declaration && declaration.isExternal() && definition && !definition.isExternal() &&
          definition->hasAttr(sched::kHostOpAttr))
        symbols.erase(declaration);
      else if (isShared(&op))
        op.erase();
      else if (failed(makeUnique(host, &op, symbols)))
        return failure();
    }
    program.getBody()->getOperations().splice(program.getBody()->end(), body.getOperations());
    OpBuilder builder = OpBuilder::atBlockEnd(program.getBody());
    for (auto entry : host.getEntries().getAsRange<ArrayAttr>())
      makeEntrySignature(builder, host.getLoc(), entry);
    host.erase();
  }
  return success();
}

namespace {
struct InlineHostFunctions : mica::impl::InlineHostFunctionsBase<InlineHostFunctions> {
  void runOnOperation() override {
    if (failed(inlineHostFunctions(getOperation())))
      signalPassFailure();
  }
};
} // namespace
