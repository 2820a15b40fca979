//===- Occurrence.h - the one step of a pass that is to blame -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: runs a pass on an input that is right, and lets it do only the first of what it does, in copies of this
// process.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_OCCURRENCE_H
#define MICA_LIB_BISECT_OCCURRENCE_H

#include "lib/Bisect/Halving.h"
#include "lib/Bisect/Runner.h"
#include "lib/Bisect/Verdict.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>

namespace mica::bisect {

/// The pass alone, and how its results are judged.
struct PassAlone {
  mlir::ModuleOp input;        ///< right
  mlir::ModuleOp output;       ///< wrong
  const std::string &pipeline; ///< that makes `output` of `input`
  Limits limits;
  std::function<Is(mlir::ModuleOp)> judge;
};

/// The step of the pass that makes its result wrong: of its pattern applications, else of the folds and the common
/// subexpressions that can be made in its input, else of the differences between input and output. Unknown, with the
/// reason, where none of them makes the difference by itself.
Step findStep(const PassAlone &pass);

/// "@f": the function whose change alone makes the program wrong. Nothing where it is more than one together.
std::optional<std::string> blameFunction(const PassAlone &pass);

/// "pattern Swap on 'arith.subi' at model.mlir:3:5, application 3 of 7"
std::string stepText(const Step &step);
/// Leaves of two texts the lines in which they differ, and two around these.
void cutToDifference(std::string &before, std::string &after);
/// "pattern", "fold", ...
std::string stepKindName(Step::Kind kind);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_OCCURRENCE_H
