//===- RecordDump.h - records of passes as dumps ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: what mica-opt --record and mica::record write, without an artifact around it, is shown as the dumps of other
// compilers are.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_PASSDUMP_RECORDDUMP_H
#define MICA_LIB_REPORT_PASSDUMP_RECORDDUMP_H

#include "mica/PassDump/Dump.h"

namespace mica::report {

/// Whether `path` is a dump of another compiler (passdump::isDump), or a folder with the index of a record that is no
/// artifact. Costs no more than looking at a dump's first lines.
bool isDumpOrRecord(const std::filesystem::path &path);

/// Reads either. Errors: those of passdump::readDump; of a record those of its index, and NotFound, Io or Damaged where
/// none of its snapshots can be read. A snapshot that is missing is a note of the dump.
Result<passdump::Dump> readDumpOrRecord(const std::filesystem::path &path);

} // namespace mica::report

#endif // MICA_LIB_REPORT_PASSDUMP_RECORDDUMP_H
