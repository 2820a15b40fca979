//===- ResolveGlobals.cpp - replacing ml_program globals without stores by constants ----------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   ml_program.global private mutable @seed(dense<7> : tensor<i64>) : tensor<i64>
//   %0 = ml_program.global_load @seed : tensor<i64>      =>      %0 = arith.constant dense<7> : tensor<i64>
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/SymbolUses.h"
#include "passes/Tensor/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"

namespace mica {
#define GEN_PASS_DEF_RESOLVEGLOBALS
#include "passes/Tensor/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {
class ResolveGlobals : public mica::impl::ResolveGlobalsBase<ResolveGlobals> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTableCollection symbols;
    llvm::DenseSet<Operation *> stored;
    llvm::SmallVector<std::pair<Operation *, ml_program::GlobalOp>> loads;
    module.walk([&](Operation *op) {
      SymbolRefAttr name;
      if (auto load = dyn_cast<ml_program::GlobalLoadOp>(op))
        name = load.getGlobal();
      else if (auto load = dyn_cast<ml_program::GlobalLoadConstOp>(op))
        name = load.getGlobal();
      else if (auto store = dyn_cast<ml_program::GlobalStoreOp>(op))
        name = store.getGlobal();
      else
        return;
      auto global = symbols.lookupNearestSymbolFrom<ml_program::GlobalOp>(op, name);
      if (!global)
        return;
      if (isa<ml_program::GlobalStoreOp>(op))
        stored.insert(global);
      else
        loads.push_back({op, global});
    });
    for (auto &[op, global] : loads) {
      auto value = dyn_cast_or_null<TypedAttr>(global.getValueAttr());
      if (stored.contains(global) || !value || value.getType() != op->getResult(0).getType())
        continue;
      OpBuilder builder(op);
      op->getResult(0).replaceAllUsesWith(arith::ConstantOp::create(builder, op->getLoc(), value));
      op->erase();
    }
    const mica::SymbolUses uses(module);
    for (auto global : llvm::make_early_inc_range(module.getOps<ml_program::GlobalOp>()))
      if (!uses.isUsed(global))
        global.erase();
  }
};
} // namespace
