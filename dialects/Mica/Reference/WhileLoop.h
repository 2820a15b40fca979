//===- WhileLoop.h - loops whose condition is a region -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// mica.while and tosa.while_loop: both regions take the loop-carried values; the first returns whether the second runs.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_WHILELOOP_H
#define MICA_DIALECTS_MICA_REFERENCE_WHILELOOP_H

#include "dialects/Mica/Reference/EndlessLoop.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mica::reference {

/// Finds that a loop without effects on memory cannot end: what it carries is what it carried before.
class RepeatedState {
public:
  RepeatedState(mlir::Operation *loop, Evaluator &evaluator)
      : loop(loop), evaluator(evaluator), isFree(mlir::isMemoryEffectFree(loop)) {}

  /// Fails, with an error, where the loop comes back to a state, or after too many turns.
  llvm::LogicalResult check(llvm::ArrayRef<Tensor> carried) {
    UndefinedValues *values = evaluator.undefined();
    if (!values)
      return llvm::success();
    if (!mayTurn(loop, evaluator.options, *values))
      return llvm::failure();
    if (!isFree)
      return llvm::success();
    auto isSame = [&] {
      return llvm::all_of(llvm::zip_equal(carried, state),
                          [](auto pair) { return isSameValue(std::get<0>(pair), std::get<1>(pair)); });
    };
    const int64_t length = search.turn(isSame, [&] { state.assign(carried.begin(), carried.end()); });
    if (length == 0)
      return llvm::success();
    return loop->emitError() << "the loop cannot end: it carries again what it did " << length << " iterations before";
  }

private:
  mlir::Operation *loop;
  Evaluator &evaluator;
  bool isFree;
  CycleSearch search;
  llvm::SmallVector<Tensor> state;
};

inline llvm::LogicalResult runWhile(mlir::Region &condition, mlir::Region &body, Operands in, Results &out,
                                    Evaluator &evaluator) {
  llvm::SmallVector<Tensor> carried(in);
  RepeatedState states(condition.getParentOp(), evaluator);
  while (true) {
    if (failed(states.check(carried)))
      return llvm::failure();
    llvm::SmallVector<Tensor> goesOn, next;
    if (failed(evaluator.runRegion(condition, carried, goesOn)))
      return llvm::failure();
    if (!goesOn.front().value().i) {
      out.append(carried);
      return llvm::success();
    }
    if (failed(evaluator.runRegion(body, std::move(carried), next)))
      return llvm::failure();
    carried = std::move(next);
  }
}

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_WHILELOOP_H
