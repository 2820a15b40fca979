//===- Documents.h - the texts that the editor has open -----------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Positions of the protocol are a line and a number of UTF-16 units, both from 0; texts are UTF-8.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_LANGUAGESERVER_DOCUMENTS_H
#define MICA_LIB_LANGUAGESERVER_DOCUMENTS_H

#include "lib/Support/Json.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace mica::languageserver {

/// The path of "file:///a%20b.mlir"; none of another scheme.
std::optional<std::filesystem::path> pathOf(std::string_view uri);
std::string uriOf(const std::filesystem::path &path);

/// The length of a UTF-8 text in UTF-16 units.
size_t unitsOf(std::string_view text);

/// The edits that make `after` of `before`, where lines differ at their ends alone and only a last line break may be
/// added.
Json lineEdits(std::string_view before, std::string_view after);

class Documents {
public:
  /// Follows textDocument/didOpen, didChange and didClose. MLIR's server asks editors for whole texts.
  void notify(std::string_view method, const Json &params);
  /// nullptr: not open.
  const std::string *find(const std::string &uri) const;

private:
  std::map<std::string, std::string> texts; ///< by URI
};

} // namespace mica::languageserver

#endif // MICA_LIB_LANGUAGESERVER_DOCUMENTS_H
