//===- JoinRanks.h - exchanges of all ranks --------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See RankModel.h.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_RANKS_JOINRANKS_H
#define MICA_LIB_REPORT_RANKS_JOINRANKS_H

#include "lib/Report/Ranks/RankModel.h"

namespace mica::report::ranks {

/// Fills all of `model` that follows from its ranks.
void joinRanks(RankModel &model);

} // namespace mica::report::ranks

#endif // MICA_LIB_REPORT_RANKS_JOINRANKS_H
