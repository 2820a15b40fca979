//===- ComparePrograms.h - whether all ranks have one program ---------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Ranks that run different programs wait for each other forever, or exchange what the other does not mean. So they are
// compared before anything runs: one exchange of about 100 bytes, and a few more if they differ.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_RANKS_COMPAREPROGRAMS_H
#define MICA_LIB_RUNTIME_RANKS_COMPAREPROGRAMS_H

#include "mica/Artifact/Manifest.h"
#include "mica/Runtime/Communicator.h"

#include <utility>

namespace mica::runtime {

/// How a rank came to its program.
struct ProgramOrigin {
  std::string compiled;                                        ///< when and where; "": unknown
  std::vector<std::pair<std::string, std::string>> provenance; ///< ContextOptions::provenance
};

/// To be called by all ranks. InvalidInput, on all of them, if one has another program: names the rank, the first that
/// differs on the way from the source to the code, with the first pass, what the cache of artifacts decided and by
/// what, and when each was compiled. `tasksHash`: of the host/tasks.json that was read.
Status comparePrograms(const artifact::Manifest &manifest, const std::string &tasksHash, Communicator &ranks,
                       const ProgramOrigin &origin = {});

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_RANKS_COMPAREPROGRAMS_H
