//===- Structure.cpp - IR that differs, compared by structure ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// A process per pair, a few at a time.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Diff/Structure.h"

#include "lib/Report/Artifact/Context.h"
#include "lib/Report/Artifact/PassDiffs.h"
#include "mica/Support/Files.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace fs = std::filesystem;

namespace mica::report {

namespace {
/// Pairs that are compared by structure: a process starts for each.
constexpr size_t kMostPairs = 96;
constexpr double kSecondsLimit = 60;

struct Pair {
  ChangedProduct *product;
  fs::path before, after;
  PassDiffs diffs;
};
} // namespace

Status compareStructures(const Side &before, const Side &after, SideDifference &difference, const fs::path &scratch) {
  // The earliest passes first: their differences explain the later ones.
  std::vector<std::pair<const UnitDifference *, ChangedProduct *>> wanted;
  for (UnitDifference &unit : difference.units)
    for (ChangedProduct &product : unit.products)
      if (product.name.ends_with(".mlir") && product.bytesBefore >= 0 && product.bytesAfter >= 0)
        wanted.push_back({&unit, &product});
  std::stable_sort(wanted.begin(), wanted.end(),
                   [](const auto &a, const auto &b) { return a.second->order < b.second->order; });
  const size_t left = wanted.size() - std::min(wanted.size(), kMostPairs);
  wanted.resize(wanted.size() - left);
  std::vector<Pair> pairs;
  for (const auto &[unit, product] : wanted) {
    Pair &pair = pairs.emplace_back(Pair{product,
                                         scratch / (std::to_string(pairs.size()) + ".before.mlir"),
                                         scratch / (std::to_string(pairs.size()) + ".after.mlir"),
                                         {}});
    for (const auto &[side, file] : {std::pair(&before, &pair.before), std::pair(&after, &pair.after)}) {
      MICA_ASSIGN_OR_RETURN(const std::string text, side->units.at(unit->name).products.at(product->name).text());
      MICA_RETURN_IF_ERROR(writeFile(*file, text));
    }
  }
  std::atomic<size_t> next = 0;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::min(4u, std::max(1u, std::thread::hardware_concurrency())); ++i)
    threads.emplace_back([&] {
      for (size_t k = next++; k < pairs.size(); k = next++)
        pairs[k].diffs =
            runMicaDiff({pairs[k].before.string(), pairs[k].after.string()}, scratch, std::to_string(k), kSecondsLimit);
    });
  for (std::thread &thread : threads)
    thread.join();
  // Whoever shows the rows leaves elements out.
  Names names(false, true);
  for (Pair &pair : pairs) {
    std::error_code ignored;
    fs::remove(pair.before, ignored);
    fs::remove(pair.after, ignored);
    const Json &comparisons = listMember(pair.diffs.found, "comparisons");
    if (!comparisons.empty())
      pair.product->changes = changeRows(comparisons.front(), names);
    else
      pair.product->changes.asTextBecause = pair.diffs.why;
    pair.product->isSame =
        !comparisons.empty() && pair.product->changes.structural && booleanMember(comparisons.front(), "same");
    if (!pair.product->changes.structural && difference.note.empty())
      difference.note = "compared as text: " + pair.product->name + ": " + pair.product->changes.asTextBecause;
  }
  if (left)
    difference.note += std::string(difference.note.empty() ? "" : "; ") + groupDigits(static_cast<int64_t>(left)) +
                       " more texts of IR are compared as text";
  difference.same = 0;
  for (UnitDifference &unit : difference.units) {
    std::erase_if(unit.products, [](const ChangedProduct &product) { return product.isSame; });
    difference.same += !unit.any();
  }
  return Status::ok();
}

} // namespace mica::report
