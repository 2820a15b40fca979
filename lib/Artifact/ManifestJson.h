//===- ManifestJson.h - shared parts of manifest.json and tasks.json ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: the schema's version, and the JSON form of an element type with a shape.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_ARTIFACT_MANIFESTJSON_H
#define MICA_LIB_ARTIFACT_MANIFESTJSON_H

#include "lib/Support/Json.h"
#include "mica/Artifact/Manifest.h"

namespace mica::artifact {

/// "1.0", the value of every file's key `schema`.
std::string schemaText();

/// Checks the keys `format` and `schema` of a file: another format is Damaged, a newer major schema Unsupported.
Status readSchema(const JsonCursor &root, JsonReport &report, std::string_view format, int &major, int &minor);

/// Reads the sizes `grid` of a grid of ranks, and axes of it, of which `used` are taken.
std::vector<int64_t> readGrid(const JsonCursor &cursor);
std::vector<int64_t> readAxes(const JsonCursor &list, const std::vector<int64_t> &grid, std::vector<bool> &used);

TensorSpec readSpec(const JsonCursor &cursor);
Json printSpec(const TensorSpec &spec);

/// Bytes of a static shape; -1 for a dynamic shape. readSpec rejects shapes whose size overflows.
int64_t staticBytes(const TensorSpec &spec);

/// The number of dynamic dimensions of `spec`.
int64_t dynamicDims(const TensorSpec &spec);

} // namespace mica::artifact

#endif // MICA_LIB_ARTIFACT_MANIFESTJSON_H
