//===- Input.cpp - reading programs -----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Input.h; the search for constructs of other dialects and versions is in DiagnoseText.cpp.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Input.h"

#include "lib/Compiler/ErrorHelp.h"
#include "mica/Artifact/LayerFile.h"
#include "mica/Compiler/Constants.h"
#include "mica/Compiler/LayerPrinter.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

/// Whether `text` can be a text at all: IR is UTF-8 without control characters.
static bool looksLikeText(llvm::StringRef text) {
  return text.take_front(4096).find_first_of(llvm::StringRef("\0\1\2\3\4\5\6\7", 8)) == llvm::StringRef::npos;
}

/// Whether anything in `text` reminds of IR: an op name with its dialect, or a symbol of the grammar.
static bool looksLikeIR(llvm::StringRef text) {
  for (llvm::StringRef word :
       {"func.func", "module", "linalg.", "tosa.", "arith.", "tensor.", "mica.", " = \"", "#map"})
    if (text.contains(word))
      return true;
  return false;
}

static llvm::StringRef shortName(const Input &input) { return input.name; }

/// Prints what is known about the text and returns the error in one line. `fixes`: what to do about what the parser said.
static Error explain(const Input &input, llvm::StringRef text, const std::vector<Finding> &findings,
                     const std::string &fixes = "") {
  if (!findings.empty()) {
    for (const Finding &finding : findings) {
      input.sources->PrintMessage(llvm::errs(), finding.position, llvm::SourceMgr::DK_Error, finding.message, {}, {},
                                  /*ShowColors=*/false);
      llvm::errs() << "  what to do: " << finding.hint << "\n";
    }
    return {ErrorCode::InvalidInput,
            (shortName(input) + llvm::Twine(": not compiled: ") +
             (findings.size() == 1 ? "a construct" : "constructs") + " that MLIR 22 does not read")
                .str(),
            ""};
  }
  if (!looksLikeText(text) || !looksLikeIR(text))
    return {
        ErrorCode::InvalidInput, (shortName(input) + llvm::Twine(": this is not MLIR, text or bytecode")).str(),
        "give a .mlir or .mlirbc file as exporters write it (torch-mlir, IREE, TensorFlow); a checkpoint, an ONNX or a "
        "TFLite file has to be imported first"};
  llvm::errs() << fixes;
  return {ErrorCode::InvalidInput, (shortName(input) + llvm::Twine(": does not parse with MLIR 22")).str(),
          // What is known of the error itself is better than what holds for any.
          !fixes.empty()
              ? ""
              : "the position above says where; mica-opt FILE shows the same. A file of another MLIR version has to be "
                "printed by "
                "that version's mlir-opt as bytecode or generic form (--mlir-print-op-generic) first"};
}

llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> compiler::openText(llvm::StringRef file) {
  const bool isPacked = file.ends_with(artifact::kPackedSuffix);
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(file, /*IsText=*/false, /*RequiresNullTerminator=*/true);
  if (buffer ? !isPacked
             : buffer.getError() != std::errc::no_such_file_or_directory || !artifact::textExists(file.str()))
    return buffer;
  Result<std::string> text = artifact::readText(file.str());
  if (!text) {
    llvm::errs() << "error: " << text.error().message << "\n";
    return std::make_error_code(std::errc::illegal_byte_sequence);
  }
  return llvm::MemoryBuffer::getMemBufferCopy(*text, isPacked ? file.drop_back(artifact::kPackedSuffix.size()) : file);
}

Result<Input> compiler::readInput(const std::string &file, MLIRContext &context,
                                  std::unique_ptr<llvm::MemoryBuffer> given) {
  Input input;
  input.name = file == "-" ? "<stdin>" : file;
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = std::move(given);
  if (!*buffer)
    buffer = openText(file);
  if (!buffer) {
    bool isMissing = buffer.getError() == std::errc::no_such_file_or_directory;
    return Error{isMissing ? ErrorCode::NotFound : ErrorCode::Io,
                 (llvm::Twine("cannot read '") + input.name + "': " + buffer.getError().message()).str(),
                 isMissing || buffer.getError() == std::errc::is_a_directory
                     ? "give a .mlir or .mlirbc file, or - for the standard input"
                     : "check that it may be read"};
  }
  llvm::MemoryBufferRef reference = (*buffer)->getMemBufferRef();
  llvm::StringRef text = reference.getBuffer();
  input.sources = std::make_shared<llvm::SourceMgr>();
  // The standard input is called <stdin> by the buffer itself; a bytecode file's positions are those in its locations.
  input.sources->AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  input.diagnostics = std::make_unique<SourceMgrDiagnosticHandler>(*input.sources, &context, llvm::errs());
  input.errors = std::make_shared<ErrorListener>();
  input.errors->listen(context);
  if (text.trim().empty())
    return Error{ErrorCode::InvalidInput, (llvm::Twine(input.name) + ": the file is empty").str(),
                 "give a program with at least one function"};

  bool isBytecodeFile = isBytecode(reference);
  std::vector<Finding> findings;
  if (!isBytecodeFile) {
    std::vector<std::string> known;
    for (llvm::StringRef dialect : context.getDialectRegistry().getDialectNames())
      known.push_back(dialect.str());
    findings = diagnoseText(text, known);
    if (!findings.empty())
      return explain(input, text, findings);
    if (!looksLikeText(text))
      return explain(input, text, findings);
  }
  input.module = parseSourceFile<ModuleOp>(input.sources, ParserConfig(&context));
  if (!input.module) {
    if (isBytecodeFile)
      return Error{ErrorCode::InvalidInput, (llvm::Twine(input.name) + ": the bytecode cannot be read").str(),
                   "it is cut off, or was written by another MLIR version or with dialects Mica does not have"};
    return explain(input, text, findings, fixLines(input.errors->errors(), text, context));
  }
  std::string error, folder = llvm::sys::path::parent_path(file).str();
  if (Result<artifact::StoredLineMap> map = artifact::readLineMap(file); map && !isBytecodeFile)
    attachLineMap(*input.module, text, map->json, map->original);
  if (file != "-" && !attachConstants(*input.module, folder, error))
    return Error{ErrorCode::Damaged, error, "restore the file or compile the program again"};
  return input;
}
