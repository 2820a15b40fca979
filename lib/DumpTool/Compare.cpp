//===- Compare.cpp - two dumps -----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Two runs of one artifact have the same places, which are paired. Else, tensors are paired by the operation whose
// result they are, which names them across compilers' options and targets: what one of the programs keeps inside of a
// kernel has no counterpart.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/DumpTool/Compare.h"

#include "lib/DumpTool/List.h"
#include "lib/DumpTool/Selection.h"
#include "lib/Support/Json.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace mica::dumptool {
namespace {

std::string_view verdictName(Verdict verdict) {
  constexpr std::string_view kNames[] = {"equal", "within rounding", "different", "unknown"};
  return kNames[size_t(verdict)];
}

/// Whether the places that both dumps name are the same.
bool haveSamePlaces(const dump::Dump &a, const dump::Dump &b) {
  auto placesOf = [](const dump::Dump &dump) {
    std::map<int64_t, std::string> places;
    for (const dump::Site &site : dump.sites()) {
      std::string &text = places[site.number];
      text = site.kernel;
      for (const dump::Op &op : site.ops)
        text += " " + op.id;
      for (const dump::Binding &binding : site.bindings)
        if (binding.role != dump::Binding::Role::Inside)
          text += " " + shapedTypeString(binding.shape, binding.dtype);
    }
    return places;
  };
  const std::map<int64_t, std::string> ours = placesOf(a), theirs = placesOf(b);
  return a.programHash() == b.programHash() && std::all_of(ours.begin(), ours.end(), [&](const auto &place) {
           const auto it = theirs.find(place.first);
           return it == theirs.end() || it->second == place.second;
         });
}

/// What pairs tensors: call, place or operation, iteration or occurrence, binding or type.
using Key = std::tuple<int64_t, std::string, int64_t, std::string>;

std::map<Key, size_t> keysOf(const dump::Dump &dump, bool byPlace) {
  // In the order of places, which threads do not change.
  std::vector<size_t> written;
  for (size_t i = 0; i < dump.tensors().size(); ++i)
    if (dump.tensors()[i].isAfter)
      written.push_back(i);
  auto order = [&](size_t i) {
    const dump::Tensor &tensor = dump.tensors()[i];
    const dump::Launch &launch = dump.launchOf(tensor);
    return std::tuple(launch.call, launch.iteration, dump.siteOf(tensor).number, tensor.binding);
  };
  std::stable_sort(written.begin(), written.end(), [&](size_t l, size_t r) { return order(l) < order(r); });
  std::map<Key, size_t> keys;
  if (byPlace) {
    for (size_t i : written) {
      const dump::Tensor &tensor = dump.tensors()[i];
      const dump::Launch &launch = dump.launchOf(tensor);
      keys.emplace(Key(launch.call, std::to_string(dump.siteOf(tensor).number), launch.iteration,
                       std::to_string(tensor.binding)),
                   i);
    }
    return keys;
  }
  // Several kernels may compute parts of one operation, such as the zeros that a product begins with: its result is
  // what the last of them writes. Places are therefore counted from the end.
  auto whatOf = [&](const dump::Tensor &tensor) {
    const dump::Op *op = dump.opOf(tensor);
    // Reshapes may be fused differently.
    return std::pair(op ? op->id : dump.siteOf(tensor).kernel + " " + std::to_string(tensor.binding),
                     std::string(dtypeName(tensor.dtype)) + " " + std::to_string(tensor.elements()));
  };
  std::map<std::pair<std::string, std::string>, std::set<std::pair<int64_t, size_t>>> places;
  for (size_t i : written) {
    const dump::Tensor &tensor = dump.tensors()[i];
    places[whatOf(tensor)].emplace(dump.siteOf(tensor).number, tensor.binding);
  }
  for (size_t i : written) {
    const dump::Tensor &tensor = dump.tensors()[i];
    const dump::Launch &launch = dump.launchOf(tensor);
    const auto what = whatOf(tensor);
    const std::set<std::pair<int64_t, size_t>> &own = places[what];
    const auto fromEnd = std::distance(own.find({dump.siteOf(tensor).number, tensor.binding}), own.end());
    keys.emplace(Key(launch.call, what.first, launch.iteration, what.second + " " + std::to_string(fromEnd)), i);
  }
  return keys;
}

/// Of numbers alone: whether they are so near to each other as those of tensors that rounding explains.
bool areStatisticsClose(DType type, const dump::Statistics &a, const dump::Statistics &b, const Tolerance &tolerance) {
  if (a.nan != b.nan || a.inf != b.inf || !isFloat(type))
    return a == b;
  const double relative = tolerance.rtol.value_or(tolerance.atol ? 0 : kElementFactor * defaultRelativeL2(type));
  const double limit = tolerance.atol.value_or(0) + relative * std::max(a.absMax, b.absMax);
  auto isClose = [&](double l, double r) { return std::fabs(l - r) <= limit; };
  return isClose(a.min, b.min) && isClose(a.max, b.max) && isClose(a.mean, b.mean);
}

struct Elements {
  HostTensor a, b;
};

Result<Elements> readPair(const dump::Dump &a, const dump::Dump &b, const Pair &pair) {
  Elements elements;
  MICA_ASSIGN_OR_RETURN(elements.a, a.read(a.tensors()[pair.a]));
  MICA_ASSIGN_OR_RETURN(elements.b, b.read(b.tensors()[pair.b]));
  elements.b.shape = elements.a.shape;
  return elements;
}

Status judge(const dump::Dump &a, const dump::Dump &b, const Options &options, Pair &pair) {
  const dump::Tensor &ours = a.tensors()[pair.a], &theirs = b.tensors()[pair.b];
  if (ours.hash.empty() || theirs.hash.empty())
    return {};
  pair.isByStatistics = ours.offset < 0 || theirs.offset < 0;
  if (ours.hash == theirs.hash) {
    pair.verdict = Verdict::Equal;
    return {};
  }
  pair.verdict = Verdict::Different;
  if (options.bits)
    return {};
  bool isClose;
  if (pair.isByStatistics) {
    isClose = areStatisticsClose(ours.dtype, ours.statistics, theirs.statistics, options.tolerance);
  } else {
    MICA_ASSIGN_OR_RETURN(const Elements elements, readPair(a, b, pair));
    isClose = compareTensors(elements.a, elements.b, options.tolerance).same;
  }
  if (isClose)
    pair.verdict = Verdict::Close;
  return {};
}

/// The hash of `tensor` over `sampledBytes` bytes, as the other dump has it; nullopt where the dump cannot say.
std::optional<std::string> hashAs(const dump::Dump &dump, const dump::Tensor &tensor, int64_t sampledBytes) {
  if (tensor.sampledBytes == sampledBytes)
    return tensor.hash;
  Result<std::string> hash = dump.hashOfElements(tensor, sampledBytes);
  return hash ? std::optional(*std::move(hash)) : std::nullopt;
}

/// Fills `givenDiffer` and `givenUnknown`: where arguments and constants differ, nothing behind them says anything.
void compareGiven(const dump::Dump &a, const dump::Dump &b, DumpComparison &result) {
  std::map<std::pair<int64_t, std::string>, std::vector<const dump::Tensor *>> theirs;
  for (const dump::Tensor &tensor : b.tensors())
    if (!tensor.from.empty() && !tensor.hash.empty())
      theirs[{b.launchOf(tensor).call, tensor.from}].push_back(&tensor);
  std::set<std::string> different, compared, seen;
  for (const dump::Tensor &tensor : a.tensors()) {
    if (tensor.from.empty() || tensor.hash.empty())
      continue;
    const auto it = theirs.find({a.launchOf(tensor).call, tensor.from});
    if (it == theirs.end())
      continue;
    seen.insert(tensor.from);
    // Launches read parts of an argument, and maybe other parts in the other program.
    bool isCompared = false, isSame = false;
    for (const dump::Tensor *other : it->second) {
      if (isSame || other->bytes != tensor.bytes || other->dtype != tensor.dtype)
        continue;
      const int64_t sampled = std::max(tensor.sampledBytes, other->sampledBytes);
      const std::optional<std::string> ours = hashAs(a, tensor, sampled), others = hashAs(b, *other, sampled);
      isCompared |= ours && others;
      isSame |= ours && others && *ours == *others;
    }
    const bool isOfOtherSize =
        !isCompared && std::none_of(it->second.begin(), it->second.end(), [&](const auto *other) {
          return other->bytes == tensor.bytes && other->dtype == tensor.dtype;
        });
    if ((isCompared && !isSame) || (isOfOtherSize && result.samePlaces))
      different.insert(tensor.from);
    if (isCompared)
      compared.insert(tensor.from);
  }
  result.givenDiffer.assign(different.begin(), different.end());
  for (const std::string &name : seen)
    if (!compared.count(name) && !different.count(name))
      result.givenUnknown.push_back(name);
}

const Pair *pairOf(const DumpComparison &comparison, size_t tensor) {
  for (const Pair &pair : comparison.pairs)
    if (pair.a == tensor)
      return &pair;
  return nullptr;
}

/// The tensors that a launch read.
std::vector<size_t> inputsOf(const dump::Dump &dump, size_t launch) {
  std::vector<size_t> inputs;
  for (size_t i = 0; i < dump.tensors().size(); ++i)
    if (dump.tensors()[i].launch == launch && !dump.tensors()[i].isAfter)
      inputs.push_back(i);
  return inputs;
}

/// Sets Pair::isWithoutConsequence.
void findConsequences(const dump::Dump &a, std::vector<Pair> &pairs) {
  std::map<size_t, Pair *> pairAt;
  for (Pair &pair : pairs)
    pairAt[pair.a] = &pair;
  std::map<std::pair<int64_t, int64_t>, std::set<size_t>> readers; ///< of launch and binding: launches
  std::map<size_t, std::vector<size_t>> writtenBy;
  for (size_t i = 0; i < a.tensors().size(); ++i) {
    const dump::Tensor &tensor = a.tensors()[i];
    if (tensor.isAfter)
      writtenBy[tensor.launch].push_back(i);
    else if (tensor.fromLaunch >= 0)
      readers[{tensor.fromLaunch, tensor.fromBinding}].insert(tensor.launch);
  }
  // From the last launch back: what a tensor is followed by is known before it.
  std::vector<size_t> order;
  for (size_t i = 0; i < a.tensors().size(); ++i)
    if (a.tensors()[i].isAfter)
      order.push_back(i);
  std::sort(order.begin(), order.end(),
            [&](size_t l, size_t r) { return a.launchOf(a.tensors()[l]).number > a.launchOf(a.tensors()[r]).number; });
  std::set<size_t> harmless;
  for (const size_t index : order) {
    const dump::Tensor &tensor = a.tensors()[index];
    const auto pair = pairAt.find(index);
    const bool isKnown = pair != pairAt.end() && pair->second->verdict != Verdict::Unknown;
    bool isHarmless = isKnown && pair->second->verdict != Verdict::Different;
    if (!isHarmless) {
      const auto read = readers.find({a.launchOf(tensor).number, int64_t(tensor.binding)});
      isHarmless = read != readers.end() && std::all_of(read->second.begin(), read->second.end(), [&](size_t launch) {
                     const std::vector<size_t> &made = writtenBy[launch];
                     return !made.empty() &&
                            std::all_of(made.begin(), made.end(), [&](size_t next) { return harmless.count(next); });
                   });
      if (isKnown)
        pair->second->isWithoutConsequence = isHarmless;
    }
    if (isHarmless)
      harmless.insert(index);
  }
}

std::string describePair(const dump::Dump &a, const dump::Dump &b, const Pair &pair) {
  const dump::Tensor &tensor = a.tensors()[pair.a];
  const dump::Op *op = a.opOf(tensor);
  return tensorText(a, tensor) + " [#" + std::to_string(pair.a) + " and #" + std::to_string(pair.b) + "], " +
         launchText(a, tensor.launch) + (op ? ", " + opText(*op) : "") +
         (a.siteOf(tensor).kernel != b.siteOf(b.tensors()[pair.b]).kernel
              ? " (in the other: kernel " + b.siteOf(b.tensors()[pair.b]).kernel + ")"
              : "");
}

/// How the two differ, in lines that begin with blanks.
Result<std::string> differenceText(const dump::Dump &a, const dump::Dump &b, const Pair &pair, const Options &options) {
  std::string text;
  if (pair.isByStatistics) {
    text = statisticsText(a.tensors()[pair.a].statistics) + "\n" + statisticsText(b.tensors()[pair.b].statistics);
  } else {
    MICA_ASSIGN_OR_RETURN(const Elements elements, readPair(a, b, pair));
    text = describe(compareTensors(elements.a, elements.b, options.tolerance), elements.a, elements.b);
  }
  std::string indented;
  for (const std::string &line : splitText(text, '\n'))
    if (!line.empty())
      indented += "  " + line + "\n";
  return indented;
}

} // namespace

size_t DumpComparison::count(Verdict verdict) const {
  return size_t(std::count_if(pairs.begin(), pairs.end(), [&](const Pair &pair) { return pair.verdict == verdict; }));
}

Result<DumpComparison> compareDumps(const dump::Dump &a, const dump::Dump &b, const Options &options) {
  DumpComparison result;
  result.samePlaces = haveSamePlaces(a, b);
  std::map<Key, size_t> ours = keysOf(a, result.samePlaces), theirs = keysOf(b, result.samePlaces);
  for (const auto &[key, tensor] : ours) {
    if (!isSelected(a, tensor, options.selection))
      continue;
    const auto it = theirs.find(key);
    if (it == theirs.end()) {
      result.onlyA.push_back(tensor);
      continue;
    }
    Pair pair{tensor, it->second, Verdict::Unknown, false};
    MICA_RETURN_IF_ERROR(judge(a, b, options, pair));
    result.pairs.push_back(pair);
    theirs.erase(it);
  }
  for (const auto &[key, tensor] : theirs)
    if (isSelected(b, tensor, options.selection))
      result.onlyB.push_back(tensor);
  compareGiven(a, b, result);
  std::sort(result.pairs.begin(), result.pairs.end(), [&](const Pair &l, const Pair &r) {
    const dump::Tensor &left = a.tensors()[l.a], &right = a.tensors()[r.a];
    return std::tuple(a.launchOf(left).number, left.binding) < std::tuple(a.launchOf(right).number, right.binding);
  });
  std::map<size_t, Verdict> verdicts;
  for (const Pair &pair : result.pairs)
    verdicts[pair.a] = pair.verdict;
  std::map<size_t, std::vector<size_t>> inputs;
  for (size_t i = 0; i < a.tensors().size(); ++i)
    if (!a.tensors()[i].isAfter)
      inputs[a.tensors()[i].launch].push_back(i);
  auto hasEqualInputs = [&](const Pair &pair) {
    const std::vector<size_t> &read = inputs[a.tensors()[pair.a].launch];
    return std::all_of(read.begin(), read.end(), [&](size_t input) {
      const dump::Tensor &tensor = a.tensors()[input];
      if (tensor.fromLaunch < 0)
        return std::find(result.givenDiffer.begin(), result.givenDiffer.end(), tensor.from) == result.givenDiffer.end();
      const auto it = verdicts.find(size_t(a.written(tensor.fromLaunch, tensor.fromBinding)));
      return it != verdicts.end() && it->second == Verdict::Equal;
    });
  };
  findConsequences(a, result.pairs);
  for (size_t i = 0; i < result.pairs.size(); ++i) {
    const Pair &pair = result.pairs[i];
    if (pair.verdict == Verdict::Different &&
        (result.first < 0 || (result.pairs[size_t(result.first)].isWithoutConsequence && !pair.isWithoutConsequence)))
      result.first = int64_t(i);
    if ((pair.verdict == Verdict::Different || pair.verdict == Verdict::Close) && result.firstBits < 0 &&
        hasEqualInputs(pair))
      result.firstBits = int64_t(i);
  }
  return result;
}

Ancestry ancestryOf(const dump::Dump &a, const DumpComparison &comparison, size_t tensor) {
  Ancestry ancestry;
  std::vector<size_t> open{a.tensors()[tensor].launch};
  std::set<size_t> seen(open.begin(), open.end());
  std::set<std::string> told;
  auto add = [&](std::string source) {
    if (told.insert(source).second)
      ancestry.sources.push_back(std::move(source));
  };
  while (!open.empty()) {
    const size_t launch = open.back();
    open.pop_back();
    for (const dump::Op &op : a.sites()[a.launches()[launch].site].ops)
      ancestry.operations.push_back(opText(op));
    for (size_t input : inputsOf(a, launch)) {
      const dump::Tensor &read = a.tensors()[input];
      const std::string changed = read.isChanged ? ", and changed since its launch wrote it" : "";
      if (read.fromLaunch < 0) {
        const bool differs = std::find(comparison.givenDiffer.begin(), comparison.givenDiffer.end(), read.from) !=
                             comparison.givenDiffer.end();
        const bool isUnknown = std::find(comparison.givenUnknown.begin(), comparison.givenUnknown.end(), read.from) !=
                               comparison.givenUnknown.end();
        add(tensorText(a, read) + (read.from.empty() ? "" : ", " + sourceText(read)) + ": " +
            (differs             ? "different"
             : read.from.empty() ? "written by the host"
             : isUnknown         ? "not compared"
                                 : "equal"));
        continue;
      }
      const int64_t source = a.written(read.fromLaunch, read.fromBinding);
      const Pair *pair = source < 0 ? nullptr : pairOf(comparison, size_t(source));
      if (pair && pair->verdict != Verdict::Unknown) {
        add(tensorText(a, read) + ", launch " + std::to_string(read.fromLaunch) + ": " +
            std::string(verdictName(pair->verdict)) + changed);
        continue;
      }
      const int64_t producer = a.findLaunch(read.fromLaunch);
      if (producer >= 0 && seen.insert(size_t(producer)).second)
        open.push_back(size_t(producer));
      else if (producer < 0)
        add(tensorText(a, read) + ", launch " + std::to_string(read.fromLaunch) + ": not in the dump" + changed);
    }
  }
  return ancestry;
}

Result<std::string> comparisonText(const dump::Dump &a, const dump::Dump &b, const DumpComparison &comparison,
                                   const Options &options) {
  const size_t unknown = comparison.count(Verdict::Unknown);
  std::string text = groupDigits(int64_t(comparison.pairs.size())) + " tensors compared by " +
                     (comparison.samePlaces ? "place" : "operation") + ": " +
                     groupDigits(int64_t(comparison.count(Verdict::Equal))) + " equal, " +
                     groupDigits(int64_t(comparison.count(Verdict::Close))) + " within rounding, " +
                     groupDigits(int64_t(comparison.count(Verdict::Different))) + " different" +
                     (unknown ? ", " + std::to_string(unknown) + " unknown" : "") +
                     "; without counterpart: " + std::to_string(comparison.onlyA.size()) + " and " +
                     std::to_string(comparison.onlyB.size()) + "\n";
  for (const dump::Dump *dump : {&a, &b})
    if (!dump->ended())
      text += "the run of " + dump->folder().string() + " did not come to its end\n";
  if (!comparison.givenDiffer.empty())
    text += "the runs were given different data: " + joinNames(comparison.givenDiffer) + "\n";
  if (!comparison.givenUnknown.empty())
    text +=
        "not compared, for one dump has seen a sample or another part of it: " + joinNames(comparison.givenUnknown) +
        "\n";
  if (std::any_of(comparison.pairs.begin(), comparison.pairs.end(),
                  [](const Pair &pair) { return pair.isByStatistics && pair.verdict == Verdict::Close; }))
    text +=
        "some were compared by their statistics alone: a difference of few elements may hide in \"within rounding\"\n";
  const auto isIdle = [](const Pair &pair) { return pair.isWithoutConsequence; };
  const auto idle = std::find_if(comparison.pairs.begin(), comparison.pairs.end(), isIdle);
  if (idle != comparison.pairs.end()) {
    const auto count = std::count_if(comparison.pairs.begin(), comparison.pairs.end(), isIdle);
    text +=
        groupDigits(count) + " of the different tensors " + (count == 1 ? "has" : "have") +
        " no consequence: what was computed from them agrees, so the difference is in elements that no kernel wrote, "
        "or that did not matter\n";
    if (idle - comparison.pairs.begin() != comparison.first)
      text += "  the first of them: " + describePair(a, b, *idle) + "\n";
  }
  for (size_t i = 0; i < comparison.pairs.size(); ++i) {
    const Pair &pair = comparison.pairs[i];
    const bool isFirst = int64_t(i) == comparison.first, isBits = int64_t(i) == comparison.firstBits && !isFirst;
    if (!isFirst && !isBits && !(options.all && pair.verdict == Verdict::Different))
      continue;
    MICA_ASSIGN_OR_RETURN(const std::string difference, differenceText(a, b, pair, options));
    text += (isFirst  ? "first difference: "
             : isBits ? "first other bits, from equal inputs: "
                      : "different: ") +
            describePair(a, b, pair) + "\n" + difference;
    if (!isFirst && !isBits)
      continue;
    const Ancestry ancestry = ancestryOf(a, comparison, pair.a);
    for (const std::string &source : ancestry.sources)
      text += "  computed from " + source + "\n";
    for (const std::string &operation : ancestry.operations)
      text += "  by " + operation + "\n";
  }
  return text;
}

Result<std::string> comparisonJson(const dump::Dump &a, const dump::Dump &b, const DumpComparison &comparison,
                                   const Options &) {
  Json root;
  root["same"] = comparison.first < 0;
  root["paired_by"] = comparison.samePlaces ? "place" : "operation";
  for (Verdict verdict : {Verdict::Equal, Verdict::Close, Verdict::Different, Verdict::Unknown})
    root[verdict == Verdict::Close ? "within_rounding" : std::string(verdictName(verdict))] = comparison.count(verdict);
  root["only_first"] = comparison.onlyA;
  root["only_second"] = comparison.onlyB;
  root["given_differ"] = comparison.givenDiffer;
  root["given_unknown"] = comparison.givenUnknown;
  auto item = [&](const Pair &pair) {
    const dump::Tensor &tensor = a.tensors()[pair.a];
    Json made{{"first", pair.a},
              {"second", pair.b},
              {"verdict", std::string(verdictName(pair.verdict))},
              {"by_statistics", pair.isByStatistics},
              {"without_consequence", pair.isWithoutConsequence},
              {"kernel", a.siteOf(tensor).kernel},
              {"other_kernel", b.siteOf(b.tensors()[pair.b]).kernel},
              {"launch", a.launchOf(tensor).number},
              {"iteration", a.launchOf(tensor).iteration},
              {"name", a.bindingOf(tensor).name}};
    if (const dump::Op *op = a.opOf(tensor)) {
      made["op"] = op->id;
      made["op_kind"] = op->kind;
      made["source"] = op->source;
    }
    return made;
  };
  for (const auto &[key, index] :
       {std::pair("first_difference", comparison.first), std::pair("first_other_bits", comparison.firstBits)}) {
    if (index < 0)
      continue;
    const Pair &pair = comparison.pairs[size_t(index)];
    root[key] = item(pair);
    const Ancestry ancestry = ancestryOf(a, comparison, pair.a);
    root[key]["computed_from"] = ancestry.sources;
    root[key]["operations"] = ancestry.operations;
  }
  root["pairs"] = Json::array();
  for (const Pair &pair : comparison.pairs)
    root["pairs"].push_back(item(pair));
  return printJson(root);
}

} // namespace mica::dumptool
