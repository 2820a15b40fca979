//===- ReadLineMap.cpp - the sets and rows of a line map ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header. The events of the JSON library are read: {"sets": [{"ids": [...]}], "lines": [[1, 2, 0]]}.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Artifact/ReadLineMap.h"

#include "lib/Support/Json.h"

#include <limits>

namespace mica::artifact {
namespace {

class Reader : public nlohmann::json_sax<Json> {
public:
  LineMapSets map;
  bool hasSets = false;

  bool null() override { return other(); }
  bool boolean(bool) override { return other(); }
  bool number_float(double, const std::string &) override { return other(); }
  bool binary(Json::binary_t &) override { return other(); }
  bool number_integer(int64_t) override { return other(); } // only negative numbers
  bool number_unsigned(uint64_t value) override {
    if (depth == 3 && isInRows() && count < 3 && value <= std::numeric_limits<uint32_t>::max())
      numbers[count] = static_cast<int64_t>(value);
    return other();
  }
  bool string(std::string &value) override {
    if (depth == 4 && isInSets() && texts)
      texts->push_back(std::move(value));
    return other();
  }
  bool key(std::string &name) override {
    if (depth == 1)
      section = name;
    else if (depth == 3 && isInSets() && !map.sets.empty())
      texts = name == "ids" ? &map.sets.back().ids : name == "sources" ? &map.sets.back().sources : nullptr;
    return true;
  }
  bool start_object(size_t) override {
    if (depth == 2 && isInSets())
      map.sets.emplace_back();
    ++depth;
    return true;
  }
  bool start_array(size_t) override {
    hasSets |= depth == 1 && isInSets();
    if (depth == 2 && isInRows())
      numbers[0] = numbers[1] = count = 0, numbers[2] = -1;
    ++depth;
    return true;
  }
  bool end_object() override { return end(); }
  bool end_array() override {
    if (depth == 3 && isInRows() && count >= 3 && numbers[0] > 0 && numbers[1] > 0 && numbers[2] >= 0)
      map.rows.push_back({numbers[0], numbers[1], numbers[2]});
    return end();
  }
  bool parse_error(size_t, const std::string &, const nlohmann::detail::exception &) override { return false; }

private:
  bool isInSets() const { return section == "sets"; }
  bool isInRows() const { return section == "lines"; }
  bool other() {
    ++count;
    return true;
  }
  bool end() {
    --depth;
    if (depth == 3)
      texts = nullptr;
    return true;
  }

  std::string section;
  size_t depth = 0;
  int64_t numbers[3] = {0, 0, -1};
  int64_t count = 0; ///< values of the row so far
  std::vector<std::string> *texts = nullptr;
};
} // namespace

std::optional<LineMapSets> readLineMapSets(std::string_view json) {
  Reader reader;
  if (!Json::sax_parse(json, &reader) || !reader.hasSets)
    return std::nullopt;
  return std::move(reader.map);
}

} // namespace mica::artifact
