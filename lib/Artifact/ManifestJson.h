//===- ManifestJson.h - pieces that manifest.json and tasks.json share -------------------------------------===//
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

TensorSpec readSpec(const JsonCursor &cursor);
Json printSpec(const TensorSpec &spec);

/// Elements of a static shape times the element's bytes; -1 for a dynamic shape. readSpec refuses shapes with more
/// bytes than fit.
int64_t staticBytes(const TensorSpec &spec);

/// How many dimensions of `spec` are dynamic.
int64_t dynamicDims(const TensorSpec &spec);

} // namespace mica::artifact

#endif // MICA_LIB_ARTIFACT_MANIFESTJSON_H
