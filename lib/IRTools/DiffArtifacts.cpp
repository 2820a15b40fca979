//===- DiffArtifacts.cpp - comparing artifacts ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See DiffSources.h. Equal kernels have equal hashes in all programs, so only the others are compared: their IR
// structurally, their LLVM IR and assembly as text.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/IRTools/DiffSources.h"
#include "mica/Artifact/Artifact.h"
#include "mica/Artifact/SnapshotFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>

using namespace mica;
using namespace mica::irtools;

/// "name: a -> b" for each key whose values differ.
template <typename Map>
static void compareKeys(const char *what, const Map &before, const Map &after, std::vector<std::string> &lines) {
  std::map<std::string, std::pair<std::string, std::string>> all;
  for (const auto &[key, value] : before)
    all[key].first = value;
  for (const auto &[key, value] : after)
    all[key].second = value;
  for (const auto &[key, values] : all)
    if (values.first != values.second)
      lines.push_back(std::string(what) + " " + key + ": " + (values.first.empty() ? "(none)" : values.first) + " -> " +
                      (values.second.empty() ? "(none)" : values.second));
}

static std::map<std::string, std::string> describe(const artifact::Manifest &manifest) {
  std::map<std::string, std::string> text;
  text["mica"] = manifest.micaVersion;
  text["llvm"] = manifest.llvmVersion;
  text["input"] = manifest.inputFile;
  text["target"] = manifest.target + " " + manifest.triple + " " + manifest.cpu;
  text["cpu features"] = llvm::join(manifest.cpuFeatures, ",");
  return text;
}

static void compareText(DiffResult &result, const std::string &name, const std::string &before,
                        const std::string &after) {
  auto read = [&](const std::string &path) {
    Document document;
    document.name = path;
    if (Result<std::string> text = artifact::readText(path)) {
      llvm::SmallVector<llvm::StringRef> lines;
      llvm::StringRef(*text).split(lines, '\n');
      document.text.assign(lines.begin(), lines.end());
    }
    return std::make_shared<const Document>(std::move(document));
  };
  Comparison comparison;
  comparison.title = name;
  comparison.before = read(before);
  comparison.after = read(after);
  comparison.rows = alignText(comparison.before->text, comparison.after->text);
  if (!comparison.same())
    result.comparisons.push_back(std::move(comparison));
}

Result<DiffResult> irtools::diffArtifacts(const std::string &before, const std::string &after,
                                          mlir::MLIRContext &context) {
  MICA_ASSIGN_OR_RETURN(const artifact::Artifact left, artifact::Artifact::open(before));
  MICA_ASSIGN_OR_RETURN(const artifact::Artifact right, artifact::Artifact::open(after));
  const artifact::Manifest &a = left.manifest(), &b = right.manifest();
  DiffResult result;
  result.hasRepeats = true;
  compareKeys("", describe(a), describe(b), result.lines);
  compareKeys("option", a.options, b.options, result.lines);
  for (std::string &line : result.lines)
    line = llvm::StringRef(line).ltrim().str();
  std::map<std::string, std::string> constantsA, constantsB;
  for (const auto &constant : a.constants)
    constantsA[constant.name] = "present";
  for (const auto &constant : b.constants)
    constantsB[constant.name] = "present";
  compareKeys("constant", constantsA, constantsB, result.lines);
  std::map<std::string, const artifact::KernelRecord *> kernels;
  for (const artifact::KernelRecord &kernel : a.kernels)
    kernels[kernel.name] = &kernel;
  size_t same = 0;
  for (const artifact::KernelRecord &kernel : b.kernels) {
    auto found = kernels.find(kernel.name);
    if (found == kernels.end()) {
      result.lines.push_back("kernel " + kernel.name + ": added");
      continue;
    }
    const artifact::KernelRecord &other = *found->second;
    kernels.erase(found);
    std::string folder = "/kernels/" + kernel.name + "/kernel";
    size_t known = result.comparisons.size();
    if (other.strategy != kernel.strategy)
      result.lines.push_back("kernel " + kernel.name + ": strategy " + other.strategy + " -> " + kernel.strategy);
    if (other.hash != kernel.hash)
      MICA_RETURN_IF_ERROR(addComparison(
                               result, "kernel " + kernel.name,
                               [&] { return share(readDocument(before + folder + ".mlir", context)); },
                               [&] { return share(readDocument(after + folder + ".mlir", context)); },
                               /*onlyIfDifferent=*/true)
                               .status());
    compareText(result, "kernel " + kernel.name + ", LLVM IR", before + folder + ".ll", after + folder + ".ll");
    compareText(result, "kernel " + kernel.name + ", assembly", before + folder + ".s", after + folder + ".s");
    same += result.comparisons.size() == known;
  }
  for (const auto &[name, kernel] : kernels)
    result.lines.push_back("kernel " + name + ": removed");
  result.differs = !result.lines.empty();
  result.lines.push_back(std::to_string(same) + " kernels are the same");
  Result<Record> recordA = Record::open(before), recordB = Record::open(after);
  if (!recordA || !recordB)
    return result;
  MICA_ASSIGN_OR_RETURN(DiffResult records, diffRecords(*recordA, *recordB, context));
  result.differs |= records.differs;
  result.lines.insert(result.lines.end(), records.lines.begin(), records.lines.end());
  // The first difference explains the rest, so it is printed first.
  result.comparisons.insert(result.comparisons.begin(), std::make_move_iterator(records.comparisons.begin()),
                            std::make_move_iterator(records.comparisons.end()));
  return result;
}
