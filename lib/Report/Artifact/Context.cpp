//===- Context.cpp - reading foreign files ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Artifact/Context.h"

#include <algorithm>

namespace fs = std::filesystem;

namespace mica::report {

bool liesInside(const fs::path &folder, const fs::path &file) {
  std::error_code error;
  const fs::path root = fs::canonical(folder, error), real = error ? fs::path() : fs::canonical(file, error);
  if (error || !fs::is_regular_file(real, error))
    return false;
  return std::mismatch(root.begin(), root.end(), real.begin(), real.end()).first == root.end();
}

static const Json *member(const Json &object, const char *key) {
  if (!object.is_object())
    return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

std::string textMember(const Json &object, const char *key) {
  const Json *value = member(object, key);
  return value && value->is_string() ? value->get<std::string>() : "";
}

int64_t integerMember(const Json &object, const char *key, int64_t otherwise) {
  const Json *value = member(object, key);
  return value && value->is_number_integer() ? value->get<int64_t>() : otherwise;
}

double numberMember(const Json &object, const char *key) {
  const Json *value = member(object, key);
  return value && value->is_number() ? value->get<double>() : 0;
}

bool booleanMember(const Json &object, const char *key) {
  const Json *value = member(object, key);
  return value && value->is_boolean() && value->get<bool>();
}

std::vector<std::string> textsMember(const Json &object, const char *key) {
  std::vector<std::string> texts;
  for (const Json &element : listMember(object, key))
    if (element.is_string())
      texts.push_back(element.get<std::string>());
  return texts;
}

const Json &listMember(const Json &object, const char *key) {
  static const Json kNone = Json::array();
  const Json *value = member(object, key);
  return value && value->is_array() ? *value : kNone;
}

} // namespace mica::report
