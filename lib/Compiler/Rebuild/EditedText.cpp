//===- EditedText.cpp - parsing edited IR with its lines ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See EditedText.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Rebuild/EditedText.h"

#include "mica/Artifact/SnapshotFile.h"
#include "mica/Support/Nesting.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

#include <algorithm>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

Result<EditedText> compiler::readEditedText(const std::string &file, MLIRContext &context) {
  MICA_ASSIGN_OR_RETURN(std::string contents, artifact::readText(file));
  MICA_RETURN_IF_ERROR(checkNesting(contents, file));
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(contents, file), llvm::SMLoc());
  const Error rejected{ErrorCode::InvalidInput, file + " was not built: see the error above",
                       "correct the file, or undo the edit: mica-run DIR --reset; mica-run --no-rebuild runs the last "
                       "build"};
  EditedText text;
  SourceMgrDiagnosticHandler handler(sources, &context, llvm::errs());
  text.module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context, /*verifyAfterParse=*/true));
  if (!text.module)
    return rejected;
  // As in a printed snapshot, an op begins at the start of a line.
  llvm::SmallVector<llvm::StringRef> rows;
  llvm::StringRef(contents).split(rows, '\n');
  auto indentOf = [&](unsigned line) -> unsigned {
    llvm::StringRef row = line >= 1 && line <= rows.size() ? rows[line - 1] : "";
    return static_cast<unsigned>(row.size() - row.ltrim(' ').size());
  };
  text.module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto place = dyn_cast<FileLineColLoc>(op->getLoc()))
      text.snapshot.lines.push_back({place.getLine(), indentOf(place.getLine()), op->getLoc(), op});
  });
  std::stable_sort(text.snapshot.lines.begin(), text.snapshot.lines.end(),
                   [](const Snapshot::Line &a, const Snapshot::Line &b) { return a.line < b.line; });
  if (Result<artifact::StoredLineMap> map = artifact::readLineMap(file))
    attachLineMap(*text.module, contents, map->json, map->original);
  else if (map.error().code != ErrorCode::NotFound)
    return map.error();
  for (Snapshot::Line &line : text.snapshot.lines) {
    // A position in this text is not a position in the user's program.
    if (auto place = dyn_cast<FileLineColLoc>(line.op->getLoc()); place && place.getFilename() == file)
      line.op->setLoc(UnknownLoc::get(&context));
    line.location = line.op->getLoc();
  }
  text.snapshot.text = std::move(contents);
  return text;
}
