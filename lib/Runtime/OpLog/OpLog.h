//===- OpLog/OpLog.h - every launch, told --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The switches op-log-*. To a file: the thread that launches stores a fixed-size event, a thread of the log formats and
// writes it. To the standard error or MICA_LOG_DIR: written at once, so that the last line before a crash is there.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_OPLOG_OPLOG_H
#define MICA_LIB_RUNTIME_OPLOG_OPLOG_H

#include "lib/Runtime/OpLog/OpFormat.h"
#include "mica/Artifact/Manifest.h"
#include "mica/Runtime/Observer.h"
#include "mica/Support/Switches.h"

#include <memory>
#include <string>
#include <vector>

namespace mica::runtime {

class OpLog : public Observer {
public:
  /// The log that `switches` ask for, null where they ask for none. `manifest` outlives it; `devices`: names of those
  /// whose launches it gets. Fails with Io where the file cannot be made. A filter that leaves nothing is warned of.
  static Result<std::unique_ptr<OpLog>> create(const Switches &switches, const artifact::Manifest &manifest,
                                               std::vector<std::string> devices);
  /// Writes what is left and closes the file. Fails with Io when anything could not be written (disk full).
  virtual Status close() = 0;
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_OPLOG_OPLOG_H
