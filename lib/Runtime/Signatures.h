//===- Signatures.h - what a program's code takes for granted --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// manifest.json and host/tasks.json say how code is called; program.so says how it was compiled (mica/ABI/Memory.h).
// Where the two do not agree, because a file was edited or is of another compile, memory would be accessed that is not
// there.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_SIGNATURES_H
#define MICA_LIB_RUNTIME_SIGNATURES_H

#include "lib/Runtime/Files.h"
#include "mica/Artifact/Artifact.h"
#include "mica/Support/Status.h"

#include <vector>

namespace mica::runtime {

/// Which code asks for memory by the table of mica/ABI/Memory.h.
struct Allocates {
  std::vector<bool> kernels; ///< per kernel of the manifest
  bool hostFunctions = false;
};

/// Compares; Damaged, naming file and key. Fills in `allocates`.
Status checkSignatures(const artifact::Artifact &artifact, const SharedLibrary &library, Allocates &allocates);

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_SIGNATURES_H
