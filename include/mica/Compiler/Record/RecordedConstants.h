//===- RecordedConstants.h - weights of a record without an artifact ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_RECORD_RECORDEDCONSTANTS_H
#define MICA_COMPILER_RECORD_RECORDEDCONSTANTS_H

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>

namespace mlir {
class MLIRContext;
class PassInstrumentation;
} // namespace mlir

namespace mica::compiler {

/// Writes constants.bin and constants.json to `folder`: each resource of `context` that has bytes, in the order of
/// names. Writes nothing if there are none. Returns "" or an error message.
std::string writeRecordedConstants(mlir::MLIRContext &context, llvm::StringRef folder);

/// Keeps constants.bin of the record in `folder` complete: rewrites it after every pass on the outermost op that
/// created resources, so that each snapshot can be resumed, also if a later pass fails or crashes. Costs a count of the
/// context's resources per pass. If writing fails, an error is reported at the op, and the pass fails.
std::unique_ptr<mlir::PassInstrumentation> createConstantsInstrumentation(std::string folder);

} // namespace mica::compiler

#endif // MICA_COMPILER_RECORD_RECORDEDCONSTANTS_H
