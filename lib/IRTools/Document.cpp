//===- Document.cpp - IR files with the line of each op ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Document.h. Lines of a text come from the parser's locations; those of bytecode from the printer.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/IRTools/Document.h"

#include "dialects/Mica/IR/OpIds.h"
#include "mica/Artifact/ReadLineMap.h"
#include "mica/Artifact/SnapshotFile.h"
#include "mica/Import/ONNX/Import.h"
#include "mica/Import/StableHLO/JaxExport.h"
#include "mica/Support/Nesting.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mica;
using namespace mica::irtools;

std::vector<std::string> irtools::splitLines(llvm::StringRef contents) {
  std::vector<std::string> lines;
  while (!contents.empty()) {
    auto [line, rest] = contents.split('\n');
    lines.push_back(line.rtrim('\r').str());
    contents = rest;
  }
  return lines;
}

/// "12:5: message" of the first error.
static std::string describe(Diagnostic &diagnostic) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto position = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
    os << position.getLine() << ":" << position.getColumn() << ": ";
  os << diagnostic.str();
  return text;
}

/// Reads the locations written in the file; not those that the parser assigns to ops without one.
static void readLocations(Document &document, llvm::StringRef bufferName) {
  llvm::DenseMap<Location, std::shared_ptr<const Origin>> known;
  document.root->walk([&](Operation *op) {
    auto [at, isNew] = known.try_emplace(op->getLoc());
    if (!isNew) {
      if (at->second)
        document.origins[op] = at->second;
      return;
    }
    Origin origin;
    for (llvm::StringRef id : getOpIds(op))
      origin.ids.push_back(id.str());
    for (FileLineColLoc position : getSourcePositions(op->getLoc()))
      if (position.getFilename() != bufferName)
        origin.sources.push_back((llvm::Twine(position.getFilename().strref()) + ":" + llvm::Twine(position.getLine()) +
                                  ":" + llvm::Twine(position.getColumn()))
                                     .str());
    if (!origin.ids.empty() || !origin.sources.empty())
      document.origins[op] = at->second = std::make_shared<const Origin>(std::move(origin));
  });
}

/// Sets the origins of ops from the line map. An invalid map is ignored, since the comparison works without.
static void readLineMap(Document &document, llvm::StringRef lineMap) {
  std::optional<artifact::LineMapSets> map = artifact::readLineMapSets(lineMap);
  if (!map)
    return;
  const auto lineCount = static_cast<int64_t>(document.text.size());
  std::vector<int64_t> setOfLine(document.text.size() + 1, -1);
  map->forEachLine(lineCount, [&](int64_t line, size_t set) { setOfLine[line] = static_cast<int64_t>(set); });
  std::vector<std::shared_ptr<const Origin>> origins;
  for (artifact::LineMapSets::Set &set : map->sets)
    origins.push_back(std::make_shared<const Origin>(Origin{std::move(set.ids), std::move(set.sources)}));
  for (auto [op, line] : document.lines)
    if (line <= lineCount && setOfLine[line] >= 0)
      document.origins[op] = origins[setOfLine[line]];
}

static void parseText(Document &document, llvm::StringRef contents, MLIRContext &context) {
  llvm::SourceMgr sources;
  // The parser requires a terminating NUL.
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(contents, document.name), llvm::SMLoc());
  unsigned id = sources.getMainFileID();
  OwningOpRef<ModuleOp> root = ModuleOp::create(UnknownLoc::get(&context));
  AsmParserState state;
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  if (failed(parseAsmSourceFile(sources, root->getBody(), config, &state))) {
    if (document.problem.empty())
      document.problem = "this is not MLIR";
    return;
  }
  document.root = std::move(root);
  // Positions are in the order of the text, so lines are counted once.
  std::vector<std::pair<const char *, Operation *>> places;
  for (const AsmParserState::OperationDefinition &definition : state.getOpDefs())
    places.push_back({definition.loc.Start.getPointer(), definition.op});
  llvm::sort(places);
  const char *at = sources.getMemoryBuffer(id)->getBufferStart();
  int64_t line = 1;
  for (auto [place, op] : places) {
    for (; at < place; ++at)
      line += *at == '\n';
    document.lines[op] = line;
  }
}

static void parseBytecode(Document &document, llvm::StringRef contents, MLIRContext &context) {
  OwningOpRef<ModuleOp> root = ModuleOp::create(UnknownLoc::get(&context));
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  llvm::MemoryBufferRef buffer(contents, document.name);
  if (failed(readBytecodeFile(buffer, root->getBody(), config))) {
    if (document.problem.empty())
      document.problem = "the bytecode cannot be read";
    return;
  }
  document.root = std::move(root);
  printAgain(document);
}

llvm::StringRef irtools::resourceName(DenseResourceElementsAttr resource) {
  llvm::StringRef key = resource.getRawHandle().getKey();
  auto [head, tail] = key.rsplit('_');
  auto &manager = DenseResourceElementsHandle::getManagerInterface(resource.getContext());
  bool isNumbered = !tail.empty() && llvm::all_of(tail, llvm::isDigit) && manager.getBlobManager().lookup(head);
  return isNumbered ? head : key;
}

/// Restores the names that handles have in files.
static void nameResources(Operation *root) {
  auto &manager = DenseResourceElementsHandle::getManagerInterface(root->getContext());
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](DenseResourceElementsAttr attr) -> std::optional<Attribute> {
    llvm::StringRef name = resourceName(attr);
    if (name == attr.getRawHandle().getKey())
      return std::nullopt;
    DenseResourceElementsHandle handle(manager.getBlobManager().lookup(name),
                                       cast<BuiltinDialect>(manager.getDialect()));
    return DenseResourceElementsAttr::get(attr.getType(), handle);
  });
  root->walk([&](Operation *op) { replacer.replaceElementsIn(op); });
}

void irtools::printAgain(Document &document, bool elides) {
  OpPrintingFlags flags;
  if (elides)
    flags.elideLargeElementsAttrs(16).elideLargeResourceString(16);
  else
    flags.elideLargeResourceString(0);
  // An implicit module around the only op of the file is not printed.
  Operation *shown = document.root.get();
  if (document.isWrapper && llvm::hasSingleElement(*document.root->getBody()))
    shown = &document.root->getBody()->front();
  if (!elides)
    nameResources(shown);
  AsmState::LocationMap places;
  AsmState state(shown, flags, &places);
  std::string text;
  llvm::raw_string_ostream os(text);
  shown->print(os, state);
  document.text = splitLines(text);
  document.isOwn = true;
  document.hidden.clear();
  document.lines.clear();
  for (auto [op, place] : places)
    document.lines[op] = place.first;
  document.lines.erase(document.root.get());
}

/// The parser renames a handle that the context has from another document: restores the name of handles in `contents`
/// without bytes, so that attributes with equal text are equal.
static void shareHandles(Document &document, llvm::StringRef contents) {
  auto &manager = DenseResourceElementsHandle::getManagerInterface(document.root->getContext());
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](DenseResourceElementsAttr attr) -> std::optional<Attribute> {
    llvm::StringRef key = attr.getRawHandle().getKey();
    auto *named = manager.getBlobManager().lookup(key.rsplit('_').first);
    if (attr.getRawHandle().getBlob() || !named || resourceName(attr) == key ||
        contents.contains(("dense_resource<" + key + ">").str()))
      return std::nullopt;
    return DenseResourceElementsAttr::get(
        attr.getType(), DenseResourceElementsHandle(named, cast<BuiltinDialect>(manager.getDialect())));
  });
  document.root->walk([&](Operation *op) { replacer.replaceElementsIn(op); });
}

Document irtools::copyPart(const Document &document, Operation *part) {
  Document copy;
  copy.name = document.name;
  copy.text = document.text;
  copy.isOwn = document.isOwn;
  copy.hidden = document.hidden;
  copy.root = ModuleOp::create(ModuleOp(document.root.get()).getLoc());
  IRMapping mapping;
  copy.root->getBody()->push_back(part->clone(mapping));
  part->walk([&](Operation *op) {
    Operation *copied = mapping.lookupOrNull(op);
    if (int64_t line = document.line(op))
      copy.lines[copied] = line;
    if (auto found = document.origins.find(op); found != document.origins.end())
      copy.origins[copied] = found->second;
  });
  return copy;
}

/// Ops in a plain `module { }` become top-level ops.
static void unwrap(Document &document) {
  Block &body = *document.root->getBody();
  auto inner = llvm::hasSingleElement(body) ? dyn_cast<ModuleOp>(body.front()) : ModuleOp();
  if (!inner || !inner->getAttrDictionary().empty())
    return;
  document.lines.erase(inner);
  inner->remove();
  document.root = inner;
  document.isWrapper = false;
}

/// The program of an ONNX model, verified; its text has a line for each node.
static void importModel(Document &document, llvm::StringRef contents, MLIRContext &context) {
  llvm::SourceMgr sources;
  Result<OwningOpRef<ModuleOp>> imported = importer::importOnnx(document.name, contents, context, sources);
  if (!imported) {
    if (document.problem.empty())
      document.problem = imported.error().message;
    return;
  }
  if (sources.getNumBuffers() > 0)
    document.text = splitLines(sources.getMemoryBuffer(sources.getMainFileID())->getBuffer());
  document.root = *std::move(imported);
  if (failed(verify(*document.root)))
    document.root = nullptr;
}

Document irtools::parseDocument(std::string name, llvm::StringRef contents, llvm::StringRef lineMap,
                                MLIRContext &context) {
  Document document;
  document.name = std::move(name);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (document.problem.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
      document.problem = describe(diagnostic);
    return success();
  });
  if (const std::optional<llvm::StringRef> module = importer::moduleOfJaxExport(contents))
    contents = *module;
  const bool isModel = importer::looksLikeOnnx(document.name, contents);
  if (const Status nesting = isModel ? Status::ok() : checkNesting(contents, document.name); !nesting) {
    document.problem = nesting.error().message.substr(document.name.size() + 1);
    return document;
  }
  if (isModel) {
    importModel(document, contents, context);
  } else if (isBytecode(llvm::MemoryBufferRef(contents, document.name))) {
    parseBytecode(document, contents, context);
  } else {
    document.text = splitLines(contents);
    parseText(document, contents, context);
    if (document.root && contents.contains("dense_resource<"))
      shareHandles(document, contents);
  }
  if (!document.root)
    return document;
  document.problem.clear();
  unwrap(document);
  readLocations(document, document.name);
  if (!lineMap.empty())
    readLineMap(document, lineMap);
  return document;
}

Result<Document> irtools::readDocument(const std::string &file, MLIRContext &context) {
  std::string contents, lineMap;
  if (file == "-") {
    auto buffer = llvm::MemoryBuffer::getSTDIN();
    if (!buffer)
      return Error{ErrorCode::Io, "cannot read '-': " + buffer.getError().message(), "check that it may be read"};
    contents = (*buffer)->getBuffer().str();
  } else {
    Result<std::string> text = artifact::readText(file);
    if (!text && text.error().code == ErrorCode::NotFound)
      return Error{ErrorCode::NotFound, "cannot read '" + file + "': No such file or directory",
                   "give a .mlir or .mlirbc file, the folder of a record, or an artifact"};
    if (!text)
      return text.error();
    contents = std::move(*text);
    if (Result<artifact::StoredLineMap> map = artifact::readLineMap(file))
      lineMap = std::move(map->json);
  }
  return parseDocument(file == "-" ? "<stdin>" : file, contents, lineMap, context);
}

Result<Document> irtools::readProgram(const std::string &file, MLIRContext &context) {
  MICA_ASSIGN_OR_RETURN(Document document, readDocument(file, context));
  if (!document.root) {
    return Error{ErrorCode::InvalidInput, file + ": " + document.problem, "mica-opt " + file + " shows the place"};
  }
  unwrapModule(document);
  return document;
}

void irtools::unwrapModule(Document &document) {
  if (!document.root || !llvm::hasSingleElement(*document.root->getBody()))
    return;
  if (auto inner = dyn_cast<ModuleOp>(document.root->getBody()->front())) {
    inner->remove();
    document.root = inner;
  }
}
