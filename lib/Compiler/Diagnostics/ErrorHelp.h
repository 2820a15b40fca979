//===- ErrorHelp.h - hints for errors -----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Adds hints to errors of the parser, verifiers and passes, if the remedy is known. For a pass that rejects IR, finds
// the snapshot that it read and the pass that made the op.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_DIAGNOSTICS_ERRORHELP_H
#define MICA_LIB_COMPILER_DIAGNOSTICS_ERRORHELP_H

#include "mica/Compiler/Record/PassRecorder.h"

#include "mlir/IR/Diagnostics.h"

#include <mutex>

namespace mica::compiler {

/// A recorded error diagnostic.
struct RecordedDiagnostic {
  std::string message;
  std::string op;                   ///< "linalg.matmul" if the message begins with an op; else ""
  std::vector<std::string> ids;     ///< of the op, from its location
  std::vector<std::string> sources; ///< "model.mlir:12:5", likewise
};

/// Records a context's errors, which other handlers print. Any thread.
class ErrorListener {
public:
  /// Registers a handler in front of the existing ones, for the lifetime of the context.
  void listen(mlir::MLIRContext &context);
  std::vector<RecordedDiagnostic> errors() const;

private:
  struct Heard {
    std::mutex mutex;
    std::vector<RecordedDiagnostic> errors;
  };
  std::shared_ptr<Heard> heard = std::make_shared<Heard>();
};

/// The hint for `error`, "" if there is none. `line`: the source line of the error, if known. Names of ops and dialects
/// are looked up in `context`.
std::string fixFor(const RecordedDiagnostic &error, llvm::StringRef line, mlir::MLIRContext &context);

/// "  hint: ..." for each error with a known fix, without repetition; "" if none has one. `text`: the input.
std::string fixLines(const std::vector<RecordedDiagnostic> &errors, llvm::StringRef text, mlir::MLIRContext &context);

/// For a failed pass: "  pass x (3) on f read 0002_y@f.mlir; its op 'a.b' was made by pass y (2)". The op is found in
/// the recorded snapshots by its name and its ids or source positions. "" if no pass failed or nothing was recorded.
std::string rejectionLine(const PassRecorder &recorder, const std::vector<RecordedDiagnostic> &errors);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_DIAGNOSTICS_ERRORHELP_H
