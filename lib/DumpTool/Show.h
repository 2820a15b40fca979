//===- Show.h - elements of a dump -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: what needs the elements: histogram, slices, pictures, files, verification.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_DUMPTOOL_SHOW_H
#define MICA_LIB_DUMPTOOL_SHOW_H

#include "lib/DumpTool/Options.h"
#include "mica/Dump/Dump.h"

#include <span>

namespace mica::dumptool {

Status showHistogram(const dump::Dump &dump, std::span<const size_t> chosen, const Options &options);
Status showElements(const dump::Dump &dump, std::span<const size_t> chosen, const Options &options);
Status showPartStatistics(const dump::Dump &dump, std::span<const size_t> chosen, const Options &options);
/// A heat map of `tensor`, which messages call `title`; to `file`, or to the terminal where it is "".
Status showPicture(const HostTensor &tensor, const std::string &title, const std::string &file);
Status exportTensors(const dump::Dump &dump, std::span<const size_t> chosen, const Options &options);
/// The exit code.
Result<int> verifyTensors(const dump::Dump &dump, std::span<const size_t> chosen);

} // namespace mica::dumptool

#endif // MICA_LIB_DUMPTOOL_SHOW_H
