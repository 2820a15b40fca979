//===- NanBackend.cpp - a back end whose kernels' results are examined -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A value originates in a launch where no buffer that it read has one of its kind; else it was propagated, from the
// launch that is remembered for that buffer, or from outside the program. What is no alarm: -inf where an input has it,
// or where the kernel chooses it (a mask); infinities that came in from outside.
//
// All launches are examined, also those that the pattern leaves out: so the origin of a value is known.
//
// Of a device with memory of its own each launch is waited for, and what it wrote is brought to the host, where it is
// examined: a launch behind it may write over it. What the launch read comes only where there is something to say.
// Kernels that were compiled for a device with nan-check look themselves, so that of those that noted nothing nothing
// is brought.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/NanBackend.h"

#include "lib/Runtime/Clock.h"
#include "lib/Runtime/NanRecords.h"
#include "lib/Runtime/NonFinite.h"
#include "lib/Runtime/Replay.h"
#include "lib/Runtime/UnitDims.h"
#include "mica/Runtime/ForwardingBackend.h"
#include "mica/Support/Log.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace mica::runtime {
namespace {

/// What is said of buffers that no launch has written.
constexpr const char *kOutside = "which comes from outside the program";

std::string originText(const std::string &origin) { return origin.empty() ? kOutside : origin; }

std::string numberText(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

class NanBackend final : public ForwardingBackend {
public:
  NanBackend(std::unique_ptr<Backend> inner, const Program &program, const Switches &switches)
      : ForwardingBackend(std::move(inner)), program(program), patterns(switches.text(Switch::NanCheck)),
        overflow(switches.flag(Switch::NanNearOverflow)) {
    std::replace(patterns.begin(), patterns.end(), '+', ',');
    const artifact::Manifest &info = program.manifest();
    // What the record says of a kernel's shares need not hold of one that was edited by hand.
    edited = program.isEdited();
    for (const artifact::KernelRecord &kernel : info.kernels)
      mayDiscard.push_back(!this->inner->deviceMemory() && findsDiscardedNans(kernel));
    discardLooks.resize(mayDiscard.size());
    for (const artifact::KernelRecord &kernel : info.kernels)
      slicesOf.push_back(edited || overflow ? 1 : slicesFor(kernel, this->inner->parallelism()));
  }

  Status reserve(size_t launches) override {
    if (inner->parallelism() > 1) {
      MICA_ASSIGN_OR_RETURN(scanKernel, inner->load({&scanRecord, scanShare}));
      scans = std::make_unique<Scan[]>(kScans);
    }
    return inner->reserve(launches + kScans);
  }

  void launch(Launch &launch) override {
    Looked &looked = launches.of(launch);
    looked.start(complete);
    looked.backend = this;
    looked.failure.leavesNothingHalfDone = false;
    if (inner->deviceMemory()) {
      launchAndWait(looked.inner);
      if (ran(looked.inner))
        look(looked);
      return looked.finish();
    }
    looked.ownSlices = slicesOf[size_t(launch.record - program.manifest().kernels.data())];
    looked.slices = std::max(looked.slices, looked.ownSlices);
    looked.sliceFound.store(false, std::memory_order_relaxed);
    inner->launch(looked.inner);
  }

private:
  /// A launch whose results are examined.
  struct Looked final : WrappedLaunch {
    void sliceDone(int64_t slice, int64_t count) override {
      if (ownSlices > 1)
        lookAtSlice(*this, slice, count);
      WrappedLaunch::sliceDone(slice, count);
    }
    NanBackend *backend = nullptr;
    int32_t ownSlices = 1; ///< that nan-check asks for
    std::atomic<bool> sliceFound{false};
    LaunchFailure failure;
  };

  /// A buffer of a launch, with its shape.
  struct View {
    size_t binding;
    const artifact::BindingRecord *record;
    const void *data;
    std::vector<int64_t> shape;
    int64_t count = 1;
    const void *before = nullptr; ///< what the launch read; null: nothing, or it is overwritten
  };

  static bool ran(const Launch &launch) {
    return launch.status.load(std::memory_order_relaxed) == 0 && !launch.cancelled->load(std::memory_order_relaxed);
  }

  static void complete(Launch &launch) {
    auto &looked = static_cast<Looked &>(WrappedLaunch::of(launch));
    NanBackend &self = *looked.backend;
    if (ran(launch)) {
      if (looked.sliced && looked.ownSlices > 1 && !looked.sliceFound.load(std::memory_order_relaxed))
        self.forgetWritten(launch);
      else if (!self.isKnownFinite(launch) && self.startScan(looked))
        return;
      else
        self.look(looked);
    }
    self.finish(looked);
  }

  /// Last.
  void finish(Looked &looked) {
    const auto kernel = size_t(looked.inner.record - program.manifest().kernels.data());
    if (mayDiscard[kernel] && ran(looked.inner))
      lookForDiscarded(looked.inner, kernel);
    looked.finish();
  }

  //===---------------------------------------------------------------------------------------------------------===//
  // NaN that is not in the results
  //===---------------------------------------------------------------------------------------------------------===//

  /// Runs the kernel again, slowly: at the first launch, and as long as that takes no more than 2 % of the time.
  void lookForDiscarded(const Launch &launch, size_t kernel) {
    const int64_t begin = steadyNs();
    {
      std::lock_guard<std::mutex> lock(mutex);
      const bool isFirst = discardLooks[kernel]++ == 0;
      if ((!isFirst && double(discardNs) > 0.02 * double(begin - startNs)) || !wanted(launch))
        return;
    }
    const std::optional<NanOrigin> found = findDiscardedNan(program, launch);
    std::lock_guard<std::mutex> lock(mutex);
    discardNs += steadyNs() - begin;
    if (!found || !discarded.insert({launch.site, found->text.substr(0, found->text.find(" gives "))}).second)
      return;
    MICA_LOG(Runtime, Warning).kernel(launch.record->name)
        << "NaN: " << found->text << "; the kernel discards it, its results hold none; in "
        << program.describeLaunch(launch.record->name, launch.site);
  }

  //===---------------------------------------------------------------------------------------------------------===//
  // Memory of a device
  //===---------------------------------------------------------------------------------------------------------===//

  /// False where the device's memory cannot be read: then the launch failed, with the reason.
  bool bring(Looked &looked, size_t binding, DType type, int64_t count) {
    DeviceMemory *const memory = inner->deviceMemory();
    if (!memory || count == 0)
      return true;
    const Status brought = memory->toHost(looked.inner.buffers[binding], count * dtypeBytes(type));
    if (!brought)
      fail(looked, "nan-check cannot read the results: " + brought.error().message);
    return brought.isOk();
  }

  //===---------------------------------------------------------------------------------------------------------===//
  // Large results, and those of several threads, are examined slice by slice, as the kernel makes them
  //===---------------------------------------------------------------------------------------------------------===//

  /// A slice is still in the CPU's second cache when it is examined.
  static constexpr int64_t kSliceBytes = 128 << 10;

  /// How many slices the launches of `kernel` on `threads` are worth; 1 where it is not known which part of a buffer a
  /// share writes. Also of a small result each thread looks at its own share: else the others would wait for the one
  /// that looks.
  static int32_t slicesFor(const artifact::KernelRecord &kernel, int threads) {
    int64_t bytes = 0, units = INT64_MAX;
    for (const artifact::BindingRecord &binding : kernel.bindings) {
      if (binding.access == artifact::Access::Read || !isFloat(binding.type.dtype))
        continue;
      if (binding.shareElements == 0)
        return 1;
      int64_t count = 1;
      for (int64_t size : binding.type.shape)
        count = size < 0 || count < 0 ? -1 : count * size;
      if (count < 0)
        return 1;
      bytes += count * dtypeBytes(binding.type.dtype);
      units = std::min(units, unitsOf(binding, count));
    }
    const int64_t wanted = bytes >= 2 * kSliceBytes ? bytes / kSliceBytes : 1,
                  least = kernel.grid == 1 ? 1 : std::min<int64_t>(threads, units);
    return int32_t(std::clamp<int64_t>(std::max(wanted, least), 1, std::clamp<int64_t>(units, 1, 1 << 20)));
  }

  static int64_t unitsOf(const artifact::BindingRecord &binding, int64_t count) {
    return (count + binding.shareElements - 1) / binding.shareElements;
  }

  static void lookAtSlice(Looked &looked, int64_t slice, int64_t slices) {
    const Launch &launch = looked.inner;
    forWritten(launch, [&](size_t i, DType type, int64_t count) {
      const artifact::BindingRecord &binding = launch.record->bindings[i];
      // As the kernel divides its units.
      const int64_t units = unitsOf(binding, count);
      const int64_t begin = units * slice / slices * binding.shareElements,
                    end = std::min(count, units * (slice + 1) / slices * binding.shareElements);
      if (hasNonFinite(type, launch.buffers[i], begin, end))
        looked.sliceFound.store(true, std::memory_order_relaxed);
    });
  }

  //===---------------------------------------------------------------------------------------------------------===//
  // Others, where they are large, by all threads when the kernel is complete
  //===---------------------------------------------------------------------------------------------------------===//

  /// A launch of our own that asks whether the results of another have something to find.
  struct Scan {
    Launch launch;
    NanBackend *self = nullptr;
    Looked *looked = nullptr;
    void *buffers[1] = {this}; ///< how shares find it
    std::atomic<bool> found{false};
    std::atomic<bool> busy{false};
  };
  static constexpr size_t kScans = 4;
  /// Below it waking a thread takes longer than looking.
  static constexpr int64_t kScanBytes = 1 << 20;

  /// Calls `body` with type, address and number of elements of each float buffer that `launch` wrote.
  template <typename Body> static void forWritten(const Launch &launch, Body body) {
    const int64_t *dynamic = launch.scalars;
    for (size_t i = 0; i < launch.record->bindings.size(); ++i) {
      const artifact::BindingRecord &binding = launch.record->bindings[i];
      int64_t count = 1;
      for (int64_t size : binding.type.shape)
        count *= size < 0 ? *dynamic++ : size;
      if (binding.access != artifact::Access::Read && isFloat(binding.type.dtype))
        body(i, binding.type.dtype, count);
    }
  }

  /// False where `looked` is to be looked at here and now.
  bool startScan(Looked &looked) {
    const Launch &launch = looked.inner;
    if (!scans || overflow)
      return false;
    int64_t bytes = 0;
    forWritten(launch, [&](size_t, DType type, int64_t count) { bytes += count * dtypeBytes(type); });
    if (bytes < kScanBytes)
      return false;
    for (size_t i = 0; i < kScans; ++i) {
      Scan &scan = scans[i];
      if (scan.busy.exchange(true, std::memory_order_acquire))
        continue;
      scan.self = this;
      scan.looked = &looked;
      scan.found.store(false, std::memory_order_relaxed);
      scan.launch.kernel = scanKernel;
      scan.launch.record = &scanRecord;
      scan.launch.buffers = scan.buffers;
      scan.launch.grid = -1;
      scan.launch.cancelled = &never;
      scan.launch.done = scanned;
      scan.launch.owner = &scan;
      inner->launch(scan.launch);
      return true;
    }
    return false;
  }

  static int32_t scanShare(const mica_kernel_args_v1 *args) {
    auto &scan = *static_cast<Scan *>(args->buffers[0]);
    const Launch &launch = scan.looked->inner;
    forWritten(launch, [&](size_t binding, DType type, int64_t count) {
      const int64_t begin = count * args->part / args->parts, end = count * (args->part + 1) / args->parts;
      if (hasNonFinite(type, launch.buffers[binding], begin, end))
        scan.found.store(true, std::memory_order_relaxed);
    });
    return 0;
  }

  static void scanned(Launch &own) {
    auto &scan = *static_cast<Scan *>(own.owner);
    Looked &looked = *scan.looked;
    NanBackend *self = scan.self;
    looked.inner.nextPlace = own.nextPlace;
    const bool found = scan.found.load(std::memory_order_relaxed);
    scan.busy.store(false, std::memory_order_release);
    if (found)
      self->look(looked);
    else
      self->forgetWritten(looked.inner);
    self->finish(looked);
  }

  /// All is finite in what `launch` wrote.
  void forgetWritten(const Launch &launch) {
    if (someBad.load(std::memory_order_relaxed))
      forWritten(launch, [&](size_t binding, DType, int64_t) { forgetBuffer(launch.buffers[binding]); });
  }

  /// Whether the kernel itself says so.
  bool isKnownFinite(const Launch &launch) const {
    return !overflow && !edited && NanRecords(program, launch).saysFinite();
  }

  /// No text is made and nothing allocated as long as all is finite.
  void look(Looked &looked) {
    if (isKnownFinite(looked.inner))
      return forgetWritten(looked.inner);
    lookAtWritten(looked);
    NanRecords(program, looked.inner).clear();
  }

  void lookAtWritten(Looked &looked) {
    const Launch &launch = looked.inner;
    forWritten(launch, [&](size_t i, DType type, int64_t count) {
      if (!bring(looked, i, type, count))
        return;
      const NonFinite found = findNonFinite(type, launch.buffers[i], count, /*negativeCounts=*/true, overflow);
      if (found.nearOverflow > 0)
        tellNearOverflow(launch, i, found.nearOverflow, count);
      if (found.any())
        judge(looked, i, found);
      else if (someBad.load(std::memory_order_relaxed))
        forgetBuffer(launch.buffers[i]);
    });
  }

  static std::vector<View> viewsOf(const Launch &launch) {
    std::vector<View> views;
    const int64_t *dynamic = launch.scalars;
    for (size_t i = 0; i < launch.record->bindings.size(); ++i) {
      View view{i, &launch.record->bindings[i], launch.buffers[i], launch.record->bindings[i].type.shape};
      for (int64_t &size : view.shape) {
        size = size < 0 ? *dynamic++ : size;
        view.count *= size;
      }
      if (view.record->access == artifact::Access::Read)
        view.before = view.data;
      else if (view.record->access == artifact::Access::ReadWrite && launch.operands)
        view.before = launch.operands[i];
      views.push_back(std::move(view));
    }
    return views;
  }

  bool wanted(const Launch &launch) const {
    const artifact::Manifest &info = program.manifest();
    const bool known = launch.site >= 0 && size_t(launch.site) < info.sites.size();
    const std::vector<std::string> &ids = known ? info.sites[size_t(launch.site)].opIds : launch.record->opIds;
    auto matches = [&](const std::string &text) { return matchesNames(patterns, text); };
    return matches(launch.record->name) || matches(launch.record->rootKind) ||
           std::any_of(launch.record->opKinds.begin(), launch.record->opKinds.end(), matches) ||
           std::any_of(ids.begin(), ids.end(), matches);
  }

  /// What is not finite in binding `output`: an alarm, or not.
  void judge(Looked &looked, size_t output, const NonFinite &found) {
    const Launch &launch = looked.inner;
    const std::vector<View> views = viewsOf(launch);
    for (const View &view : views)
      if (view.record->access == artifact::Access::Read &&
          !bring(looked, view.binding, view.record->type.dtype, view.count))
        return;
    NonFinite before;
    const View *source = nullptr;
    for (const View &view : views) {
      if (!view.before || !isFloat(view.record->type.dtype))
        continue;
      const NonFinite there = findNonFinite(view.record->type.dtype, view.before, view.count, true, false);
      if (there.any() && (!source || (there.nan && !before.nan)))
        source = &view;
      before.nan += there.nan;
      before.positive += there.positive;
      before.negative += there.negative;
    }
    // NaN comes of NaN and of infinities; infinities come of infinities.
    const bool infinities = before.positive || before.negative;
    const bool newNan = found.nan && !before.nan;
    const bool newInfinity =
        (found.positive && !infinities) || (found.negative && !infinities && !launch.record->masks);
    const bool originatesHere = newNan || newInfinity;
    const bool bad = originatesHere || found.nan || (found.positive && cameFrom(source));
    const std::string here = program.describeLaunch(launch.record->name, launch.site);
    std::string origin = source ? originOf(*source) : "";
    if (source && origin.empty() && program.isConstant(launch.site, source->binding))
      origin = "which the program defines";
    remember(launch.buffers[output], originatesHere ? "which originates in " + here : originText(origin));
    if (!bad || !wanted(launch))
      return;
    std::optional<NanOrigin> op = originatesHere ? originIn(launch, views[output], found.nan > 0) : std::nullopt;
    std::string text = message(launch, views, output, found, originatesHere, newNan && infinities, source, origin, op);
    looked.failure.fault = op ? std::optional(op->fault) : std::nullopt;
    fail(looked, text + storedText(launch, views[output], found.nan > 0));
    looked.failure.leavesNothingHalfDone = true;
  }

  std::string message(const Launch &launch, const std::vector<View> &views, size_t output, const NonFinite &found,
                      bool originatesHere, bool ofInfinity, const View *source, const std::string &origin,
                      const std::optional<NanOrigin> &op) const {
    const View &out = views[output];
    const std::vector<int64_t> shape = program.sourceShape(*launch.record, launch.site, output);
    const bool negativeCounts = !launch.record->masks;
    const int64_t first = findNonFinite(out.record->type.dtype, out.data, out.count, negativeCounts, false).first;
    const int64_t at = first >= 0 ? first : found.first;
    std::string text =
        "NaN/Inf: " + (op ? op->text + "; the kernel" : program.describeOps(launch.record->name, launch.site, {0})) +
        " gives " + std::to_string(found.nan) + " NaN and " + std::to_string(found.positive + found.negative) +
        " Inf in the " + std::to_string(out.count) + " elements of " + nameOf(launch, output) + " (" +
        shapedTypeString(withUnitDims(out.shape, shape, {1}), out.record->type.dtype) + "), first " +
        numberText(elementOf(out.record->type.dtype, out.data, at)) + " at " + placeText(out, at, shape);
    std::string operands;
    for (const View &view : views)
      if (view.before)
        operands += (operands.empty() ? "; operands there: " : ", ") + nameOf(launch, view.binding) + ": " +
                    operandText(out, view, at, program.sourceShape(*launch.record, launch.site, view.binding));
    text += operands;
    if (originatesHere && ofInfinity)
      return text + "; originates here, from an infinity in " + nameOf(launch, source->binding) + ", " +
             originText(origin);
    if (originatesHere)
      return text + "; originates here";
    return text + "; propagated from " + nameOf(launch, source->binding) + ", " + originText(origin);
  }

  std::string nameOf(const Launch &launch, size_t binding) const {
    return program.tensorName(*launch.record, launch.site, binding);
  }

  /// The operation of the kernel that the first NaN, or infinity, of `out` comes from.
  std::optional<NanOrigin> originIn(const Launch &launch, const View &out, bool nan) const {
    if (edited)
      return std::nullopt;
    const DType type = out.record->type.dtype;
    int64_t at = 0;
    auto isWanted = [&](double value) { return nan ? std::isnan(value) : std::isinf(value); };
    while (at < out.count && !isWanted(elementOf(type, out.data, at)))
      ++at;
    if (at == out.count)
      return std::nullopt;
    size_t result = 0;
    for (size_t i = 0; i < out.binding; ++i)
      result += launch.record->bindings[i].access != artifact::Access::Read;
    return findNanOrigin(program, launch, result, placeOf(out, at), nan);
  }

  static std::vector<int64_t> placeOf(const View &view, int64_t element) {
    std::vector<int64_t> place(view.shape.size());
    for (size_t d = place.size(); d-- > 0; element /= std::max<int64_t>(view.shape[d], 1))
      place[d] = view.shape[d] > 0 ? element % view.shape[d] : 0;
    return place;
  }

  /// Who stored it, as the kernel noted: of what is still there. A note of what was written over says nothing.
  std::string storedText(const Launch &launch, const View &out, bool nan) const {
    for (const NanRecords::Storer &storer :
         NanRecords(program, launch).storersOf(int64_t(out.binding), out.shape, nan)) {
      if (storer.element < 0)
        return "; " + storer.text;
      const double value = elementOf(out.record->type.dtype, out.data, storer.element);
      if (nan ? std::isnan(value) : std::isinf(value))
        return "; " + storer.text;
    }
    return "";
  }

  /// "[1, 2]"; `source`: the sizes in the source, as of withUnitDims().
  static std::string placeText(const View &view, int64_t element, const std::vector<int64_t> &source) {
    std::string text;
    for (int64_t index : withUnitDims(placeOf(view, element), source, {0}))
      text += (text.empty() ? "" : ", ") + std::to_string(index);
    return "[" + text + "]";
  }

  /// The value at the place that stands for `element` of `out`: the same place, or as it is broadcast.
  static std::string operandText(const View &out, const View &view, int64_t element,
                                 const std::vector<int64_t> &source) {
    const size_t rank = out.shape.size(), own = view.shape.size();
    bool fits = own <= rank && view.count > 0;
    int64_t index = 0, stride = 1;
    for (size_t d = 0; fits && d < own; ++d) {
      const size_t mine = own - 1 - d;
      const int64_t size = view.shape[mine], extent = out.shape[rank - 1 - d];
      const int64_t place = element % std::max<int64_t>(extent, 1);
      element /= std::max<int64_t>(extent, 1);
      fits = size == extent || size == 1;
      index += size == 1 ? 0 : place * stride;
      stride *= size;
    }
    if (!fits)
      return "is " + shapedTypeString(withUnitDims(view.shape, source, {1}), view.record->type.dtype) + ", " +
             firstBad(view, source);
    return numberText(elementOf(view.record->type.dtype, view.before, index));
  }

  static std::string firstBad(const View &view, const std::vector<int64_t> &source) {
    const NonFinite there = findNonFinite(view.record->type.dtype, view.before, view.count, true, false);
    return there.first < 0 ? "all finite"
                           : "has " + numberText(elementOf(view.record->type.dtype, view.before, there.first)) +
                                 " at " + placeText(view, there.first, source);
  }

  static void fail(Looked &looked, std::string text) {
    looked.failure.message = std::move(text);
    looked.inner.failure = &looked.failure;
    looked.inner.status.store(MICA_STATUS_CHECK_FAILED, std::memory_order_relaxed);
  }

  void tellNearOverflow(const Launch &launch, size_t binding, int64_t number, int64_t count) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (!told.insert({&launch, binding}).second)
        return;
    }
    char share[16];
    std::snprintf(share, sizeof share, "%.2g", 100.0 * double(number) / double(count));
    MICA_LOG(Runtime, Warning).kernel(launch.record->name)
        << "near overflow: " << share << " % of the " << count << " elements of " << nameOf(launch, binding)
        << " are beyond 1/16 of the largest " << dtypeName(launch.record->bindings[binding].type.dtype) << "; "
        << program.describeOps(launch.record->name, launch.site, {0});
  }

  //===---------------------------------------------------------------------------------------------------------===//
  // The origins of NaN and infinities, by buffer
  //===---------------------------------------------------------------------------------------------------------===//

  void remember(const void *buffer, const std::string &origin) {
    std::lock_guard<std::mutex> lock(mutex);
    someBad.store(true, std::memory_order_relaxed);
    origins[buffer] = origin;
  }
  void forgetBuffer(const void *buffer) {
    std::lock_guard<std::mutex> lock(mutex);
    origins.erase(buffer);
  }
  std::string originOf(const View &view) {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = origins.find(view.data);
    return it == origins.end() ? "" : it->second;
  }
  /// Whether what is in it was made by a launch.
  bool cameFrom(const View *view) {
    const std::string origin = view ? originOf(*view) : "";
    return !origin.empty() && origin != kOutside;
  }

  const Program &program;
  const artifact::KernelRecord scanRecord{}; ///< of no kernel of the program
  KernelHandle scanKernel = nullptr;
  std::unique_ptr<Scan[]> scans; ///< null with one thread
  const std::atomic<bool> never{false};
  std::string patterns; ///< separated by commas
  const bool overflow;
  bool edited = false;           ///< some file of the artifact, by hand
  std::vector<int32_t> slicesOf; ///< per kernel of the manifest
  std::mutex mutex;
  WrappedLaunches<Looked> launches;
  std::map<const void *, std::string> origins;
  std::set<std::pair<const Launch *, size_t>> told;
  std::atomic<bool> someBad{false};
  std::vector<bool> mayDiscard;      ///< per kernel: its fault replay finds NaN that it discards
  std::vector<int64_t> discardLooks; ///< per kernel, as the next under `mutex`
  const int64_t startNs = steadyNs();
  int64_t discardNs = 0;                               ///< that replays took
  std::set<std::pair<int64_t, std::string>> discarded; ///< site and operation that were told
};

} // namespace

std::unique_ptr<Backend> nanBackend(std::unique_ptr<Backend> inner, const Program &program, const Switches &switches) {
  return std::make_unique<NanBackend>(std::move(inner), program, switches);
}

} // namespace mica::runtime
