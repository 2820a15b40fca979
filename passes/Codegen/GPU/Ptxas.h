//===- Ptxas.h - what NVIDIA's assembler says of a kernel -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// ptxas is asked where it is installed; nothing needs it, as the driver has an assembler of its own.
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

/// Where ptxas is, on PATH or in /usr/local/cuda/bin; "" for nowhere.
std::string findPtxas();

/// The entries of the PTX file `file`, whose text is `ptx`, for `chip`; with ptxas at `ptxas` (not "") what it says of
/// their registers and memory, and its binary in `cubin` (where not ""). Internal where it does not take the text.
/// Costs a process, a tenth of a second.
Result<std::vector<artifact::DeviceEntry>> describePtx(llvm::StringRef ptx, const std::string &file,
                                                       const std::string &chip, const std::string &ptxas,
                                                       const std::string &cubin = "");

/// The entries of a PTX text with the types of their parameters, in order: "add_0(.u64, .u64, .u32)".
std::vector<std::string> ptxSignatures(llvm::StringRef ptx);

/// The same of what `ptxas -v` printed, `said`, for entries that are known by name.
void readPtxasOutput(llvm::StringRef said, std::vector<artifact::DeviceEntry> &entries);

} // namespace mica::codegen

#endif // MICA_PASSES_CODEGEN_GPU_PTXAS_H
