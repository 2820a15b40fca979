//===- Originals.h - what the compiler wrote, for files that are edited by hand -----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Every text and object of an artifact lies once more in .orig/originals (artifact::kOriginalsFile), compressed: an
// edit is seen only when the old contents are gone. A file that was edited has the compiler's own version beside it as
// .orig/<path>.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_EMIT_ORIGINALS_H
#define MICA_LIB_COMPILER_EMIT_ORIGINALS_H

#include "mica/Support/Status.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace mica::compiler {

/// The contents of .orig/originals: the files `paths` of `folder`.
Result<std::string> packOriginals(const std::filesystem::path &folder, const std::vector<std::string> &paths);

/// What the compiler wrote to each file, by path. Errors: NotFound where the artifact has none, Damaged.
Result<std::map<std::string, std::string>> readOriginals(const std::filesystem::path &folder);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_EMIT_ORIGINALS_H
