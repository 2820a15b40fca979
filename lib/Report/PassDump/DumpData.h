//===- DumpData.h - a dump as the pages read it -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: a dump of another compiler in the form of an artifact (Page/artifact.js), so that its passes, texts and
// lines are shown by the same pages.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_PASSDUMP_DUMPDATA_H
#define MICA_LIB_REPORT_PASSDUMP_DUMPDATA_H

#include "lib/Report/Artifact/ArtifactData.h"
#include "mica/PassDump/Dump.h"

namespace mica::report {

/// `name`: what the dump is called. Uses plain, redact, constants, folder and sources of `options`. Errors: Io.
Result<ArtifactData> dumpData(const passdump::Dump &dump, const std::string &name, TextStore &store,
                              const ArtifactOptions &options);

} // namespace mica::report

#endif // MICA_LIB_REPORT_PASSDUMP_DUMPDATA_H
