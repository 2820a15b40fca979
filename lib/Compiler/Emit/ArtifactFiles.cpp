//===- ArtifactFiles.cpp - writing the files of an artifact -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See ArtifactFiles.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Emit/ArtifactFiles.h"

#include "lib/Compiler/Emit/CompileLog.h"
#include "mica/ABI/Kernel.h"
#include "mica/Artifact/SnapshotFile.h"
#include "mica/Artifact/Verify.h"
#include "mica/Compiler/Program/Describe.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"
#include "mica/Support/MemoryLimit.h"
#include "passes/Schedule/LaunchInfo.h"
#include "passes/Schedule/TaskLists.h"
#include "passes/Tensor/ConstantNames.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringSet.h"

#include <algorithm>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;
namespace fs = std::filesystem;

ArtifactFiles::ArtifactFiles(fs::path root, const artifact::Artifact &home)
    : manifest(home.manifest()), lists(home.taskLists()), root(std::move(root)), home(home.folder()) {
  for (const artifact::FileRecord &record : manifest.files)
    if (record.path == artifact::kProgramFile)
      objects = record.inputs;
}

fs::path ArtifactFiles::fileOf(const std::string &name) const {
  return home.empty() || llvm::is_contained(written, name) ? root / name : home / name;
}

Status ArtifactFiles::write(const std::string &name, std::string_view contents, std::vector<std::string> inputs,
                            const std::string &command) {
  MICA_RETURN_IF_ERROR(writeFile(root / name, contents));
  return note(name, hashHex(contents), std::move(inputs), command);
}

Status ArtifactFiles::note(const std::string &name, std::string hash, std::vector<std::string> inputs,
                           const std::string &command) {
  written.push_back(name);
  noteRecord({name, std::move(inputs), command, std::move(hash)});
  return Status::ok();
}

void ArtifactFiles::noteRecord(artifact::FileRecord record) {
  auto known = home.empty() ? manifest.files.end()
                            : std::find_if(manifest.files.begin(), manifest.files.end(),
                                           [&](const artifact::FileRecord &file) { return file.path == record.path; });
  if (known != manifest.files.end())
    *known = std::move(record);
  else
    manifest.files.push_back(std::move(record));
}

/// Whether the existing artifact has its snapshots as plain files, as it always does up to a few kilobytes.
bool ArtifactFiles::hasPlainSnapshots() const {
  return llvm::none_of(manifest.files, [](const artifact::FileRecord &record) {
    return record.packed || record.path == "passes_dump/" + std::string(artifact::kSnapshotArchiveFile);
  });
}

Status ArtifactFiles::writeSnapshot(const std::string &name, std::string_view text, std::string_view map,
                                    const std::string &command) {
  const std::vector<artifact::StoredFile> stored =
      artifact::storeSnapshot(name, text, map, /*isPlain=*/hasPlainSnapshots());
  const bool isPacked = stored.size() == 1;
  for (const artifact::StoredFile &file : stored) {
    MICA_RETURN_IF_ERROR(writeFile(root / file.name, file.contents));
    written.push_back(file.name);
    if (!isPacked)
      noteRecord({file.name, {}, command, hashHex(file.contents)});
  }
  if (isPacked)
    noteRecord({name, {}, command, hashHex(text), "", /*packed=*/true});
  snapshots.push_back(name);
  return Status::ok();
}

//===------------------------------------------------------------------------------------------------------------===//
// Constants
//===------------------------------------------------------------------------------------------------------------===//

/// The constants of the schedule in the order of the manifest, with their records except offsets. `owned` keeps the
/// bytes of those that the IR holds in another form.
Result<std::vector<PlacedConstant>> ArtifactFiles::scheduleConstants(ModuleOp program,
                                                                     std::vector<std::vector<char>> &owned) {
  manifest.constants.clear();
  std::vector<PlacedConstant> constants;
  for (ElementsAttr value : collectConstants(program)) {
    PlacedConstant constant;
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(value); resource && resource.getRawHandle().getBlob()) {
      constant.data = resource.getRawHandle().getBlob()->getData();
    } else {
      std::optional<std::vector<char>> bytes = bytesOfConstant(value);
      if (!bytes) {
        const std::optional<artifact::TensorSpec> type = specOf(value.getShapedType());
        if (Status fits = type ? checkTensorSize(type->shape, type->dtype) : Status(); !fits)
          return Error{fits.error().code, "a constant: " + fits.error().message, fits.error().hint};
        return Error{ErrorCode::Internal, "a constant of the schedule has no bytes", ""};
      }
      owned.push_back(std::move(*bytes));
      constant.data = owned.back();
    }
    constant.name = constantName(constant.data);
    std::optional<artifact::TensorSpec> spec = specOf(value.getShapedType());
    if (!spec) {
      std::string type;
      llvm::raw_string_ostream(type) << value.getShapedType();
      return Error{ErrorCode::Unsupported, "a constant is " + type + ", of elements that the runtime does not have",
                   "make it of its real and imaginary parts in the program, if it is complex"};
    }
    manifest.constants.push_back({constant.name, *spec, 0, static_cast<int64_t>(constant.data.size())});
    constants.push_back(std::move(constant));
  }
  return constants;
}

Status ArtifactFiles::writeConstantsFiles(const std::vector<PlacedConstant> &constants, int64_t present) {
  if (std::string problem = writeConstants((root / artifact::kConstantsFile).string(), constants, present);
      !problem.empty())
    return Error{ErrorCode::Io, problem, "choose another -o, or free space"};
  return writeFile(root / "passes_dump/constants.json", printConstantsIndex("../constants.bin", constants));
}

/// Adds the resources of `program` whose names are not among `names`.
static void addResources(ModuleOp program, llvm::StringSet<> &names, std::vector<PlacedConstant> &constants) {
  for (DenseResourceElementsAttr attr : collectResources(program))
    if (AsmResourceBlob *blob = attr.getRawHandle().getBlob();
        blob && names.insert(attr.getRawHandle().getKey()).second)
      constants.push_back({attr.getRawHandle().getKey().str(), attr, blob->getData(), 0});
}

void ArtifactFiles::keepHandles(ModuleOp parsed) {
  llvm::StringSet<> names;
  addResources(parsed, names, parsedHandles);
}

/// Writes the weights of the program and of the program as parsed, first in constants.bin: from here on snapshots print
/// handles, and must stay runnable if the compile fails. Constants of one name have equal bytes.
Status ArtifactFiles::writeInputConstants(llvm::ArrayRef<ModuleOp> programs) {
  llvm::StringSet<> names;
  for (ModuleOp program : programs)
    addResources(program, names, inputConstants);
  // After the program's own constants, whose offsets must not depend on an exporter's names; most share their bytes.
  for (PlacedConstant &constant : parsedHandles)
    if (names.insert(constant.name).second)
      inputConstants.push_back(std::move(constant));
  parsedHandles.clear();
  inputConstantsBytes = placeConstants(inputConstants);
  return inputConstants.empty() ? Status::ok() : writeConstantsFiles(inputConstants, /*present=*/0);
}

/// Adds the constants that the schedule uses, and that the program did not have, to constants.bin.
Status ArtifactFiles::recordConstants(ModuleOp program) {
  std::vector<std::vector<char>> owned;
  MICA_ASSIGN_OR_RETURN(const std::vector<PlacedConstant> used, scheduleConstants(program, owned));
  std::vector<PlacedConstant> constants = inputConstants;
  constants.insert(constants.end(), used.begin(), used.end());
  placeConstants(constants);
  for (auto [record, constant] :
       llvm::zip_equal(manifest.constants, llvm::ArrayRef(constants).drop_front(inputConstants.size())))
    record.offset = constant.offset;
  if (constants.empty())
    return Status::ok();
  MICA_RETURN_IF_ERROR(writeConstantsFiles(constants, inputConstantsBytes));
  for (const char *name : {"constants.bin", "passes_dump/constants.json"}) {
    MICA_ASSIGN_OR_RETURN(std::string hash, hashFile(root / name));
    MICA_RETURN_IF_ERROR(note(name, std::move(hash), {"input.mlirbc"}, "mica-compile: constants"));
  }
  return sampleConstants();
}

/// Hashing gigabytes would slow down loading.
Status ArtifactFiles::sampleConstants() {
  const fs::path file = root / artifact::kConstantsFile;
  std::error_code error;
  if (fs::file_size(file, error) <= uintmax_t(artifact::kWholeBytes) || error)
    return Status::ok();
  for (artifact::FileRecord &record : manifest.files)
    if (record.path == artifact::kConstantsFile) {
      MICA_ASSIGN_OR_RETURN(record.sampled, artifact::sampledHash(file));
    }
  return Status::ok();
}

/// The same for an existing artifact: its constants keep their offsets, and new ones are appended.
Status ArtifactFiles::addConstants(ModuleOp program) {
  // The index for snapshots keeps all constants, including those that the schedule no longer uses.
  std::vector<PlacedConstant> known;
  std::string problem;
  if (!readConstantsIndex((home / "passes_dump/constants.json").string(), known, problem))
    return Error{ErrorCode::Damaged, problem, "compile the model again"};
  std::map<std::string, int64_t> places;
  for (const PlacedConstant &constant : known)
    places[constant.name] = constant.offset;
  std::vector<std::vector<char>> owned;
  MICA_ASSIGN_OR_RETURN(std::vector<PlacedConstant> constants, scheduleConstants(program, owned));
  const fs::path old = home / artifact::kConstantsFile;
  std::error_code missing;
  const int64_t oldSize = fs::exists(old, missing) ? static_cast<int64_t>(fs::file_size(old, missing)) : 0;
  int64_t size = oldSize;
  std::vector<PlacedConstant> added;
  for (size_t i = 0; i < constants.size(); ++i) {
    auto [place, isNew] = places.try_emplace(constants[i].name, size);
    if (isNew) {
      place->second = constants[i].offset = llvm::alignTo(size, MICA_BUFFER_ALIGNMENT);
      size = constants[i].offset + static_cast<int64_t>(constants[i].data.size());
      added.push_back(constants[i]);
      known.push_back(constants[i]);
    }
    manifest.constants[i].offset = place->second;
  }
  if (added.empty())
    return Status::ok();
  std::string bytes;
  if (oldSize > 0) {
    MICA_ASSIGN_OR_RETURN(bytes, readFile(old));
  }
  bytes.resize(size);
  for (const PlacedConstant &constant : added)
    std::copy(constant.data.begin(), constant.data.end(), bytes.begin() + constant.offset);
  MICA_RETURN_IF_ERROR(
      write(std::string(artifact::kConstantsFile), bytes, {"input.mlirbc"}, "mica-compile: constants"));
  MICA_RETURN_IF_ERROR(sampleConstants());
  return write("passes_dump/constants.json", printConstantsIndex("../constants.bin", known), {"constants.bin"},
               "mica-compile: constants");
}

//===------------------------------------------------------------------------------------------------------------===//
// The schedule
//===------------------------------------------------------------------------------------------------------------===//

Status ArtifactFiles::recordSchedule(ModuleOp program, const Snapshot *given) {
  // By now stores to arguments have become results, and equalities of sizes are known.
  const std::vector<artifact::EntryRecord> entries = describeEntries(program);
  // A function that was refused is left out, with a warning.
  std::erase_if(manifest.entries, [&](const artifact::EntryRecord &entry) {
    return llvm::none_of(entries, [&](const artifact::EntryRecord &scheduled) { return scheduled.name == entry.name; });
  });
  for (const artifact::EntryRecord &scheduled : entries)
    for (artifact::EntryRecord &entry : manifest.entries) {
      if (entry.name != scheduled.name)
        continue;
      if (entry.results.size() != scheduled.results.size())
        entry.results = scheduled.results;
      entry.relatedSizes = scheduled.relatedSizes;
      // The partitioner has decided how tensors are distributed among ranks; the plain program is for one.
      auto takeShardings = [](std::vector<artifact::TensorSpec> &specs, llvm::ArrayRef<artifact::TensorSpec> parts) {
        for (auto [spec, part] : llvm::zip(specs, parts)) {
          if (part.sharding)
            spec.shape = part.shape;
          spec.sharding = part.sharding;
        }
      };
      takeShardings(entry.args, scheduled.args);
      takeShardings(entry.results, scheduled.results);
    }
  MICA_RETURN_IF_ERROR(home.empty() ? recordConstants(program) : addConstants(program));
  OwningOpRef<ModuleOp> schedule = scheduleOf(program);
  Snapshot snapshot = given ? *given : printSnapshot(*schedule);
  MICA_RETURN_IF_ERROR(
      write("host/schedule.mlir", snapshot.text, {"input.mlirbc"}, "mica-compile: phases tensor to schedule"));
  MICA_RETURN_IF_ERROR(write("host/schedule.mlir.map.json", printLineMap(snapshot, "schedule.mlir"),
                             {"host/schedule.mlir"}, "mica-compile: line map"));
  manifest.sites.clear();
  MICA_ASSIGN_OR_RETURN(lists, exportTaskLists(program, manifest));
  logSchedule(manifest, lists, snapshot.text);
  return write(std::string(artifact::kTasksFile), artifact::printTaskLists(lists), {"host/schedule.mlir"},
               "mica-compile: task lists");
}

//===------------------------------------------------------------------------------------------------------------===//
// Kernels
//===------------------------------------------------------------------------------------------------------------===//

Status ArtifactFiles::recordKernel(ModuleOp kernel, const Snapshot &snapshot) {
  MICA_ASSIGN_OR_RETURN(artifact::KernelRecord record, describeKernel(kernel));
  // The kinds of ops in the source; inside the kernel all structured ops have become linalg.generic.
  if (record.checks)
    resolveParts(kernel, record.opIds, record.checks->sites);
  record.opKinds.resize(record.opIds.size());
  for (size_t i = 0; i < record.opIds.size(); ++i)
    for (const artifact::OpRecord &op : manifest.ops)
      if (op.id == record.opIds[i])
        record.opKinds[i] = op.kind;
  std::string base = "kernels/" + record.name + "/";
  MICA_RETURN_IF_ERROR(
      write(base + "kernel.mlir", snapshot.text, {"input.mlirbc"}, "mica-compile: phases tensor to kernel"));
  MICA_RETURN_IF_ERROR(write(base + "kernel.mlir.map.json", printLineMap(snapshot, "kernel.mlir"),
                             {base + "kernel.mlir"}, "mica-compile: line map"));
  MICA_RETURN_IF_ERROR(write(base + "launch.json", artifact::printLaunch(record), {base + "kernel.mlir"},
                             "mica-compile: launch record"));
  kernelSnapshots[record.name] = snapshot;
  auto known =
      llvm::find_if(manifest.kernels, [&](const artifact::KernelRecord &kernel) { return kernel.name == record.name; });
  if (known != manifest.kernels.end())
    *known = std::move(record);
  else
    manifest.kernels.push_back(std::move(record));
  return Status::ok();
}

/// The rows of a line map: lines of `table` with the locations that kernel.mlir has at the lines they point to.
static std::vector<std::pair<unsigned, Location>> locate(const LineTable &table, const Snapshot &snapshot,
                                                         const std::string &file) {
  std::map<unsigned, Location> located;
  for (const Snapshot::Line &line : snapshot.lines)
    located.try_emplace(line.line, withLinePosition(line.location, file, line.line, line.column));
  std::vector<std::pair<unsigned, Location>> rows;
  for (auto [line, target] : table)
    if (auto it = located.find(target); it != located.end())
      rows.push_back({line, it->second});
  return rows;
}

Status ArtifactFiles::recordKernelCode(const std::string &kernel, const GeneratedCode &code) {
  std::string base = "kernels/" + kernel + "/";
  const Snapshot &snapshot = kernelSnapshots[kernel];
  std::string file = base + "kernel.mlir";
  MICA_RETURN_IF_ERROR(write(base + "kernel.ll", code.llvmIR, {file}, "mica-compile: phase lowered, LLVM's optimiser"));
  MICA_RETURN_IF_ERROR(write(base + "kernel.ll.map.json",
                             printLineMap(locate(code.llvmLines, snapshot, file), "kernel.ll"),
                             {base + "kernel.ll", file}, "mica-compile: line map"));
  return recordKernelAssembly(kernel, code);
}

Status ArtifactFiles::recordKernelAssembly(const std::string &kernel, const GeneratedCode &code) {
  std::string base = "kernels/" + kernel + "/", file = base + "kernel.mlir";
  const Snapshot &snapshot = kernelSnapshots[kernel];
  MICA_RETURN_IF_ERROR(
      write(base + "kernel.s", code.assembly, {base + "kernel.ll"}, "mica-compile: LLVM's code generator"));
  MICA_RETURN_IF_ERROR(write(base + "kernel.s.map.json",
                             printLineMap(locate(code.assemblyLines, snapshot, file), "kernel.s"),
                             {base + "kernel.s", file}, "mica-compile: line map"));
  addObject(base + "kernel.o");
  return write(base + "kernel.o", code.object, {base + "kernel.s"}, "mica-compile: LLVM's assembler");
}

Status ArtifactFiles::rewrite(const std::string &name, std::string_view contents) {
  MICA_RETURN_IF_ERROR(writeFile(root / name, contents));
  for (artifact::FileRecord &record : manifest.files)
    if (record.path == name)
      record.hash = hashHex(contents);
  return Status::ok();
}

/// The back end that created `target`, a GPU.
static const codegen::Target &backendOf(const CodeTarget &target) { return *lookupTarget(target.device); }

Status ArtifactFiles::recordDeviceCode(const std::string &kernel, const GeneratedCode &code, const CodeTarget &target) {
  const std::string file = "kernels/" + kernel + "/kernel.mlir", ll = "kernels/" + kernel + "/device.ll";
  if (!backendOf(target).keepsDeviceLlvm())
    return recordDeviceText(kernel, code, target, file);
  MICA_RETURN_IF_ERROR(write(ll, code.llvmIR, {file}, "mica-compile: phase lowered, LLVM's optimiser"));
  MICA_RETURN_IF_ERROR(write(ll + ".map.json",
                             printLineMap(locate(code.llvmLines, kernelSnapshots[kernel], file), "device.ll"),
                             {ll, file}, "mica-compile: line map"));
  return recordDeviceText(kernel, code, target, ll);
}

Status ArtifactFiles::recordDeviceText(const std::string &kernel, const GeneratedCode &code, const CodeTarget &target,
                                       const std::string &from) {
  const codegen::Target &backend = backendOf(target);
  const codegen::DeviceFiles names = backend.deviceFiles();
  const std::string base = "kernels/" + kernel + "/", file = base + "kernel.mlir", text = base + names.text,
                    cubin = base + "kernel.cubin";
  MICA_RETURN_IF_ERROR(write(text, code.assembly, {from}, "mica-compile: phase lowered, LLVM's code generator"));
  MICA_RETURN_IF_ERROR(write(text + ".map.json",
                             printLineMap(locate(code.assemblyLines, kernelSnapshots[kernel], file), names.text),
                             {text, file}, "mica-compile: line map"));
  std::string loaded = text;
  if (!names.binary.empty()) {
    loaded = base + names.binary;
    const std::string output = (root / loaded).string();
    MICA_RETURN_IF_ERROR(names.isLinked ? linkCodeObject(code.object, output) : writeFile(output, code.object));
    MICA_ASSIGN_OR_RETURN(std::string hash, hashFile(root / loaded));
    MICA_RETURN_IF_ERROR(note(loaded, std::move(hash), {text}, "mica-compile: LLVM's assembler"));
  }
  for (artifact::KernelRecord &record : manifest.kernels)
    if (record.name == kernel) {
      const std::string binary = (root / cubin).string();
      MICA_ASSIGN_OR_RETURN(auto entries, backend.describeCode(code.assembly, (root / text).string(), target, binary));
      std::error_code missing;
      if (fs::exists(binary, missing)) {
        MICA_ASSIGN_OR_RETURN(std::string hash, hashFile(binary));
        MICA_RETURN_IF_ERROR(note(cubin, std::move(hash), {text}, "ptxas -arch=" + target.cpu));
      }
      record.device = artifact::KernelDevice{loaded, target.cpu, std::move(entries)};
      return rewrite(base + "launch.json", artifact::printLaunch(record));
    }
  return Status::ok();
}

Status ArtifactFiles::placeTasks() {
  bool changed = false;
  for (artifact::TaskList &list : lists)
    for (artifact::TaskRecord &task : list.tasks)
      for (const artifact::KernelRecord &kernel : manifest.kernels)
        if (kernel.name == task.kernel && !kernel.device && task.device != kHostDevice) {
          task.device = kHostDevice;
          changed = true;
        }
  return changed ? rewrite(std::string(artifact::kTasksFile), artifact::printTaskLists(lists)) : Status::ok();
}

std::string ArtifactFiles::strategyOf(const std::string &kernel) const {
  for (const artifact::KernelRecord &record : manifest.kernels)
    if (record.name == kernel)
      return record.strategy;
  return "";
}

Status ArtifactFiles::recordHostCode(const GeneratedCode &code) {
  MICA_RETURN_IF_ERROR(
      write("host/host.ll", code.llvmIR, {"host/schedule.mlir"}, "mica-compile: phase lowered, LLVM's optimiser"));
  addObject("host/host.o");
  return write("host/host.o", code.object, {"host/host.ll"}, "mica-compile: LLVM's code generator and assembler");
}

Status ArtifactFiles::recordReplay(const std::string &kernel, const std::string &file, const GeneratedCode &code) {
  const std::string base = "kernels/" + kernel + "/";
  for (const artifact::KernelRecord &record : manifest.kernels)
    if (record.name == kernel)
      MICA_RETURN_IF_ERROR(rewrite(base + "launch.json", artifact::printLaunch(record)));
  addObject(base + file);
  return write(base + file, code.object, {std::string(artifact::kInputFile)}, "mica-compile: replay of the kernel");
}

void ArtifactFiles::resolveParts(ModuleOp kernel, const std::vector<std::string> &opIds,
                                 std::vector<artifact::CheckRecord> &sites) const {
  std::string problem;
  DictionaryAttr launch = launchInfo(kernel, problem);
  auto checks = launch ? launch.getAs<DictionaryAttr>("checks") : DictionaryAttr();
  if (!checks)
    return;
  auto partOf = [&](const artifact::CheckRecord &site, ArrayRef<int64_t> at) -> int64_t {
    if (site.ops.empty() || at.size() != 2)
      return -1;
    // The first position that is not that of a call.
    for (int64_t number : site.ops) {
      auto op = llvm::find_if(manifest.ops, [&](const auto &record) { return record.id == opIds[number]; });
      if (op == manifest.ops.end() || op->kind == "func.call")
        continue;
      for (size_t i = 0; i < op->body.size(); ++i)
        if (op->body[i].position && op->body[i].position->line == at[0] && op->body[i].position->column == at[1])
          return static_cast<int64_t>(i);
      return -1;
    }
    return -1;
  };
  for (auto [site, record] : llvm::zip(sites, checks.getAs<ArrayAttr>("sites").getAsRange<DictionaryAttr>())) {
    if (auto at = record.getAs<DenseI64ArrayAttr>("at"))
      site.part = partOf(site, at.asArrayRef());
    if (auto of = record.getAs<DenseI64ArrayAttr>("of"); of && of.size() == 1)
      site.temporary = of[0];
  }
}

void ArtifactFiles::addObject(const std::string &name) {
  if (!llvm::is_contained(objects, name))
    objects.push_back(name);
}

std::vector<std::string> compiler::linkedLibraries(const artifact::Manifest &manifest) {
  std::vector<std::string> libraries;
  if (auto found = manifest.options.find("link"); found != manifest.options.end())
    for (llvm::StringRef path : llvm::split(found->second, '\n'))
      libraries.push_back(path.str());
  return libraries;
}

Status ArtifactFiles::link() {
  std::vector<std::string> files;
  for (const std::string &object : objects)
    files.push_back(fileOf(object).string());
  std::string program(artifact::kProgramFile);
  MICA_RETURN_IF_ERROR(linkProgram(files, (root / program).string(), linkedLibraries(manifest)));
  MICA_ASSIGN_OR_RETURN(std::string hash, hashFile(root / program));
  return note(program, std::move(hash), objects, "mica-compile: LLD");
}
