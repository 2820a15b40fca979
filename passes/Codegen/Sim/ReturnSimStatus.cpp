//===- ReturnSimStatus.cpp - returning the status of simulated launches -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// mica-sim-split-at-barriers ends a launch with an assertion, which host functions handle but kernels cannot. Instead a
// status variable on the stack of mica_kernel_<name> is passed down to the launches:
//
//   mica_kernel_k(args)  ->  mica_body_k(.., status)  ->  mica_sim_launch_..(.., status)
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Sim/Passes.h"

#include "mica/ABI/Checks.h"
#include "passes/Codegen/Reference/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mica {
#define GEN_PASS_DEF_RETURNSIMSTATUSPASS
#include "passes/Codegen/Sim/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

namespace {
struct ReturnSimStatusPass : mica::impl::ReturnSimStatusPassBase<ReturnSimStatusPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto assertion = module.lookupSymbol<LLVM::LLVMFuncOp>((kPlainPrefix + "assert").str());
    if (!assertion)
      return;
    MLIRContext *context = &getContext();
    pointer = LLVM::LLVMPointerType::get(context);
    i32 = IntegerType::get(context, 32);
    SmallVector<LLVM::CallOp> asserts = callsOf(module, assertion.getName());
    for (LLVM::CallOp call : asserts) {
      Value status = statusIn(module, call->getParentOfType<LLVM::LLVMFuncOp>());
      OpBuilder builder(call);
      Location loc = call.getLoc();
      Value old = LLVM::LoadOp::create(builder, loc, i32, status);
      Value failed = LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(MICA_STATUS_CHECK_FAILED));
      Value now = LLVM::SelectOp::create(builder, loc, call.getArgOperands()[0], old, failed);
      LLVM::StoreOp::create(builder, loc, now, status);
      call.erase();
    }
    assertion.erase();
  }

private:
  static SmallVector<LLVM::CallOp> callsOf(ModuleOp module, StringRef callee) {
    SmallVector<LLVM::CallOp> calls;
    module.walk([&](LLVM::CallOp call) {
      if (call.getCallee() == callee)
        calls.push_back(call);
    });
    return calls;
  }

  /// The status variable in `function`: allocated in the exported function, which then returns it, else a parameter.
  Value statusIn(ModuleOp module, LLVM::LLVMFuncOp function) {
    Value &status = places[function];
    if (status)
      return status;
    Location loc = function.getLoc();
    Block &entry = function.getBody().front();
    OpBuilder builder = OpBuilder::atBlockBegin(&entry);
    if (function.getLinkage() != LLVM::Linkage::Internal) {
      Value one = LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(1));
      Value place = LLVM::AllocaOp::create(builder, loc, pointer, i32, one);
      LLVM::StoreOp::create(builder, loc, LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0)), place);
      function.walk([&](LLVM::ReturnOp op) {
        builder.setInsertionPoint(op);
        // The simulator's status if nonzero, else that of the kernel's own checks.
        Value found = LLVM::LoadOp::create(builder, op.getLoc(), i32, place);
        Value none = LLVM::ConstantOp::create(builder, op.getLoc(), builder.getI32IntegerAttr(0));
        Value is = LLVM::ICmpOp::create(builder, op.getLoc(), LLVM::ICmpPredicate::ne, found, none);
        op.getOperation()->setOperands(
            LLVM::SelectOp::create(builder, op.getLoc(), is, found, op.getOperation()->getOperand(0)).getResult());
      });
      return places[function] = place;
    }
    auto type = function.getFunctionType();
    SmallVector<Type> parameters(type.getParams());
    parameters.push_back(pointer);
    function.setFunctionType(LLVM::LLVMFunctionType::get(type.getReturnType(), parameters));
    if (ArrayAttr attributes = function.getArgAttrsAttr()) {
      SmallVector<Attribute> all(attributes.getValue());
      all.push_back(builder.getDictionaryAttr({}));
      function.setArgAttrsAttr(builder.getArrayAttr(all));
    }
    Value place = places[function] = entry.addArgument(pointer, loc);
    for (LLVM::CallOp call : callsOf(module, function.getName())) {
      Value outer = statusIn(module, call->getParentOfType<LLVM::LLVMFuncOp>());
      call.getCalleeOperandsMutable().append(outer);
    }
    return place;
  }

  Type pointer, i32;
  llvm::DenseMap<Operation *, Value> places;
};
} // namespace
