//===- Input.h - reading programs ---------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Reads a program from a file or the standard input, text or bytecode. If a file cannot be parsed, explains all
// unsupported constructs at once: what each is, its version or dialect, and what to do, where upstream's parser stops
// at the first with "custom op is unknown".
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

/// Text for the standard error that is held back until it is known whether to print it.
class HeldText : public llvm::raw_ostream {
public:
  HeldText() : llvm::raw_ostream(/*unbuffered=*/true) {}
  ~HeldText() override { release(); }
  /// Holds back all text from now on.
  void hold() { isHeld = true; }
  /// Prints the held text; later text is printed at once.
  void release();
  /// Discards the held text; later text is printed at once.
  void drop();

private:
  void write_impl(const char *text, size_t size) override;
  uint64_t current_pos() const override { return position; }

  bool isHeld = false;
  uint64_t position = 0;
  std::string kept;
  std::mutex mutex;
};

/// A program with what its diagnostics need to print source lines.
struct Input {
  std::shared_ptr<llvm::SourceMgr> sources;
  std::shared_ptr<HeldText> said; ///< the stream of `diagnostics`
  /// Prints every diagnostic of the context to stderr as "file:line:col: error: ..." with the line and a caret.
  std::unique_ptr<mlir::SourceMgrDiagnosticHandler> diagnostics;
  std::shared_ptr<ErrorListener> errors; ///< the diagnostics so far, for the hints of tools
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::shared_ptr<llvm::MemoryBuffer> binary; ///< of an ONNX model: the file; `sources` hold a text of it
  std::string name;                           ///< the file as given; "<stdin>" for "-"
  std::string hash;                           ///< of the text or bytecode that was parsed
};

/// The contents of `file` ("-": the standard input). A packed snapshot (mica/Artifact/SnapshotFile.h) is opened by the
/// name of its unpacked file. Damage is reported on the standard error.
llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> openText(llvm::StringRef file);

/// Reads and parses `file` ("-": the standard input). The problems of the text are printed; the error that is returned
/// summarizes them in one line. A snapshot of an artifact gets its ids and weights back. `text`: the contents of the
/// file, if known.
Result<Input> readInput(const std::string &file, mlir::MLIRContext &context,
                        std::unique_ptr<llvm::MemoryBuffer> text = nullptr);

/// An explanation for a text that does not parse.
struct Finding {
  llvm::SMLoc position; ///< of the first occurrence
  std::string message;  ///< construct and version or dialect
  std::string hint;     ///< what to do
};

/// Searches `text` for constructs that MLIR 22 with Mica's dialects cannot read: ops of other dialects, older spellings
/// of TOSA, weights printed as `__elided__`. `known` are the registered dialects.
std::vector<Finding> diagnoseText(llvm::StringRef text, llvm::ArrayRef<std::string> known);

} // namespace mica::compiler

#endif // MICA_COMPILER_INPUT_INPUT_H
