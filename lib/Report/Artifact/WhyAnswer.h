//===- WhyAnswer.h - the answer to mica-run --why for the page -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_ARTIFACT_WHYANSWER_H
#define MICA_LIB_REPORT_ARTIFACT_WHYANSWER_H

#include "lib/Support/Json.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace mica::report {

/// Of the text of a why.json: [question, nodes, edges, position of the first difference or -1, pruned]; null where it
/// is none. Of a node: kind, id, source, name, index, iteration, value, reference, bound, whether it differs, kernel,
/// pruned. Of an edge: from, to, share, kind.
Json whyRow(std::string_view text);

/// The same of a file; null where there is none. A file that is no answer is noted.
Json whyOf(const std::filesystem::path &file, std::vector<std::string> &notes);

} // namespace mica::report

#endif // MICA_LIB_REPORT_ARTIFACT_WHYANSWER_H
