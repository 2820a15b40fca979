//===- WhileLoop.h - loops whose condition is a region -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// mica.while and tosa.while_loop: both regions take what is carried; the first gives whether the second runs.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_WHILELOOP_H
#define MICA_DIALECTS_MICA_REFERENCE_WHILELOOP_H

#include "dialects/Mica/Reference/Undefined.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <cstring>

namespace mica::reference {

/// Finds that a loop without effects on memory cannot end: what it carries is what it carried before. The state to
/// compare with is taken anew at each power of two, so a cycle of any length is found.
class RepeatedState {
public:
  RepeatedState(mlir::Operation *loop, Evaluator &evaluator)
      : loop(loop), isActive(evaluator.undefined() && mlir::isMemoryEffectFree(loop)) {}

  /// Fails, with an error, where the loop comes back to a state.
  llvm::LogicalResult check(llvm::ArrayRef<Tensor> carried) {
    if (!isActive)
      return llvm::success();
    if (++iteration > 1 && isSame(carried))
      return loop->emitError() << "the loop cannot end: it carries again what it did " << iteration - kept
                               << " iterations before";
    if ((iteration & (iteration - 1)) == 0) {
      state.assign(carried.begin(), carried.end());
      kept = iteration;
    }
    return llvm::success();
  }

private:
  bool isSame(llvm::ArrayRef<Tensor> carried) const {
    return llvm::all_of(llvm::zip_equal(carried, state), [](auto pair) {
      const auto &[now, before] = pair;
      if (now.isBuffer())
        return now.view().memory == before.view().memory && now.view().offset == before.view().offset &&
               now.view().strides == before.view().strides && now.shape() == before.shape();
      const Tensor a = now.materialized(), b = before.materialized();
      return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), size_t(a.size()) * sizeof(Cell)) == 0;
    });
  }

  mlir::Operation *loop;
  bool isActive;
  llvm::SmallVector<Tensor> state;
  int64_t iteration = 0, kept = 0;
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
