//===- PageData.cpp - a model as the pages read it -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Rows are lists, not objects: a log of ten thousand compiles is a few megabytes. Page/model.js names their positions.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Log/PageData.h"

#include "lib/Support/Json.h"

#include <cmath>

namespace mica::report {
namespace {

constexpr std::string_view kStatusNames[] = {"ok", "restarted", "empty", "failed", "unfinished"};

/// Everything of one compile that only its own page shows.
std::string details(const Compile &compile) {
  Json products = Json::array();
  for (const Product &p : compile.products)
    products.push_back({p.name, p.attempt, p.round, p.bytes, p.lines, p.text, p.logLine, p.mark, p.note, p.url,
                        trace::hexDigits(p.digest)});
  Json metrics = Json::array();
  for (const Metrics &m : compile.metrics)
    metrics.push_back({m.kind, m.text, m.attempt, m.round, m.restartReasons, m.recompileReason, m.failType,
                       m.failReason, m.failFile, m.failLine});
  Json links = Json::array();
  for (const Link &link : compile.links)
    links.push_back({link.name, link.url, link.attempt});
  std::string text = "{\"products\":" + printJsonLine(products) + ",\"metrics\":" + printJsonLine(metrics) +
                     ",\"links\":" + printJsonLine(links) + ",\"more\":" + printJsonLine(Json(compile.more)) +
                     ",\"facts\":{";
  bool firstKind = true;
  for (const auto &[kind, values] : compile.facts) {
    text += (firstKind ? "" : ",") + trace::quoteJson(kind) + ":[";
    firstKind = false;
    for (size_t i = 0; i < values.size(); ++i)
      text += (i ? "," : "") + values[i];
    text += "]";
  }
  return text + "}}";
}

Json spanRows(const Spans &spans) {
  Json rows = Json::array();
  const double first = spans.all.empty() ? 0 : spans.all.front().start;
  for (const Span &span : spans.all)
    rows.push_back(
        {span.name, span.compile, span.depth, std::round(span.start - first), std::round(span.microseconds)});
  return rows;
}

/// The time of the outermost spans of each compile, for logs whose metrics hold no time.
std::vector<double> spanTimes(const LogModel &model) {
  std::vector<double> times(model.compiles.size(), -1);
  std::vector<int> outermost(model.compiles.size(), 1 << 30);
  for (const Span &span : model.spans.all)
    if (span.compile >= 0 && span.microseconds >= 0)
      outermost[static_cast<size_t>(span.compile)] = std::min(outermost[static_cast<size_t>(span.compile)], span.depth);
  for (const Span &span : model.spans.all)
    if (span.compile >= 0 && span.microseconds >= 0 && span.depth == outermost[static_cast<size_t>(span.compile)]) {
      double &time = times[static_cast<size_t>(span.compile)];
      time = std::max(time, 0.0) + span.microseconds;
    }
  return times;
}

Result<int64_t> addText(TextStore &store, const std::string &text) { return store.addText(text, trace::md5(text)); }

Result<Json> compileRows(const LogModel &model, TextStore &store) {
  Json compiles = Json::array();
  const std::vector<double> times = spanTimes(model);
  for (size_t i = 0; i < model.compiles.size(); ++i) {
    const Compile &compile = model.compiles[i];
    MICA_ASSIGN_OR_RETURN(const int64_t text, addText(store, details(compile)));
    // Records of run time do not repeat what was compiled.
    Metrics last;
    for (const Metrics &metrics : compile.metrics)
      if (!metrics.function.empty() || last.function.empty())
        last = metrics;
    int64_t products = 0, productBytes = 0;
    std::string caches;
    for (const Product &product : compile.products) {
      ++products;
      productBytes += product.bytes;
      if (!product.mark.empty())
        caches += product.mark[0];
    }
    int64_t time = compile.microseconds();
    if (time < 0 && times[i] >= 0)
      time = static_cast<int64_t>(times[i]);
    const std::string_view status = compile.id.isNone() ? "none" : kStatusNames[static_cast<size_t>(compile.status())];
    compiles.push_back({compile.id.text(), status, last.function, last.file, last.line, time, last.graphOps,
                        last.guards, products, productBytes, compile.attempts, compile.rounds, caches, compile.stacks,
                        text, compile.bytes, compile.records, compile.firstLine, compile.artifact});
  }
  return compiles;
}

Json kindRows(const LogModel &model) {
  Json kinds = Json::array();
  for (const auto &[name, count] : model.kinds) {
    const trace::RecordKind *kind = trace::findKind(name);
    kinds.push_back({name, kind ? std::string(kind->meaning) : "", count.count, count.bytes, count.payloadBytes});
  }
  return kinds;
}

Json defectKindRows(const LogModel &model) {
  Json defectKinds = Json::array();
  for (size_t i = 0; i < trace::kDefectKinds; ++i) {
    const trace::DefectKind kind = static_cast<trace::DefectKind>(i);
    defectKinds.push_back({trace::defectName(kind), trace::isDamage(kind), model.counts.defects[i]});
  }
  return defectKinds;
}

} // namespace

Result<std::string> pageData(const LogModel &model, TextStore &store) {
  MICA_ASSIGN_OR_RETURN(Json compiles, compileRows(model, store));
  Json problems = Json::array();
  for (const Problem &p : model.problems)
    problems.push_back({p.kind, p.text, p.where, p.count, p.compiles});
  Json defects = Json::array();
  for (const trace::Defect &defect : model.defects)
    defects.push_back({static_cast<int>(defect.kind), defect.line, defect.what});
  Json frames = Json::array();
  for (const Frame &frame : model.stacks.frames())
    frames.push_back({frame.file, frame.line, frame.function, frame.source});
  Json nodes = Json::array();
  for (const Stacks::Node &node : model.stacks.nodes())
    nodes.push_back({node.parent, node.frame});
  Json names = Json::array();
  for (const Spans::Name &name : model.spans.names)
    names.push_back({name.text, name.count, std::round(name.total), std::round(name.self)});
  MICA_ASSIGN_OR_RETURN(const int64_t spans, addText(store, printJsonLine(spanRows(model.spans))));
  Json data = {{"name", model.name},
               {"rank", model.rank},
               {"bytes", model.counts.bytes},
               {"lines", model.counts.lines},
               {"records", model.counts.records},
               {"emptyLines", model.counts.emptyLines},
               {"converted", model.counts.converted},
               {"pids", Json(model.pids.size())},
               {"first", model.firstTime},
               {"last", model.lastTime},
               {"utc", model.utc},
               {"version", model.version},
               {"notes", model.notes},
               {"compiles", std::move(compiles)},
               {"problems", std::move(problems)},
               {"kinds", kindRows(model)},
               {"defectKinds", defectKindRows(model)},
               {"defects", std::move(defects)},
               {"strings", model.strings},
               {"frames", std::move(frames)},
               {"nodes", std::move(nodes)},
               {"otherStacks", model.otherStacks},
               {"spanNames", std::move(names)},
               {"spans", spans},
               {"events", model.spans.events},
               {"unmatched", model.spans.unmatched},
               {"dropped", model.spans.dropped}};
  return printJsonLine(data);
}

} // namespace mica::report
