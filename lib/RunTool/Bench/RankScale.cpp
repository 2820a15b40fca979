//===- RankScale.cpp - a model of many ranks ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See RankScale.h. The algorithms are those that MPI libraries and NCCL choose from: rings for many bytes, trees for
// few, and one level after the other where links differ (Thakur, Rabenseifner and Gropp, 2005).
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Bench/RankScale.h"

#include "mica/Support/CommandLine.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>

namespace mica::bench {

//===-----------------------------------------------------------------------------------------------------------===//
// Flags
//===-----------------------------------------------------------------------------------------------------------===//

/// A positive number before one of `units`, times what the unit stands for.
static Result<double> parseQuantity(std::string_view text,
                                    const std::vector<std::pair<std::string_view, double>> &units) {
  double number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit = text.substr(size_t(stop - text.data()));
  for (const auto &[name, factor] : units)
    if (error == std::errc() && unit == name && number > 0)
      return number * factor;
  std::string names;
  for (const auto &[name, factor] : units)
    names += (names.empty() ? "" : ", ") + std::string(name);
  return Error{ErrorCode::InvalidInput,
               "--links: '" + std::string(text) + "' is no positive number with a unit of " + names,
               "for example --links=8:1us:300GB/s,5us:25GB/s"};
}

Result<std::vector<Link>> parseLinks(std::string_view text) {
  std::vector<Link> links;
  int64_t below = 1;
  for (const std::string &level : splitText(std::string(text), ',')) {
    std::vector<std::string> parts = splitText(level, ':');
    Link link;
    if (!links.empty() && links.back().ranks == 0)
      return Error{ErrorCode::InvalidInput, "--links: only the last level may be without a number of ranks",
                   "for example --links=8:1us:300GB/s,5us:25GB/s"};
    if (parts.size() == 3) {
      MICA_ASSIGN_OR_RETURN(link.ranks, parseFlagInteger("--links", parts.front(), 2, 1 << 24));
      if (link.ranks % below != 0 || link.ranks == below)
        return Error{ErrorCode::InvalidInput,
                     "--links: " + std::to_string(link.ranks) + " ranks are no multiple of the level below", ""};
      below = link.ranks;
      parts.erase(parts.begin());
    }
    if (parts.size() != 2)
      return Error{ErrorCode::InvalidInput, "--links: '" + level + "' should be RANKS:LATENCY:BANDWIDTH",
                   "for example --links=8:1us:300GB/s,5us:25GB/s"};
    MICA_ASSIGN_OR_RETURN(link.latencyNs, parseQuantity(parts[0], {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}}));
    MICA_ASSIGN_OR_RETURN(const double bytesPerNs,
                          parseQuantity(parts[1], {{"MB/s", 1e-3}, {"GB/s", 1}, {"Gbit/s", 0.125}}));
    link.nsPerByte = 1 / bytesPerNs;
    links.push_back(link);
  }
  if (links.empty())
    return Error{ErrorCode::InvalidInput, "--links: names no link", "for example --links=5us:25GB/s"};
  return links;
}

Result<std::vector<int64_t>> parseRankCounts(std::string_view text) {
  std::vector<int64_t> counts;
  const size_t dots = text.find("..");
  if (dots != text.npos) {
    MICA_ASSIGN_OR_RETURN(const int64_t first,
                          parseFlagInteger("--ranks", std::string(text.substr(0, dots)), 1, 1 << 24));
    MICA_ASSIGN_OR_RETURN(const int64_t last,
                          parseFlagInteger("--ranks", std::string(text.substr(dots + 2)), first, 1 << 24));
    for (int64_t count = first; count <= last; count *= 2)
      counts.push_back(count);
    return counts;
  }
  for (const std::string &part : splitText(std::string(text), ',')) {
    MICA_ASSIGN_OR_RETURN(const int64_t count, parseFlagInteger("--ranks", part, 1, 1 << 24));
    counts.push_back(count);
  }
  return counts;
}

//===-----------------------------------------------------------------------------------------------------------===//
// Exchanges
//===-----------------------------------------------------------------------------------------------------------===//

namespace {
/// Ranks of one level that exchange.
struct Level {
  double ranks, latency, byte;
};

/// The levels among `ranks` ranks, innermost first.
std::vector<Level> levelsOf(int64_t ranks, const std::vector<Link> &links) {
  std::vector<Level> levels;
  int64_t inside = 1;
  for (const Link &link : links) {
    const int64_t reached = link.ranks == 0 ? ranks : std::min(ranks, link.ranks);
    if (reached > inside)
      levels.push_back({std::ceil(double(reached) / double(inside)), link.latencyNs, link.nsPerByte});
    inside = std::max(inside, reached);
  }
  // Beyond the last level, its link.
  if (inside < ranks && !links.empty())
    levels.push_back({std::ceil(double(ranks) / double(inside)), links.back().latencyNs, links.back().nsPerByte});
  return levels;
}

double stepsOf(const Level &level) { return std::ceil(std::log2(level.ranks)); }

/// Each rank gets or gives all parts but its own, of twice as many ranks in each step.
double gatherNs(const std::vector<Level> &levels, double bytes) {
  double ns = 0;
  for (const Level &level : levels) {
    // Outside of a level, ranks have to exchange their own shares alone.
    ns += stepsOf(level) * level.latency + (level.ranks - 1) / level.ranks * bytes * level.byte;
    bytes /= level.ranks;
  }
  return ns;
}

double allReduceNs(const std::vector<Level> &levels, double bytes, size_t from = 0) {
  if (from == levels.size())
    return 0;
  const Level &level = levels[from];
  const double share = (level.ranks - 1) / level.ranks * bytes * level.byte, steps = stepsOf(level);
  const double rest = allReduceNs(levels, bytes / level.ranks, from + 1);
  const double split = 2 * steps * level.latency + 2 * share + rest;
  const double whole = steps * (level.latency + bytes * level.byte) + allReduceNs(levels, bytes, from + 1);
  return std::min(split, whole);
}
} // namespace

double exchangeNs(std::string_view kind, double bytes, int64_t ranks, const std::vector<Link> &links) {
  const std::vector<Level> levels = levelsOf(ranks, links);
  if (levels.empty() || kind == "index" || kind == "all_slice")
    return 0;
  const Level &outer = levels.back();
  if (kind == "send" || kind == "recv" || kind == "shift")
    return outer.latency + bytes * outer.byte;
  if (kind == "all_reduce" || kind == "reduce")
    return allReduceNs(levels, bytes);
  if (kind == "all_to_all")
    return (double(ranks) - 1) * outer.latency + (double(ranks) - 1) / double(ranks) * bytes * outer.byte;
  if (kind == "broadcast") {
    double tree = 0, split = gatherNs(levels, bytes);
    for (const Level &level : levels) {
      tree += stepsOf(level) * (level.latency + bytes * level.byte);
      split += stepsOf(level) * level.latency;
    }
    // A scatter, and a gather of the parts.
    return std::min(tree, split + bytes * outer.byte);
  }
  return gatherNs(levels, bytes);
}

//===-----------------------------------------------------------------------------------------------------------===//
// Programs
//===-----------------------------------------------------------------------------------------------------------===//

Forecast forecast(const Profile &profile, int64_t tensor, int64_t data, const std::vector<Link> &links) {
  Forecast made;
  made.tensor = tensor;
  made.data = data;
  made.ranks = tensor * data;
  Layer layer;
  std::map<std::string, double> byOp;
  for (const Step &step : profile.steps) {
    if (step.exchange.empty()) {
      // A part of `tensor` parts, where `profile.ranks` were measured; each copy has a share of the rows.
      const double ns = step.ns * (step.isSplit ? double(profile.ranks) / double(tensor) : 1) / double(data);
      layer.kernelNs += ns;
      made.kernelNs += ns;
      continue;
    }
    const double ns = exchangeNs(step.exchange, step.bytes / double(data), tensor, links);
    layer.exchangeNs += ns;
    made.exchangeNs += ns;
    double &all = byOp[step.exchange + " of " + step.op];
    all += ns;
    if (all > made.dominatingNs) {
      made.dominatingNs = all;
      made.dominating = step.exchange + " of " + step.op;
    }
    layer.name = "to " + step.exchange + " of " + step.op;
    made.layers.push_back(std::move(layer));
    layer = {};
  }
  if (layer.kernelNs > 0) {
    layer.name = "to the end";
    made.layers.push_back(std::move(layer));
  }
  return made;
}

Forecast bestForecast(const Profile &profile, int64_t ranks, const std::vector<Link> &links) {
  Forecast best = forecast(profile, ranks, 1, links);
  for (int64_t data = 2; data <= std::min(ranks, profile.rows); ++data)
    if (ranks % data == 0 && profile.rows % data == 0)
      if (Forecast other = forecast(profile, ranks / data, data, links); other.totalNs() < best.totalNs())
        best = std::move(other);
  return best;
}

Link fitLink(const std::vector<MeasuredExchange> &measured) {
  // With a latency alone, and with a byte's time alone, an exchange takes so many of them: least squares of both,
  // relative to what was measured, so that small exchanges count as much as large ones.
  double aa = 0, ab = 0, bb = 0, at = 0, bt = 0;
  for (const MeasuredExchange &one : measured) {
    if (one.ns <= 0 || one.ranks < 2)
      continue;
    const double a = exchangeNs(one.kind, 0, one.ranks, {{0, 1, 0}}) / one.ns;
    const double b = exchangeNs(one.kind, one.bytes, one.ranks, {{0, 0, 1}}) / one.ns;
    aa += a * a, ab += a * b, bb += b * b, at += a, bt += b;
  }
  const double determinant = aa * bb - ab * ab;
  Link link;
  if (determinant > 1e-12 * aa * bb) {
    link.latencyNs = (at * bb - bt * ab) / determinant;
    link.nsPerByte = (bt * aa - at * ab) / determinant;
  }
  // All of one size, or a negative part: the latency explains it.
  if (link.latencyNs <= 0 || link.nsPerByte < 0 || determinant <= 1e-12 * aa * bb) {
    link.latencyNs = aa > 0 ? at / aa : 0;
    link.nsPerByte = 0;
  }
  return link;
}

//===-----------------------------------------------------------------------------------------------------------===//
// Text
//===-----------------------------------------------------------------------------------------------------------===//

static std::string timeText(double ns) {
  char text[32];
  if (ns < 1e6)
    std::snprintf(text, sizeof text, "%.2f us", ns / 1e3);
  else
    std::snprintf(text, sizeof text, "%.3f ms", ns / 1e6);
  return text;
}

static std::string wayText(const Forecast &made) {
  return std::to_string(made.tensor) + " x tensors, " + std::to_string(made.data) + " x rows";
}

std::string forecastText(const Profile &profile, const std::vector<int64_t> &counts, const std::vector<Link> &links) {
  std::string text = "  ranks      kernels    exchanges        total  efficiency  most time in; a better way\n";
  const double one = forecast(profile, 1, 1, links).totalNs();
  char line[200];
  for (int64_t count : counts) {
    const Forecast made = forecast(profile, count, 1, links), best = bestForecast(profile, count, links);
    std::snprintf(line, sizeof line, "%7lld %12s %12s %12s %9.1f %%  ", static_cast<long long>(count),
                  timeText(made.kernelNs).c_str(), timeText(made.exchangeNs).c_str(), timeText(made.totalNs()).c_str(),
                  100 * one / (double(count) * made.totalNs()));
    text += line + (made.dominatingNs > made.kernelNs ? made.dominating + " (" + timeText(made.dominatingNs) + ")"
                                                      : std::string("kernels"));
    if (best.totalNs() < 0.95 * made.totalNs())
      text += "; " + wayText(best) + ": " + timeText(best.totalNs());
    text += "\n";
  }
  for (int64_t count : {counts.front(), counts.back()}) {
    const Forecast made = forecast(profile, count, 1, links);
    text += "  layers with " + std::to_string(count) + " ranks:\n";
    for (const Layer &layer : made.layers) {
      std::snprintf(line, sizeof line, "    %12s and %12s  ", timeText(layer.kernelNs).c_str(),
                    timeText(layer.exchangeNs).c_str());
      text += line + layer.name + "\n";
    }
    if (counts.size() == 1)
      break;
  }
  return text;
}

} // namespace mica::bench
