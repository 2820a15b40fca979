//===- PageData.h - a model as the pages read it ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: JSON for lib/Report/Log/Page, which is the only reader.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_LOG_PAGEDATA_H
#define MICA_LIB_REPORT_LOG_PAGEDATA_H

#include "lib/Report/Log/LogModel.h"
#include "lib/Report/Log/TextStore.h"

#include <string>

namespace mica::report {

/// What every page of a log needs; what one compile's page needs alone goes into the store, as a text of its own.
Result<std::string> pageData(const LogModel &model, TextStore &store);

} // namespace mica::report

#endif // MICA_LIB_REPORT_LOG_PAGEDATA_H
