//===- PatternWarnings.h - patterns of switches that match nothing ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_PATTERNWARNINGS_H
#define MICA_LIB_RUNTIME_PATTERNWARNINGS_H

#include "mica/Artifact/Manifest.h"
#include "mica/Support/Switches.h"

#include <string>
#include <vector>

namespace mica::runtime {

/// A sentence for each pattern of the switches of phase run that matches nothing of the program, with the name that may
/// be meant: "nan-check=mica.lgo matches no kernel, kind or id of the program; did you mean 'mica.log'?". `devices`:
/// those that the program runs on. What a configuration file says is meant for other programs, too.
std::vector<std::string> unmatchedPatterns(const artifact::Manifest &program, const Switches &switches,
                                           const std::vector<std::string> &devices);

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_PATTERNWARNINGS_H
