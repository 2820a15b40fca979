//===- Program.cpp - a loaded artifact -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Helpers/Helpers.h"
#include "lib/Runtime/KernelMemory.h"
#include "lib/Runtime/ProgramHeader.h"
#include "lib/Runtime/Signatures.h"
#include "lib/Runtime/Sim/Simulator.h"

#include "mica/ABI/Helpers.h"
#include "mica/ABI/Memory.h"
#include "mica/Runtime/Program.h"

#include "lib/Runtime/CpuFeatures.h"
#include "lib/Runtime/Files.h"
#include "lib/Runtime/Specialize/Specializations.h"
#include "mica/Artifact/Verify.h"
#include "mica/Support/Log.h"
#include "mica/Support/MappedFile.h"
#include "mica/Support/MemoryLimit.h"
#include "mica/Support/PrivateFile.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <cstring>
#include <fstream>

namespace mica::runtime {

Program::Program(const LoadOptions &options) : options(options) {}
Program::~Program() { giveMemoryBack(countedBytes); }

Result<std::shared_ptr<const Program>> Program::load(const std::filesystem::path &folder, const LoadOptions &options) {
  std::shared_ptr<Program> program(new Program(options));
  MICA_RETURN_IF_ERROR(program->open(folder));
  return std::shared_ptr<const Program>(std::move(program));
}

/// Topic guards: under which conditions the artifact may run here, all of which hold or are checked at each call.
static void logGuards(const std::filesystem::path &folder, const artifact::Manifest &info,
                      const mica_program_header_v1 &header) {
  const std::vector<std::string> features = featureNames(header.features);
  std::string text = folder.string() + " requires:\n  kernel ABI " + std::to_string(header.abi_version) +
                     (features.empty() ? "" : " with " + joinNames(features, 99)) + ", CPU features " +
                     (info.cpuFeatures.empty() ? "none" : joinNames(info.cpuFeatures, 99)) + ": hold here";
  for (const artifact::EntryRecord &entry : info.entries)
    for (size_t i = 0; i < entry.args.size(); ++i)
      text += "\n  entry '" + entry.name + "', argument " + std::to_string(i) +
              (entry.args[i].name.empty() ? "" : " ('" + entry.args[i].name + "')") + " is " +
              shapedTypeString(entry.args[i].shape, entry.args[i].dtype) + ": checked at each call";
  MICA_LOG(Guards, Info) << text;
}

/// Of moderate size, or of any if that is asked for: a copy, hashed whole, that nobody can cut off. Else: mapped,
/// hashed by samples; whether the file is still whole is asked before and after each invocation.
Status Program::openConstants() {
  const std::filesystem::path file = artifact.path(artifact::kConstantsFile);
  std::error_code error;
  const uintmax_t size = std::filesystem::file_size(file, error);
  const bool isLarge = size > uintmax_t(artifact::kWholeBytes);
  if (!error && (!isLarge || !options.mmapWeights)) {
    if (isLarge) {
      if (!takeMemory(int64_t(size)))
        return outOfMemory(int64_t(size), "the weights in " + file.string());
      countedBytes = int64_t(size);
    }
    MICA_ASSIGN_OR_RETURN(const PrivateFile copy, PrivateFile::copy(file));
    MICA_RETURN_IF_ERROR(artifact::checkHash(artifact, artifact::kConstantsFile, copy.hash()));
    MICA_ASSIGN_OR_RETURN(constants, MappedFile::open(copy.path()));
    return {};
  }
  MICA_ASSIGN_OR_RETURN(constants, MappedFile::open(file));
  constantsAreShared = true;
  mappedConstants = constants->size();
  return artifact::checkHash(artifact, artifact::kConstantsFile,
                             artifact::sampledHash(constants->data(), constants->size()), /*isSampled=*/true);
}

Status Program::keepPartsOf(int32_t rank) const {
  std::lock_guard<std::mutex> lock(partsMutex);
  if (!constantsAreShared || keepsAllParts)
    return {};
  if (rank < 0) {
    keepsAllParts = true;
    if (mappedConstants == constants->size())
      return {};
    mappedConstants = constants->size();
    return constants->keepAll();
  }
  const std::vector<artifact::ConstantRecord> &records = artifact.manifest().constants;
  std::vector<bool> isSplit(records.size());
  std::vector<std::pair<int64_t, int64_t>> ranges;
  for (const artifact::TaskList &list : taskLists())
    for (const artifact::BufferRecord &buffer : list.buffers) {
      if (buffer.kind != artifact::BufferKind::Constant || !buffer.part)
        continue;
      isSplit[size_t(buffer.index)] = true;
      const int64_t begin = records[size_t(buffer.index)].offset + buffer.offsetOf(rank);
      ranges.emplace_back(begin, begin + buffer.bytes);
    }
  if (ranges.empty())
    return {};
  // Host functions may read any of the others.
  for (size_t i = 0; i < records.size(); ++i)
    if (!isSplit[i])
      ranges.emplace_back(records[i].offset, records[i].offset + records[i].bytes);
  for (const artifact::TaskList &list : taskLists())
    for (const artifact::BufferRecord &buffer : list.buffers)
      if (buffer.kind == artifact::BufferKind::Constant && !buffer.part && isSplit[size_t(buffer.index)]) {
        const int64_t begin = records[size_t(buffer.index)].offset + buffer.offset;
        ranges.emplace_back(begin, begin + buffer.bytes);
      }
  MICA_ASSIGN_OR_RETURN(const int64_t kept, constants->keepOnly(std::move(ranges)));
  mappedConstants = kept;
  MICA_LOG(Runtime, Info) << "rank " << rank << " maps " << byteSize(kept) << " of " << byteSize(constants->size())
                          << " of weights";
  return {};
}

int64_t Program::residentBytes() const { return constants ? constants->residentBytes() : 0; }

Status Program::checkSharedConstants() const {
  if (constants->isUnchanged())
    return {};
  return Error{ErrorCode::Damaged,
               artifact.path(artifact::kConstantsFile).string() +
                   " was truncated or written to while the program was loaded: its results are unreliable",
               "restore the file and load the program again; a new artifact goes to a new folder, or in by rename"};
}

Status Program::open(const std::filesystem::path &folder) {
  MICA_ASSIGN_OR_RETURN(artifact, artifact::Artifact::open(folder));
  MICA_RETURN_IF_ERROR(artifact::checkHash(artifact, artifact::kTasksFile, artifact.tasksHash()));
  const artifact::Manifest &info = artifact.manifest();
  edited = std::any_of(info.files.begin(), info.files.end(),
                       [](const artifact::FileRecord &file) { return !file.original.empty(); });

  // Before anything of program.so is mapped for execution: its constructors could already need what is missing.
  MICA_ASSIGN_OR_RETURN(std::vector<std::string> missing, missingCpuFeatures(info.cpuFeatures));
  if (!missing.empty())
    return Error{ErrorCode::Unsupported,
                 folder.string() + ": this machine's CPU lacks " + joinNames(missing) +
                     ", which the program was compiled to use" + (info.cpu.empty() ? "" : " (for " + info.cpu + ")"),
                 "compile it on this machine: mica-compile -o DIR " +
                     (info.inputFile.empty() ? std::string("model.mlir") : artifact.sourcePath(info.inputFile))};

  if (!info.constants.empty()) {
    MICA_RETURN_IF_ERROR(openConstants());
    for (const artifact::ConstantRecord &record : info.constants) {
      // Artifact::open saw enough bytes; this is for a file that has changed since.
      if (record.bytes > constants->size() || record.offset > constants->size() - record.bytes)
        return Error{ErrorCode::Damaged,
                     artifact.path(artifact::kConstantsFile).string() + ": is too short for constant '" + record.name +
                         "'",
                     "compile the program again"};
      constantAddresses.push_back(constants->data() + record.offset);
    }
  }

  const std::filesystem::path code = artifact.path(artifact::kProgramFile);
  MICA_ASSIGN_OR_RETURN(library, SharedLibrary::open(code, [&](const std::string &hash) {
                          return artifact::checkHash(artifact, artifact::kProgramFile, hash);
                        }));
  MICA_ASSIGN_OR_RETURN(const mica_program_header_v1 header, readProgramHeader(*library, code));
  for (const Helper &helper : allHelpers())
    if (Result<void *> slot = library->symbol(MICA_HELPER_PREFIX + helper.name)) {
      std::memcpy(*slot, &helper.address, sizeof(helper.address));
      sideEffects = true;
    }
  sideEffects |= info.options.count("link") != 0;
  if (Result<void *> slot = library->symbol(MICA_SIM_API_SYMBOL)) {
    if (!(header.features & MICA_FEATURE_SIMULATOR_MEMORY))
      return Error{ErrorCode::Unsupported,
                   code.string() + ": was compiled for version 2 of the simulator's ABI, this runtime takes version " +
                       std::to_string(MICA_SIM_ABI_VERSION),
                   "compile the program again"};
    const mica_sim_api_v1 *table = &sim::apiTable();
    std::memcpy(*slot, &table, sizeof(table));
    simulated = true;
  }
  if (Result<void *> slot = library->symbol(MICA_MEMORY_API_SYMBOL)) {
    const mica_memory_api_v1 *table = &memoryApiTable();
    std::memcpy(*slot, &table, sizeof(table));
  }
  for (const artifact::EntryRecord &entry : info.entries) {
    MICA_ASSIGN_OR_RETURN(void *address, library->symbol("mica_entry_" + entry.name));
    hostFunctions.push_back(reinterpret_cast<mica_host_fn_v1>(address));
  }
  for (const artifact::KernelRecord &kernel : info.kernels) {
    MICA_ASSIGN_OR_RETURN(void *address, library->symbol("mica_kernel_" + kernel.name));
    kernelFunctions.push_back(reinterpret_cast<mica_kernel_fn_v1>(address));
    auto replayOf = [&](bool exists, std::string_view prefix) {
      const std::string symbol = "mica_kernel_" + std::string(prefix) + kernel.name;
      Result<void *> replay = exists ? library->symbol(symbol) : Error{ErrorCode::NotFound, "", ""};
      return replay ? reinterpret_cast<mica_kernel_fn_v1>(*replay) : nullptr;
    };
    replayFunctions.push_back(replayOf(kernel.replay.has_value(), artifact::kReplayPrefix));
    faultReplayFunctions.push_back(replayOf(kernel.faultReplay.has_value(), artifact::kFaultReplayPrefix));
    dumpReplayFunctions.push_back(replayOf(kernel.dumpReplay.has_value(), artifact::kDumpReplayPrefix));
  }
  Allocates allocates;
  MICA_RETURN_IF_ERROR(checkSignatures(artifact, *library, allocates));
  kernelAllocates = std::move(allocates.kernels);
  hostFunctionsAllocate = allocates.hostFunctions;
  made = std::make_unique<Specializations>(*this);
  MICA_LOG(Runtime, Info) << "loaded " << folder.string() << ": " << info.entries.size() << " entries, "
                          << info.kernels.size() << " kernels, " << info.constants.size() << " constants of "
                          << (constants ? byteSize(constants->size()) : "0 B");
  if (logs(LogTopic::Guards))
    logGuards(folder, info, header);
  return Status::ok();
}

Result<size_t> Program::findEntry(std::string_view name) const {
  return artifact::findEntry(artifact.manifest(), name);
}

int64_t Program::findKernel(std::string_view name) const {
  const artifact::Manifest &info = artifact.manifest();
  for (size_t i = 0; i < info.kernels.size(); ++i)
    if (info.kernels[i].name == name)
      return int64_t(i);
  return -1;
}

const std::vector<std::string> *Program::idsOf(std::string_view kernel, int64_t site) const {
  const artifact::Manifest &info = artifact.manifest();
  if (site >= 0 && size_t(site) < info.sites.size())
    return &info.sites[size_t(site)].opIds;
  const int64_t index = findKernel(kernel);
  return index >= 0 ? &info.kernels[size_t(index)].opIds : nullptr;
}

/// Line `number` of `file` without blanks around it; "" where it cannot be read.
static std::string sourceLine(const std::string &file, int64_t number) {
  std::ifstream stream(file);
  std::string line;
  for (int64_t i = 0; i < number; ++i)
    if (!std::getline(stream, line))
      return "";
  const size_t first = line.find_first_not_of(" \t\r");
  return first == line.npos ? "" : line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

std::string Program::sourceTraceback(std::string_view kernel, int64_t site) const {
  const std::vector<std::string> *ids = idsOf(kernel, site);
  return ids ? sourceTraceback(*ids) : "";
}

std::string Program::sourceTraceback(const std::vector<std::string> &ids) const {
  std::string text;
  // The root is the first of the ids, and what one looks for: it stands last.
  for (auto id = ids.rbegin(); id != ids.rend(); ++id)
    for (const artifact::OpRecord &op : artifact.manifest().ops) {
      if (op.id != *id || op.positions.empty())
        continue;
      text += "\n    " + op.kind;
      // A name that a model or frontend gave; that of an SSA value is in the line.
      if (!op.name.empty() && op.name[0] != '%')
        text += " " + op.name;
      text += " [" + op.id + "]";
      for (const std::string &scope : op.scopes)
        text += " in " + scope;
      for (const artifact::SourcePosition &at : op.positions) {
        text += "\n      " + at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
        if (const std::string line = sourceLine(artifact.sourcePath(at.file), at.line); !line.empty())
          text += ": " + line;
      }
    }
  return text.empty() ? "" : "\n  source traceback, innermost last:" + text;
}

static std::string positionText(const artifact::SourcePosition &at) {
  return at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

std::string Program::describeOp(const std::string &id) const {
  const artifact::Manifest &info = artifact.manifest();
  auto op = std::find_if(info.ops.begin(), info.ops.end(), [&](const auto &record) { return record.id == id; });
  std::string text = (op == info.ops.end() ? "op" : op->kind) + " [" + id + "]";
  if (op != info.ops.end() && !op->positions.empty()) {
    const artifact::SourcePosition &at = op->positions.back();
    text += " at " + at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
  }
  return text;
}

std::string Program::sizedOp(const std::string &op) const {
  for (const artifact::OpRecord &record : artifact.manifest().ops) {
    if (record.id == op)
      return op;
    if (record.positions.empty())
      continue;
    const artifact::SourcePosition &at = record.positions.back();
    if (at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) == op)
      return record.id;
  }
  return "";
}

std::string Program::describeSized(const std::string &op) const {
  const std::string id = sizedOp(op);
  return id.empty() && op.find(':') != op.npos ? "an operation at " + op : describeOp(id.empty() ? op : id);
}

/// A call that was inlined: what it is around of is meant.
static bool isCall(const artifact::OpRecord *op) { return op && op->kind == "func.call"; }

std::string Program::describeOps(std::string_view kernel, int64_t site, const std::vector<int64_t> &ops) const {
  const std::vector<std::string> *ids = idsOf(kernel, site);
  std::string text;
  for (int64_t op : ops)
    if (ids && size_t(op) < ids->size() && !(isCall(findOp((*ids)[size_t(op)])) && ops.size() > 1))
      text += (text.empty() ? "" : ", ") + describeOp((*ids)[size_t(op)]);
  text += text.empty() ? "" : callsText(kernel, site, ops);
  if (text.empty() && ids && !ids->empty())
    text = describeOp(ids->front());
  return text.empty() ? "an operation of it" : text;
}

std::string Program::describeCalls(const std::vector<std::string> &calls) const {
  std::string text;
  for (const std::string &id : calls)
    if (const artifact::OpRecord *call = findOp(id); call && !call->positions.empty())
      text += ", called at " + positionText(call->positions.back());
  return text;
}

/// ", called at m.mlir:7:8", for each call around the operations `ops`.
std::string Program::callsText(std::string_view kernel, int64_t site, const std::vector<int64_t> &ops) const {
  const std::vector<std::string> *ids = idsOf(kernel, site);
  std::string text;
  for (int64_t op : ops)
    if (ids && size_t(op) < ids->size() && ops.size() > 1)
      if (const artifact::OpRecord *call = findOp((*ids)[size_t(op)]); isCall(call) && !call->positions.empty())
        text += ", called at " + positionText(call->positions.back());
  return text;
}

const artifact::OpRecord *Program::findOp(const std::string &id) const {
  for (const artifact::OpRecord &op : artifact.manifest().ops)
    if (op.id == id)
      return &op;
  return nullptr;
}

const artifact::OpRecord *Program::opOf(std::string_view kernel, int64_t site,
                                        const artifact::CheckRecord &check) const {
  const std::vector<std::string> *ids = idsOf(kernel, site);
  const artifact::OpRecord *found = nullptr;
  for (int64_t op : check.ops)
    if (ids && size_t(op) < ids->size() && (!found || isCall(found)))
      found = findOp((*ids)[size_t(op)]);
  return found;
}

/// The operation inside of `op` that `check` is about; null: the operation itself.
static const artifact::BodyOpRecord *partOf(const artifact::OpRecord *op, const artifact::CheckRecord &check) {
  return op && check.part >= 0 && size_t(check.part) < op->body.size() ? &op->body[size_t(check.part)] : nullptr;
}

artifact::CheckRecord Program::partAt(std::string_view kernel, int64_t op, std::pair<int64_t, int64_t> place) const {
  artifact::CheckRecord asked;
  asked.ops = {op};
  // The code names the place in one of the dispatches that share the kernel.
  for (const artifact::SiteRecord &site : artifact.manifest().sites) {
    const bool isOfKernel = site.kernel == kernel && op >= 0 && size_t(op) < site.opIds.size();
    const artifact::OpRecord *holder = isOfKernel ? findOp(site.opIds[size_t(op)]) : nullptr;
    for (size_t i = 0; holder && i < holder->body.size(); ++i)
      if (const std::optional<artifact::SourcePosition> &at = holder->body[i].position;
          at && at->line == place.first && at->column == place.second) {
        asked.part = int64_t(i);
        return asked;
      }
  }
  return asked;
}

std::string Program::describeCheck(std::string_view kernel, int64_t site, const artifact::CheckRecord &check) const {
  const artifact::OpRecord *op = opOf(kernel, site, check);
  const artifact::BodyOpRecord *part = partOf(op, check);
  if (!part || !part->position)
    return describeOps(kernel, site, check.ops);
  return part->kind + " of " + op->kind + " [" + op->id + "] at " + positionText(*part->position) +
         callsText(kernel, site, check.ops);
}

std::string Program::resultName(std::string_view kernel, int64_t site, const artifact::CheckRecord &check) const {
  const artifact::OpRecord *op = opOf(kernel, site, check);
  return op ? op->name : "";
}

std::string Program::nameOfOp(std::string_view kernel, int64_t site, int64_t op) const {
  const std::vector<std::string> *ids = idsOf(kernel, site);
  return ids && op >= 0 && size_t(op) < ids->size() ? nameOfOp((*ids)[size_t(op)]) : "";
}

/// Whether two buffers of `list` hold the same elements, one maybe as a view of another shape.
static bool shareMemory(const artifact::TaskList &list, int64_t first, int64_t second) {
  auto viewed = [&](int64_t buffer) {
    while (list.buffers[size_t(buffer)].viewOf >= 0)
      buffer = list.buffers[size_t(buffer)].viewOf;
    return buffer;
  };
  first = viewed(first), second = viewed(second);
  if (first == second)
    return true;
  const artifact::BufferRecord &a = list.buffers[size_t(first)], &b = list.buffers[size_t(second)];
  if (a.kind != b.kind || a.kind == artifact::BufferKind::Dynamic)
    return false;
  if (a.kind != artifact::BufferKind::Arena)
    return a.index == b.index;
  return a.offset < b.offset + std::max<int64_t>(b.bytes, 1) && b.offset < a.offset + std::max<int64_t>(a.bytes, 1);
}

/// Whether `name` is no name of the program, but tells whose result it is.
static bool isDescribed(std::string_view name) { return name.starts_with("the result of "); }

std::string Program::tensorName(const artifact::KernelRecord &kernel, int64_t site, size_t binding) const {
  const artifact::Manifest &info = artifact.manifest();
  const std::string unknown = "buffer " + std::to_string(binding);
  auto resultOf = [&](const artifact::KernelRecord &writer, int64_t at, size_t written) -> std::string {
    const std::vector<std::string> *ids = idsOf(writer.name, at);
    const int64_t op = writer.bindings[written].op;
    const artifact::OpRecord *record =
        ids && op >= 0 && size_t(op) < ids->size() ? findOp((*ids)[size_t(op)]) : nullptr;
    return !record ? "" : record->name.empty() ? "the result of " + describeOp(record->id) : record->name;
  };
  const bool isKnown = site >= 0 && size_t(site) < info.sites.size() &&
                       binding < info.sites[size_t(site)].tensors.size() &&
                       !info.sites[size_t(site)].tensors[binding].empty();
  const std::string given = isKnown ? info.sites[size_t(site)].tensors[binding] : "";
  // A buffer of the program that a kernel writes has the program's name, also where the operation has none.
  if (kernel.bindings[binding].access != artifact::Access::Read)
    if (std::string name = resultOf(kernel, site, binding); !name.empty())
      return isKnown && isDescribed(name) && !isDescribed(given) ? given : name;
  if (isKnown)
    return given;
  if (site < 0 || size_t(site) >= info.sites.size())
    return unknown;
  // Else who wrote it before, in the same list.
  for (const artifact::TaskList &list : taskLists())
    for (size_t i = 0; i < list.tasks.size(); ++i) {
      if (list.tasks[i].site != site || binding >= list.tasks[i].buffers.size())
        continue;
      const int64_t buffer = list.tasks[i].buffers[binding];
      if (list.buffers[size_t(buffer)].kind == artifact::BufferKind::Constant)
        return "a constant";
      for (size_t j = i; j-- > 0;) {
        const artifact::TaskRecord &before = list.tasks[j];
        const int64_t index = findKernel(before.kernel);
        for (size_t k = 0; index >= 0 && k < before.buffers.size(); ++k)
          if (const artifact::KernelRecord &writer = info.kernels[size_t(index)];
              writer.bindings[k].access != artifact::Access::Read && shareMemory(list, before.buffers[k], buffer)) {
            const std::string name = resultOf(writer, before.site, k);
            return name.empty() ? unknown : name;
          }
      }
    }
  return unknown;
}

/// Whether `shape` without its dimensions of size 1 is `sizes`, of fewer dimensions.
static bool leavesOut(const std::vector<int64_t> &shape, const std::vector<int64_t> &sizes) {
  std::vector<int64_t> left;
  std::copy_if(shape.begin(), shape.end(), std::back_inserter(left), [](int64_t size) { return size != 1; });
  return left.size() < shape.size() && left == sizes;
}

std::vector<int64_t> Program::sourceShape(const artifact::KernelRecord &kernel, int64_t site, size_t binding) const {
  const artifact::Manifest &info = artifact.manifest();
  const std::vector<int64_t> &sizes = kernel.bindings[binding].type.shape;
  const std::string name = tensorName(kernel, site, binding);
  const std::vector<std::string> *ids = idsOf(kernel.name, site);
  const artifact::OpRecord *root = ids && !ids->empty() ? findOp(ids->front()) : nullptr;
  if (!root)
    return {};
  for (const artifact::OpRecord &op : info.ops)
    if (op.name == name && op.function == root->function && leavesOut(op.shape, sizes))
      return op.shape;
  for (const artifact::EntryRecord &entry : info.entries)
    for (const artifact::TensorSpec &argument : entry.args)
      if (entry.name == root->function && (argument.sourceName == name || argument.name == name) &&
          leavesOut(argument.shape, sizes))
        return argument.shape;
  return {};
}

std::vector<int64_t> Program::resultShape(std::string_view kernel, int64_t site,
                                          const artifact::CheckRecord &check) const {
  const artifact::OpRecord *op = opOf(kernel, site, check);
  return op ? op->shape : std::vector<int64_t>();
}

bool Program::isConstant(int64_t site, size_t binding) const {
  for (const artifact::TaskList &list : taskLists())
    for (const artifact::TaskRecord &task : list.tasks)
      if (task.site == site && binding < task.buffers.size())
        return list.buffers[size_t(task.buffers[binding])].kind == artifact::BufferKind::Constant;
  return false;
}

FaultInfo Program::faultInfo(std::string_view kernel, int64_t site, const artifact::CheckRecord &check) const {
  const artifact::OpRecord *op = opOf(kernel, site, check);
  FaultInfo found = faultInfo(kernel, site, int64_t(0));
  if (op) {
    found = faultInfo(op->id);
    found.kernel = kernel;
  }
  const artifact::BodyOpRecord *part = partOf(op, check);
  if (!part)
    return found;
  found.opKind = part->kind;
  if (part->position) {
    found.file = part->position->file;
    found.line = part->position->line;
    found.column = part->position->column;
  }
  return found;
}

FaultInfo Program::faultInfo(const std::string &id) const {
  FaultInfo fault;
  for (const artifact::OpRecord &op : artifact.manifest().ops) {
    if (op.id != id)
      continue;
    fault.opId = id;
    fault.opKind = op.kind;
    if (op.positions.empty())
      break;
    fault.file = op.positions.back().file;
    fault.line = op.positions.back().line;
    fault.column = op.positions.back().column;
    break;
  }
  return fault;
}

FaultInfo Program::faultInfo(std::string_view kernel, int64_t site, int64_t op) const {
  const std::vector<std::string> *ids = idsOf(kernel, site);
  FaultInfo found;
  if (ids && !ids->empty())
    found = faultInfo((*ids)[op >= 0 && size_t(op) < ids->size() ? size_t(op) : 0]);
  found.kernel = kernel;
  return found;
}

FaultInfo Program::faultInfo(std::string_view kernel, int64_t site, const FaultInfo &known) const {
  FaultInfo found = known;
  if (const std::vector<std::string> *ids = idsOf(kernel, site))
    for (const std::string &id : *ids)
      if (const FaultInfo op = faultInfo(id); known.line != 0 && op.line == known.line && op.file == known.file) {
        found = op;
        break;
      }
  found.kernel = kernel;
  return found;
}

std::string Program::describeLaunch(std::string_view kernel, int64_t site) const {
  std::string text = "kernel '" + std::string(kernel) + "'";
  const std::vector<std::string> *ids = idsOf(kernel, site);
  if (!ids || ids->empty())
    return text;
  constexpr size_t kShown = 4;
  for (size_t i = 0; i < std::min(ids->size(), kShown); ++i) {
    text += (i ? ", " : " (") + describeOp((*ids)[i]);
  }
  if (ids->size() > kShown)
    text += " and " + std::to_string(ids->size() - kShown) + " more";
  return text + ")";
}

} // namespace mica::runtime
