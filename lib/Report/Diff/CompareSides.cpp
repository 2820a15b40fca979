//===- CompareSides.cpp - what two runs do not share --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Diff/CompareSides.h"

#include "lib/Report/Elements.h"
#include "lib/Support/Json.h"
#include "mica/Support/Text.h"
#include "mica/Trace/JsonScan.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <unordered_map>

namespace mica::report {

namespace {
/// Members that differ between any two runs.
bool isVolatile(const std::string &key) {
  for (const std::string_view ending : {"_us", "_ms", "_ns", "_s", "time"})
    if (key.ends_with(ending))
      return true;
  for (const std::string_view name : {"ms", "ts", "pid", "tid", "thread", "start_utc", "host"})
    if (key == name)
      return true;
  return key.find("_time_") != std::string::npos;
}

void dropVolatile(Json &value) {
  if (value.is_object())
    for (auto member = value.begin(); member != value.end();)
      member = isVolatile(member.key()) ? value.erase(member) : std::next(member);
  if (value.is_structured())
    for (Json &element : value)
      dropVolatile(element);
}

/// Products that say again, with paths and hashes, what others say; or when things happened.
bool isSkipped(const std::string &name) {
  for (const std::string_view stem :
       {"reproducer", "tool.", "manifest.", "snapshots_archive.", "line_maps.", "launch_events."})
    if (name.starts_with(stem))
      return true;
  return false;
}

/// `text` without what is volatile in it, laid out in lines.
std::string comparable(const std::string &name, const std::string &text) {
  if (!name.ends_with(".json"))
    return text;
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded())
    return text;
  dropVolatile(json);
  return printJson(json);
}

/// How many lines are on one side only, counted as a bag.
void countLines(const std::string &before, const std::string &after, ChangedProduct &product) {
  std::unordered_map<std::string_view, int64_t> bag;
  auto each = [](const std::string &text, auto take) {
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      take(std::string_view(text).substr(begin, end - begin));
      begin = end + 1;
    }
  };
  each(before, [&](std::string_view line) { --bag[line]; });
  each(after, [&](std::string_view line) { ++bag[line]; });
  for (const auto &[line, count] : bag)
    (count > 0 ? product.linesAdded : product.linesRemoved) += count > 0 ? count : -count;
}

Status compareProducts(const Unit &before, const Unit &after, UnitDifference &difference) {
  auto b = before.products.begin();
  auto a = after.products.begin();
  while (b != before.products.end() || a != after.products.end()) {
    const bool onlyBefore = a == after.products.end() || (b != before.products.end() && b->first < a->first);
    const bool onlyAfter = !onlyBefore && (b == before.products.end() || a->first < b->first);
    const std::string &name = onlyAfter ? a->first : b->first;
    ChangedProduct product;
    product.name = name;
    product.bytesBefore = onlyAfter ? -1 : b->second.bytes;
    product.bytesAfter = onlyBefore ? -1 : a->second.bytes;
    // Of two pipelines the first counts: what it has not is put where the second has it.
    product.order = onlyAfter ? a->second.order : b->second.order;
    const bool skip = isSkipped(name);
    if (onlyBefore || onlyAfter) {
      if (!skip)
        difference.products.push_back(std::move(product));
    } else if (b->second.digest != a->second.digest && !skip) {
      MICA_ASSIGN_OR_RETURN(std::string x, b->second.text());
      MICA_ASSIGN_OR_RETURN(std::string y, a->second.text());
      x = comparable(name, x);
      y = comparable(name, y);
      if (x != y) {
        countLines(x, y, product);
        difference.products.push_back(std::move(product));
      }
    }
    if (!onlyAfter)
      ++b;
    if (!onlyBefore)
      ++a;
  }
  return Status::ok();
}

void compareFacts(const Unit &before, const Unit &after, UnitDifference &difference) {
  std::map<std::string, std::array<std::string, 2>> facts;
  for (const auto &[name, value] : before.facts)
    facts[name][0] = value;
  for (const auto &[name, value] : after.facts)
    facts[name][1] = value;
  for (const auto &[name, values] : facts)
    if (values[0] != values[1] && !isVolatile(name))
      difference.facts.push_back({name, values[0], values[1]});
}

std::string cut(const std::string &text) {
  std::string line = trace::validUtf8(text.substr(0, 120));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 32; }, ' ');
  return line + (text.size() > 120 ? "..." : "");
}

std::string duration(double us) {
  char text[64];
  std::snprintf(text, sizeof text, us < 1e6 ? "%.1f ms" : "%.2f s", us < 1e6 ? us / 1e3 : us / 1e6);
  return text;
}
} // namespace

/// "2 ops added, 1 changed".
static std::string structureText(const ChangeRows &changes) {
  static constexpr const char *kNames[] = {"added", "removed", "changed", "moved"};
  std::string text;
  for (size_t i = 0; i < changes.counts.size(); ++i)
    if (changes.counts[i]) {
      const std::string count = groupDigits(changes.counts[i]);
      text += (text.empty() ? count + (changes.counts[i] == 1 ? " op " : " ops ") : ", " + count + " ") + kNames[i];
    }
  return text.empty() ? "attributes of the program" : text;
}

Result<SideDifference> compareSides(const Side &before, const Side &after) {
  SideDifference difference;
  std::map<std::string, std::array<const Unit *, 2>> units;
  for (const auto &[name, unit] : before.units)
    units[name][0] = &unit;
  for (const auto &[name, unit] : after.units)
    units[name][1] = &unit;
  for (const auto &[name, sides] : units) {
    UnitDifference unit{name, sides[0] != nullptr, sides[1] != nullptr, {}, {}};
    if (sides[0] && sides[1]) {
      compareFacts(*sides[0], *sides[1], unit);
      MICA_RETURN_IF_ERROR(compareProducts(*sides[0], *sides[1], unit));
    }
    difference.same += !unit.any();
    difference.units.push_back(std::move(unit));
  }
  return difference;
}

std::pair<const UnitDifference *, const ChangedProduct *> firstDifference(const SideDifference &difference) {
  std::pair<const UnitDifference *, const ChangedProduct *> first{nullptr, nullptr};
  auto weight = [](const ChangedProduct &product) {
    return product.changes.structural
               ? std::accumulate(product.changes.counts.begin(), product.changes.counts.end(), int64_t(0))
               : product.linesAdded + product.linesRemoved;
  };
  // Of one pass on several kernels the smallest difference explains most.
  for (const UnitDifference &unit : difference.units)
    for (const ChangedProduct &product : unit.products)
      if (product.order != SideProduct::kNoPass &&
          (!first.second || product.order < first.second->order ||
           (product.order == first.second->order && weight(product) < weight(*first.second))))
        first = {&unit, &product};
  return first;
}

/// "first difference: after pass 26 mica-tensor-annotate-kinds of program: 2 ops changed", and one change.
static std::string firstDifferenceText(const SideDifference &difference) {
  const auto [unit, product] = firstDifference(difference);
  if (!product)
    return "";
  std::string text = "first difference: " +
                     (product->order ? "after pass " + std::to_string(product->order) : std::string("in the input")) +
                     ", " + cut(product->name) + " of " + cut(unit->name);
  if (product->bytesBefore < 0 || product->bytesAfter < 0)
    return text + ", which changed something on one side only\n";
  if (!product->changes.structural || product->changes.rows.empty())
    return text + "\n";
  text += ": " + structureText(product->changes) + "\n";
  const Json &row = product->changes.rows.front();
  text += "  " + row[0].get<std::string>() + " " + cut(row[1].get<std::string>());
  if (!row[4].empty())
    text += ": " + cut(row[4][0][0].get<std::string>()) + " " + cut(row[4][0][1].get<std::string>()) + " -> " +
            cut(row[4][0][2].get<std::string>());
  return text + "\n";
}

std::string differenceText(const Side &before, const Side &after, const SideDifference &difference) {
  std::string text = firstDifferenceText(difference);
  for (const UnitDifference &unit : difference.units) {
    if (!unit.any())
      continue;
    if (!unit.before || !unit.after) {
      text += cut(unit.name) + " only in " + (unit.before ? before.name : after.name) + "\n";
      continue;
    }
    text += cut(unit.name) + "\n";
    for (const auto &[name, x, y] : unit.facts)
      text +=
          "  " + cut(name) + ": " + (x.empty() ? "nothing" : cut(x)) + " -> " + (y.empty() ? "nothing" : cut(y)) + "\n";
    for (const ChangedProduct &product : unit.products) {
      text += "  " + cut(product.name) + ": ";
      if (product.bytesBefore < 0 || product.bytesAfter < 0)
        text += "only in " + (product.bytesAfter < 0 ? before.name : after.name) + "\n";
      else if (product.changes.structural)
        text += structureText(product.changes) + "\n";
      else
        text += groupDigits(product.linesRemoved) + " lines removed, " + groupDigits(product.linesAdded) + " added\n";
    }
  }
  if (!difference.note.empty())
    text += difference.note + "\n";
  double times[2] = {0, 0};
  size_t k = 0;
  for (const Side *side : {&before, &after}) {
    for (const auto &[name, unit] : side->units)
      for (const auto &[key, us] : unit.times)
        if (key == "duration_us" || key == "passes")
          times[k] += us;
    ++k;
  }
  const size_t different = difference.units.size() - static_cast<size_t>(difference.same);
  text += groupDigits(static_cast<int64_t>(different)) + " of " +
          groupDigits(static_cast<int64_t>(difference.units.size())) + " units differ";
  if (times[0] > 0 || times[1] > 0)
    text += "; compile time " + duration(times[0]) + " -> " + duration(times[1]);
  return text + "\n";
}

Result<std::string> differenceData(const Side &before, const Side &after, const SideDifference &difference,
                                   TextStore &store, bool constants) {
  auto shown = [&](std::string text) { return constants ? text : elideElements(text); };
  auto put = [&](const Unit &unit, const std::string &name) -> Result<int64_t> {
    const auto found = unit.products.find(name);
    if (found == unit.products.end())
      return int64_t(-1);
    MICA_ASSIGN_OR_RETURN(std::string text, found->second.text());
    text = shown(trace::validUtf8(comparable(name, text)));
    return store.addText(text, trace::md5(text));
  };
  Json units = Json::array();
  static const Unit kNone;
  for (const UnitDifference &unit : difference.units) {
    const Unit &x = unit.before ? before.units.at(unit.name) : kNone,
               &y = unit.after ? after.units.at(unit.name) : kNone;
    Json facts = Json::array(), products = Json::array(), times = Json::array();
    for (const auto &[name, from, to] : unit.facts) {
      Json row = Json::array();
      for (const std::string *value : {&name, &from, &to})
        row.push_back(shown(trace::validUtf8(value->substr(0, 4000))));
      facts.push_back(std::move(row));
    }
    for (const ChangedProduct &product : unit.products) {
      MICA_ASSIGN_OR_RETURN(const int64_t from, put(x, product.name));
      MICA_ASSIGN_OR_RETURN(const int64_t to, put(y, product.name));
      int64_t changes = -1;
      if (product.changes.structural) {
        const std::string rows = shown(printJsonLine(product.changes.rows));
        MICA_ASSIGN_OR_RETURN(changes, store.addText(rows, trace::md5(rows)));
      }
      products.push_back({trace::validUtf8(product.name), product.bytesBefore, product.bytesAfter, product.linesRemoved,
                          product.linesAdded, from, to, changes, product.changes.counts,
                          trace::validUtf8(product.changes.asTextBecause),
                          product.order == SideProduct::kNoPass ? -1 : product.order});
    }
    std::map<std::string, std::array<double, 2>> both;
    for (const auto &[name, us] : x.times)
      both[name][0] = us;
    for (const auto &[name, us] : y.times)
      both[name][1] = us;
    for (const auto &[name, us] : both)
      times.push_back({trace::validUtf8(name), us[0], us[1]});
    units.push_back({trace::validUtf8(unit.name), unit.before, unit.after, std::move(facts), std::move(products),
                     std::move(times), x.products.size(), y.products.size()});
  }
  const auto [firstUnit, firstProduct] = firstDifference(difference);
  Json first = Json::array();
  if (firstProduct)
    first = {firstUnit - difference.units.data(), firstProduct - firstUnit->products.data()};
  return printJsonLine(Json{{"first", std::move(first)},
                            {"note", trace::validUtf8(difference.note)},
                            {"before", trace::validUtf8(before.name)},
                            {"after", trace::validUtf8(after.name)},
                            {"units", std::move(units)}});
}

} // namespace mica::report
