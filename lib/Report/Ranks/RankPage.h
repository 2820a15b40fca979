//===- RankPage.h - the page over ranks ------------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// One page for what all ranks of a program did.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_RANKS_RANKPAGE_H
#define MICA_LIB_REPORT_RANKS_RANKPAGE_H

#include "lib/Report/Ranks/RankModel.h"

namespace mica::report::ranks {

std::string rankPage(const RankModel &model);

} // namespace mica::report::ranks

#endif // MICA_LIB_REPORT_RANKS_RANKPAGE_H
