//===- Originals.h - the compiler's versions of editable files ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Every text and object of an artifact is stored a second time in .orig/originals (artifact::kOriginalsFile),
// compressed, because an edit is detected only after the old contents are gone. The compiler's version of an edited
// file is also stored as .orig/<path>.
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

/// The contents of .orig/originals for the files `paths` of `folder`.
Result<std::string> packOriginals(const std::filesystem::path &folder, const std::vector<std::string> &paths);

/// The compiler's version of each file, by path. Errors: NotFound if the artifact has none, Damaged.
Result<std::map<std::string, std::string>> readOriginals(const std::filesystem::path &folder);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_EMIT_ORIGINALS_H
