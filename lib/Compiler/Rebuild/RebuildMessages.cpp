//===- RebuildMessages.cpp - what a rebuild says ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Rebuild/RebuildMessages.h"

#include "lib/Compiler/Emit/ArtifactFiles.h"
#include "mica/Artifact/Edits.h"
#include "mica/Support/HostTensor.h"
#include "mica/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mica;
using namespace mica::compiler;

std::string compiler::signatureOf(const artifact::KernelRecord &kernel) {
  std::vector<std::string> parts;
  for (const artifact::BindingRecord &binding : kernel.bindings)
    parts.push_back(shapedTypeString(binding.type.shape, binding.type.dtype) +
                    (binding.access == artifact::Access::Read    ? " read"
                     : binding.access == artifact::Access::Write ? " write"
                                                                 : " readwrite"));
  std::string text = "(" + joinNames(parts);
  if (kernel.scalarArgs > 0)
    text += "; " + std::to_string(kernel.scalarArgs) + " scalars";
  return text + ")";
}

std::string compiler::summaryOf(const Rebuilt &rebuilt, const std::filesystem::path &folder,
                                const std::vector<artifact::Edit> &edits, const ArtifactFiles &files, double seconds) {
  const std::set<std::string> &built = rebuilt.kernels;
  std::vector<std::string> paths;
  for (const artifact::Edit &edit : edits)
    paths.push_back(edit.path);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << folder.string() << ": rebuilt from " << joinNames(paths) << ": ";
  std::vector<std::string> parts(built.begin(), built.end());
  if (!parts.empty())
    os << (parts.size() == 1 ? "kernel " : "kernels ") << joinNames(parts) << ", ";
  const auto &written = files.written;
  if (llvm::is_contained(written, "host/host.o"))
    os << "host functions, ";
  const bool isForDevice = !built.empty() && !rebuilt.hasNewObjects;
  os << (rebuilt.hasNewObjects ? "program.so"
         : isForDevice         ? "code of the device alone"
                               : "no code")
     << (rebuilt.deviceNote.empty() ? "" : ", ") << rebuilt.deviceNote << "; ";
  const size_t kept = files.manifest.kernels.size() - std::min(built.size(), files.manifest.kernels.size());
  os << kept << (built.empty() ? "" : " other") << (kept == 1 ? " kernel" : " kernels") << " unchanged; "
     << llvm::format("%.2f s", seconds);
  return text;
}
