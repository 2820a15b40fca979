//===- PassRecorder.cpp - the record of every pass --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See PassRecorder.h. A pass manager hides its nested pass managers behind adaptor passes, and clones them per thread. So
// the position of a running pass is found by walking along: the text of the pipeline is read into a tree (PipelineText.h),
// every running pipeline is a frame with a cursor into one node of the tree, and each pass that begins moves it on.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/PassRecorder.h"

#include "lib/Compiler/IRFingerprint.h"
#include "mica/Compiler/LayerPrinter.h"
#include "mica/Compiler/RecordIndex.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <chrono>
#include <ctime>
#include <map>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

//===------------------------------------------------------------------------------------------------------------===//
// Small parts
//===------------------------------------------------------------------------------------------------------------===//

/// A nested pipeline is run by a pass of upstream's that has no argument and is not part of the pipeline's text.
static bool isAdaptor(Pass *pass) { return pass->getName().contains("OpToOpPassAdaptor"); }

static double wallMilliseconds() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Time this thread has computed. For nested passes, which wait for each other at the recorder's door.
static double threadMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}

/// What stands for `op` in file names: the symbols on the way from `root`, joined by dots; equal names in a row once.
static std::string anchorName(Operation *root, Operation *op) {
  llvm::SmallVector<std::string> parts;
  for (Operation *at = op; at && at != root; at = at->getParentOp()) {
    std::string part;
    if (auto symbol = at->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
      part = symbol.getValue().str();
    else if (at->getBlock())
      part = std::to_string(std::distance(at->getBlock()->begin(), Block::iterator(at)));
    if (parts.empty() || parts.back() != part)
      parts.push_back(part);
  }
  return llvm::join(llvm::reverse(parts), ".");
}

static std::string fileSafe(llvm::StringRef text) {
  std::string result;
  for (char c : text)
    result += llvm::isAlnum(c) || c == '_' || c == '-' || c == '.' ? c : '_';
  return result;
}

static std::string layerStem(int position, llvm::StringRef pass, llvm::StringRef anchor) {
  std::string stem;
  llvm::raw_string_ostream os(stem);
  os << llvm::format("%04d_", position) << fileSafe(pass);
  if (!anchor.empty())
    os << "@" << fileSafe(anchor);
  return stem;
}

//===------------------------------------------------------------------------------------------------------------===//
// The recorder's state
//===------------------------------------------------------------------------------------------------------------===//

namespace {
/// A pipeline being run on one op: the passes to come, from `cursor`.
struct Frame {
  const std::vector<PipelineNode> *nodes = nullptr; ///< null: a pipeline that a pass runs by itself; not recorded
  size_t cursor = 0;
};

/// A pass being run.
struct Running {
  Pass *pass = nullptr;
  Operation *op = nullptr;
  const PipelineNode *node = nullptr; ///< null: not recorded
  double start = 0;
  bool isNested = false;
  std::optional<uint64_t> before; ///< fingerprint
  int64_t opsBefore = -1;
  std::vector<RecordedRemark> remarks; ///< those taken from the collector before the end
};

/// What runs on one thread. While the verifier of one pass waits for its workers, the thread may take another task of the
/// pool, with pipelines of its own: both are stacks.
struct Thread {
  std::vector<Frame> frames;
  std::vector<Running> running;
};

/// What is known of an op since the last pass that ran on it.
struct Known {
  uint64_t fingerprint;
  llvm::SmallVector<Operation *, 3> ancestors;
  int64_t ops;
  uint64_t textHash;
};
} // namespace

struct PassRecorder::State {
  RecorderOptions options;
  std::shared_ptr<RemarkCollector> remarks; ///< null: nobody listens
  std::vector<PassManager *> managers;
  std::vector<std::vector<PhaseSpan>> spans;
  std::vector<PipelineNode> roots;  ///< one per manager; refreshed when it starts, as starting reorders nests
  std::vector<RecordedPass> passes; ///< by position - 1
  std::vector<char> endsPhase;      ///< by position - 1: the last pass of its phase in its nest
  std::vector<PassRecord> records;
  std::vector<std::string> files;
  std::optional<PassFailure> failure;
  std::string error;
  Operation *root = nullptr;
  bool hasInput = false;
  llvm::DenseMap<uint64_t, Thread> threads;
  llvm::DenseMap<Pass *, std::vector<const PipelineNode *>> groups; ///< adaptor being run -> its pipelines
  llvm::DenseMap<Operation *, Known> known;
  std::map<std::string, std::string> lastFile; ///< anchor -> the file its last layer is in

  /// Reads the text of every pipeline again.
  void readPipelines();
  void describePasses(const PipelineNode &node, const std::string &path);

  bool wants(int position) const {
    return options.mode == DumpMode::Passes || (options.mode == DumpMode::Phases && endsPhase[position - 1]);
  }
  bool write(const std::string &name, llvm::StringRef text);
  /// Writes layer and map; returns false where the text and map are those of `lastHash`.
  std::string writeLayer(const std::string &stem, const Layer &layer, const std::string &map);
  void forget(Operation *changed);
  void before(Pass *pass, Operation *op, const PipelineNode *node, Thread &thread);
  void after(Running running, Thread &thread, bool failed);
  void writeReproducer(MLIRContext *context);
};

void PassRecorder::State::describePasses(const PipelineNode &node, const std::string &path) {
  for (const PipelineNode &child : node.children) {
    if (child.isNest) {
      describePasses(child, path + "(" + child.name);
      continue;
    }
    RecordedPass &info = passes[child.position - 1];
    info.position = child.position;
    info.name = child.name;
    info.options = child.options;
    info.anchor = path + std::string(llvm::count(path, '('), ')');
  }
}

void PassRecorder::State::readPipelines() {
  roots.clear();
  int next = 1;
  for (PassManager *manager : managers) {
    std::string text;
    llvm::raw_string_ostream os(text);
    manager->printAsTextualPipeline(os);
    std::optional<PipelineNode> root = parsePipelineText(text, next);
    roots.push_back(root ? std::move(*root) : PipelineNode());
    next += roots.back().countPasses();
  }
  passes.assign(next - 1, RecordedPass());
  endsPhase.assign(next - 1, 0);
  for (size_t i = 0; i < roots.size(); ++i) {
    describePasses(roots[i], roots[i].name);
    int position = roots[i].children.empty() ? 0 : next;
    llvm::SmallVector<const PipelineNode *> stack{&roots[i]};
    while (!stack.empty()) {
      const PipelineNode *node = stack.pop_back_val();
      if (!node->isNest && node->position)
        position = std::min(position, node->position);
      for (const PipelineNode &child : node->children)
        stack.push_back(&child);
    }
    for (auto &[phase, count] : spans[i])
      for (int n = 0; n < count && position > 0 && position < next; ++n, ++position)
        passes[position - 1].phase = phase;
    // The last pass of a phase in a nest, for each nest.
    stack = {&roots[i]};
    while (!stack.empty()) {
      const PipelineNode *node = stack.pop_back_val();
      std::map<std::string, int> last;
      for (const PipelineNode &child : node->children) {
        if (child.isNest)
          stack.push_back(&child);
        else
          last[passes[child.position - 1].phase] = child.position;
      }
      for (auto &[phase, lastPosition] : last)
        endsPhase[lastPosition - 1] = 1;
    }
  }
}

bool PassRecorder::State::write(const std::string &name, llvm::StringRef text) {
  std::string problem = writeRecordFile(options.directory, name, text);
  if (problem.empty()) {
    files.push_back(name);
    return true;
  }
  if (error.empty())
    error = problem;
  return false;
}

std::string PassRecorder::State::writeLayer(const std::string &stem, const Layer &layer, const std::string &map) {
  std::string name = stem + ".mlir";
  write(name, layer.text);
  write(name + ".map.json", map);
  return name;
}

/// Drops what is known of ops inside and around `changed`; those inside may be gone.
void PassRecorder::State::forget(Operation *changed) {
  llvm::SmallVector<Operation *> stale;
  for (auto &[op, entry] : known)
    if (op == changed || llvm::is_contained(entry.ancestors, changed))
      stale.push_back(op);
  for (Operation *at = changed->getParentOp(); at; at = at->getParentOp())
    stale.push_back(at);
  for (Operation *op : stale)
    known.erase(op);
}

static int64_t countOps(Operation *op) {
  int64_t count = 0;
  op->walk([&](Operation *) { ++count; });
  return count;
}

/// Names of the operations in `op` with their numbers, sorted by name.
static std::vector<std::pair<std::string, int64_t>> countKinds(Operation *op) {
  llvm::DenseMap<OperationName, int64_t> counts;
  op->walk([&](Operation *inner) { ++counts[inner->getName()]; });
  std::vector<std::pair<std::string, int64_t>> result;
  for (auto &[name, count] : counts)
    result.push_back({name.getStringRef().str(), count});
  llvm::sort(result);
  return result;
}

void PassRecorder::State::before(Pass *pass, Operation *op, const PipelineNode *node, Thread &thread) {
  if (remarks && !thread.running.empty())
    llvm::append_range(thread.running.back().remarks, remarks->take());
  Running running;
  running.pass = pass;
  running.op = op;
  running.node = node;
  if (node && options.onPass)
    options.onPass(node->position, node->name, anchorName(root, op));
  if (node && options.mode == DumpMode::Passes) {
    auto it = known.find(op);
    if (it == known.end()) {
      running.before = fingerprintOf(op);
      running.opsBefore = countOps(op);
    } else {
      running.before = it->second.fingerprint;
      running.opsBefore = it->second.ops;
    }
  }
  running.isNested = op != root;
  running.start = running.isNested ? threadMilliseconds() : wallMilliseconds();
  thread.running.push_back(std::move(running));
}

void PassRecorder::State::after(Running running, Thread &thread, bool failed) {
  if (!running.node)
    return;
  PassRecord record;
  record.remarks = std::move(running.remarks);
  if (remarks)
    llvm::append_range(record.remarks, remarks->take());
  record.milliseconds = (running.isNested ? threadMilliseconds() : wallMilliseconds()) - running.start;
  // What the thread did meanwhile is not the waiting pass's time.
  if (!thread.running.empty() && thread.running.back().isNested == running.isNested)
    thread.running.back().start += record.milliseconds;
  record.position = running.node->position;
  record.anchor = anchorName(root, running.op);
  record.failed = failed;
  record.opsBefore = running.opsBefore;
  std::string stem = layerStem(record.position, running.node->name, record.anchor);
  if (failed) {
    record.changed = true;
    if (!failure) {
      failure = PassFailure{record.position, running.node->name, record.anchor, {}, {}, {}};
      if (options.mode != DumpMode::Off) {
        // The IR need not verify here, which only the generic form can print.
        LayerOptions generic;
        generic.generic = true;
        if (write(stem + ".failed.mlir", printLayer(running.op, generic).text))
          failure->file = stem + ".failed.mlir";
      }
    }
    known.clear();
    records.push_back(std::move(record));
    return;
  }
  if (options.mode == DumpMode::Passes) {
    uint64_t now = fingerprintOf(running.op);
    record.changed = now != *running.before;
    record.opsAfter = record.opsBefore;
    auto it = known.find(running.op);
    std::optional<uint64_t> lastHash;
    if (it != known.end())
      lastHash = it->second.textHash;
    uint64_t textHash = lastHash.value_or(0);
    if (record.changed) {
      forget(running.op);
      LayerOptions layerOptions;
      layerOptions.assumeVerified = options.assumeVerified;
      Layer layer = printLayer(running.op, layerOptions);
      std::string map = printLineMap(layer, stem + ".mlir");
      // A pass may build the same IR again: no new layer then. The map's first line names the file, so it is left out.
      llvm::StringRef sets = llvm::StringRef(map).substr(llvm::StringRef(map).find("\"sets\""));
      textHash = llvm::xxh3_64bits(layer.text) * 31 + llvm::xxh3_64bits(sets);
      record.changed = !lastHash || *lastHash != textHash;
      if (record.changed) {
        record.kinds = countKinds(running.op);
        record.opsAfter = 0;
        for (auto &[kind, count] : record.kinds)
          record.opsAfter += count;
        record.file = writeLayer(stem, layer, map);
      }
    }
    Known entry{now, {}, record.opsAfter, textHash};
    for (Operation *at = running.op->getParentOp(); at; at = at->getParentOp())
      entry.ancestors.push_back(at);
    known.insert_or_assign(running.op, std::move(entry));
  } else if (options.mode == DumpMode::Phases && wants(record.position)) {
    LayerOptions layerOptions;
    layerOptions.assumeVerified = options.assumeVerified;
    Layer layer = printLayer(running.op, layerOptions);
    record.file = writeLayer(stem, layer, printLineMap(layer, stem + ".mlir"));
    record.changed = true;
  }
  if (!record.file.empty())
    lastFile[record.anchor] = record.file;
  records.push_back(std::move(record));
}

void PassRecorder::State::writeReproducer(MLIRContext *context) {
  // The input of the failed pass is the last layer of its op, or of what the op lies in.
  const std::string *input = nullptr;
  std::string pipeline = singlePassPipeline(roots, failure->position);
  if (auto it = lastFile.find(failure->anchor); it != lastFile.end() && !failure->anchor.empty()) {
    input = &it->second;
    // The layer of a nested op is a file of its own: its anchor is the top there, or right below the parser's module.
    llvm::StringRef anchor = passes[failure->position - 1].anchor;
    llvm::StringRef innermost = anchor.rsplit('(').second.empty() ? anchor : anchor.rsplit('(').second;
    innermost = innermost.take_until([](char c) { return c == ')'; });
    const RecordedPass &info = passes[failure->position - 1];
    std::string pass = info.name + info.options;
    pipeline = innermost == "builtin.module" ? "builtin.module(" + pass + ")"
                                             : "builtin.module(" + innermost.str() + "(" + pass + "))";
  } else if (auto whole = lastFile.find(""); whole != lastFile.end()) {
    input = &whole->second;
  }
  if (!input)
    return;
  std::string problem = writeReproducerFolder(options.directory, *input, pipeline, context);
  if (!problem.empty()) {
    if (error.empty())
      error = problem;
    return;
  }
  files.push_back("repro/input.mlir");
  files.push_back("repro/run.sh");
  failure->reproducer = "repro";
  failure->command = "mica-opt repro/input.mlir --pass-pipeline='" + pipeline + "'";
}

//===------------------------------------------------------------------------------------------------------------===//
// Instrumentation
//===------------------------------------------------------------------------------------------------------------===//

class PassRecorder::Instrumentation : public PassInstrumentation {
public:
  Instrumentation(std::shared_ptr<State> state, size_t manager) : state(std::move(state)), manager(manager) {}

  void runBeforePipeline(std::optional<OperationName> name, const PipelineParentInfo &parent) override {
    Frame frame;
    auto group = state->groups.find(parent.parentPass);
    if (group != state->groups.end())
      for (const PipelineNode *node : group->second)
        if (!name || node->name == name->getStringRef() || node->name == OpPassManager::getAnyOpAnchorName()) {
          frame.nodes = &node->children;
          if (name && node->name == name->getStringRef())
            break;
        }
    thisThread().frames.push_back(frame);
  }

  void runAfterPipeline(std::optional<OperationName> name, const PipelineParentInfo &parent) override {
    Thread &thread = thisThread();
    if (!thread.frames.empty())
      thread.frames.pop_back();
  }

  void runBeforePass(Pass *pass, Operation *op) override {
    Thread &thread = thisThread();
    if (!started)
      start(op, thread);
    if (thread.frames.empty() || !thread.frames.back().nodes)
      return isAdaptor(pass) ? void() : state->before(pass, op, nullptr, thread);
    Frame &frame = thread.frames.back();
    if (isAdaptor(pass)) {
      // One adaptor runs the nests that stand side by side, each pipeline on the ops of its kind.
      std::vector<const PipelineNode *> &group = state->groups[pass];
      group.clear();
      std::string text;
      llvm::raw_string_ostream os(text);
      pass->printAsTextualPipeline(os);
      std::optional<PipelineNode> printed = parsePipelineText("group(" + text + ")");
      size_t count = printed ? printed->children.size() : 1;
      for (; count && frame.cursor < frame.nodes->size() && (*frame.nodes)[frame.cursor].isNest; --count)
        group.push_back(&(*frame.nodes)[frame.cursor++]);
      return;
    }
    const PipelineNode *node = frame.cursor < frame.nodes->size() ? &(*frame.nodes)[frame.cursor++] : nullptr;
    if (node && node->isNest)
      node = nullptr;
    state->before(pass, op, node, thread);
  }

  void runAfterPass(Pass *pass, Operation *op) override { finishPass(pass, /*failed=*/false); }
  void runAfterPassFailed(Pass *pass, Operation *op) override { finishPass(pass, /*failed=*/true); }

private:
  Thread &thisThread() { return state->threads[llvm::get_threadid()]; }

  void start(Operation *op, Thread &thread) {
    started = true;
    state->root = op;
    state->threads.clear();
    state->groups.clear();
    state->known.clear();
    // Starting merges nests; from here on the printed order is the order in which passes run.
    state->readPipelines();
    Frame frame;
    frame.nodes = &state->roots[manager].children;
    thisThread().frames.push_back(frame);
    if (!state->hasInput)
      recordInput(*state, op);
  }

  void finishPass(Pass *pass, bool failed) {
    if (isAdaptor(pass)) {
      state->groups.erase(pass);
      return;
    }
    Thread &thread = thisThread();
    if (thread.running.empty())
      return;
    Running running = std::move(thread.running.back());
    thread.running.pop_back();
    state->after(std::move(running), thread, failed);
  }

  std::shared_ptr<State> state;
  size_t manager;
  bool started = false;

public:
  static void recordInput(State &state, Operation *op) {
    state.hasInput = true;
    if (state.options.mode == DumpMode::Off)
      return;
    Layer layer = printLayer(op);
    std::string map = printLineMap(layer, "0000_input.mlir");
    state.lastFile[""] = state.writeLayer("0000_input", layer, map);
  }
};

PassRecorder::PassRecorder(RecorderOptions options) : state(std::make_shared<State>()) {
  state->options = std::move(options);
}
PassRecorder::~PassRecorder() = default;

void PassRecorder::attach(PassManager &pm, llvm::ArrayRef<PhaseSpan> phases) {
  if (state->options.remarks && state->managers.empty())
    state->remarks = RemarkCollector::listen(*pm.getContext());
  state->managers.push_back(&pm);
  state->spans.emplace_back(phases.begin(), phases.end());
  state->readPipelines();
  pm.addInstrumentation(std::make_unique<Instrumentation>(state, state->managers.size() - 1));
}

void PassRecorder::recordInput(Operation *op) { Instrumentation::recordInput(*state, op); }

LogicalResult PassRecorder::finish(MLIRContext *context) {
  llvm::stable_sort(state->records, [](const PassRecord &a, const PassRecord &b) {
    return std::tie(a.position, a.anchor) < std::tie(b.position, b.anchor);
  });
  // Threads write them as they come; the list says the same each time.
  llvm::sort(state->files);
  if (state->options.mode == DumpMode::Off)
    return success(state->error.empty());
  if (state->failure && context)
    state->writeReproducer(context);
  state->write("index.json", printRecordIndex(*this, state->options, state->roots, state->hasInput));
  return success(state->error.empty());
}

const std::vector<PassRecord> &PassRecorder::records() const { return state->records; }
const std::vector<RecordedPass> &PassRecorder::passes() const { return state->passes; }
const std::optional<PassFailure> &PassRecorder::failure() const { return state->failure; }
const std::string &PassRecorder::error() const { return state->error; }
const std::vector<std::string> &PassRecorder::files() const { return state->files; }
