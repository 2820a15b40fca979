//===- CollectiveJson.h - exchanges between ranks in the manifest ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The record of an exchange between ranks, as JSON.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_ARTIFACT_COLLECTIVEJSON_H
#define MICA_LIB_ARTIFACT_COLLECTIVEJSON_H

#include "lib/Support/Json.h"
#include "mica/Artifact/Manifest.h"

namespace mica::artifact {

Json printCollective(const CollectiveRecord &collective);

/// Reads the record of `kernel`, whose bindings are read. It fails unless the kind has the properties it needs, and the
/// known sizes of the bindings follow from each other.
CollectiveRecord readCollective(const JsonCursor &item, const KernelRecord &kernel);

} // namespace mica::artifact

#endif // MICA_LIB_ARTIFACT_COLLECTIVEJSON_H
