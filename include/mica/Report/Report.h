//===- Report.h - reports about an artifact ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Made from the artifact's files alone. Parts without data are omitted.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_REPORT_REPORT_H
#define MICA_REPORT_REPORT_H

#include "mica/Artifact/Artifact.h"
#include "mica/Support/Status.h"

#include <string>
#include <string_view>
#include <vector>

namespace mica::report {

/// A summary of the artifact. Fails if passes_dump/index.json exists but is damaged.
Result<std::string> describeArtifact(const artifact::Artifact &artifact);

/// Everything known about op `id` (12 hex digits, or a unique prefix): its origin, the kernels it was fused into and
/// with which ops, its launches, the remarks of passes about it, and its lines in each file with a line map. NotFound:
/// the hint lists similar ids.
Result<std::string> explainOp(const artifact::Artifact &artifact, std::string_view id);

/// The lines of an op in a file of the artifact.
struct OpPlace {
  std::string file;           ///< relative to the artifact
  std::vector<int64_t> lines; ///< from 1
  std::string compiledWith;   ///< the op whose id the file of an equal kernel has instead; "" its own
};
struct OpPlaces {
  std::vector<OpPlace> places;
  Status snapshots; ///< why those in the snapshots are not known
};

/// Where op `id`, in 12 hex digits, is found in the texts of the artifact.
Result<OpPlaces> placesOfOp(const artifact::Artifact &artifact, const std::string &id);

} // namespace mica::report

#endif // MICA_REPORT_REPORT_H
