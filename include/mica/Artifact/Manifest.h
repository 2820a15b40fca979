//===- Manifest.h - manifest.json and host/tasks.json ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The structures of manifest.json and host/tasks.json, their reader and their writer. The compiler fills them, the
// runtime and the report read them; the halves share nothing else. docs/Artifact.md describes the files. A reader
// rejects a newer major schema and ignores unknown keys.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ARTIFACT_MANIFEST_H
#define MICA_ARTIFACT_MANIFEST_H

#include "mica/Support/HostTensor.h"
#include "mica/Support/Status.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mica::artifact {

inline constexpr int kSchemaMajor = 2;
inline constexpr int kSchemaMinor = 0;
inline constexpr std::string_view kManifestFile = "manifest.json";
inline constexpr std::string_view kTasksFile = "host/tasks.json";
inline constexpr std::string_view kConstantsFile = "constants.bin";
/// The program after phase input, and the program as parsed, which the reference evaluator evaluates.
inline constexpr std::string_view kInputFile = "input.mlirbc";
inline constexpr std::string_view kOriginalFile = "input.orig.mlirbc";
inline constexpr std::string_view kProgramFile = "program.so";
/// Measured properties of the machine (mica/Support/Machine.h).
inline constexpr std::string_view kMachineFile = "machine.json";

/// A position in a source file as the input's locations gave it.
struct SourcePosition {
  std::string file;
  int64_t line = 0;
  int64_t column = 0;
};

/// Element type and shape of an argument, result or binding. A dynamic dimension is -1.
/// How a tensor is distributed among the ranks of a grid: in equal parts along its dimensions.
struct ShardingRecord {
  std::vector<int64_t> grid;              ///< sizes of the grid; rank numbers are row-major
  std::vector<std::vector<int64_t>> axes; ///< of each dimension: the axes of the grid that split it, outermost first

  /// The number of parts along dimension `dim`.
  int64_t parts(size_t dim) const;
  /// The number of the part along dimension `dim` that `rank` has.
  int64_t partOf(size_t dim, int64_t rank) const;
};

struct TensorSpec {
  std::string name; ///< the argument's name where the input had one, else empty
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  int64_t updates = -1; ///< of a result: the argument whose new value it is, as the program stored to it; -1: none
  std::optional<SourcePosition> position = {}; ///< of an entry's argument: where it is declared
  /// Of an entry's argument or result: each rank has a part of the tensor. `shape` is that of the whole tensor.
  std::optional<ShardingRecord> sharding = {};
  std::string sourceName = {}; ///< of an entry's argument without a `name`: what the text of the program calls it, "%x"

  /// The shape that the entry's code works on: of the part that a rank has.
  std::vector<int64_t> rankShape() const;
};

/// A required equality of sizes of an entry's arguments: dimension `dimension` of argument `argument` equals that of
/// `other`, or, if `other` is -1, `size`.
struct SizeRelation {
  int64_t argument = 0, dimension = 0;
  int64_t other = -1, otherDimension = -1;
  int64_t size = -1;
  std::string op; ///< id of an operation that needs it; "" where unknown
};

/// A function a user can run. Its host function is the symbol `mica_entry_<name>`.
struct EntryRecord {
  std::string name;
  std::vector<TensorSpec> args;
  std::vector<TensorSpec> results;
  std::vector<SizeRelation> relatedSizes = {};
};

enum class Access { Read, Write, ReadWrite };

/// One buffer argument of a kernel.
struct BindingRecord {
  TensorSpec type;
  Access access = Access::Read;
  /// Not 0: the work of the kernel consists of units, of which unit k writes at most the elements [k * shareElements,
  /// (k + 1) * shareElements) of this buffer; the number of units follows from its size.
  int64_t shareElements = 0;
  int64_t op =
      -1; ///< of a written buffer: position in the kernel's opIds of the operation whose result it is; -1: unknown
};

/// Kinds of sites that are not checks: a store of a NaN, a store of an infinity, and an iteration of a loop.
inline constexpr std::string_view kNanSite = "nan", kInfinitySite = "infinity", kLoopSite = "loop";
/// Prefixes of the names of a kernel's replays: for the origin of a NaN, and for a failed check.
inline constexpr std::string_view kReplayPrefix = "replay.", kFaultReplayPrefix = "fault.", kDumpReplayPrefix = "dump.";

/// One check that a kernel makes while it runs: a site of its log (include/mica/ABI/Checks.h).
struct CheckRecord {
  std::string kind;     ///< "load", "store", "slice", "use", "nan", "infinity", "loop"; "" if `message` is all there is
  std::string message;  ///< of other checks: "integer division by zero"
  int64_t binding = -1; ///< the buffer that is accessed, -1: a temporary of the kernel
  std::vector<int64_t> ops; ///< positions in the kernel's opIds: the ops that the code implements
  int64_t part = -1;        ///< position in the `body` of the first of `ops`; -1: the operation as a whole
  int64_t temporary = -1; ///< of a temporary: position in the kernel's opIds of the op whose buffer it is; -1: unknown

  bool isLoop() const { return kind == kLoopSite; }
  /// Whether it is a finding of another kind, which never fails a kernel.
  bool isFinding() const { return kind == kNanSite || kind == kInfinitySite || isLoop(); }
};

/// Of a kernel that checks for uses of uninitialized memory.
struct KernelShadows {
  /// A buffer inside the kernel.
  struct Allocation {
    TensorSpec type;
    std::vector<int64_t> ops;     ///< positions in the kernel's opIds: the ops that the code implements
    std::vector<int64_t> writers; ///< and who stores to it
  };
  std::vector<int64_t> fills;          ///< bindings that it writes completely before it reads them
  std::vector<Allocation> allocations; ///< those that may be read before they are written
};

/// The checks of a kernel that was compiled with some.
struct KernelChecks {
  int64_t proved = 0;       ///< checks that were proved and eliminated
  int64_t notCheckable = 0; ///< accesses in a form that cannot be checked
  std::vector<CheckRecord> sites;
  std::optional<KernelShadows> shadows = {}; ///< nothing: no checks for uses of uninitialized memory
  /// Of a device kernel that detects NaN and infinities: whether at "all" or "some" of the stores to its results.
  std::string finite = {};
};

/// One function of a kernel's code for a GPU, with what the assembler reported (-1: it did not run).
struct DeviceEntry {
  std::string name; ///< `.entry` of the file
  int64_t registers = -1;
  int64_t spillBytes = -1;  ///< stored to memory for lack of registers, per thread
  int64_t sharedBytes = -1; ///< of static workgroup memory, per block
};

/// A kernel's code for a GPU.
struct KernelDevice {
  std::string file; ///< relative to the artifact
  std::string chip; ///< "sm_80"
  std::vector<DeviceEntry> entries;
};

/// A second version of a kernel that runs after a finding, one operation after the other, and writes no result:
/// - the symbol `mica_kernel_replay.<name>` recomputes single elements of the results, and reports where NaN and
///   infinities originate. Its arguments are the kernel's buffers and scalars, then the number of a result and the
///   indices of one of its elements;
/// - `mica_kernel_fault.<name>` recomputes everything, and reports which check fails at which element. It has the
///   kernel's arguments.
struct KernelReplay {
  int64_t scratchBytes = 0;
  /// `message` is the operation inside the kernel and how many values of a report are its operands: "math.log 1".
  std::vector<CheckRecord> sites;
};

/// A second version of a kernel, `mica_kernel_dump.<name>`, that computes everything from the same inputs, operation by
/// operation, and stores what the kernel keeps inside. Its arguments are the kernel's buffers, then one for each of
/// `tensors`; the sizes of all dynamic dimensions in this order; then the kernel's scalars. It writes no result.
struct DumpReplay {
  /// A size that a launch knows: of dimension `dim` of a buffer; where `binding` is -1, the scalar argument `dim` of
  /// the kernel; where it is -2, `dim` itself.
  struct Size {
    int64_t binding = 0, dim = 0;
  };
  struct Tensor {
    TensorSpec type;
    int64_t op = 0;          ///< position in the kernel's opIds of the operation whose result it is
    std::vector<Size> sizes; ///< of its dynamic dimensions
  };
  int64_t scratchBytes = 0;
  int64_t checks = 0; ///< sites of its log, which nobody reads
  std::vector<Tensor> tensors;
};

/// One compiled kernel (also written alone, as kernels/<name>/launch.json). Its code is the symbol
/// `mica_kernel_<name>`.
/// An exchange of buffers between ranks: op mica_sched.collective, whose documentation says what each kind does. -1 and
/// "": the kind has no such property.
struct CollectiveRecord {
  std::string kind;           ///< "all_reduce"
  std::vector<int64_t> grid;  ///< sizes of the grid of ranks
  std::vector<int64_t> axes;  ///< ranks that differ along these alone are a group
  std::string reduction = {}; ///< "sum"
  int64_t dim = -1, concatDim = -1, peer = -1, shiftAxis = -1, offset = 0;
  bool rotates = false;

  /// The number of ranks of a group.
  int64_t groupSize() const;
};

struct KernelRecord {
  std::string name;                 ///< [a-z0-9_], at most 80 characters
  std::string rootKind;             ///< kind of the root op: matmul, conv2d, elementwise, reduction, softmax, ...
  std::vector<std::string> opIds;   ///< ids of the ops fused into it, root first: position = the site ordinal
  std::vector<std::string> opKinds; ///< kind of each of opIds
  std::vector<BindingRecord> bindings;
  int64_t scalarArgs = 0;                  ///< scalar arguments after the dynamic dimensions
  int64_t grid = 1;                        ///< maximum number of work partitions; 1: serial, -1: known at run time only
  int64_t scratchBytes = 0;                ///< per call
  int64_t flops = -1;                      ///< floating-point operations of one launch, -1 where unknown
  std::string hash;                        ///< of the kernel's IR without names and locations
  std::string strategy;                    ///< how it was mapped, for people ("matmul 8x32 register tile")
  bool masks = false;                      ///< it selects -inf by a condition
  std::optional<KernelChecks> checks = {}; ///< nothing: it was compiled without
  std::optional<KernelDevice> device = {}; ///< nothing: all its code is in program.so
  std::optional<KernelReplay> replay = {}; ///< nothing: it computes no floats, or was edited
  std::optional<KernelReplay> faultReplay = {};    ///< nothing: no check of it can fail
  std::optional<DumpReplay> dumpReplay = {};       ///< nothing: not asked for (dump-exact), or it keeps nothing inside
  std::optional<CollectiveRecord> collective = {}; ///< nothing: it computes; else the runtime performs it
  std::string hostReason = {}; ///< why it is code of the CPU where others are a device's; "" otherwise
};

/// One weight in constants.bin, MICA_BUFFER_ALIGNMENT aligned.
struct ConstantRecord {
  std::string name; ///< "mica_<hash>", the handle snapshots show
  TensorSpec type;
  int64_t offset = 0;
  int64_t bytes = 0;
};

/// An operation inside the region of another one, such as the body of a linalg.generic.
struct BodyOpRecord {
  std::string kind; ///< "math.log"
  std::optional<SourcePosition> position = {};
};

/// One op of the program as it was at the start of phase `tensor`.
struct OpRecord {
  std::string id;   ///< 12 hex digits
  std::string kind; ///< "linalg.matmul", "mica.softmax", ...
  std::string function;
  int64_t ordinal = 0; ///< of that kind in the function as parsed
  std::string fingerprint;
  std::vector<SourcePosition> positions; ///< innermost last
  std::vector<BodyOpRecord> body = {};   ///< in the order of the text
  std::string name = {};                 ///< of its first result in the source: "%q"; "" unknown
  /// The sizes of its first result in the source, -1 where dynamic, if some are 1: kernels leave these dimensions out.
  std::vector<int64_t> shape = {};
  std::vector<std::string> scopes = {}; ///< names around it that a frontend gave, outermost first, where `name` is one
  bool isTagged = false;                ///< mica_check.dump: dumps of level 1 and 3 keep its result
};

/// One dispatch: a place in the program that launches a kernel.
struct SiteRecord {
  std::string kernel;
  std::vector<std::string> opIds; ///< one per site ordinal of the kernel, root first
  /// The source's names of the tensors of the kernel's bindings: "%q"; "" unknown. Empty: none is known.
  std::vector<std::string> tensors = {};
  std::string loop = {}; ///< id of the innermost loop of a host function that contains the dispatch; "" none
};

/// One file of the artifact and its inputs: a node of the build graph.
struct FileRecord {
  std::string path;                ///< relative to the artifact
  std::vector<std::string> inputs; ///< paths of this list
  std::string command;             ///< what makes it, for people ("mica-compile: llc")
  std::string hash; ///< of its contents; "" for a sealed snapshot (mica/Artifact/SnapshotFile.h) and .orig/originals
  /// Hash of the compiler's version, if the file was edited by hand and the program rebuilt from it; "" otherwise.
  std::string original = {};
  /// The text is compressed in `path`.zst, unless it was edited by hand (mica/Artifact/SnapshotFile.h).
  bool packed = false;
  /// The sampledHash() (mica/Artifact/Verify.h) of a large file; "" otherwise.
  std::string sampled = {};
};

struct Manifest {
  int schemaMajor = kSchemaMajor;
  int schemaMinor = kSchemaMinor;
  std::string micaVersion, llvmVersion;
  std::vector<std::string> commandLine; ///< of schema 1; later ones have it in build.json (BuildRecord.h)
  std::string inputFile;                ///< name of the program's file, without its folder; positions name it so
  std::string inputHash;                ///< hashHex() of the text or bytecode that was compiled; "" unknown
  std::string target;                   ///< "cpu"
  std::string triple, cpu;
  std::vector<std::string> cpuFeatures; ///< features the code needs, as /proc/cpuinfo names them (avx2, avx512f, ...)
  std::map<std::string, std::string> options; ///< everything that is part of the cache key
  std::vector<EntryRecord> entries;
  std::vector<KernelRecord> kernels;
  std::vector<ConstantRecord> constants;
  std::vector<OpRecord> ops;
  std::vector<SiteRecord> sites;
  std::vector<FileRecord> files;
};

/// Where a buffer of a task list lives.
enum class BufferKind { Parameter, Constant, Arena, Dynamic };

/// One buffer a task list names.
struct BufferRecord {
  BufferKind kind = BufferKind::Arena;
  int64_t index = 0;  ///< Parameter: position; Constant: position in the manifest's constants
  int64_t offset = 0; ///< Arena: bytes from the start of the list's arena; Parameter, Constant, views: bytes into it
  int64_t bytes = 0;  ///< Arena and static parameters: size; -1 where dynamic
  int64_t sizeScalar = -1; ///< Dynamic: which scalar parameter of the list holds its size in bytes
  TensorSpec type;         ///< the tensor it holds, for dumps
  int64_t viewOf = -1;     ///< Dynamic: earlier buffer of the list of which it is a view; -1: none
  /// Constant: of its parts of `partBytes`, which follow each other, each rank has one. Nothing: ranks share it.
  std::optional<ShardingRecord> part = {};
  int64_t partBytes = 0;

  /// Constant: where in it the bytes of `rank` begin.
  int64_t offsetOf(int64_t rank) const { return offset + (part ? part->partOf(0, rank) * partBytes : 0); }
};

/// One launch of a kernel.
struct TaskRecord {
  std::string kernel;
  std::vector<int64_t> buffers; ///< position in TaskList::buffers per binding of the kernel
  std::vector<int64_t>
      scalars; ///< position in the list's scalar parameters per scalar of the kernel (dynamic dims, then arguments)
  std::vector<int64_t> deps; ///< earlier tasks of the list that must be done before
  int64_t site = -1;         ///< position in the manifest's sites
  std::string device = "cpu:0";
};

/// A straight-line region, executed by the runtime.
struct TaskList {
  std::string name; ///< "<entry>_<n>"
  int64_t parameters = 0;
  int64_t scalars = 0;
  int64_t arenaBytes = 0;
  std::vector<BufferRecord> buffers;
  std::vector<TaskRecord> tasks;
};

/// manifest.json. parse: every missing key, wrong type or inconsistency is an error of code Damaged that names the key;
/// a newer major schema is Unsupported. `file` is used in messages only.
Result<Manifest> parseManifest(std::string_view json, std::string_view file);
std::string printManifest(const Manifest &manifest);

/// host/tasks.json, with the same rules; checks every index against the list and `manifest`.
Result<std::vector<TaskList>> parseTaskLists(std::string_view json, std::string_view file, const Manifest &manifest);
std::string printTaskLists(const std::vector<TaskList> &lists);

/// kernels/<name>/launch.json.
std::string printLaunch(const KernelRecord &kernel);

} // namespace mica::artifact

#endif // MICA_ARTIFACT_MANIFEST_H
