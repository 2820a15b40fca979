//===- BuildModel.cpp - from records to what a log says --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// One function per kind of record that says more than that it is there.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Log/BuildModel.h"

#include "lib/Report/Elements.h"
#include "lib/Report/Log/LogTime.h"
#include "lib/Report/Log/Redact.h"
#include "lib/Report/PassIndex.h"
#include "lib/Support/Json.h"
#include "mica/Artifact/SnapshotFile.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace fs = std::filesystem;

namespace mica::report {

using trace::CompileId;
using trace::DefectKind;
using trace::Record;

namespace {

constexpr size_t kDefectsKept = 500;
/// Bytes of records without payload that a compile's page shows; --dtrace logs hold thousands per compile.
constexpr size_t kFactBytes = size_t(256) << 10;
constexpr size_t kProblemText = 600;

std::string textField(const Record &record, std::string_view key) {
  return trace::jsonString(record.field(key)).value_or("");
}

/// Whether `name` is that of the archive of snapshots, which is compressed.
bool isArchive(std::string_view name) { return name == "snapshots_archive" || name == "layers_pack"; }
int64_t integerField(const Record &record, std::string_view key, int64_t otherwise) {
  return trace::jsonInteger(record.field(key)).value_or(otherwise);
}

std::vector<std::string> stringList(std::string_view list) {
  std::vector<std::string> strings;
  for (const std::string_view element : trace::jsonElements(list))
    if (std::optional<std::string> text = trace::jsonString(element))
      strings.push_back(std::move(*text));
  return strings;
}

/// `text` with every number as one '#', so that occurrences that differ in sizes and line numbers are one problem.
std::string withoutNumbers(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit || out.empty() || out.back() != '#')
      out += digit ? '#' : c;
  }
  return out;
}

/// `text` without a path of the folder that the texts of the log are in while it is read.
std::string withoutPath(std::string text, const std::string &path) {
  for (size_t at; (at = text.find(path)) != std::string::npos;)
    text.replace(at, path.size(), "the log");
  return text;
}

/// The order in which kinds of problems are shown.
int rankOf(const std::string &kind) {
  static constexpr std::string_view kOrder[] = {
      "failure",        "unfinished",     "collectives",           "missing kernel",    "mismatched kernel",
      "data dependent", "guard",          "graph break",           "restart",           "recompile",
      "cache bypass",   "cudagraph skip", "specialization failed", "strategy rejected", "specialization",
      "expression"};
  return static_cast<int>(std::find(std::begin(kOrder), std::end(kOrder), kind) - std::begin(kOrder));
}

class Builder {
public:
  Builder(const fs::path &log, const fs::path &report, TextStore &store, EventsFile &events,
          const BuildOptions &options)
      : log(log), report(report), store(store), events(events), options(options), time(log), traced(options.scratch) {}

  Result<LogModel> run() {
    model.name = log.filename().string();
    MICA_ASSIGN_OR_RETURN(raw, RawFile::create(report / options.folder / "raw.jsonl"));
    Redactor redactor;
    auto take = [&](Record &record) {
      if (!options.scratch.empty())
        traced.take(record);
      if (options.redact)
        redactor.redact(record);
      else if (!options.constants)
        leaveOutElements(record);
      if (status)
        status = this->take(record);
    };
    MICA_ASSIGN_OR_RETURN(model.counts, trace::readLog(log, take));
    MICA_RETURN_IF_ERROR(status);
    return finish();
  }

private:
  /// Of what a record holds as a text; what is written of an event is its arguments.
  void leaveOutElements(Record &record) {
    if (record.payload.empty() || record.event)
      return;
    // The pack is compressed; its texts are shown one by one.
    elided = record.kind == "artifact" && isArchive(textField(record, "name")) ? std::string("elided\n")
                                                                               : elideElements(record.payload);
    if (elided == record.payload)
      return;
    record.payload = elided;
    record.digest = trace::md5(elided);
  }

  Status take(Record &record) {
    if (!record.path.empty()) {
      ++model.pids[record.pid];
      model.utc = time.isUtc();
      timestamp = time.text(record);
      if (model.firstTime.empty())
        model.firstTime = timestamp;
      model.lastTime = timestamp;
    }
    if (record.rank && model.rank < 0)
      model.rank = *record.rank;
    else if (record.rank && *record.rank != model.rank)
      record.defects.push_back(
          {DefectKind::Rank, record.line,
           "a record of rank " + std::to_string(*record.rank) + " in the log of rank " + std::to_string(model.rank)});
    Status done = Status::ok();
    if (record.kind == "str")
      strings.define(record);
    else if (record.event)
      takeEvent(record);
    else
      done = takeOther(record);
    KindCount &kind = model.kinds[record.kind.empty() ? "(damaged)" : trace::validUtf8(record.kind)];
    ++kind.count;
    kind.bytes += record.bytes;
    kind.payloadBytes += static_cast<int64_t>(record.payload.size());
    for (const trace::Defect &defect : record.defects)
      if (model.defects.size() < kDefectsKept)
        model.defects.push_back(options.redact ? trace::Defect{defect.kind, defect.line, "(redacted)"} : defect);
    return done;
  }

  int compileOf(const Record &record) {
    const auto [found, isNew] =
        positions.emplace(record.compile.withoutAttempt(), static_cast<int>(model.compiles.size()));
    if (isNew) {
      Compile &compile = model.compiles.emplace_back();
      compile.id = record.compile.withoutAttempt();
      compile.firstLine = record.line;
    }
    Compile &compile = model.compiles[static_cast<size_t>(found->second)];
    // An attempt beyond all reason is damage, and pages list every attempt.
    compile.attempts = std::max(compile.attempts, attemptOf(record));
    return found->second;
  }
  static int64_t attemptOf(const Record &record) { return std::clamp<int64_t>(record.compile.attempt, 0, 1000); }

  void takeEvent(const Record &record) {
    int position = -1;
    if (!record.compile.isNone()) {
      position = compileOf(record);
      account(position, record);
    }
    model.spans.add(*record.event, position);
    events.add(record, options.ranks ? std::optional(std::max<int64_t>(model.rank, 0)) : std::nullopt);
  }

  void account(int position, const Record &record) {
    Compile &compile = model.compiles[static_cast<size_t>(position)];
    compile.bytes += record.bytes;
    ++compile.records;
  }

  Status takeOther(Record &record) {
    const bool listed = !record.compile.isNone() || record.payload.data() || record.kind == "link";
    const int position = listed ? compileOf(record) : -1;
    std::string file;
    if (position >= 0)
      account(position, record);
    if (record.payload.data()) {
      MICA_ASSIGN_OR_RETURN(file, addProduct(record, position));
    }
    MICA_RETURN_IF_ERROR(takeMetadata(record, position));
    if (!record.envelope.empty())
      raw->add(record, timestamp, file);
    return Status::ok();
  }

  Status takeMetadata(Record &record, int position) {
    if (record.kind == "dynamo_start") {
      addStart(record, position);
    } else if (record.kind.ends_with("compilation_metrics") || record.kind.ends_with("compilation_metrics_runtime")) {
      if (position >= 0)
        return addMetrics(record, position);
    } else if (record.kind == "link") {
      addLink(record, position);
    } else {
      if (!record.compile.isNone() && record.kind == "artifact" && textField(record, "name") == "tool")
        begun.insert(position);
      if (position >= 0 && record.metadata.size() > 2 && (!record.hasPayload || record.kind == "dynamo_output_graph"))
        addFact(record, position);
      if (record.kind == "missing_fake_kernel" || record.kind == "mismatched_fake_kernel")
        addProblem(record.kind == "missing_fake_kernel" ? "missing kernel" : "mismatched kernel",
                   textField(record, "op") + ": " + textField(record, "reason"), "", position);
      else if (record.kind == "guard_added")
        addProblem("guard", textField(record, "expr"), userPlace(record), position);
      else if (record.kind == "propagate_real_tensors_provenance")
        addProblem("data dependent", textField(record, "expr"), userPlace(record), position);
      else if (record.kind == "expression_created")
        addProblem("expression", textField(record, "method") + " -> " + textField(record, "result"), userPlace(record),
                   position);
      else if (record.kind == "symbolic_shape_specialization")
        addProblem("specialization",
                   textField(record, "symbol") + " fixed to " + std::string(record.field("value")) + ": " +
                       textField(record, "reason"),
                   "", position);
    }
    for (const trace::JsonMember &member : record.members)
      if (member.depth == 1 && member.key == "stack" && record.compile.isNone())
        if (const int leaf = addStack(record, member.value); leaf >= 0)
          model.otherStacks.push_back(leaf);
    return Status::ok();
  }

  /// "file:line" of the innermost frame of the user's code, or "".
  std::string userPlace(const Record &record) {
    const std::vector<std::string_view> frames = trace::jsonElements(record.field("user_stack"));
    if (frames.empty())
      return "";
    std::vector<trace::JsonMember> members;
    trace::scanJson(frames.back(), &members);
    std::string file, line;
    for (const trace::JsonMember &member : members) {
      if (member.key == "filename" && member.depth == 1)
        if (const std::string *name = strings.find(trace::jsonInteger(member.value).value_or(-1)))
          file = *name;
      if (member.key == "line" && member.depth == 1)
        line = std::to_string(trace::jsonInteger(member.value).value_or(0));
    }
    return file.empty() ? "" : file + ":" + line;
  }

  int addStack(Record &record, std::string_view stack) {
    std::string problem;
    const int leaf = model.stacks.add(stack, strings, problem);
    if (!problem.empty())
      record.defects.push_back({DefectKind::String, record.line, problem});
    return leaf;
  }

  void addStart(Record &record, int position) {
    const int leaf = addStack(record, record.field("stack"));
    if (position < 0) {
      if (leaf >= 0)
        model.otherStacks.push_back(leaf);
      return;
    }
    Compile &compile = model.compiles[static_cast<size_t>(position)];
    if (attemptOf(record) == 0) {
      // The same id after it ended: the program has reset the compiler, and numbers begin again.
      if (!compile.metrics.empty() && compile.metrics.back().round == compile.rounds)
        ++compile.rounds;
      compile.stacks.push_back(leaf);
      ++compile.starts;
    }
  }

  void addFact(const Record &record, int position) {
    Compile &compile = model.compiles[static_cast<size_t>(position)];
    const std::string kind = trace::validUtf8(record.kind);
    if (compile.factBytes + record.metadata.size() > kFactBytes) {
      ++compile.more[kind];
      return;
    }
    compile.factBytes += record.metadata.size();
    // Rewritten where it is not JSON by the book; a script must not end within it either.
    std::string text = record.notes.any() ? trace::strictJson(record.metadata) : std::string(record.metadata);
    compile.facts[kind].push_back(std::move(text));
  }

  void addLink(Record &record, int position) {
    Link link{textField(record, "name"), textField(record, "url"), attemptOf(record), number++};
    if (link.url.empty())
      record.defects.push_back({DefectKind::Field, record.line, "a link should have a url"});
    else
      model.compiles[static_cast<size_t>(position)].links.push_back(std::move(link));
  }

  Status addMetrics(Record &record, int position) {
    Metrics metrics;
    metrics.kind = std::string(record.kind);
    const std::string strict = record.notes.any() ? trace::strictJson(record.metadata) : std::string();
    const std::string_view text = strict.empty() ? record.metadata : std::string_view(strict);
    MICA_ASSIGN_OR_RETURN(metrics.text, store.addText(text, trace::md5(text)));
    metrics.attempt = attemptOf(record);
    metrics.failType = textField(record, "fail_type");
    metrics.failReason = textField(record, "fail_reason");
    metrics.failFile = textField(record, "fail_user_frame_filename");
    metrics.failLine = integerField(record, "fail_user_frame_lineno", 0);
    metrics.restartReasons = stringList(record.field("restart_reasons"));
    metrics.recompileReason = textField(record, "recompile_reason");
    metrics.function = textField(record, "co_name");
    metrics.file = textField(record, "co_filename");
    metrics.line = integerField(record, "co_firstlineno", 0);
    metrics.graphOps = integerField(record, "graph_op_count", -1);
    metrics.graphNodes = integerField(record, "graph_node_count", -1);
    metrics.guards = integerField(record, "guard_count", -1);
    metrics.microseconds = integerField(record, "duration_us", -1);
    if (metrics.microseconds < 0)
      if (const std::optional<double> seconds = trace::jsonNumber(record.field("entire_frame_compile_time_s")))
        metrics.microseconds = static_cast<int64_t>(std::clamp(*seconds, 0.0, 1e9) * 1e6);
    Compile &compile = model.compiles[static_cast<size_t>(position)];
    compile.compiledWith = textField(record, "compiled_with");
    metrics.round = compile.rounds;
    const std::string where = metrics.file.empty() ? "" : metrics.file + ":" + std::to_string(metrics.line);
    if (!metrics.failType.empty() || !metrics.failReason.empty())
      addProblem("failure", metrics.failType + (metrics.failType.empty() ? "" : ": ") + metrics.failReason,
                 metrics.failFile.empty() ? where : metrics.failFile + ":" + std::to_string(metrics.failLine),
                 position);
    if (!fallBacks.contains({position, compile.rounds}))
      for (const std::string &reason : metrics.restartReasons)
        addProblem("restart", reason, where, position);
    if (!metrics.recompileReason.empty() && !recompiles.contains({position, compile.rounds}))
      addProblem("recompile", metrics.recompileReason, where, position);
    if (const std::string skipped = textField(record, "cudagraph_skip_reason"); !skipped.empty())
      addProblem("cudagraph skip", skipped, where, position);
    compile.metrics.push_back(std::move(metrics));
    return Status::ok();
  }

  void addProblem(const std::string &kind, std::string text, const std::string &where, int position) {
    if (text.size() > kProblemText)
      text = trace::validUtf8(std::string_view(text).substr(0, kProblemText)) + "...";
    const auto [found, isNew] =
        problemNumbers.emplace(kind + '\n' + withoutNumbers(text), static_cast<int>(model.problems.size()));
    if (isNew)
      model.problems.push_back({kind, text, where, 0, {}});
    Problem &problem = model.problems[static_cast<size_t>(found->second)];
    ++problem.count;
    if (position >= 0 && (problem.compiles.empty() || problem.compiles.back() != position))
      problem.compiles.push_back(position);
  }

  /// A product's name before it is made unique, and whether it is JSON.
  static std::pair<std::string, std::string> nameAndEnding(const Record &record) {
    const std::string name = textField(record, "name");
    if (record.kind == "artifact") {
      const char *ending = record.field("encoding") == "\"json\"" ? ".json"
                           : name == "fx_graph_runnable"          ? ".py"
                           : name == "reproducer"                 ? ".sh"
                                                                  : ".txt";
      return {name.empty() ? "artifact" : name, ending};
    }
    if (record.kind == "graph_dump") {
      const std::string_view type = record.field("type");
      return {name.empty() ? "graph_dump" : name, type == "\"mlir\""   ? ".mlir"
                                                  : type == "\"llvm\"" ? ".ll"
                                                  : type == "\"asm\""  ? ".s"
                                                                       : ".txt"};
    }
    if (record.kind == "inductor_output_code") {
      const std::string ending = fs::path(textField(record, "filename")).extension().string();
      const bool other = ending == ".cpp" || ending == ".cu" || ending == ".mlir" || ending == ".ll";
      return {"inductor_output_code", other ? ending : ".py"};
    }
    if (record.kind == "dump_file")
      return {"dump_file_" + name, ".py"};
    if (record.kind == "dynamo_guards")
      return {"dynamo_guards", ".json"};
    if (record.kind == "bytecode_dump")
      return {"bytecode_dump_" + textField(record, "bytecode_type"), ".txt"};
    if (record.kind.empty())
      return {"damaged_record", ".txt"};
    return {std::string(record.kind) + (name.empty() ? "" : "_" + name), ".txt"};
  }

  /// Gives `product` a name in its compile, and the text `payload`, whose digest it has.
  Status place(Product &product, const CompileId &id, const std::string &base, const std::string &ending,
               std::string_view payload) {
    const std::string folder = options.folder + id.folder() + "/";
    const std::string safe = safeFileName(base);
    std::string key = folder + safe + ending;
    std::transform(key.begin(), key.end(), key.begin(), [](unsigned char c) { return std::tolower(c); });
    // A name such as "x.2" of the log's own could meet the second "x": numbers go on until the name is free.
    int64_t &ordinal = ordinals[key];
    do
      product.name = safe + (++ordinal > 1 ? "." + std::to_string(ordinal) : "") + ending;
    while (!names.insert(folder + product.name).second);
    product.attempt = id.attempt;
    product.number = number++;
    product.bytes = static_cast<int64_t>(payload.size());
    product.lines = std::count(payload.begin(), payload.end(), '\n') + (!payload.empty() && payload.back() != '\n');
    MICA_ASSIGN_OR_RETURN(product.url, store.addFile(folder + product.name, payload, product.digest));
    if (options.texts) {
      MICA_ASSIGN_OR_RETURN(product.text, store.addText(payload, product.digest));
    }
    return Status::ok();
  }

  Result<std::string> addProduct(Record &record, int position) {
    Product product;
    const auto [base, ending] = nameAndEnding(record);
    CompileId id = record.compile;
    id.attempt = attemptOf(record);
    if (record.kind == "artifact" || record.kind == "graph_dump") {
      const std::string encoding = textField(record, "encoding");
      if (textField(record, "name").empty() ||
          (record.kind == "artifact" && encoding != "string" && encoding != "json"))
        record.defects.push_back(
            {DefectKind::Field, record.line, "an artifact should have a name, and the encoding string or json"});
    }
    product.mark = base.find("cache_miss") != std::string::npos     ? "miss"
                   : base.find("cache_hit") != std::string::npos    ? "hit"
                   : base.find("cache_bypass") != std::string::npos ? "bypass"
                                                                    : "";
    product.note =
        record.kind == "inductor_output_code" || record.kind == "dump_file" ? textField(record, "filename") : "";
    if (product.note.empty() && record.kind == "dump_file")
      product.note = textField(record, "name");
    for (const trace::Defect &defect : record.defects)
      if (trace::isDamage(defect.kind))
        product.note = std::string(trace::defectName(defect.kind)) + (product.note.empty() ? "" : "; ") + product.note;
    product.logLine = record.line;
    const bool isNamed = record.kind == "dynamo_guards";
    const std::string named = isNamed ? nameFiles(record.payload, strings) : "";
    const std::string_view payload = isNamed ? std::string_view(named) : record.payload;
    product.digest = isNamed || record.digest == trace::Digest{} ? trace::md5(payload) : record.digest;
    MICA_RETURN_IF_ERROR(place(product, id, base, ending, payload));
    Compile &compile = model.compiles[static_cast<size_t>(position)];
    product.round = compile.rounds;
    takeContents(record, base, position, product);
    compile.products.push_back(std::move(product));
    return compile.products.back().url;
  }

  /// What a product says that belongs on a page of its own.
  void takeContents(const Record &record, const std::string &name, int position, const Product &product) {
    Compile &compile = model.compiles[static_cast<size_t>(position)];
    if (name == "recompile_reasons") {
      for (const std::string &reason : stringList(record.payload)) {
        recompiles.insert({position, compile.rounds});
        addProblem("recompile", reason, "", position);
      }
    } else if (name == "dynamo_graph_break_reason") {
      addProblem("graph break", trace::validUtf8(record.payload.substr(0, kProblemText)), "", position);
    } else if (product.mark == "bypass") {
      std::vector<trace::JsonMember> members;
      trace::scanJson(record.payload, &members);
      for (const trace::JsonMember &member : members)
        if (member.key == "cache_bypass_reason" || (member.key == "reason" && member.depth == 1))
          addProblem("cache bypass", trace::jsonString(member.value).value_or(""), "", position);
    } else if (name == "specialization_failed") {
      addProblem("specialization failed", trace::validUtf8(record.payload.substr(0, kProblemText)), "", position);
    } else if (name == "strategy_fallback") {
      std::vector<trace::JsonMember> members;
      trace::scanJson(record.payload, &members);
      std::string rejected, selected, reason, where;
      for (const trace::JsonMember &member : members)
        if (member.depth == 1 && member.key == "sources") {
          if (const std::vector<std::string> sources = stringList(member.value); !sources.empty())
            where = sources.back();
        } else if (member.depth == 1) {
          for (const auto &[key, slot] : {std::pair<std::string_view, std::string *>{"rejected", &rejected},
                                          {"selected", &selected},
                                          {"given_up", &rejected}, // older logs
                                          {"instead", &selected},
                                          {"reason", &reason}})
            if (member.key == key)
              *slot = trace::jsonString(member.value).value_or("");
        }
      fallBacks.insert({position, compile.rounds});
      addProblem("strategy rejected", rejected + " -> " + selected + ": " + reason, where, position);
    } else if (name == "torch_version" || name == "mica_version") {
      model.version = product.text;
    } else if (name == "inductor_collective_schedule") {
      for (const std::string &op : listedSteps(record.payload))
        compile.collectives.push_back(collectiveName(op));
    } else if (name == "graph_execution" || name == "inductor_graph_execution" || name == "tasks") {
      std::vector<std::string> &steps = compile.id.isNone() ? model.executions : compile.schedules;
      for (std::string &step : listedSteps(record.payload))
        steps.push_back(std::move(step));
    } else if (name == "inductor_runtime_and_tensor_meta") {
      GraphOps graph = readGraphOps(record.payload);
      compile.tensorMeta.insert(compile.tensorMeta.end(), graph.tensors.begin(), graph.tensors.end());
      compile.estimated.insert(compile.estimated.end(), graph.estimated.begin(), graph.estimated.end());
    } else if (record.kind == "inductor_output_code") {
      CodeCollectives found = collectivesInCode(record.payload);
      compile.hasCode = true;
      compile.inCode.waits += found.waits;
      compile.inCode.names.insert(compile.inCode.names.end(), found.names.begin(), found.names.end());
    }
  }

  /// Collectives of a schedule that the generated code lacks, or does not wait for.
  void checkCollectives() {
    for (size_t i = 0; i < model.compiles.size(); ++i) {
      const Compile &compile = model.compiles[i];
      if (!compile.hasCode || (compile.collectives.empty() && compile.inCode.names.empty()))
        continue;
      const auto position = static_cast<int>(i);
      const auto planned = std::count_if(compile.collectives.begin(), compile.collectives.end(),
                                         [](const std::string &name) { return name != "wait_tensor"; });
      const auto called = static_cast<int64_t>(compile.inCode.names.size());
      if (!compile.collectives.empty() && planned != called)
        addProblem("collectives",
                   std::to_string(planned) + " in the schedule, " + std::to_string(called) + " in the generated code",
                   "", position);
      if (compile.inCode.waits < called)
        addProblem("collectives",
                   std::to_string(called - compile.inCode.waits) + " of " + std::to_string(called) +
                       " in the generated code are not waited for",
                   "", position);
    }
  }

  /// The last snapshot of each phase as products, which a log holds with all others in one pack.
  Status addSnapshots(const TracedArtifact &artifact) {
    const fs::path dump = artifact.folder / "passes_dump";
    if (!artifact::isSealed(dump))
      return Status::ok();
    if (Status unpacked = artifact::unseal(dump); !unpacked) {
      model.notes.push_back(
          "the snapshots of [" + artifact.compile.text() + "] are not shown: " +
          (options.redact ? "they are not unpacked" : withoutPath(unpacked.error().message, dump.string())));
      return Status::ok();
    }
    const Result<PassIndex> index = readPassIndex(dump / "index.json");
    if (!index)
      return Status::ok();
    std::map<std::pair<std::string, std::string>, std::string> last; // file by phase and kernel
    for (const PassRun &run : index->runs)
      if (!run.file.empty() && run.phase != "input" && (run.op.empty() || artifact.kernels.contains(run.op)))
        last[{run.phase, run.op}] = run.file;
    for (const auto &[key, file] : last) {
      const auto &[phase, kernel] = key;
      CompileId id = kernel.empty() ? artifact.compile : artifact.kernels.at(kernel);
      const auto position = positions.find(id);
      Result<std::string> text = artifact::readText(dump / file);
      if (!text || position == positions.end())
        continue;
      if (options.redact)
        *text = maskText(*text);
      else if (!options.constants)
        *text = elideElements(*text);
      Product product;
      product.note = options.redact ? "" : file;
      product.logLine = artifact.packLine;
      product.digest = trace::md5(*text);
      id.attempt = 0;
      MICA_RETURN_IF_ERROR(
          place(product, id, kernel.empty() || options.redact ? phase : kernel + "." + phase, ".mlir", *text));
      Compile &compile = model.compiles[static_cast<size_t>(position->second)];
      product.round = compile.rounds;
      compile.products.push_back(std::move(product));
    }
    return Status::ok();
  }

  Result<LogModel> finish() {
    for (const TracedArtifact &artifact : traced.all())
      MICA_RETURN_IF_ERROR(addSnapshots(artifact));
    model.artifacts = traced.all();
    if (traced.left())
      model.notes.push_back("of " + groupDigits(static_cast<int64_t>(traced.left() + traced.all().size())) +
                            " programs the first " + std::to_string(traced.all().size()) +
                            " have pages of their own; of the others there are the products");
    model.spans.finish();
    model.strings = strings.all();
    MICA_RETURN_IF_ERROR(raw->finish(model.strings));
    for (size_t i = 0; i < model.compiles.size(); ++i)
      if (model.compiles[i].status() == CompileStatus::Unfinished &&
          (model.compiles[i].starts > 0 || begun.count(static_cast<int>(i))))
        addProblem("unfinished", "the compile began and its end is not in the log", "", static_cast<int>(i));
    checkCollectives();
    std::stable_sort(model.problems.begin(), model.problems.end(), [](const Problem &a, const Problem &b) {
      return rankOf(a.kind) != rankOf(b.kind) ? rankOf(a.kind) < rankOf(b.kind) : a.count > b.count;
    });
    return std::move(model);
  }

  const fs::path log, report;
  TextStore &store;
  EventsFile &events;
  const BuildOptions options;
  LogTime time;
  TracedFiles traced;
  LogModel model;
  Status status;
  std::unique_ptr<RawFile> raw;
  trace::StringTable strings;
  std::string timestamp, elided;
  int64_t number = 0;
  std::map<CompileId, int> positions;
  std::unordered_map<std::string, int64_t> ordinals;
  std::unordered_set<std::string> names;
  std::map<std::string, int> problemNumbers;
  std::set<int> begun;                          ///< compiles whose tool said that it begins them
  std::set<std::pair<int, int64_t>> recompiles; ///< compile and round that said why
  std::set<std::pair<int, int64_t>> fallBacks;  ///< compile and round whose restarts are problems of their own
};

} // namespace

CompileStatus Compile::status() const {
  if (metrics.empty() || metrics.back().round < rounds)
    return CompileStatus::Unfinished;
  auto any = [&](auto holds) { return std::any_of(metrics.begin(), metrics.end(), holds); };
  if (any([](const Metrics &m) { return !m.failType.empty() || !m.failReason.empty(); }))
    return CompileStatus::Failed;
  if (any([](const Metrics &m) { return !m.restartReasons.empty(); }))
    return CompileStatus::Restarted;
  // Records that do not say how many ops there were say nothing about empty graphs.
  const bool said = any([](const Metrics &m) { return m.graphOps >= 0; });
  if (said && !any([](const Metrics &m) { return m.graphOps > 0; }))
    return CompileStatus::Empty;
  return CompileStatus::Ok;
}

int64_t Compile::microseconds() const {
  int64_t sum = -1;
  for (const Metrics &m : metrics)
    if (m.microseconds >= 0)
      sum = std::max<int64_t>(sum, 0) + m.microseconds;
  return sum;
}

std::string safeFileName(std::string_view text) {
  constexpr size_t kLongest = 100;
  std::string name;
  for (const char c : text.substr(0, kLongest)) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    if (plain ? !(name.empty() && (c == '.' || c == '-')) : !(name.empty() || name.back() == '_'))
      name += plain ? c : '_';
  }
  while (!name.empty() && (name.back() == '.' || name.back() == '_'))
    name.pop_back();
  return name.empty() ? "unnamed" : name;
}

Result<LogModel> buildModel(const fs::path &log, const fs::path &report, TextStore &store, EventsFile &events,
                            const BuildOptions &options) {
  return Builder(log, report, store, events, options).run();
}

} // namespace mica::report
