//===- Call.h - an isolated call as JSON --------------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_ISOLATED_CALL_H
#define MICA_LIB_RUNTIME_ISOLATED_CALL_H

#include "lib/Support/Json.h"
#include "mica/Runtime/Isolated.h"

namespace mica::runtime {

/// Where a worker finds the call, and leaves its answer: open files, and the only ones beside the standard ones.
inline constexpr int kCallDescriptor = 3, kAnswerDescriptor = 4;

inline Json callJson(const IsolatedCall &call) {
  return {{"folder", call.folder.string()}, {"entry", call.entry},     {"threads", call.threads},
          {"memory", call.memoryBytes},     {"seconds", call.seconds}, {"switches", call.switches}};
}

inline Result<IsolatedCall> parseCall(const Json &json) {
  const IsolatedCall none;
  IsolatedCall call;
  auto is = [&](const char *key, auto check) { return json.contains(key) && (json[key].*check)(); };
  if (!is("folder", &Json::is_string) || !is("entry", &Json::is_string) || !is("threads", &Json::is_number_integer) ||
      !is("memory", &Json::is_number_integer) || !is("seconds", &Json::is_number) || !is("switches", &Json::is_string))
    return Error{ErrorCode::InvalidInput, "this is no call", "libmica starts this program"};
  call.folder = json["folder"].get<std::string>();
  call.entry = json["entry"].get<std::string>();
  call.threads = json["threads"].get<int>();
  call.memoryBytes = json["memory"].get<int64_t>();
  call.seconds = json["seconds"].get<double>();
  call.switches = json["switches"].get<std::string>();
  return call;
}

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_ISOLATED_CALL_H
