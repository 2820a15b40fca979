//===- main.cpp - what programs reach on a GPU, beside what it gives ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
//   mica-bench-gpu PACK --json=FILE [--repeats=N] [--driver=LIB] [--cublas=LIB] [--beside=FILE]
//
// PACK/benchmarks.json says what there is (tools/scripts/gpu_pack.py writes it): programs and what their times are
// compared with. Prints a table and the first targets, reached or not, and writes both as JSON. FILE of --beside:
// {"name": milliseconds} of the same by another library. Exit code 1 where something cannot be run; a target that is
// missed is no error.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "test/Bench/Gpu/Launches.h"
#include "test/Bench/Gpu/Products.h"
#include "test/Bench/Gpu/Programs.h"

#include "lib/Support/Json.h"
#include "mica/Runtime/Cuda.h"
#include "mica/Support/Files.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace mica::bench {
namespace {

struct Options {
  std::filesystem::path pack;
  std::string json, driver = "libcuda.so.1", cublas, beside;
  int repeats = 20;
};

/// A line of the table.
struct Row {
  std::string name, kind, other; ///< other: the library that is compared with, "" for none
  double ms = 0, otherMs = 0;
  double rate = 0;        ///< operations or bytes per second
  double share = 0;       ///< of the other library's speed, or of the copies' rate; 0 where there is none
  std::string error = {}; ///< why it was not timed; "" where it was
};

/// What was wanted of a number; not measured where it is 0.
struct Target {
  std::string what;
  double wanted, measured;
  bool isMost; ///< else at least
  std::string outcome() const {
    return measured == 0                                        ? "not measured"
           : (isMost ? measured <= wanted : measured >= wanted) ? "reached"
                                                                : "not reached";
  }
};

class Bench {
public:
  explicit Bench(Options given)
      : options(std::move(given)), device(options.driver), list(readJson(options.pack / "benchmarks.json")),
        beside(options.beside.empty() ? Json::object() : readJson(options.beside)) {
    cublas = Cublas::open(device, options.cublas, noCublas);
  }

  /// Whether all could be run.
  bool run() {
    name = take(runtime::describeCudaDevices(options.driver)).front();
    std::printf("%s\n%s\n\n", name.c_str(),
                cublas ? cublas->version().c_str() : (noCublas + ", no comparison").c_str());
    copies = measureCopies(device, options.repeats);
    std::printf("copies within the device: %.0f GB/s\n\n%-32s %10s  %-16s %s\n", copies.bytesPerSecond * 1e-9,
                "program", "ms", "rate", "beside");
    bool all = true;
    for (const Json &each : list["programs"]) {
      Result<Row> row = each["kind"] == "matmul" ? runProduct(each) : runOther(each);
      rows.push_back(row ? *row : Row{each["name"], each["kind"], "", 0, 0, 0, 0, row.error().message});
      all = all && row;
      print(rows.back());
    }
    if (list.contains("launches"))
      costs =
          measureLaunches(device, options.pack / std::string(list["launches"]), options.driver, 10 * options.repeats);
    std::printf("\nlaunch: %.2f us, by the driver alone %.2f us, %+.2f us; as a graph %.2f us, by the driver alone "
                "%.2f us, %+.2f us\n\n",
                costs.ours, costs.raw, costs.over, costs.oursGraph, costs.rawGraph, costs.overGraph);
    for (const Target &target : targets())
      std::printf("%-70s %-12s (%.3g)\n", target.what.c_str(), target.outcome().c_str(), target.measured);
    check(writeFile(options.json, printJson(toJson())));
    return all;
  }

private:
  static Json readJson(const std::filesystem::path &file) {
    JsonDocument document = take(parseJson(take(readFile(file)), file.string()));
    return std::move(document.root());
  }

  Result<std::unique_ptr<TimedProgram>> load(const Json &each) {
    return TimedProgram::load(options.pack / std::string(each["folder"]), options.driver);
  }

  /// In turns with the library's, so that both see the same clocks.
  Result<Row> runProduct(const Json &each) {
    const Product product{each["type"], each["m"], each["n"], each["k"]};
    MICA_ASSIGN_OR_RETURN(const auto program, load(each));
    const size_t element = product.type == "bf16" || product.type == "f16" ? 2 : 4;
    auto bytes = [&](int rows, int columns) { return size_t(rows) * size_t(columns) * element; };
    bool compares = cublas != nullptr;
    const DeviceBlock a(device, compares ? bytes(product.m, product.k) : 0),
        b(device, compares ? bytes(product.k, product.n) : 0), c(device, compares ? bytes(product.m, product.n) : 0);
    // The same numbers: of zeros a product takes less power, and less time.
    if (compares) {
      device.upload(a.address, program->input(0).buffer.data(), bytes(product.m, product.k));
      device.upload(b.address, program->input(1).buffer.data(), bytes(product.k, product.n));
    }
    auto multiply = [&] { compares = cublas->multiply(product, a.address, b.address, c.address) && compares; };
    // Its first product finds the caches as ours does, whose inputs were just uploaded; and both are queued when the
    // timed one begins.
    const Delay delay(device);
    auto ahead = [&] {
      delay.queue();
      multiply();
    };
    std::vector<double> ours, others;
    for (int i = -3; i < options.repeats; ++i) {
      MICA_ASSIGN_OR_RETURN(const double own, program->time());
      const double other = compares ? device.time(multiply, ahead) : 0;
      if (i < 0)
        continue;
      ours.push_back(own);
      others.push_back(other);
    }
    Row row{each["name"], "matmul", compares ? cublas->version() : "", median(ours), compares ? median(others) : 0};
    if (row.ms > 0)
      row.rate = 2.0 * product.m * product.n * product.k / (row.ms * 1e-3);
    if (compares && row.ms > 0)
      row.share = row.otherMs / row.ms;
    return row;
  }

  Result<Row> runOther(const Json &each) {
    MICA_ASSIGN_OR_RETURN(const auto program, load(each));
    std::vector<double> times;
    for (int i = -3; i < options.repeats; ++i) {
      MICA_ASSIGN_OR_RETURN(const double ms, program->time());
      if (i >= 0)
        times.push_back(ms);
    }
    Row row{each["name"], each["kind"], "", median(times)};
    if (row.ms > 0)
      row.rate = double(program->bytes()) / (row.ms * 1e-3);
    if (row.kind == "memory" && copies.bytesPerSecond > 0)
      row.share = row.rate / copies.bytesPerSecond;
    if (beside.contains(row.name)) {
      row.other = beside.value("library", "another library");
      row.otherMs = beside[row.name];
    }
    return row;
  }

  static void print(const Row &row) {
    if (!row.error.empty()) {
      std::printf("%-32s failed: %s\n", row.name.c_str(), row.error.c_str());
      return;
    }
    char rate[32], other[64] = "";
    std::snprintf(rate, sizeof rate, row.kind == "matmul" ? "%.1f TFLOP/s" : "%.0f GB/s",
                  row.rate * (row.kind == "matmul" ? 1e-12 : 1e-9));
    if (row.otherMs > 0)
      std::snprintf(other, sizeof other, "%s: %.4f ms", row.other.c_str(), row.otherMs);
    std::printf("%-32s %10.4f  %-16s %s", row.name.c_str(), row.ms, rate, other);
    if (row.share > 0)
      std::printf("%s%.0f %% of %s", *other ? ", " : "", 100 * row.share,
                  row.kind == "matmul" ? "its speed" : "the copies' rate");
    std::printf("\n");
    std::fflush(stdout);
  }

  std::vector<Target> targets() const {
    double least = 0, large = 0;
    for (const Row &row : rows) {
      if (row.kind == "memory" && row.share > 0)
        least = least == 0 ? row.share : std::min(least, row.share);
      if (row.name == "matmul_bf16_8192")
        large = row.share;
    }
    // What cannot be told from nothing is not taken for a measurement.
    return {{"kernels bound by memory, the slowest: 80 % of the copies' rate", 0.8, least, false},
            {"matmul bf16 8192: 60 % of cuBLAS", 0.6, large, false},
            {"a launch above the driver's own call: at most 1 us", 1.0, costs.ours > 0 ? costs.over : 0, true}};
  }

  Json toJson() const {
    Json result{{"device", name},
                {"cublas", cublas ? cublas->version() : noCublas},
                {"repeats", options.repeats},
                {"copy", {{"bytes", copies.bytes}, {"bytes_per_second", copies.bytesPerSecond}}},
                {"launch_us",
                 {{"raw", costs.raw},
                  {"ours", costs.ours},
                  {"over", costs.over},
                  {"raw_graph", costs.rawGraph},
                  {"ours_graph", costs.oursGraph},
                  {"over_graph", costs.overGraph}}}};
    for (const Row &row : rows)
      result["programs"].push_back({{"name", row.name},
                                    {"kind", row.kind},
                                    {"ms", row.ms},
                                    {row.kind == "matmul" ? "flops_per_second" : "bytes_per_second", row.rate},
                                    {"beside", row.other},
                                    {"beside_ms", row.otherMs},
                                    {"share", row.share},
                                    {"error", row.error}});
    for (const Target &target : targets())
      result["targets"].push_back({{"what", target.what},
                                   {"wanted", target.wanted},
                                   {"measured", target.measured},
                                   {"outcome", target.outcome()}});
    return result;
  }

  const Options options;
  Device device;
  const Json list, beside;
  std::unique_ptr<Cublas> cublas;
  std::string noCublas, name;
  CopyRate copies;
  LaunchCosts costs;
  std::vector<Row> rows;
};

int run(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    auto value = [&](std::string_view flag, std::string &to) {
      if (!word.starts_with(flag))
        return false;
      to = word.substr(flag.size());
      return true;
    };
    std::string number;
    if (value("--json=", options.json) || value("--driver=", options.driver) || value("--cublas=", options.cublas) ||
        value("--beside=", options.beside))
      continue;
    if (value("--repeats=", number))
      options.repeats = std::max(1, std::atoi(number.c_str()));
    else
      options.pack = word;
  }
  if (options.pack.empty() || options.json.empty()) {
    std::fprintf(
        stderr, "usage: mica-bench-gpu PACK --json=FILE [--repeats=N] [--driver=LIB] [--cublas=LIB] [--beside=FILE]\n");
    return 1;
  }
  return Bench(std::move(options)).run() ? 0 : 1;
}

} // namespace
} // namespace mica::bench

int main(int argc, char **argv) { return mica::bench::run(argc, argv); }
