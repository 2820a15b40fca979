//===- CheckIds.h - instrumentation that reports lost ids ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A pass instrumentation that compares the ids (dialects/Mica/IR/OpIds.h) before and after each pass. It reports, after
// each pass, the ids that no op carries any more and the new ops without ids; at the end it reports how many ops carry
// ids:
//
//     mica-check-ids: after cse: lost 3f2a91c07b1e (tensor.empty, m.mlir:4:10)
//     mica-check-ids: after some-pass: 2 new ops without an id: arith.addf (m.mlir:7:5), scf.for (no position)
//     mica-check-ids: 118 of 120 ops carry ids (98.3 %), constants apart
//
// A lost id is correct if the op was dead or merged with an equal one; a new op without an id is a fault of the pass.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_EMIT_CHECKIDS_H
#define MICA_COMPILER_EMIT_CHECKIDS_H

#include "mlir/IR/Operation.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

namespace mica::compiler {

/// How many ops under a root carry ids; constants, functions, modules and returns are not counted.
struct IdCoverage {
  int64_t ops = 0;
  int64_t withIds = 0;
};
IdCoverage countIdCoverage(mlir::Operation *root);

/// The instrumentation; `os` must live as long as the pass manager.
std::unique_ptr<mlir::PassInstrumentation> createCheckIdsInstrumentation(llvm::raw_ostream &os);

} // namespace mica::compiler

#endif // MICA_COMPILER_EMIT_CHECKIDS_H
