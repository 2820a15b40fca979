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

#include "dialects/Mica/Reference/Evaluator.h"

namespace mica::reference {

inline llvm::LogicalResult runWhile(mlir::Region &condition, mlir::Region &body, Operands in, Results &out,
                                    Evaluator &evaluator) {
  llvm::SmallVector<Tensor> carried(in);
  while (true) {
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
