//===- Ranks.h - programs for several ranks --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// --ranks, and what a process does that a launcher of MPI started.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_RANKS_H
#define MICA_LIB_RUNTOOL_RANKS_H

#include "lib/RunTool/Options.h"
#include "mica/Artifact/Manifest.h"

namespace mica::runtool {

/// "threads", or a number.
Status setRanks(Options &options, const std::string &value);

/// With --ranks=N: replaces this process by mpirun, which starts it N times without the flag; returns only on an error,
/// or where there is nothing to start.
Status startRanks(const Options &options, int argc, char **argv);

/// An error where a check would compare what one rank computes with what the whole program does; a warning where
/// several processes run a program that is for one.
Status checkRankOptions(const Options &options, const artifact::Manifest &manifest);

/// Of a process that is a rank other than 0: results and notes are not printed, since rank 0 prints them.
void silenceOtherRanks();

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_RANKS_H
