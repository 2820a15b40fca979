//===- ArtifactBuilder.cpp - fills the folder of an artifact ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See ArtifactBuilder.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/ArtifactBuilder.h"

#include "lib/Compiler/CompileLog.h"
#include "lib/Compiler/PerfHints.h"
#include "lib/Compiler/ReportFiles.h"
#include "mica/Compiler/Describe.h"
#include "mica/Compiler/Version.h"
#include "mica/Support/Hash.h"
#include "mica/Support/Text.h"
#include "passes/Schedule/TaskLists.h"
#include "passes/Tensor/ConstantNames.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;
namespace fs = std::filesystem;

Result<ArtifactBuilder> ArtifactBuilder::create(const std::string &output, bool force) {
  bool isReplaced = artifact::isArtifact(output);
  if (isReplaced && !force) {
    // Rebuilding over one's own output is everyday; over hand edits it would destroy work.
    Result<artifact::Artifact> old = artifact::Artifact::open(output);
    if (!old)
      return Error{ErrorCode::InvalidInput, output + " holds an artifact that cannot be read: " + old.error().message,
                   "give another -o, or --force to replace it"};
    MICA_ASSIGN_OR_RETURN(std::vector<artifact::FileChange> changes, old->changes());
    std::vector<std::string> edited;
    for (const artifact::FileChange &change : changes)
      if (change.state == artifact::FileState::Edited)
        edited.push_back(change.path);
    if (!edited.empty())
      return Error{ErrorCode::InvalidInput, output + " was edited by hand: " + joinNames(edited),
                   "give another -o, or --force to lose the edits"};
  }
  MICA_RETURN_IF_ERROR(artifact::checkReplaceable(output, force || isReplaced));
  // Runs belong to the folder's user, not to the program in it.
  MICA_ASSIGN_OR_RETURN(StagedFolder folder, StagedFolder::create(output, {"runs"}));
  ArtifactBuilder builder(std::move(folder), output);
  builder.replaces = isReplaced || fs::exists(output);
  return builder;
}

Status ArtifactBuilder::write(const std::string &name, std::string_view contents, std::vector<std::string> inputs,
                              const std::string &command) {
  MICA_RETURN_IF_ERROR(writeFile(path() / name, contents));
  manifest.files.push_back({name, std::move(inputs), command, hashHex(contents)});
  return Status::ok();
}

//===------------------------------------------------------------------------------------------------------------===//
// The program
//===------------------------------------------------------------------------------------------------------------===//

Status ArtifactBuilder::recordProgram(ModuleOp program, const std::string &inputName) {
  manifest.inputFile = inputName;
  manifest.entries = describeEntries(program);
  manifest.ops = describeOps(program);
  MICA_RETURN_IF_ERROR(writeInputConstants(program));

  // The weights lie in constants.bin; the program refers to them by name.
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  BytecodeWriterConfig config("Mica " + micaVersion());
  config.setElideResourceDataFlag();
  if (failed(writeBytecodeToFile(program, os, config)))
    return Error{ErrorCode::Internal, "input.mlirbc could not be written", ""};
  return write("input.mlirbc", bytes, {}, "mica-compile: parse, phase input");
}

Status ArtifactBuilder::recordOrigin(const artifact::Artifact &origin, ModuleOp program) {
  manifest.inputFile = origin.manifest().inputFile;
  manifest.entries = origin.manifest().entries;
  manifest.ops = origin.manifest().ops;
  MICA_RETURN_IF_ERROR(writeInputConstants(program));
  MICA_ASSIGN_OR_RETURN(std::string bytes, readFile(origin.path("input.mlirbc")));
  return write("input.mlirbc", bytes, {}, "mica-compile: copied from the artifact resumed");
}

Status ArtifactBuilder::writeConstantsFiles(const std::vector<PlacedConstant> &constants, int64_t present) {
  if (std::string problem = writeConstants((path() / artifact::kConstantsFile).string(), constants, present);
      !problem.empty())
    return Error{ErrorCode::Io, problem, "choose another -o, or free space"};
  return writeFile(path() / "passes_dump/constants.json", printConstantsIndex("../constants.bin", constants));
}

/// The weights of the program, first in constants.bin: layers show handles from here on, and have to stay runnable also where
/// the compile does not come to its end.
Status ArtifactBuilder::writeInputConstants(ModuleOp program) {
  for (DenseResourceElementsAttr attr : collectResources(program))
    if (AsmResourceBlob *blob = attr.getRawHandle().getBlob())
      inputConstants.push_back({attr.getRawHandle().getKey().str(), attr, blob->getData(), 0});
  inputConstantsBytes = placeConstants(inputConstants);
  return inputConstants.empty() ? Status::ok() : writeConstantsFiles(inputConstants, /*present=*/0);
}

/// Adds the constants that the schedule uses, and that the program did not have, to constants.bin.
Status ArtifactBuilder::recordConstants(ModuleOp program) {
  std::vector<PlacedConstant> constants = inputConstants;
  std::vector<std::vector<char>> owned;
  for (ElementsAttr value : collectConstants(program)) {
    PlacedConstant constant;
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(value); resource && resource.getRawHandle().getBlob()) {
      constant.data = resource.getRawHandle().getBlob()->getData();
    } else {
      std::optional<std::vector<char>> bytes = bytesOfConstant(value);
      if (!bytes)
        return Error{ErrorCode::Internal, "a constant of the schedule has no bytes", ""};
      owned.push_back(std::move(*bytes));
      constant.data = owned.back();
    }
    constant.name = constantName(constant.data);
    std::optional<artifact::TensorSpec> spec = specOf(value.getShapedType());
    if (!spec)
      return Error{ErrorCode::Internal, "a constant of the schedule has an element type the runtime does not have", ""};
    manifest.constants.push_back({constant.name, *spec, 0, static_cast<int64_t>(constant.data.size())});
    constants.push_back(std::move(constant));
  }
  placeConstants(constants);
  for (auto [record, constant] :
       llvm::zip_equal(manifest.constants, llvm::ArrayRef(constants).drop_front(inputConstants.size())))
    record.offset = constant.offset;
  if (constants.empty())
    return Status::ok();
  MICA_RETURN_IF_ERROR(writeConstantsFiles(constants, inputConstantsBytes));
  for (const char *name : {"constants.bin", "passes_dump/constants.json"}) {
    MICA_ASSIGN_OR_RETURN(std::string hash, hashFile(path() / name));
    manifest.files.push_back({name, {"input.mlirbc"}, "mica-compile: constants", std::move(hash)});
  }
  return Status::ok();
}

Status ArtifactBuilder::recordSchedule(ModuleOp program) {
  // What the program stores to arguments has become results.
  for (const artifact::EntryRecord &scheduled : describeEntries(program))
    for (artifact::EntryRecord &entry : manifest.entries)
      if (entry.name == scheduled.name && entry.results.size() != scheduled.results.size())
        entry.results = scheduled.results;
  MICA_RETURN_IF_ERROR(recordConstants(program));
  OwningOpRef<ModuleOp> schedule = scheduleOf(program);
  Layer layer = printLayer(*schedule);
  MICA_RETURN_IF_ERROR(
      write("host/schedule.mlir", layer.text, {"input.mlirbc"}, "mica-compile: phases tensor to schedule"));
  MICA_RETURN_IF_ERROR(write("host/schedule.mlir.map.json", printLineMap(layer, "schedule.mlir"),
                             {"host/schedule.mlir"}, "mica-compile: line map"));
  MICA_ASSIGN_OR_RETURN(lists, exportTaskLists(program, manifest));
  logSchedule(manifest, lists, layer.text);
  return write(std::string(artifact::kTasksFile), artifact::printTaskLists(lists), {"host/schedule.mlir"},
               "mica-compile: task lists");
}

//===------------------------------------------------------------------------------------------------------------===//
// Kernels
//===------------------------------------------------------------------------------------------------------------===//

Status ArtifactBuilder::recordKernel(ModuleOp kernel, const Layer &layer) {
  MICA_ASSIGN_OR_RETURN(artifact::KernelRecord record, describeKernel(kernel));
  // The kinds the user wrote; inside the kernel all structured ops have become linalg.generic.
  for (size_t i = 0; i < record.opIds.size(); ++i)
    for (const artifact::OpRecord &op : manifest.ops)
      if (op.id == record.opIds[i])
        record.opKinds[i] = op.kind;
  std::string base = "kernels/" + record.name + "/";
  MICA_RETURN_IF_ERROR(
      write(base + "kernel.mlir", layer.text, {"input.mlirbc"}, "mica-compile: phases tensor to kernel"));
  MICA_RETURN_IF_ERROR(write(base + "kernel.mlir.map.json", printLineMap(layer, "kernel.mlir"), {base + "kernel.mlir"},
                             "mica-compile: line map"));
  MICA_RETURN_IF_ERROR(write(base + "launch.json", artifact::printLaunch(record), {base + "kernel.mlir"},
                             "mica-compile: launch record"));
  kernelLayers[record.name] = layer;
  manifest.kernels.push_back(std::move(record));
  return Status::ok();
}

/// The rows of a line map: lines of `table` with the locations that kernel.mlir has at the lines they point to.
static std::vector<std::pair<unsigned, Location>> locate(const LineTable &table, const Layer &layer,
                                                         const std::string &file) {
  std::map<unsigned, Location> located;
  for (const Layer::Line &line : layer.lines)
    located.try_emplace(line.line, withLinePosition(line.location, file, line.line, line.column));
  std::vector<std::pair<unsigned, Location>> rows;
  for (auto [line, target] : table)
    if (auto it = located.find(target); it != located.end())
      rows.push_back({line, it->second});
  return rows;
}

Status ArtifactBuilder::recordKernelCode(const std::string &kernel, const GeneratedCode &code) {
  std::string base = "kernels/" + kernel + "/";
  const Layer &layer = kernelLayers[kernel];
  std::string file = base + "kernel.mlir";
  MICA_RETURN_IF_ERROR(write(base + "kernel.ll", code.llvmIR, {file}, "mica-compile: phase lowered, LLVM's optimiser"));
  MICA_RETURN_IF_ERROR(write(base + "kernel.ll.map.json",
                             printLineMap(locate(code.llvmLines, layer, file), code.llvmIR, "kernel.ll"),
                             {base + "kernel.ll", file}, "mica-compile: line map"));
  MICA_RETURN_IF_ERROR(
      write(base + "kernel.s", code.assembly, {base + "kernel.ll"}, "mica-compile: LLVM's code generator"));
  MICA_RETURN_IF_ERROR(write(base + "kernel.s.map.json",
                             printLineMap(locate(code.assemblyLines, layer, file), code.assembly, "kernel.s"),
                             {base + "kernel.s", file}, "mica-compile: line map"));
  objects.push_back(base + "kernel.o");
  return write(objects.back(), code.object, {base + "kernel.s"}, "mica-compile: LLVM's assembler");
}

std::string ArtifactBuilder::strategyOf(const std::string &kernel) const {
  for (const artifact::KernelRecord &record : manifest.kernels)
    if (record.name == kernel)
      return record.strategy;
  return "";
}

Status ArtifactBuilder::recordHostCode(const GeneratedCode &code) {
  MICA_RETURN_IF_ERROR(
      write("host/host.ll", code.llvmIR, {"host/schedule.mlir"}, "mica-compile: phase lowered, LLVM's optimiser"));
  objects.push_back("host/host.o");
  return write(objects.back(), code.object, {"host/host.ll"}, "mica-compile: LLVM's code generator and assembler");
}

Status ArtifactBuilder::link() {
  std::vector<std::string> files;
  for (const std::string &object : objects)
    files.push_back((path() / object).string());
  std::string program(artifact::kProgramFile);
  MICA_RETURN_IF_ERROR(linkProgram(files, (path() / program).string()));
  MICA_ASSIGN_OR_RETURN(std::string hash, hashFile(path() / program));
  manifest.files.push_back({program, objects, "mica-compile: LLD", std::move(hash)});
  return Status::ok();
}

//===------------------------------------------------------------------------------------------------------------===//
// The end
//===------------------------------------------------------------------------------------------------------------===//

Status ArtifactBuilder::recordReport(const PassRecorder &recorder) {
  MICA_RETURN_IF_ERROR(
      write("report/remarks.json", printRemarksReport(recorder), {"input.mlirbc"}, "mica-compile: what passes said"));
  MICA_RETURN_IF_ERROR(write("report/fusion.json", printFusionReport(recorder, manifest), {"input.mlirbc"},
                             "mica-compile: what was fused"));
  const std::vector<PerfHint> hints = findPerfHints(recorder, manifest, lists);
  logPerfHints(hints);
  MICA_RETURN_IF_ERROR(write("report/perf_hints.json", printPerfHints(hints), {std::string(artifact::kTasksFile)},
                             "mica-compile: what costs time"));
  return write("report/memory.json", printMemoryReport(manifest, lists), {std::string(artifact::kTasksFile)},
               "mica-compile: where buffers lie");
}

Status ArtifactBuilder::commit(const CompileOptions &options, const CodeTarget &target,
                               const std::vector<std::string> &layers) {
  manifest.micaVersion = micaVersion();
  manifest.llvmVersion = llvmVersion();
  manifest.commandLine = options.commandLine;
  manifest.target = options.target;
  manifest.triple = target.triple;
  manifest.cpu = target.tune;
  manifest.cpuFeatures = target.cpuinfoFeatures;
  manifest.options["opt-level"] = std::to_string(options.optLevel);
  manifest.options["dump-passes"] = dumpModeName(options.dump);
  manifest.options["target-features"] = target.features;
  for (const std::string &layer : layers) {
    std::string name = "passes_dump/" + layer;
    MICA_ASSIGN_OR_RETURN(std::string hash, hashFile(path() / name));
    manifest.files.push_back({name, {"input.mlirbc"}, "mica-compile: record", std::move(hash)});
  }
  MICA_RETURN_IF_ERROR(writeFile(path() / artifact::kManifestFile, artifact::printManifest(manifest)));
  // An interrupt that is removing the folder at this moment ends the process; a later one waits.
  std::unique_lock<std::recursive_mutex> held;
  if (options.holdInterrupts)
    held = options.holdInterrupts();
  return folder.commit(replaces);
}

fs::path ArtifactBuilder::failedPath() const {
  fs::path kept = folder.target();
  kept += ".failed";
  return kept;
}

Status ArtifactBuilder::keepFailed() {
  std::error_code code;
  fs::remove_all(failedPath(), code);
  fs::rename(path(), failedPath(), code);
  if (code)
    return Error{ErrorCode::Io, "the record could not be kept as " + failedPath().string() + ": " + code.message(), ""};
  return Status::ok();
}

std::string ArtifactBuilder::summary(double seconds) const {
  std::vector<std::string> entries;
  for (const artifact::EntryRecord &entry : manifest.entries)
    entries.push_back(entry.name);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << output << ": " << manifest.kernels.size() << (manifest.kernels.size() == 1 ? " kernel, " : " kernels, ")
     << manifest.ops.size() << " ops, " << (entries.size() == 1 ? "entry " : "entries ") << joinNames(entries) << "; "
     << llvm::format("%.2f s", seconds);
  return text;
}
