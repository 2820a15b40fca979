//===- ConvertGlobals.cpp - constants of ml_program, and remaining tosa ops ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A load of a global without stores is replaced by its value. Constants and shapes of tosa without users are erased;
// any other remaining tosa op is an error.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/SymbolUses.h"
#include "passes/Codegen/Reference/Passes.h"

#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/SymbolTable.h"

namespace mica {
#define GEN_PASS_DEF_CONVERTGLOBALS
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {
struct ConvertGlobals : mica::impl::ConvertGlobalsBase<ConvertGlobals> {
  void runOnOperation() override {
    ModuleOp program = getOperation();
    llvm::StringSet<> stored;
    program.walk([&](ml_program::GlobalStoreOp op) { stored.insert(op.getGlobal().getLeafReference()); });
    SymbolTable symbols(program);
    SmallVector<Operation *> loads;
    program.walk([&](Operation *op) {
      if (isa<ml_program::GlobalLoadOp, ml_program::GlobalLoadConstOp>(op))
        loads.push_back(op);
    });
    for (Operation *op : loads) {
      auto name = op->getAttrOfType<SymbolRefAttr>("global");
      auto global = symbols.lookup<ml_program::GlobalOp>(name.getLeafReference());
      auto value = global ? dyn_cast_or_null<TypedAttr>(global.getValueAttr()) : TypedAttr();
      if (!value || stored.contains(name.getLeafReference()) || value.getType() != op->getResult(0).getType())
        continue;
      OpBuilder b(op);
      op->getResult(0).replaceAllUsesWith(arith::ConstantOp::create(b, op->getLoc(), value));
      op->erase();
    }
    const mica::SymbolUses uses(program);
    for (auto global : llvm::make_early_inc_range(program.getOps<ml_program::GlobalOp>()))
      if (!uses.isUsed(global))
        global.erase();
    bool isLeft = false;
    program.walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
      if (!isa_and_present<tosa::TosaDialect>(op->getDialect()))
        return;
      if (isOpTriviallyDead(op)) {
        op->erase();
        return;
      }
      op->emitError() << "the reference lowering has no loops for '" << op->getName() << "'";
      isLeft = true;
    });
    if (isLeft)
      signalPassFailure();
  }
};
} // namespace
