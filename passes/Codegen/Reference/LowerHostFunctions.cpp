//===- LowerHostFunctions.cpp - lowering functions that run without kernels ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A copy of the program with these functions as its entries is compiled by the reference lowering, in a separate pass
// manager. Its effect on a program can be seen with mica-compile --plain.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/Memory.h"
#include "passes/Codegen/Reference/Passes.h"

#include "dialects/Mica/IR/SymbolUses.h"
#include "dialects/MicaSched/IR/HostOp.h"
#include "dialects/MicaSched/IR/LaunchAttr.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace mica {
#define GEN_PASS_DEF_LOWERHOSTFUNCTIONS
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

static void buildHostFunctions(OpPassManager &pm, ArrayRef<std::string> emulatedFloats) {
  pm.addPass(createSymbolDCEPass());
  buildReferenceProgram(pm);
  buildReferenceCode(pm, emulatedFloats, {}, /*keepsSignatures=*/true);
}

/// Whether `op` can be erased from a program without uses of it.
static bool isOfFunctionsAlone(Operation *op) {
  if (isa_and_present<LLVM::LLVMDialect>(op->getDialect()))
    return true;
  auto symbol = dyn_cast<SymbolOpInterface>(op);
  return symbol && symbol.isPrivate() && symbol.canDiscardOnUseEmpty();
}

/// Erases unused symbols.
static void eraseUnused(ModuleOp program) {
  SymbolUses uses(program);
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (Operation &op : llvm::make_early_inc_range(*program.getBody()))
      if (isOfFunctionsAlone(&op) && !uses.isUsed(&op)) {
        uses.erase(&op);
        isChanged = true;
      }
  }
}

namespace {
struct LowerHostFunctions : mica::impl::LowerHostFunctionsBase<LowerHostFunctions> {
  using LowerHostFunctionsBase::LowerHostFunctionsBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    LowerHostFunctionsBase::getDependentDialects(registry);
    OpPassManager pm("builtin.module");
    buildHostFunctions(pm, {});
    pm.getDependentDialects(registry);
  }

  bool isMoved(func::FuncOp function) const {
    return !function.isExternal() &&
           (function->hasAttr(sched::kHostOpAttr) || llvm::is_contained(functions, function.getName()));
  }

  void runOnOperation() override {
    ModuleOp program = getOperation();
    if (llvm::none_of(program.getOps<func::FuncOp>(), [&](func::FuncOp function) { return isMoved(function); }))
      return;
    OwningOpRef<ModuleOp> lowered = program.clone();
    for (auto function : lowered->getOps<func::FuncOp>())
      if (function->hasAttr(sched::kHostOpAttr) && !function.isExternal())
        function.setPublic();
      else if (!isMoved(function))
        function.setPrivate();
    PassManager pm(&getContext());
    buildHostFunctions(pm, llvm::to_vector(emulatedFloats));
    if (failed(pm.run(*lowered)))
      return signalPassFailure();
    for (func::FuncOp function : llvm::make_early_inc_range(program.getOps<func::FuncOp>()))
      if (isMoved(function) && !function->hasAttr(sched::kHostOpAttr))
        function.erase();
      else if (isMoved(function))
        keepDeclaration(function);
    eraseUnused(program);
    adopt(program, *lowered);
  }

  /// The calls of `function` stay. Which buffers it only reads is written down for mica-tensor-raise-memref-to-tensor.
  static void keepDeclaration(func::FuncOp function) {
    Builder b(function.getContext());
    for (BlockArgument argument : function.getArguments())
      if (isa<BaseMemRefType>(argument.getType()) && !mayStoreTo(argument))
        function.setArgAttr(argument.getArgNumber(), sched::kAccessAttr, b.getStringAttr("read"));
    function.eraseBody();
  }

  /// Moves all ops of `lowered` into an op of `program`.
  void adopt(ModuleOp program, ModuleOp lowered) {
    if (Attribute constants = lowered->getAttr(sched::kConstantsAttr))
      program->setAttr(sched::kConstantsAttr, constants);
    OpBuilder builder = OpBuilder::atBlockEnd(program.getBody());
    SmallVector<Attribute> entries;
    for (func::FuncOp signature : llvm::make_early_inc_range(lowered.getOps<func::FuncOp>())) {
      auto entry = signature->getAttrOfType<ArrayAttr>(kPlainEntryAttr);
      SmallVector<Attribute> arguments, results;
      for (unsigned i = 0; i < signature.getNumArguments(); ++i)
        arguments.push_back(
            DictionaryAttr::get(&getContext(), mlir::function_interface_impl::getArgAttrs(signature, i)));
      for (unsigned i = 0; i < signature.getNumResults(); ++i)
        results.push_back(
            DictionaryAttr::get(&getContext(), mlir::function_interface_impl::getResultAttrs(signature, i)));
      entries.push_back(
          builder.getArrayAttr({entry[0], entry[1], builder.getArrayAttr(arguments), builder.getArrayAttr(results)}));
      signature.erase();
    }
    auto host = sched::HostFunctionsOp::create(builder, program.getLoc(), builder.getArrayAttr(entries));
    Block &body = host.getBody().emplaceBlock();
    body.getOperations().splice(body.end(), lowered.getBody()->getOperations());
  }
};
} // namespace
