//===- Report.h - texts about an artifact ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Built from the artifact's files alone. A part whose data is absent is left out.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_REPORT_REPORT_H
#define MICA_REPORT_REPORT_H

#include "mica/Artifact/Artifact.h"
#include "mica/Support/Status.h"

#include <string>
#include <string_view>

namespace mica::report {

/// The whole artifact on a few screens. Fails where passes_dump/index.json is there but damaged.
Result<std::string> describeArtifact(const artifact::Artifact &artifact);

/// Everything known about op `id` (12 hex digits, or their unique beginning): where it came from, the kernels it was
/// fused into and with what, its launches, what passes said of it, and its lines in each file that has a map. NotFound:
/// the hint says what is near.
Result<std::string> explainOp(const artifact::Artifact &artifact, std::string_view id);

} // namespace mica::report

#endif // MICA_REPORT_REPORT_H
