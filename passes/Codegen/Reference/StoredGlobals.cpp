//===- StoredGlobals.cpp - converting mutable ml_program globals to buffers --------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   ml_program.global mutable @g  ->  memref.global @g
//   ml_program.global_load @g     ->  memref.get_global, bufferization.to_tensor
//   ml_program.global_store @g    ->  bufferization.to_buffer, memref.copy into memref.get_global
//
// A scalar global becomes a buffer of rank 0. ConvertGlobals.cpp replaces globals without stores by constants.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/Passes.h"

#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/IR/SymbolTable.h"

namespace mica {
#define GEN_PASS_DEF_STOREDGLOBALS
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {
struct StoredGlobals : mica::impl::StoredGlobalsBase<StoredGlobals> {
  void runOnOperation() override {
    ModuleOp program = getOperation();
    llvm::StringSet<> stored;
    program.walk([&](ml_program::GlobalStoreOp op) { stored.insert(op.getGlobal().getLeafReference()); });
    for (auto global : llvm::make_early_inc_range(program.getOps<ml_program::GlobalOp>()))
      if (stored.contains(global.getSymName()) && failed(convert(global)))
        return signalPassFailure();
  }

private:
  LogicalResult convert(ml_program::GlobalOp global) {
    Type type = global.getType();
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor ? !tensor.hasStaticShape() : !type.isIntOrIndexOrFloat())
      return global.emitError() << "global '" << global.getSymName() << "' of type " << type
                                << " is stored to; such globals have static shapes";
    auto held = RankedTensorType::get(tensor ? tensor.getShape() : ArrayRef<int64_t>(), getElementTypeOrSelf(type));
    auto buffer = MemRefType::get(held.getShape(), held.getElementType());
    auto given = dyn_cast_or_null<TypedAttr>(global.getValueAttr());
    auto initial = dyn_cast_or_null<ElementsAttr>(Attribute(given));
    if (given && !initial)
      initial = DenseElementsAttr::get(held, Attribute(given));
    if (initial && initial.getShapedType() != held)
      return global.emitError() << "global '" << global.getSymName() << "' of type " << type
                                << " begins as a value of type " << initial.getShapedType();
    OpBuilder builder(global);
    StringAttr name = global.getSymNameAttr();
    SmallVector<Operation *> uses;
    getOperation().walk([&](Operation *op) {
      auto reference = op->getAttrOfType<SymbolRefAttr>("global");
      if (reference && reference.getLeafReference() == name &&
          isa<ml_program::GlobalLoadOp, ml_program::GlobalLoadConstOp, ml_program::GlobalStoreOp>(op))
        uses.push_back(op);
    });
    memref::GlobalOp::create(builder, global.getLoc(), name.getValue(), builder.getStringAttr("private"), buffer,
                             initial ? Attribute(initial) : Attribute(builder.getUnitAttr()), /*constant=*/false,
                             /*alignment=*/IntegerAttr());
    global.erase();
    for (Operation *op : uses) {
      OpBuilder b(op);
      Location loc = op->getLoc();
      Value memory = memref::GetGlobalOp::create(b, loc, buffer, name.getValue());
      if (auto store = dyn_cast<ml_program::GlobalStoreOp>(op)) {
        if (tensor)
          memref::CopyOp::create(
              b, loc, bufferization::ToBufferOp::create(b, loc, buffer, store.getValue(), /*read_only=*/true), memory);
        else
          memref::StoreOp::create(b, loc, store.getValue(), memory, ValueRange());
      } else if (tensor) {
        // The following passes copy a buffer that becomes a tensor.
        op->getResult(0).replaceAllUsesWith(
            bufferization::ToTensorOp::create(b, loc, held, memory, /*restrict=*/true).getResult());
      } else {
        op->getResult(0).replaceAllUsesWith(memref::LoadOp::create(b, loc, memory, ValueRange()).getResult());
      }
      op->erase();
    }
    return success();
  }
};
} // namespace
