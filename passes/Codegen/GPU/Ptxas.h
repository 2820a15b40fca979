//===- Ptxas.h - running NVIDIA's assembler ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// ptxas is used if it is installed; it is optional, because the driver has its own assembler.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_PTXAS_H
#define MICA_PASSES_CODEGEN_GPU_PTXAS_H

#include "mica/Artifact/Manifest.h"
#include "mica/Support/Status.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace mica::codegen {

/// The path of ptxas, on PATH or in /usr/local/cuda/bin; "" if not found.
std::string findPtxas();

/// The entries of the PTX file `file`, with text `ptx`, for `chip`; with ptxas at `ptxas` (not "") also their registers
/// and memory, and the binary in `cubin` (if not ""). Internal if ptxas rejects the text. Starts a process, which takes
/// a tenth of a second.
Result<std::vector<artifact::DeviceEntry>> describePtx(llvm::StringRef ptx, const std::string &file,
                                                       const std::string &chip, const std::string &ptxas,
                                                       const std::string &cubin = "");

/// The entries of a PTX text with the types of their parameters, in order: "add_0(.u64, .u64, .u32)".
std::vector<std::string> ptxSignatures(llvm::StringRef ptx);

/// Parses the output of `ptxas -v`, `said`, for known entries.
void readPtxasOutput(llvm::StringRef said, std::vector<artifact::DeviceEntry> &entries);

} // namespace mica::codegen

#endif // MICA_PASSES_CODEGEN_GPU_PTXAS_H
