//===- ErrorHelp.h - what to do about an error --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Beside every error of the parser, a verifier or a pass the tools say what to try, where it is known, and of a pass
// that rejects IR which snapshot it read and which pass made the op.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_DIAGNOSTICS_ERRORHELP_H
#define MICA_LIB_COMPILER_DIAGNOSTICS_ERRORHELP_H

#include "mica/Compiler/Record/PassRecorder.h"

#include "mlir/IR/Diagnostics.h"

#include <mutex>

namespace mica::compiler {

/// An error as it was said.
struct RecordedDiagnostic {
  std::string message;
  std::string op;                   ///< "linalg.matmul" where the message begins with an op; else ""
  std::vector<std::string> ids;     ///< of the op, from its location
  std::vector<std::string> sources; ///< "model.mlir:12:5", likewise
};

/// Listens to a context's errors, which are printed by others. Any thread.
class ErrorListener {
public:
  /// Goes before the handlers registered so far, for as long as the context lives.
  void listen(mlir::MLIRContext &context);
  std::vector<RecordedDiagnostic> errors() const;

private:
  struct Heard {
    std::mutex mutex;
    std::vector<RecordedDiagnostic> errors;
  };
  std::shared_ptr<Heard> heard = std::make_shared<Heard>();
};

/// What to do about `error`, "" where nothing is known. `line` is the text it points at, where that is known. Names of
/// ops and dialects are looked up in `context`.
std::string fixFor(const RecordedDiagnostic &error, llvm::StringRef line, mlir::MLIRContext &context);

/// "  hint: ..." for each error that has a fix, each fix once; "" where none has. `text`: the input.
std::string fixLines(const std::vector<RecordedDiagnostic> &errors, llvm::StringRef text, mlir::MLIRContext &context);

/// Of the pass that failed: "  pass x (3) on f read 0002_y@f.mlir; its op 'a.b' was made by pass y (2)". The op is
/// found in the recorded snapshots by its name and its ids or source positions. "" where no pass failed or nothing was
/// recorded.
std::string rejectionLine(const PassRecorder &recorder, const std::vector<RecordedDiagnostic> &errors);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_DIAGNOSTICS_ERRORHELP_H
