//===- JaxExport.cpp - files of jax.export ------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The root table of jax/_src/export/serialization.fbs, and the one field of it that is needed. A flatbuffer begins with
// the position of its root table; a table with the distance back to its list of fields; that list with its size and
// that of the table, and then the position of each field in the table, 0 for one that is missing.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Import/StableHLO/JaxExport.h"

#include "llvm/Support/Endian.h"

using namespace mica;

/// The number of `mlir_module_serialized` among the fields of the table.
static constexpr uint64_t kModuleField = 13;

namespace {
/// Numbers at positions of the file; none where it ends before.
struct Bytes {
  llvm::StringRef data;

  template <typename T> std::optional<T> at(uint64_t position) const {
    if (position > data.size() || data.size() - position < sizeof(T))
      return std::nullopt;
    return llvm::support::endian::read<T>(data.data() + position, llvm::endianness::little);
  }
};
} // namespace

std::optional<llvm::StringRef> importer::moduleOfJaxExport(llvm::StringRef file) {
  const Bytes bytes{file};
  const auto table = bytes.at<uint32_t>(0);
  const auto back = table ? bytes.at<int32_t>(*table) : std::nullopt;
  if (!back || *back > int64_t(*table))
    return std::nullopt;
  const uint64_t fields = int64_t(*table) - *back;
  const auto size = bytes.at<uint16_t>(fields);
  const uint64_t entry = 4 + 2 * kModuleField;
  const auto field = size && *size >= entry + 2 ? bytes.at<uint16_t>(fields + entry) : std::nullopt;
  if (!field || *field == 0)
    return std::nullopt;
  const uint64_t reference = uint64_t(*table) + *field;
  const auto offset = bytes.at<uint32_t>(reference);
  const auto length = offset ? bytes.at<uint32_t>(reference + *offset) : std::nullopt;
  if (!length)
    return std::nullopt;
  const llvm::StringRef module = file.substr(reference + *offset + 4, *length);
  if (module.size() != *length || !module.starts_with("ML\xefR"))
    return std::nullopt;
  return module;
}
