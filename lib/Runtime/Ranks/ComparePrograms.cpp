//===- ComparePrograms.cpp - whether all ranks have one program ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See ComparePrograms.h.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Ranks/ComparePrograms.h"

#include "lib/Runtime/Ranks/GatherAll.h"
#include "mica/Support/Hash.h"

#include <algorithm>
#include <array>

namespace mica::runtime {

namespace {

using artifact::Manifest;

/// In the order in which one follows from the other: the first that differs is the reason.
enum Part : size_t { Compiler, Source, Options, Target, Guards, Constants, NumKernels, Kernels, Tasks, Code, kParts };
using Hashes = std::array<uint64_t, kParts>;

uint64_t hashOf(std::string_view text) { return hash64(text.data(), text.size()); }

uint64_t hashOfKernel(const artifact::KernelRecord &kernel) { return hashOf(kernel.name + '\n' + kernel.hash); }

/// Under which conditions `entry` may be called, without names.
std::string guardsOf(const artifact::EntryRecord &entry) {
  std::string text = entry.name;
  for (const artifact::TensorSpec &spec : entry.args)
    text += ' ' + shapedTypeString(spec.shape, spec.dtype);
  for (const artifact::SizeRelation &relation : entry.relatedSizes)
    text += ' ' + std::to_string(relation.argument) + '.' + std::to_string(relation.dimension) + '=' +
            std::to_string(relation.other) + '.' + std::to_string(relation.otherDimension) + '=' +
            std::to_string(relation.size);
  return text;
}

/// The states of the program that the compiler kept, in order, with the passes that made them.
std::vector<const artifact::FileRecord *> snapshotsOf(const Manifest &manifest) {
  std::vector<const artifact::FileRecord *> files;
  for (const artifact::FileRecord &file : manifest.files)
    if (file.path.starts_with("passes_dump/") && file.path.ends_with(".mlir") && !file.hash.empty())
      files.push_back(&file);
  std::sort(files.begin(), files.end(), [](const auto *a, const auto *b) { return a->path < b->path; });
  return files;
}

/// "after pass mica-cpu-tile of matmul_2x4 (passes_dump/0057_mica-cpu-tile@matmul_2x4.mlir)".
std::string describeSnapshot(const std::string &path) {
  std::string name = path.substr(path.find('_', path.find('/')) + 1);
  name.resize(name.size() - std::string_view(".mlir").size());
  if (const size_t at = name.find('@'); at != name.npos)
    name = name.substr(0, at) + " of " + name.substr(at + 1);
  return name + " (" + path + ")";
}

Hashes hashesOf(const Manifest &manifest, const std::string &tasksHash) {
  std::string options, target = manifest.target + '\n' + manifest.cpu, constants, code;
  for (const auto &[name, value] : manifest.options)
    options += name + '=' + value + '\n';
  for (const std::string &feature : manifest.cpuFeatures)
    target += '\n' + feature;
  for (const artifact::ConstantRecord &constant : manifest.constants)
    constants += constant.name + '\n';
  for (const artifact::FileRecord &file : manifest.files)
    if (file.path == "program.so")
      code = file.hash;
  std::string guards;
  for (const artifact::EntryRecord &entry : manifest.entries)
    guards += guardsOf(entry) + '\n';
  uint64_t kernels = 0;
  for (const artifact::KernelRecord &kernel : manifest.kernels)
    kernels = kernels * 31 + hashOfKernel(kernel);
  return {hashOf(manifest.micaVersion + '\n' + manifest.llvmVersion),
          hashOf(manifest.inputHash),
          hashOf(options),
          hashOf(target),
          hashOf(guards),
          hashOf(constants),
          manifest.kernels.size(),
          kernels,
          hashOf(tasksHash),
          hashOf(code)};
}

std::string describe(size_t part, const Manifest &manifest) {
  switch (part) {
  case Compiler:
    return "it was compiled by another version of Mica or LLVM; here: Mica " + manifest.micaVersion + ", LLVM " +
           manifest.llvmVersion;
  case Source:
    return "it was compiled from another text than the " + manifest.inputFile + " here";
  case Options:
    return "it was compiled with other options";
  case Target:
    return "it was compiled for another CPU; here: " + manifest.cpu;
  case Guards:
    return "its entries are for other sizes of arguments";
  case Constants:
    return "it has other weights";
  case NumKernels:
    return "it has another number of kernels; here: " + std::to_string(manifest.kernels.size());
  case Tasks:
    return "its host/tasks.json differs";
  default:
    return "its program.so differs";
  }
}

} // namespace

/// Where the numbers of the two begin to differ.
static size_t firstDifference(const std::vector<uint64_t> &one, const std::vector<uint64_t> &other) {
  return size_t(std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first - one.begin());
}

/// All ranks' texts.
static Result<std::vector<std::string>> gatherTexts(const std::string &own, Communicator &ranks) {
  MICA_ASSIGN_OR_RETURN(const auto letters, gatherAll(std::vector<char>(own.begin(), own.end()), ranks));
  std::vector<std::string> texts;
  for (const std::vector<char> &text : letters)
    texts.emplace_back(text.begin(), text.end());
  return texts;
}

/// The parts of a provenance, as a text that ranks exchange.
static std::string textOf(const ProgramOrigin &origin) {
  std::string text;
  for (const auto &[name, value] : origin.provenance) {
    text.append(name).push_back('\0');
    text.append(value).push_back('\0');
  }
  return text;
}
static std::vector<std::pair<std::string, std::string>> partsOf(const std::string &text) {
  std::vector<std::pair<std::string, std::string>> parts;
  for (size_t at = 0; at < text.size();) {
    const size_t middle = text.find('\0', at), end = middle == text.npos ? middle : text.find('\0', middle + 1);
    if (end == text.npos)
      break;
    parts.emplace_back(text.substr(at, middle - at), text.substr(middle + 1, end - middle - 1));
    at = end + 1;
  }
  return parts;
}

/// What the cache of artifacts decided on `rank` and on rank 0: what one of the two compiled is not what the other one
/// had. "": it was not asked on both.
static std::string compareCaches(const std::vector<std::string> &origins, size_t rank) {
  const auto first = partsOf(origins[0]), other = partsOf(origins[rank]);
  if (first.empty() || other.empty())
    return "";
  const std::string one = "rank " + std::to_string(rank);
  std::string text = "; " + one + "'s " + other[0].second + ", rank 0's " + first[0].second;
  // The key is what the cache goes by.
  for (size_t i = 1; i < std::max(first.size(), other.size()); ++i) {
    if (i < first.size() && i < other.size() && first[i] == other[i])
      continue;
    auto describe = [&](const auto &parts) {
      return i < parts.size() ? "'" + parts[i].first + "' is " + parts[i].second : std::string("there is none");
    };
    return text + "; the first part of the cache's key that differs: on " + one + " " + describe(other) +
           ", on rank 0 " + describe(first);
  }
  return text + "; the keys are equal, so what is in one rank's cache was compiled from the same and differs: "
                "mica-run --clean empties a cache";
}

Status comparePrograms(const Manifest &manifest, const std::string &tasksHash, Communicator &ranks,
                       const ProgramOrigin &origin) {
  static const std::atomic<bool> never{false};
  GroupCall call;
  call.self = ranks.rank();
  const Hashes own = hashesOf(manifest, tasksHash);
  std::vector<Hashes> hashes(size_t(ranks.size()));
  call.send = own.data();
  call.receive = hashes.data();
  call.count = sizeof own;
  MICA_RETURN_IF_ERROR(ranks.run(call, never));
  // All ranks see the same, so they come to the same result.
  size_t rank = 0, part = kParts;
  for (size_t i = 1; i < hashes.size(); ++i) {
    const auto differs =
        size_t(std::mismatch(hashes[i].begin(), hashes[i].end(), hashes[0].begin()).first - hashes[i].begin());
    if (differs < part) {
      part = differs;
      rank = i;
    }
  }
  if (part == kParts)
    return {};
  std::string what = describe(part, manifest);
  if (part == Guards) {
    std::vector<uint64_t> guards;
    for (const artifact::EntryRecord &entry : manifest.entries)
      guards.push_back(hashOf(guardsOf(entry)));
    MICA_ASSIGN_OR_RETURN(const auto all, gatherAll(std::move(guards), ranks));
    if (const size_t first = firstDifference(all[0], all[rank]); first < manifest.entries.size())
      what += "; here: " + guardsOf(manifest.entries[first]);
  }
  if (part == Kernels) {
    std::vector<uint64_t> kernels;
    for (const artifact::KernelRecord &kernel : manifest.kernels)
      kernels.push_back(hashOfKernel(kernel));
    MICA_ASSIGN_OR_RETURN(const auto all, gatherAll(std::move(kernels), ranks));
    if (const size_t first = firstDifference(all[0], all[rank]); first < manifest.kernels.size())
      what = "the first kernel that differs is '" + manifest.kernels[first].name + "'";
  }
  // The compilers' records of what they did.
  std::vector<uint64_t> states;
  const std::vector<const artifact::FileRecord *> snapshots = snapshotsOf(manifest);
  for (const artifact::FileRecord *file : snapshots)
    states.push_back(hashOf(file->path + '\n' + file->hash));
  MICA_ASSIGN_OR_RETURN(const auto allStates, gatherAll(std::move(states), ranks));
  const size_t state = firstDifference(allStates[0], allStates[rank]);
  MICA_ASSIGN_OR_RETURN(const std::vector<std::string> names,
                        gatherTexts(state < snapshots.size() ? describeSnapshot(snapshots[state]->path) : "", ranks));
  // A rank that kept no record has nothing to compare.
  if (!allStates[0].empty() && !names[rank].empty())
    what += "; the first pass that left another program is " + names[rank] +
            (names[0] == names[rank] || names[0].empty() ? "" : ", where rank 0's compile has " + names[0]);
  MICA_ASSIGN_OR_RETURN(const std::vector<std::string> origins, gatherTexts(textOf(origin), ranks));
  what += compareCaches(origins, rank);
  MICA_ASSIGN_OR_RETURN(const std::vector<std::string> made, gatherTexts(origin.compiled, ranks));
  if (!made[0].empty() && !made[rank].empty() && made[0] != made[rank])
    what += "; rank " + std::to_string(rank) + "'s was compiled " + made[rank] + ", rank 0's " + made[0];
  return Error{ErrorCode::InvalidInput, "rank " + std::to_string(rank) + " has another program than rank 0: " + what,
               "compile once, and give all ranks the same artifact"};
}

} // namespace mica::runtime
