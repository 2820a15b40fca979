//===- ProgramHeader.h - whether this runtime meets what a program needs --------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Reads the header of a program.so (mica/ABI/Program.h) before any of its code runs.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_PROGRAMHEADER_H
#define MICA_LIB_RUNTIME_PROGRAMHEADER_H

#include "lib/Runtime/Files.h"
#include "mica/ABI/Program.h"
#include "mica/Support/Status.h"

#include <string>
#include <vector>

namespace mica::runtime {

/// The header of the program in `library`, loaded from `file`. Of programs before version 9, which have none, the
/// features that their version stood for. Errors name `file`: Unsupported (a newer version, an unknown feature, another
/// sanitizer than this process has), Damaged (no version, or a header that is cut off).
Result<mica_program_header_v1> readProgramHeader(const SharedLibrary &library, const std::filesystem::path &file);

/// Names of the features in `features`, lowest bit first: "checks", "gpu-memory"; "bit 40" of one that is not known
/// here.
std::vector<std::string> featureNames(uint64_t features);

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_PROGRAMHEADER_H
