//===- EvalControlFlow.cpp - func, scf, cf ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Calls, loops, branches and assertions. Evaluator::runRegion follows the branches of cf.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/EvalPrint.h"
#include "dialects/Mica/Reference/WhileLoop.h"
#include "dialects/MicaCheck/IR/MicaCheckDialect.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace mica::reference {

namespace {

LogicalResult evalCall(func::CallOp op, Operands in, Results &out, Evaluator &evaluator) {
  auto callee = evaluator.symbols.lookupNearestSymbolFrom<func::FuncOp>(op, op.getCalleeAttr());
  if (!callee)
    return op.emitError() << "no function " << op.getCallee() << " is in sight";
  return callFunction(op, callee, in, out, evaluator);
}

LogicalResult evalFor(scf::ForOp op, Operands in, Results &out, Evaluator &evaluator) {
  ElementType type = in[0].elementType();
  bool isUnsigned = op.getUnsignedCmp();
  auto less = [&](int64_t a, int64_t b) {
    return isUnsigned ? type.asUnsigned(a) < type.asUnsigned(b) : type.asSigned(a) < type.asSigned(b);
  };
  int64_t upper = in[1].value().i, step = in[2].value().i;
  if (isUnsigned ? type.asUnsigned(step) == 0 : type.asSigned(step) <= 0)
    return op.emitError() << "loop step " << step << " is not positive";
  SmallVector<Tensor> carried(in.drop_front(3));
  std::move(in.begin() + 3, in.end(), carried.begin());
  for (int64_t i = in[0].value().i; less(i, upper);) {
    carried.insert(carried.begin(), Tensor::scalar(type, Cell::of(i)));
    SmallVector<Tensor> next;
    if (failed(evaluator.runRegion(op.getRegion(), std::move(carried), next)))
      return failure();
    carried = std::move(next);
    // If the next value overflows the type, the loop ends, as with unbounded integers.
    int64_t following = type.wrap(int64_t(uint64_t(i) + uint64_t(step)));
    if (!less(i, following))
      break;
    i = following;
  }
  out.append(std::make_move_iterator(carried.begin()), std::make_move_iterator(carried.end()));
  return success();
}

LogicalResult evalWhile(scf::WhileOp op, Operands in, Results &out, Evaluator &evaluator) {
  SmallVector<Tensor> carried(in);
  RepeatedState states(op, evaluator);
  while (true) {
    if (failed(states.check(carried)))
      return failure();
    // scf.condition: the condition, then the operands for the other region or the loop's results.
    SmallVector<Tensor> condition, next;
    if (failed(evaluator.runRegion(op.getBefore(), std::move(carried), condition)))
      return failure();
    bool goesOn = condition.front().value().i != 0;
    condition.erase(condition.begin());
    if (!goesOn) {
      out.append(condition);
      return success();
    }
    if (failed(evaluator.runRegion(op.getAfter(), std::move(condition), next)))
      return failure();
    carried = std::move(next);
  }
}

LogicalResult evalIf(scf::IfOp op, Operands in, Results &out, Evaluator &evaluator) {
  Region &region = in[0].value().i ? op.getThenRegion() : op.getElseRegion();
  return region.empty() ? success() : evaluator.runRegion(region, {}, out);
}

LogicalResult evalIndexSwitch(scf::IndexSwitchOp op, Operands in, Results &out, Evaluator &evaluator) {
  for (auto [value, region] : llvm::zip_equal(op.getCases(), op.getCaseRegions()))
    if (value == in[0].value().i)
      return evaluator.runRegion(region, {}, out);
  return evaluator.runRegion(op.getDefaultRegion(), {}, out);
}

LogicalResult evalExecuteRegion(scf::ExecuteRegionOp op, Operands, Results &out, Evaluator &evaluator) {
  return evaluator.runRegion(op.getRegion(), {}, out);
}

LogicalResult evalAssert(cf::AssertOp op, Operands in, Results &, Evaluator &evaluator) {
  if (failed(requireDefined(op, in[0], "the condition", evaluator)))
    return failure();
  if (in[0].value().i)
    return success();
  if (evaluator.undefined())
    evaluator.undefined()->stopsAtLimit = true;
  return op.emitError() << "assertion failed: " << op.getMsg();
}

LogicalResult evalFailed(check::FailedOp op, Operands, Results &, Evaluator &) {
  return op.emitError() << "check failed: " << op.getMessage();
}

} // namespace

LogicalResult callFunction(Operation *call, func::FuncOp callee, Operands in, Results &out, Evaluator &evaluator) {
  if (callee.isExternal())
    return callHelper(call, callee, in, out, evaluator);
  return evaluator.runFunction(callee, SmallVector<Tensor>(in), out);
}

void addControlFlowOps(OpTable &table) {
  table.add<func::CallOp>(evalCall);
  table.addTerminator<func::ReturnOp>();
  table.add<scf::ForOp>(evalFor);
  table.add<scf::WhileOp>(evalWhile);
  table.add<scf::IfOp>(evalIf);
  table.add<scf::IndexSwitchOp>(evalIndexSwitch);
  table.add<scf::ExecuteRegionOp>(evalExecuteRegion);
  table.addTerminator<scf::YieldOp>();
  table.addTerminator<scf::ConditionOp>();
  table.add<cf::AssertOp>(evalAssert);
  table.add<check::FailedOp>(evalFailed);
  table.addTerminator<cf::BranchOp>();
  table.addTerminator<cf::CondBranchOp>();
  table.addTerminator<cf::SwitchOp>();
}

} // namespace mica::reference
