//===- Recorded.cpp - the states of a program between passes ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Recorded.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/Recorded.h"

#include "lib/IRTools/TestGenProbe.h"
#include "mica/Compiler/Index/PipelineText.h"
#include "mica/Compiler/Program/Constants.h"
#include "mica/Support/Files.h"
#include "mica/Support/Process.h"

#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mica;
using namespace mica::bisect;
namespace fs = std::filesystem;

/// A pipeline takes longer than a program.
static constexpr double kPipelineFactor = 10;

Result<Recorded> Recorded::open(const std::string &folder) {
  Recorded recorded;
  MICA_ASSIGN_OR_RETURN(irtools::Record record, irtools::Record::open(folder));
  recorded.stored = std::make_shared<const irtools::Record>(std::move(record));
  recorded.distinct.push_back(0);
  std::string last = recorded.stored->fingerprint("", 0);
  for (const irtools::RecordedPassInfo &pass : recorded.stored->passes()) {
    const std::string now = recorded.stored->fingerprint("", pass.position);
    if (std::exchange(last, now) != now)
      recorded.distinct.push_back(pass.position);
  }
  return recorded;
}

Result<Recorded> Recorded::between(const std::string &folder, int64_t first, int64_t last) {
  Recorded recorded;
  MICA_ASSIGN_OR_RETURN(irtools::Record record, irtools::Record::open(folder));
  recorded.stored = std::make_shared<const irtools::Record>(std::move(record));
  recorded.distinct = {first, last};
  return recorded;
}

Result<Recorded> Recorded::make(ModuleOp program, const std::string &pipeline, const std::vector<std::string> &flags,
                                const Runner &runner, const fs::path &folder) {
  MICA_RETURN_IF_ERROR(makeFolder(folder));
  const fs::path input = folder / "program.mlir", record = folder / "record";
  std::string contents = irtools::serializeModule(program, /*withLocations=*/true);
  MICA_RETURN_IF_ERROR(writeFile(input, contents));
  std::vector<std::string> command{runner.tool("mica-opt").string(), input.string(), "--pass-pipeline=" + pipeline,
                                   "--record=" + record.string(),    "-o",           (folder / "result.mlir").string()};
  command.insert(command.end(), flags.begin(), flags.end());
  ProcessOptions process;
  process.standardOutput = folder / "record.out";
  process.standardError = folder / "record.err";
  process.secondsLimit = runner.limits().seconds * kPipelineFactor;
  process.memoryLimit = runner.limits().memoryBytes;
  MICA_ASSIGN_OR_RETURN(const int code, runProcess(command, process));
  MICA_ASSIGN_OR_RETURN(std::string said, readFile(process.standardError));
  const Error unrun{ErrorCode::InvalidInput,
                    "the pipeline cannot be run (exit code " + std::to_string(code) +
                        "): " + llvm::StringRef(said).rtrim().str(),
                    llvm::StringRef(said).contains("unable to schedule")
                        ? "passes of functions stand in func.func(...)"
                        : "--pipeline takes the text of mlir-opt --pass-pipeline: 'builtin.module(...)'"};
  if (!fs::exists(record / "index.json"))
    return unrun;
  MICA_ASSIGN_OR_RETURN(Recorded recorded, open(record.string()));
  if (code != 0 && !recorded.stored->failure())
    return unrun; // Not one pass did.
  recorded.program = std::move(contents);
  recorded.limits = runner.limits();
  // The diagnostics alone: what follows is of files that are removed.
  llvm::StringRef diagnostics = llvm::StringRef(said).take_front(said.find("mica-opt: error: ")).rtrim();
  for (llvm::StringRef line : llvm::split(diagnostics, '\n'))
    if (!line.contains(folder.string()))
      recorded.said += line.str() + "\n";
  return recorded;
}

/// "model.mlir:3:5" as a location, without folders.
static std::optional<Location> placeOf(const irtools::Origin &origin, MLIRContext &context) {
  if (origin.sources.empty())
    return std::nullopt;
  auto [rest, column] = llvm::StringRef(origin.sources.front()).rsplit(':');
  auto [file, line] = rest.rsplit(':');
  unsigned lineNumber = 0, columnNumber = 0;
  if (line.getAsInteger(10, lineNumber) || column.getAsInteger(10, columnNumber))
    return std::nullopt;
  return FileLineColLoc::get(&context, file.substr(file.find_last_of('/') + 1), lineNumber, columnNumber);
}

/// Null where that fails, or there is nothing to begin from.
OwningOpRef<ModuleOp> Recorded::runAgain(int64_t position, MLIRContext &context) const {
  const std::optional<compiler::PipelineNode> all = compiler::parsePipelineText(stored->pipelineText(), 1);
  if (program.empty() || !all)
    return nullptr;
  const irtools::Forked forked = irtools::runForked(
      [&]() -> std::string {
        OwningOpRef<ModuleOp> module = irtools::readModule(program, &context);
        const std::string pipeline = compiler::pipelineRange({*all}, 0, static_cast<int>(position));
        return module && (position == 0 || succeeded(irtools::runPipeline(*module, pipeline)))
                   ? irtools::serializeModule(*module, /*withLocations=*/true)
                   : "";
      },
      limits.seconds *kPipelineFactor, limits.memoryBytes);
  OwningOpRef<ModuleOp> module = forked.ended && !forked.signal ? irtools::readModule(forked.text, &context) : nullptr;
  if (module)
    module->walk([&](Operation *op) {
      if (auto place = op->getLoc()->findInstanceOf<FileLineColLoc>())
        op->setLoc(FileLineColLoc::get(&context, llvm::sys::path::filename(place.getFilename().getValue()),
                                       place.getLine(), place.getColumn()));
    });
  return module;
}

std::string Recorded::reason() const {
  const llvm::StringRef after = llvm::StringRef(said).split("error: ").second;
  return after.empty() ? "" : ": " + after.split('\n').first.rtrim().str();
}

Result<OwningOpRef<ModuleOp>> Recorded::state(int64_t position, MLIRContext &context) const {
  std::optional<Result<irtools::Document>> read;
  {
    ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
    read.emplace(stored->state("", position, context));
  }
  if (!*read && read->error().code != ErrorCode::Damaged)
    return read->error();
  if (!*read || !(*read)->root) {
    if (OwningOpRef<ModuleOp> again = runAgain(position, context))
      return std::move(again);
    return !*read ? read->error()
                  : Error{ErrorCode::Damaged,
                          "the snapshot after " + stored->title(position) + " does not parse: " + (*read)->problem,
                          "record the pipeline again"};
  }
  irtools::Document &document = **read;
  irtools::unwrapModule(document);
  std::string error;
  if (!compiler::attachConstants(*document.root, stored->folder(), error))
    return Error{ErrorCode::Damaged, error, "record the pipeline again"};
  // Lines of a snapshot say nothing to the user. The module around the program, which may have one, is there no more.
  document.root->walk([&](Operation *op) {
    auto origin = document.origins.find(op);
    const std::optional<Location> place =
        origin == document.origins.end() ? std::nullopt : placeOf(*origin->second, context);
    op->setLoc(place.value_or(UnknownLoc::get(&context)));
  });
  return std::move(document.root);
}
