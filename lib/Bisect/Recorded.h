//===- Recorded.h - the states of a program between passes --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: has mica-opt record a pipeline, and gives the distinct states of the program.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_RECORDED_H
#define MICA_LIB_BISECT_RECORDED_H

#include "lib/Bisect/Runner.h"
#include "mica/IRTools/Record.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mica::bisect {

class Recorded {
public:
  /// Runs `pipeline` on `program` with the flags `flags` (plugins). Fails where the pipeline does not parse.
  static Result<Recorded> make(mlir::ModuleOp program, const std::string &pipeline,
                               const std::vector<std::string> &flags, const Runner &runner,
                               const std::filesystem::path &folder);
  /// A record that is there.
  static Result<Recorded> open(const std::string &folder);
  /// Two states of a record alone: `first`, after which pass `last` is the next one that changed something.
  static Result<Recorded> between(const std::string &folder, int64_t first, int64_t last);

  /// Positions after which the program is another than before, from 0, the input.
  const std::vector<int64_t> &positions() const { return distinct; }
  const irtools::Record &record() const { return *stored; }
  /// The program after pass `position`. Where a snapshot is a text that does not parse, the passes are run once more.
  Result<mlir::OwningOpRef<mlir::ModuleOp>> state(int64_t position, mlir::MLIRContext &context) const;
  /// What mica-opt said of a pass that failed.
  const std::string &complaint() const { return said; }
  /// The first error in it, after ": "; "" where there is none.
  std::string reason() const;
  int64_t passes() const { return stored->passes().empty() ? 0 : stored->passes().back().position; }

private:
  mlir::OwningOpRef<mlir::ModuleOp> runAgain(int64_t position, mlir::MLIRContext &context) const;

  std::shared_ptr<const irtools::Record> stored;
  std::string program; ///< as it was recorded, text or bytecode; "" of a record that is there
  Limits limits;
  std::vector<int64_t> distinct;
  std::string said;
};

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_RECORDED_H
