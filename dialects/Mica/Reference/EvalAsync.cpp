//===- EvalAsync.cpp - async, and functions as values -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A task runs where it is created: an order that every program allows, because a task may only wait for tasks created
// before it. Tokens are numbers that nothing reads, an async value is its value, a group counts its members.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Evaluator.h"

#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace mica::reference {

namespace {

Tensor token() { return Tensor::index(0); }

LogicalResult evalExecute(async::ExecuteOp op, Operands in, Results &out, Evaluator &evaluator) {
  const size_t waits = op.getDependencies().size();
  SmallVector<Tensor> args(in.begin() + waits, in.end());
  out.push_back(token());
  return evaluator.runRegion(op.getBodyRegion(), std::move(args), out);
}

LogicalResult evalAsyncCall(async::CallOp op, Operands in, Results &out, Evaluator &evaluator) {
  auto callee = evaluator.symbols.lookupNearestSymbolFrom<async::FuncOp>(op, op.getCalleeAttr());
  if (!callee || callee.isExternal())
    return op.emitError() << "no async function " << op.getCallee() << " with a body is in sight";
  // The result that is the function's own token is not among the operands of its return.
  SmallVector<Tensor> results;
  if (failed(evaluator.runFunction(callee, SmallVector<Tensor>(in), results)))
    return failure();
  for (size_t i = results.size(); i < op->getNumResults(); ++i)
    out.push_back(token());
  out.append(std::make_move_iterator(results.begin()), std::make_move_iterator(results.end()));
  return success();
}

LogicalResult evalAwait(async::AwaitOp op, Operands in, Results &out, Evaluator &) {
  if (op->getNumResults())
    out.push_back(in[0]);
  return success();
}

FailureOr<Tensor> evalCreateGroup(async::CreateGroupOp, Operands, Evaluator &) {
  return Tensor::newBuffer(Tensor::index(0));
}
/// The position in the group.
FailureOr<Tensor> evalAddToGroup(async::AddToGroupOp, Operands in, Evaluator &) {
  const Tensor count = in[1].loaded();
  in[1].store(Tensor::index(count.value().i + 1));
  return count;
}
LogicalResult evalAwaitAll(async::AwaitAllOp, Operands, Results &, Evaluator &) { return success(); }

FailureOr<Tensor> evalFunctionConstant(func::ConstantOp op, Operands, Evaluator &evaluator) {
  auto function = evaluator.symbols.lookupNearestSymbolFrom<func::FuncOp>(op, op.getValueAttr());
  if (!function)
    return op.emitError() << "no function " << op.getValue() << " is in sight";
  return Tensor::index(evaluator.numberOf(function));
}

LogicalResult evalCallIndirect(func::CallIndirectOp op, Operands in, Results &out, Evaluator &evaluator) {
  auto callee = dyn_cast_if_present<func::FuncOp>(evaluator.functionAt(in[0].value().i));
  if (!callee)
    return op.emitError() << "the callee is no function of this program";
  return callFunction(op, callee, in.drop_front(), out, evaluator);
}

} // namespace

void addAsyncOps(OpTable &table) {
  table.add<async::ExecuteOp>(evalExecute);
  table.add<async::CallOp>(evalAsyncCall);
  table.add<async::AwaitOp>(evalAwait);
  table.add<async::AwaitAllOp>(evalAwaitAll);
  table.add<async::CreateGroupOp>(evalCreateGroup);
  table.add<async::AddToGroupOp>(evalAddToGroup);
  table.addTerminator<async::YieldOp>();
  table.addTerminator<async::ReturnOp>();
  table.add<func::ConstantOp>(evalFunctionConstant);
  table.add<func::CallIndirectOp>(evalCallIndirect);
}

} // namespace mica::reference
