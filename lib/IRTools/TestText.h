//===- TestText.h - the text of a lit test -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Combines IR, RUN line and checks to a file, and verifies that it is a valid test.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_IRTOOLS_TESTTEXT_H
#define MICA_LIB_IRTOOLS_TESTTEXT_H

#include "lib/IRTools/TestGenChecks.h"

#include "mica/Support/Status.h"

namespace mica::irtools {

/// The part of a RUN line that specifies the passes: "--cse", "--canonicalize=\"top-down=false\"",
/// "--pass-pipeline='builtin.module(func.func(cse))'".
std::string passFlags(llvm::StringRef pipeline);

/// "// RUN: mica-opt %s <flags> <rest>", on several lines if it is long.
std::string runLine(const std::string &command);

/// The IR as text without a plain outermost `module { }`.
std::string printInput(mlir::ModuleOp module, bool withLocations);

/// `input` with each block before its function (`atTop`: all before the first line).
std::string placeChecks(const std::string &input, const std::vector<CheckBlock> &blocks, bool atTop,
                        mlir::MLIRContext &context);

/// `input` with an expected-error (or -note, -warning) for each diagnostic of `pipeline` on it; "" if there are none.
std::string placeDiagnostics(const std::string &input, const std::string &pipeline, mlir::MLIRContext &context);

/// Parses `text`; null if it does not parse or verify.
mlir::OwningOpRef<mlir::ModuleOp> parseQuietly(llvm::StringRef text, mlir::MLIRContext &context);

/// Whether FileCheck at path `fileCheck` finds the checks of `test` in `output`. Fails if it cannot be started.
Result<bool> fileCheckAgrees(const std::string &fileCheck, const std::string &test, const std::string &output);

/// Whether `pipeline` ("": none) emits exactly the diagnostics that `test` expects.
bool diagnosticsAgree(const std::string &test, const std::string &pipeline, mlir::MLIRContext &context);

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_TESTTEXT_H
