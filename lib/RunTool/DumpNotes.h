//===- DumpNotes.h - what mica-run says of a dump --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: how large the dump of a run will be, before the run, and what is in it and what is not, after it.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_DUMPNOTES_H
#define MICA_LIB_RUNTOOL_DUMPNOTES_H

#include "mica/Runtime/Program.h"
#include "mica/Support/Status.h"
#include "mica/Support/Switches.h"

#include <filesystem>

namespace mica::runtool {

/// Of one run. Does nothing where dump-tensors is 0.
class DumpNotes {
public:
  /// `run`: the folder of the run, where the dump goes unless dump-dir says otherwise.
  DumpNotes(const Switches &switches, const runtime::Program &program, const std::filesystem::path &run);
  /// Sets dump-dir, and prints how large the dump will be. InvalidInput: what the switches select makes no sense.
  Status prepare(Switches &switches) const;
  /// Prints what is in the dump. Io where it lacks something that was asked for.
  Status report() const;

private:
  const runtime::Program &program;
  std::filesystem::path folder; ///< "": none
};

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_DUMPNOTES_H
