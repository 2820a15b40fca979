//===- Lenses.cpp - what an artifact says of the ops of a text ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Lenses.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/LanguageServer/Lenses.h"

#include "mica/Artifact/CompileCache.h"
#include "mica/Support/Hash.h"
#include "mica/Support/Paths.h"

#include <algorithm>

namespace fs = std::filesystem;
using namespace mica;
using namespace mica::languageserver;

Artifacts::Known Artifacts::read(const fs::path &folder) {
  std::error_code error;
  const fs::file_time_type time = fs::last_write_time(folder / "manifest.json", error);
  if (error)
    return {};
  Known &entry = known[folder];
  if (entry.time != time) {
    entry = {time, nullptr};
    if (Result<artifact::Artifact> opened = artifact::Artifact::openTexts(folder))
      entry.artifact = std::make_shared<const artifact::Artifact>(std::move(*opened));
  }
  return entry;
}

std::shared_ptr<const artifact::Artifact> Artifacts::find(const fs::path &file, std::string_view text,
                                                          const std::vector<fs::path> &roots) {
  const std::string hash = hashHex(text);
  Known best;
  bool bestIsSame = false;
  auto consider = [&](const fs::path &parent, std::string_view stem, bool onlySame) {
    std::error_code error;
    for (fs::directory_iterator at(parent, error), end; !error && at != end; at.increment(error)) {
      if (!at->path().filename().string().starts_with(stem) || !at->is_directory(error))
        continue;
      const Known found = read(at->path());
      if (!found.artifact || found.artifact->manifest().inputFile != file.filename())
        continue;
      const bool isSame = found.artifact->manifest().inputHash == hash;
      if (isSame < std::max(onlySame, bestIsSame))
        continue;
      if (!best.artifact || isSame > bestIsSame || found.time > best.time) {
        best = found;
        bestIsSame = isSame;
      }
    }
  };
  std::vector<fs::path> folders = {file.parent_path()};
  folders.insert(folders.end(), roots.begin(), roots.end());
  for (const fs::path &folder : folders) {
    consider(folder / "build_output", "", false);
    consider(folder, "", false);
  }
  if (const Result<fs::path> cache = cacheFolder())
    consider(*cache / "artifacts", artifact::cacheStem(file.string()) + "-", true);
  return best.artifact;
}

std::vector<Lens> languageserver::lensesOf(const artifact::Artifact &artifact, const fs::path &file,
                                           std::string_view text) {
  const artifact::Manifest &manifest = artifact.manifest();
  std::map<std::string, const artifact::SiteRecord *> siteOf;
  for (const artifact::SiteRecord &site : manifest.sites)
    for (const std::string &id : site.opIds)
      siteOf.emplace(id, &site);
  const std::string earlier = manifest.inputHash == hashHex(text) ? "" : " (of an earlier text)";
  std::vector<Lens> lenses;
  for (const artifact::OpRecord &op : manifest.ops) {
    const auto position = std::find_if(op.positions.begin(), op.positions.end(), [&](const auto &each) {
      return fs::path(each.file).filename() == file.filename();
    });
    if (position == op.positions.end() || position->line < 1)
      continue;
    std::string where = "no kernel";
    if (const auto site = siteOf.find(op.id); site != siteOf.end()) {
      const size_t others = site->second->opIds.size() - 1;
      where = "kernel " + site->second->kernel;
      if (others > 0)
        where += " with " + std::to_string(others) + (others > 1 ? " other ops" : " other op");
    }
    lenses.push_back({position->line - 1, op.id, op.kind + " → " + where + earlier});
  }
  return lenses;
}
