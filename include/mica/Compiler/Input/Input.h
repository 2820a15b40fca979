//===- Input.h - reading programs ---------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Reads a program from a file or the standard input, text or bytecode. A file that is not taken is explained: what
// construct it is, of which version or dialect, and the way out, all kinds of it at once, where upstream's parser stops
// at its first one with "custom op is unknown".
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_INPUT_INPUT_H
#define MICA_COMPILER_INPUT_INPUT_H

#include "mica/Support/Status.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/ErrorOr.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <mutex>
#include <string>

namespace mica::compiler {

class ErrorListener;

/// Text for the standard error that is kept until it is known whether anybody should read it.
class HeldText : public llvm::raw_ostream {
public:
  HeldText() : llvm::raw_ostream(/*unbuffered=*/true) {}
  ~HeldText() override { release(); }
  /// From now on, text is kept.
  void hold() { isHeld = true; }
  /// Prints what was kept; later text is printed at once.
  void release();
  /// The same without printing it.
  void drop();

private:
  void write_impl(const char *text, size_t size) override;
  uint64_t current_pos() const override { return position; }

  bool isHeld = false;
  uint64_t position = 0;
  std::string kept;
  std::mutex mutex;
};

/// A program and what its diagnostics need to show source lines.
struct Input {
  std::shared_ptr<llvm::SourceMgr> sources;
  std::shared_ptr<HeldText> said; ///< what `diagnostics` prints to
  /// Prints every diagnostic of the context to stderr as "file:line:col: error: ..." with the line and a caret.
  std::unique_ptr<mlir::SourceMgrDiagnosticHandler> diagnostics;
  std::shared_ptr<ErrorListener> errors; ///< what was said; beside it the tools say what to do
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::shared_ptr<llvm::MemoryBuffer> binary; ///< of an ONNX model: the file; `sources` hold a text of it
  std::string name;                           ///< the file as given; "<stdin>" for "-"
  std::string hash;                           ///< of the text or bytecode that was parsed
};

/// The contents of `file` ("-": the standard input); a snapshot's also where it is packed
/// (mica/Artifact/SnapshotFile.h), called as it would be unpacked. Damage is said on the standard error.
llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> openText(llvm::StringRef file);

/// Reads and parses `file` ("-": the standard input). The problems of the text are printed; the error that is returned
/// says in one line what they come to. A snapshot of an artifact gets its ids and weights back. `text`: the contents of
/// the file, where they are known.
Result<Input> readInput(const std::string &file, mlir::MLIRContext &context,
                        std::unique_ptr<llvm::MemoryBuffer> text = nullptr);

/// What is known about a text that does not parse.
struct Finding {
  llvm::SMLoc position; ///< of the first occurrence
  std::string message;  ///< construct and version or dialect
  std::string hint;     ///< the way out
};

/// Looks through `text` for constructs that MLIR 22 with Mica's dialects does not read: ops of other dialects, older
/// spellings of TOSA, weights printed as `__elided__`. `known` are the dialects that can be read.
std::vector<Finding> diagnoseText(llvm::StringRef text, llvm::ArrayRef<std::string> known);

} // namespace mica::compiler

#endif // MICA_COMPILER_INPUT_INPUT_H
