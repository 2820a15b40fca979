//===- Input.cpp - reading programs -------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Input.h; the search for constructs of other dialects and versions is in DiagnoseText.cpp.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Input/Input.h"

#include "dialects/StableHLO/IR/VHLODialect.h"
#include "lib/Compiler/Diagnostics/ErrorHelp.h"
#include "mica/Artifact/SnapshotFile.h"
#include "mica/Compiler/Input/DynamicLists.h"
#include "mica/Compiler/Program/Constants.h"
#include "mica/Compiler/Snapshot/SnapshotPrinter.h"
#include "mica/Import/ONNX/Import.h"
#include "mica/Import/StableHLO/JaxExport.h"
#include "mica/Support/Compress.h"
#include "mica/Support/Hash.h"
#include "mica/Support/Nesting.h"
#include "passes/StableHLO/Passes.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

/// Whether `text` may be IR: UTF-8 without control characters.
static bool looksLikeText(llvm::StringRef text) {
  return text.take_front(4096).find_first_of(llvm::StringRef("\0\1\2\3\4\5\6\7", 8)) == llvm::StringRef::npos;
}

/// Whether `text` contains anything like IR: an op name with its dialect, or a token of the grammar.
static bool looksLikeIR(llvm::StringRef text) {
  for (llvm::StringRef word :
       {"func.func", "module", "linalg.", "tosa.", "arith.", "tensor.", "mica.", " = \"", "#map"})
    if (text.contains(word))
      return true;
  return false;
}

static llvm::StringRef shortName(const Input &input) { return input.name; }

/// How a file of another kind becomes one that Mica reads, by its name.
static std::string exporterFor(llvm::StringRef file) {
  const llvm::StringRef kind = llvm::sys::path::extension(file);
  if (kind == ".pt" || kind == ".pth" || kind == ".pt2")
    return "export the PyTorch model: torch.onnx.export(model, (x,), 'model.onnx')";
  if (kind == ".tflite")
    return "export the TFLite model as TOSA: flatbuffer_translate --tflite-flatbuffer-to-mlir, then tf-opt "
           "--tfl-to-tosa-pipeline; or convert it: python3 -m tf2onnx.convert --tflite model.tflite --output "
           "model.onnx";
  if (kind == ".pb")
    return "export the TensorFlow graph: python3 -m tf2onnx.convert --saved-model DIR --output model.onnx";
  if (kind == ".h5" || kind == ".hdf5" || kind == ".keras")
    return "export the Keras model: keras.models.load_model('" + llvm::sys::path::filename(file).str() +
           "').export('model.onnx', format='onnx'), from Keras 3.7 on";
  if (kind == ".safetensors")
    return "this file has weights and no program: export the model that they belong to "
           "(torch.onnx.export(model, (x,), 'model.onnx')); mica-run --inputs takes tensors of .safetensors files";
  return "give a .mlir or .mlirbc file as exporters write it (torch-mlir, IREE, TensorFlow), or a .onnx model";
}

/// Prints what is known about the text and returns the error in one line. `fixes`: hints for the parser's errors.
static Error explain(const Input &input, llvm::StringRef text, const std::vector<Finding> &findings,
                     const std::string &fixes = "") {
  if (!findings.empty()) {
    for (const Finding &finding : findings) {
      input.sources->PrintMessage(llvm::errs(), finding.position, llvm::SourceMgr::DK_Error, finding.message, {}, {},
                                  /*ShowColors=*/false);
      llvm::errs() << "  hint: " << finding.hint << "\n";
    }
    return {ErrorCode::InvalidInput,
            (shortName(input) + llvm::Twine(": not compiled: ") +
             (findings.size() == 1 ? "a construct" : "constructs") + " that MLIR 22 does not read")
                .str(),
            ""};
  }
  if (!looksLikeText(text) || !looksLikeIR(text))
    return {ErrorCode::InvalidInput, (shortName(input) + llvm::Twine(": this is not MLIR, text or bytecode")).str(),
            exporterFor(input.name)};
  llvm::errs() << fixes;
  // A hint for this error is better than a general one.
  return {ErrorCode::InvalidInput, (shortName(input) + llvm::Twine(": syntax error")).str(),
          !fixes.empty()
              ? ""
              : "correct the position named above; if another version of MLIR wrote the file, print it with that "
                "version's mlir-opt --mlir-print-op-generic first (Mica reads the syntax of MLIR 22)"};
}

llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> compiler::openText(llvm::StringRef file) {
  const bool isPacked = file.ends_with(artifact::kPackedSuffix);
  // Read, not mapped: saving the file now must not change or truncate the examined contents.
  auto buffer = file == "-" ? llvm::MemoryBuffer::getSTDIN()
                            : llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/true,
                                                          /*IsVolatile=*/true);
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

void HeldText::write_impl(const char *text, size_t size) {
  std::lock_guard<std::mutex> held(mutex);
  position += size;
  if (isHeld)
    kept.append(text, size);
  else
    llvm::errs().write(text, size);
}

void HeldText::release() {
  std::lock_guard<std::mutex> held(mutex);
  isHeld = false;
  llvm::errs() << kept;
  kept.clear();
}

void HeldText::drop() {
  std::lock_guard<std::mutex> held(mutex);
  isHeld = false;
  kept.clear();
}

/// The first lines of an operation in a note: a whole program would scroll the message off the screen.
static std::string shortened(llvm::StringRef note) {
  constexpr size_t kMostLines = 12, kMostColumns = 400;
  llvm::SmallVector<llvm::StringRef> lines;
  note.split(lines, '\n');
  std::string text;
  for (llvm::StringRef line : llvm::ArrayRef(lines).take_front(kMostLines)) {
    text += (text.empty() ? "" : "\n") + line.take_front(kMostColumns).str();
    if (line.size() > kMostColumns)
      text += "...";
  }
  if (lines.size() > kMostLines)
    text += "\n  ... " + std::to_string(lines.size() - kMostLines) + " more lines";
  return text;
}

namespace {
/// Diagnostics of a program whose locations name its file without the folder: prints them with the path as given, and
/// with the source line.
class InputDiagnostics : public SourceMgrDiagnosticHandler {
public:
  InputDiagnostics(llvm::SourceMgr &sources, MLIRContext *context, llvm::raw_ostream &os)
      : SourceMgrDiagnosticHandler(sources, context, os) {
    setHandler([this](Diagnostic &diagnostic) { show(diagnostic); });
  }
  void setNames(StringAttr stored, StringAttr given) {
    replacer.emplace();
    replacer->addReplacement([=](FileLineColRange range) -> std::optional<Attribute> {
      return range.getFilename() == stored ? renamed(range, given) : Attribute(range);
    });
  }
  static Attribute renamed(FileLineColRange range, StringAttr file) {
    if (auto place = dyn_cast<FileLineColLoc>(Attribute(range)))
      return FileLineColLoc::get(file, place.getLine(), place.getColumn());
    return FileLineColRange::get(file, range.getStartLine(), range.getStartColumn(), range.getEndLine(),
                                 range.getEndColumn());
  }

private:
  Location asGiven(Location location) {
    return replacer ? Location(cast<LocationAttr>(replacer->replace(Attribute(location)))) : location;
  }
  void show(Diagnostic &diagnostic) {
    Diagnostic shown(asGiven(diagnostic.getLocation()), diagnostic.getSeverity());
    shown << diagnostic.str();
    for (const Diagnostic &note : diagnostic.getNotes())
      shown.attachNote(asGiven(note.getLocation())) << shortened(note.str());
    emitDiagnostic(shown);
  }

  std::optional<AttrTypeReplacer> replacer;
};
} // namespace

/// Removes the folder from the program's file name in all locations, so that the output does not depend on the folder.
static void relativizeLocations(ModuleOp module, llvm::StringRef given, InputDiagnostics &diagnostics) {
  const llvm::StringRef name = llvm::sys::path::filename(given);
  if (name == given || name.empty())
    return;
  auto from = StringAttr::get(module.getContext(), given), to = StringAttr::get(module.getContext(), name);
  AttrTypeReplacer replacer;
  replacer.addReplacement([=](FileLineColRange range) -> std::optional<Attribute> {
    return range.getFilename() == from ? InputDiagnostics::renamed(range, to) : Attribute(range);
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/false, /*replaceLocs=*/true, /*replaceTypes=*/false);
  diagnostics.setNames(to, from);
}

/// Removes each `affine.delinearize_index` without results. It has no effect, and its text, which the snapshots would
/// hold, does not parse: upstream prints `into () : ` without a type.
static void removeEmptyDelinearizations(ModuleOp module) {
  module.walk([](affine::AffineDelinearizeIndexOp op) {
    if (op->getNumResults() != 0)
      return;
    emitWarning(op.getLoc()) << "'affine.delinearize_index' without results is removed: it computes nothing, and MLIR "
                                "does not parse what it prints for it";
    op->erase();
  });
}

/// Verifies the program that was read.
static Status verifyInput(Input &input, llvm::StringRef text, MLIRContext &context) {
  if (succeeded(verifyDynamicLists(*input.module)) && succeeded(verify(*input.module)))
    return Status::ok();
  llvm::errs() << fixLines(input.errors->errors(), text, context);
  return Error{ErrorCode::InvalidInput, (shortName(input) + llvm::Twine(": the program is not valid")).str(),
               "correct the operation named above, or what wrote the file"};
}

Result<Input> compiler::readInput(const std::string &file, MLIRContext &context,
                                  std::unique_ptr<llvm::MemoryBuffer> given) {
  Input input;
  input.name = file == "-" ? "<stdin>" : file;
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = std::move(given);
  if (!*buffer)
    buffer = openText(file);
  else if (llvm::StringRef(file).ends_with(artifact::kPackedSuffix)) {
    MICA_ASSIGN_OR_RETURN(const std::string unpacked, decompress((*buffer)->getBuffer(), file));
    buffer =
        llvm::MemoryBuffer::getMemBufferCopy(unpacked, llvm::StringRef(file).drop_back(artifact::kPackedSuffix.size()));
  }
  if (!buffer) {
    bool isMissing = buffer.getError() == std::errc::no_such_file_or_directory;
    return Error{isMissing ? ErrorCode::NotFound : ErrorCode::Io,
                 (llvm::Twine("cannot read '") + input.name + "': " + buffer.getError().message()).str(),
                 isMissing || buffer.getError() == std::errc::is_a_directory
                     ? "give a .mlir or .mlirbc file, or - for the standard input; .onnx models are read too"
                     : "check that it may be read"};
  }
  if (const std::optional<llvm::StringRef> module = importer::moduleOfJaxExport((*buffer)->getBuffer()))
    buffer = llvm::MemoryBuffer::getMemBufferCopy(*module, (*buffer)->getBufferIdentifier());
  llvm::MemoryBufferRef reference = (*buffer)->getMemBufferRef();
  llvm::StringRef text = reference.getBuffer();
  input.hash = hashHex(text);
  input.sources = std::make_shared<llvm::SourceMgr>();
  const bool isOnnx = importer::looksLikeOnnx(file, text);
  // Of an ONNX model, the sources hold the text that the import makes of it. The buffer itself is called <stdin>;
  // positions of a bytecode file are those in its locations.
  if (isOnnx)
    input.binary = std::move(*buffer);
  else
    input.sources->AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  input.said = std::make_shared<HeldText>();
  auto diagnostics = std::make_unique<InputDiagnostics>(*input.sources, &context, *input.said);
  InputDiagnostics &shown = *diagnostics;
  input.diagnostics = std::move(diagnostics);
  input.errors = std::make_shared<ErrorListener>();
  input.errors->listen(context);
  if (text.trim().empty())
    return Error{ErrorCode::InvalidInput, (llvm::Twine(input.name) + ": the file is empty").str(),
                 "give a program with at least one function"};

  if (isOnnx) {
    MICA_ASSIGN_OR_RETURN(input.module, importer::importOnnx(input.name, text, context, *input.sources));
    MICA_RETURN_IF_ERROR(verifyInput(input, text, context));
    relativizeLocations(*input.module, input.name, shown);
    return input;
  }
  bool isBytecodeFile = isBytecode(reference);
  std::vector<Finding> findings;
  MICA_RETURN_IF_ERROR(checkNesting(text, input.name));
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
  input.module = parseSourceFile<ModuleOp>(input.sources, ParserConfig(&context, /*verifyAfterParse=*/false));
  if (!input.module) {
    if (isBytecodeFile)
      return Error{ErrorCode::InvalidInput, (llvm::Twine(input.name) + ": the bytecode cannot be read").str(),
                   "it is cut off, or was written by another MLIR version or with dialects Mica does not have"};
    return explain(input, text, findings, fixLines(input.errors->errors(), text, context));
  }
  // Portable artifacts of StableHLO hold versioned ops.
  if (context.getLoadedDialect<vhlo::VHLODialect>() && failed(convertVHLOToStableHLO(*input.module)))
    return Error{ErrorCode::InvalidInput,
                 (llvm::Twine(input.name) + ": not compiled: ops of 'vhlo' that are not read").str(),
                 "export the model for a version of StableHLO that Mica reads: stablehlo-translate --serialize "
                 "--target=1.13.0 model.mlir"};
  MICA_RETURN_IF_ERROR(verifyInput(input, text, context));
  removeEmptyDelinearizations(*input.module);
  if (!isBytecodeFile)
    relativizeLocations(*input.module, reference.getBufferIdentifier(), shown);
  std::string error, folder = llvm::sys::path::parent_path(file).str();
  if (Result<artifact::StoredLineMap> map = artifact::readLineMap(file); map && !isBytecodeFile)
    attachLineMap(*input.module, text, map->json, map->original);
  if (file != "-" && !attachConstants(*input.module, folder, error))
    return Error{ErrorCode::Damaged, error, "restore the file or compile the program again"};
  return input;
}
