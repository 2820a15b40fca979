//===- Evaluator.h - state and dispatch table of the evaluator --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// `OpTable` maps op names to functions; each Eval*.cpp registers its group. `Evaluator` holds the values of the current
// function and evaluates ops, regions and calls. Internal to dialects/Mica/Reference.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_EVALUATOR_H
#define MICA_DIALECTS_MICA_REFERENCE_EVALUATOR_H

#include "dialects/Mica/Reference/Evaluate.h"
#include "dialects/Mica/Reference/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"

namespace mica::reference {

class Evaluator;
class GPUBlock;
class HostedLLVM;
/// The values of an op's operands. A function may take over a value (std::move) and modify it.
using Operands = llvm::MutableArrayRef<Tensor>;
using Results = llvm::SmallVectorImpl<Tensor>;

/// Op name -> function, in two parts: elementwise ops (`scalars`) and all others.
class OpTable {
public:
  using Fn = std::function<llvm::LogicalResult(mlir::Operation *, Operands, Results &, Evaluator &)>;

  OpTable();

  ScalarTable scalars;

  /// Adds an op with one result.
  template <typename OpT> void add(llvm::FailureOr<Tensor> (*fn)(OpT, Operands, Evaluator &)) {
    ops[OpT::getOperationName()] = [fn](mlir::Operation *op, Operands in, Results &out, Evaluator &evaluator) {
      llvm::FailureOr<Tensor> result = fn(llvm::cast<OpT>(op), in, evaluator);
      if (llvm::failed(result))
        return llvm::failure();
      out.push_back(std::move(*result));
      return llvm::success();
    };
  }
  /// Adds an op with any number of results.
  template <typename OpT> void add(llvm::LogicalResult (*fn)(OpT, Operands, Results &, Evaluator &)) {
    ops[OpT::getOperationName()] = [fn](mlir::Operation *op, Operands in, Results &out, Evaluator &evaluator) {
      return fn(llvm::cast<OpT>(op), in, out, evaluator);
    };
  }
  /// Adds an op by its name.
  void addNamed(llvm::StringRef name, Fn fn) { ops[name] = std::move(fn); }
  /// Adds an op that only ends or labels a region (yield, return): handled when its region is run.
  template <typename OpT> void addTerminator() {
    ops[OpT::getOperationName()] = [](mlir::Operation *, Operands, Results &, Evaluator &) { return llvm::success(); };
  }

  /// The function for `op`, or null. Elementwise ops and structured ops are included.
  const Fn *find(mlir::Operation *op) const;
  /// The function that evaluates an op with buffer operands on the tensors in them.
  const Fn &onValues(mlir::Operation *op) const;

private:
  llvm::StringMap<Fn> ops;
  Fn elementwise, structured, onBuffers, selectsBuffer;
};

// One per Eval*.cpp.
void addArithOps(OpTable &table);
void addAsyncOps(OpTable &table);
void addLLVMOps(OpTable &table);
void addMathOps(OpTable &table);
void addLinalgOps(OpTable &table);
void addWinogradOps(OpTable &table);
void addTensorOps(OpTable &table);
void addControlFlowOps(OpTable &table);
void addTosaElementwiseOps(OpTable &table);
void addTosaOps(OpTable &table);
void addTosaFourierOps(OpTable &table);
void addTosaWindowOps(OpTable &table);
void addMicaElementwiseOps(OpTable &table);
void addMicaOps(OpTable &table);
void addMicaMovementOps(OpTable &table);
void addMicaAttentionOps(OpTable &table);
void addMicaAxisOps(OpTable &table);
void addMicaImageOps(OpTable &table);
void addMicaNormOps(OpTable &table);
void addMicaWindowOps(OpTable &table);
void addIndexOps(OpTable &table);
void addMemRefOps(OpTable &table);
void addBufferizationOps(OpTable &table);
void addAffineOps(OpTable &table);
void addVectorOps(OpTable &table);
void addVectorMemoryOps(OpTable &table);
void addParallelLoopOps(OpTable &table);
void addGPUOps(OpTable &table);
void addFragmentOps(OpTable &table);

/// Any op of `table.scalars` on scalars and tensors; operands of extent 1 (or of lower rank) are broadcast.
llvm::LogicalResult evalElementwise(mlir::Operation *op, Operands in, Results &out, Evaluator &evaluator);
/// The trip counts of `op`'s loops, from the sizes of its operands `in`. All operands that index with a loop directly
/// must agree on its size; otherwise an error at `op`.
llvm::FailureOr<llvm::SmallVector<int64_t>> loopExtents(mlir::linalg::LinalgOp op, Operands in);
/// Any op with the LinalgOp interface, through its region.
llvm::LogicalResult evalStructured(mlir::Operation *op, Operands in, Results &out, Evaluator &evaluator);

/// arith.select of buffers: the result is an alias of one of them.
llvm::LogicalResult evalSelectOfBuffers(mlir::Operation *op, Operands in, Results &out, Evaluator &evaluator);

/// An op with destinations on buffers: as on tensors, and the results are written to the destinations.
llvm::LogicalResult evalOnBuffers(mlir::Operation *op, Operands in, Results &out, Evaluator &evaluator);

/// The position in the memory of `buffer` at `indices`, or an error at `op`.
llvm::FailureOr<int64_t> elementPosition(mlir::Operation *op, const Tensor &buffer, llvm::ArrayRef<Tensor> indices,
                                         const Tensor *stored = nullptr);
/// The element of a buffer of `type` at position `at` of its memory: a number, a vector or a buffer; and storing it.
llvm::FailureOr<Tensor> loadElement(mlir::Operation *op, const Tensor &buffer, int64_t at, mlir::MemRefType type,
                                    Evaluator &evaluator);
void storeElement(const Tensor &value, const Tensor &buffer, int64_t at, mlir::MemRefType type, Evaluator &evaluator);
/// A view of the memory of `source`, or an error at `op` if it is out of bounds.
llvm::FailureOr<Tensor> checkedView(mlir::Operation *op, const Tensor &source, llvm::ArrayRef<int64_t> shape,
                                    int64_t offset, llvm::ArrayRef<int64_t> strides);

/// Loads the elements of `buffer` from `indices` on along its last dimensions, as a vector of `shape`; and stores them.
llvm::FailureOr<Tensor> loadVector(mlir::Operation *op, const Tensor &buffer, llvm::ArrayRef<int64_t> indices,
                                   llvm::ArrayRef<int64_t> shape);
llvm::LogicalResult storeVector(mlir::Operation *op, const Tensor &vector, const Tensor &buffer,
                                llvm::ArrayRef<int64_t> indices);

/// Combines `total` and `value` without rounding floats; and the neutral value.
Cell combine(mlir::arith::AtomicRMWKind kind, ElementType type, Cell total, Cell value);
llvm::FailureOr<Cell> neutralOf(mlir::Operation *op, mlir::arith::AtomicRMWKind kind, ElementType type);

/// `numbers` with each dynamic one replaced by the next of `dynamic`, which is consumed.
llvm::SmallVector<int64_t> fillDynamic(llvm::ArrayRef<int64_t> numbers, llvm::ArrayRef<Tensor> &dynamic);

/// Concatenates the tensors `in` along dimension `dim`.
llvm::FailureOr<Tensor> concatenate(mlir::Operation *op, Operands in, int64_t dim, const Evaluator &evaluator);
/// softmax over dimension `dim`: exp(x - max) / sum of exp(x - max), in f64, rounded to the tensor's type.
void softmaxInPlace(Tensor &tensor, int64_t dim);

/// The state of one evaluation.
class Evaluator {
public:
  Evaluator(const OpTable &table, const EvalOptions &options);
  ~Evaluator();

  /// Runs `function`, a func.func, async.func or gpu.func, in a new frame.
  llvm::LogicalResult runFunction(mlir::FunctionOpInterface function, llvm::SmallVector<Tensor> args, Results &results);
  /// Runs a region in the current frame, following cf branches, and returns the operands of the terminator that leaves
  /// it (and the terminator itself, if requested).
  llvm::LogicalResult runRegion(mlir::Region &region, llvm::SmallVector<Tensor> args, Results &yielded,
                                mlir::Operation **terminator = nullptr);
  /// The value of `value` in the current frame.
  const Tensor &lookup(mlir::Value value) const { return frames.back().values.find(value)->second; }
  /// The same; null where it has none, or none any more.
  const Tensor *find(mlir::Value value) const {
    auto it = frames.back().values.find(value);
    return it == frames.back().values.end() ? nullptr : &it->second;
  }

  /// A tensor of zeros, or an error at `op` if a size is negative or the tensor too large.
  llvm::FailureOr<Tensor> allocate(mlir::Operation *op, ElementType type, llvm::ArrayRef<int64_t> shape) const;
  /// A tensor of zeros for a result of `type`, whose dynamic sizes are `shape`'s.
  llvm::FailureOr<Tensor> allocateLike(mlir::Operation *op, mlir::Type type, llvm::ArrayRef<int64_t> shape) const;

  /// The number of a function as a value, and the function of a number; null: none has it.
  int64_t numberOf(mlir::Operation *function);
  mlir::Operation *functionAt(int64_t number) const;

  /// Buffers in buffers, by number from 1.
  std::vector<Tensor> buffersInBuffers;

  /// The memory and values of llvm ops, created by the first of them.
  HostedLLVM &hostedLLVM();
  bool hasHostedLLVM() const { return llvmState != nullptr; }

private:
  struct Frame {
    llvm::DenseMap<mlir::Value, Tensor> values;
    /// Values whose last use is this op, so that their memory can be freed or reused by it.
    llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value, 2>> lastUses;
  };

public:
  /// The state of each thread of a kernel.
  struct Activity {
    llvm::SmallVector<Frame> frames;
    llvm::SmallVector<llvm::SmallVector<int64_t>> points;
    std::optional<Tensor> mask;
    int suspended = 0;
  };
  /// A new activity that starts from the current frame's values.
  Activity activityHere() const { return {{frames.back()}, points, mask, suspended}; }
  /// Exchanges the current activity with `other`.
  void exchange(Activity &other);
  /// The current block of threads; null outside of kernels.
  GPUBlock *block = nullptr;

  /// The current points of interpreted bodies, for linalg.index (innermost linalg op last).
  llvm::SmallVector<llvm::SmallVector<int64_t>> points;

  /// The mask of vector.mask for the current op.
  std::optional<Tensor> mask;

  /// The memory of memref.global, by symbol.
  llvm::DenseMap<mlir::Operation *, Tensor> globalBuffers;

  /// Values stored by ml_program.global_store in this evaluation, by symbol.
  llvm::DenseMap<mlir::Attribute, Tensor> globals;

  /// Whether bounds are currently computed.
  bool tracksBounds() const { return (options.bounds || options.undefined) && suspended == 0; }
  /// The undefined values, if they are currently tracked; else null.
  UndefinedValues *undefined() const { return suspended == 0 ? options.undefined : nullptr; }
  /// Greater than 0 while values that are not the program's are evaluated.
  int suspended = 0;
  /// A control-flow decision was within its bound, so that nothing is known about what follows.
  bool isUndecided = false;

  /// Evaluates `op` on the values `in`, with bounds if they are tracked. For ops that evaluate other ops.
  llvm::LogicalResult run(mlir::Operation *op, const OpTable::Fn &fn, Operands in, Results &out);

  const OpTable &table;
  const EvalOptions &options;
  mlir::SymbolTableCollection symbols;

  /// Evaluates ops again after the evaluation: a frame in which `values` are known.
  void enterFrame(llvm::ArrayRef<std::pair<mlir::Value, Tensor>> values);

private:
  llvm::LogicalResult runOp(mlir::Operation *op);
  llvm::LogicalResult report(mlir::Operation *op, llvm::ArrayRef<Tensor> results);

  llvm::SmallVector<Frame> frames;
  llvm::SmallVector<mlir::Operation *> functionValues;
  std::unique_ptr<HostedLLVM> llvmState;
};

/// A buffer of `type` with new memory that contains `values`, row-major: at the strides and the offset of the type,
/// where it says them.
Tensor newBufferOf(mlir::MemRefType type, const Tensor &values);

/// The address of the memory of `buffer`, for ops of the llvm dialect.
llvm::FailureOr<Tensor> addressOf(mlir::Operation *op, const Tensor &buffer, Evaluator &evaluator);

/// Calls `callee` for `call`.
llvm::LogicalResult callFunction(mlir::Operation *call, mlir::func::FuncOp callee, Operands in, Results &out,
                                 Evaluator &evaluator);

/// The bounds of `value`, an f64 tensor of its shape.
HostTensor boundsToHost(const Tensor &value, bool isUndecided);

/// "2x3" for messages.
std::string shapeString(llvm::ArrayRef<int64_t> shape);
/// "2, 3" for messages.
std::string pointString(llvm::ArrayRef<int64_t> point);
/// Whether `shape` matches `type` (rank and static sizes).
bool shapeFits(llvm::ArrayRef<int64_t> shape, mlir::Type type);
/// Fails with an error at `op` if `shape` does not match `type`; `what` names the value in the message.
llvm::LogicalResult requireFits(mlir::Operation *op, const llvm::Twine &what, llvm::ArrayRef<int64_t> shape,
                                mlir::Type type);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_EVALUATOR_H
