//===- Tensor.h - values of the reference evaluator -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Every value of an evaluated program, scalar or tensor, is a `Tensor`: an element type, a shape and one cell of eight
// bytes per element. A cell holds a float of any type as the f64 of equal value, an integer of any width as an int64_t;
// so code above this file never switches on element types.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_TENSOR_H
#define MICA_DIALECTS_MICA_REFERENCE_TENSOR_H

#include "mica/Support/HostTensor.h"

#include "mlir/IR/Types.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cassert>
#include <memory>
#include <optional>

namespace mica::reference {

/// One element: `f` if its element type is a float, else `i` in the canonical form of its type (ElementType::wrap).
union Cell {
  double f;
  int64_t i;
  static Cell of(double value) { return Cell{.f = value}; }
  static Cell of(int64_t value) { return Cell{.i = value}; }
};

/// How a number is rounded to a float type; the numbers are those of arith::RoundingMode.
enum class FloatRounding { NearestEven, Downward, Upward, TowardZero, NearestAway };

/// An element type and its arithmetic: rounding of f64 and wrapping of int64_t.
struct ElementType {
  DType dtype = DType::F64;
  bool isFloat = true;
  bool isUnsigned = false;
  unsigned bits = 64;

  ElementType() = default;
  ElementType(DType dtype);
  /// The element type of a scalar or tensor type (`!tosa.shape` is a tensor of index); nothing if it is not supported.
  /// Integers of other widths up to 64 have the type i64 with fewer bits. Tokens, groups, functions, and the pointers,
  /// structs and arrays of the LLVM dialect are numbers.
  static std::optional<ElementType> of(mlir::Type type);

  bool operator==(const ElementType &other) const { return dtype == other.dtype && bits == other.bits; }

  /// `value` rounded to this float type, with subnormals. Overflow gives an infinity, in f8E4M3FN (which has none) NaN;
  /// where `mode` rounds toward zero it gives the largest finite number.
  double round(double value, FloatRounding mode = FloatRounding::NearestEven) const;
  /// An integer in this float type, rounded once.
  double ofSigned(int64_t value) const;
  double ofUnsigned(uint64_t value) const;
  /// `value` modulo 2^bits in canonical form: sign-extended; zero-extended for unsigned types and i1.
  int64_t wrap(int64_t value) const;
  /// A canonical `value` interpreted as a signed / an unsigned integer, independent of the type's signedness.
  int64_t asSigned(int64_t value) const;
  uint64_t asUnsigned(int64_t value) const;
  /// The smallest and largest value; for float types the infinities (for f8E4M3FN the largest finite numbers).
  Cell lowest() const;
  Cell highest() const;
  /// The value 1, and `value` in this type.
  Cell number(double value) const;
  /// The bits of `cell` in memory, and the cell of such bits.
  uint64_t toBits(Cell cell) const;
  Cell ofBits(uint64_t bits) const;
};

struct Allocation;

/// While a tape is recorded (Tape.h): the step that computed a value, and which of its results it is.
struct ValueOrigin {
  int64_t step = -1; ///< -1: unknown
  unsigned result = 0;
  /// Of a scalar that was in memory: the element of that result; -1: the same as of the value itself.
  int64_t element = -1;
};

/// The memory of buffers. `bounds`, if not null, has a cell for each cell (Tensor::bound).
struct BufferMemory : std::vector<Cell> {
  using std::vector<Cell>::vector;
  std::shared_ptr<BufferMemory> bounds;
  std::shared_ptr<std::vector<ValueOrigin>> origins; ///< of each cell, while a tape is recorded; null: unknown
  std::shared_ptr<Allocation> allocation;            ///< in the search for undefined behavior (Lifetimes.h); else null
};

/// The elements of a buffer (a memref value): cells that other buffers may share.
struct BufferView {
  std::shared_ptr<BufferMemory> memory;
  int64_t offset = 0;                    ///< of the first element, in cells
  llvm::SmallVector<int64_t, 4> strides; ///< per dimension, in cells
  /// Of a view of bytes as another type (memref.view): the cells, each a byte, that one element has; else 0.
  unsigned bytes = 0;

  /// The number of cells of an element.
  int64_t unit() const { return bytes ? bytes : 1; }
};

/// A tensor, a vector, or a scalar (rank 0). Copying shares the cells; the first write to shared cells copies them.
///
/// A memref value is a Tensor too, whose elements are in memory (`isBuffer`): a copy of it is an alias. Its elements
/// are read by `loaded` or at `bufferPosition`, not by `data`.
class Tensor {
public:
  Tensor() = default;
  /// All cells zero. The caller has checked the size (Evaluator::allocate).
  Tensor(ElementType type, llvm::ArrayRef<int64_t> shape);
  static Tensor scalar(ElementType type, Cell value);
  static Tensor index(int64_t value) { return scalar(DType::Index, Cell::of(value)); }
  /// A rank-1 tensor of index.
  static Tensor indices(llvm::ArrayRef<int64_t> values);
  static Tensor fromHost(const HostTensor &host);
  /// As fromHost, but the elements are converted only when an op reads them (`materialized`); `host` must outlive it.
  static Tensor deferred(const HostTensor &host);
  /// A buffer of `shape` at `view`. The caller has checked that it is in bounds of the memory.
  static Tensor buffer(ElementType type, llvm::ArrayRef<int64_t> shape, BufferView view);
  /// A buffer with new memory that contains `values`, row-major.
  static Tensor newBuffer(const Tensor &values);
  HostTensor toHost() const;

  ElementType elementType() const { return type; }
  llvm::ArrayRef<int64_t> shape() const { return dims; }
  int64_t rank() const { return dims.size(); }
  int64_t dim(int64_t i) const { return dims[i]; }
  /// Number of elements.
  int64_t size() const;
  /// Row-major strides, in elements.
  llvm::SmallVector<int64_t> strides() const;

  /// The cells, row-major.
  const Cell *data() const {
    assert(!isBuffer() && "a buffer's elements are loaded");
    return cells ? cells->data() : &single;
  }
  Cell *mutableData();
  Cell at(llvm::ArrayRef<int64_t> position) const;
  /// The cell of a scalar.
  Cell value() const { return *data(); }
  int64_t intAt(int64_t i) const { return data()[i].i; }
  /// Integer elements as a list (shapes, paddings).
  llvm::SmallVector<int64_t> toInts() const;

  /// The same cells with another shape of the same size.
  Tensor reshaped(llvm::ArrayRef<int64_t> shape) const;
  /// The same cells with another element type; the caller converts them.
  Tensor retyped(ElementType type) const;
  /// Rounds each float to the element type; integers are unchanged.
  void roundAll();
  bool isBuffer() const { return place.memory != nullptr; }
  const BufferView &view() const { return place; }
  /// Of a buffer: the cell at `position`, and its offset in the memory.
  int64_t bufferPosition(llvm::ArrayRef<int64_t> position) const;
  /// Of a buffer: the element at offset `at` of the memory; and storing it.
  Cell cellAt(int64_t at) const;
  void setCellAt(int64_t at, Cell value) const;
  /// Of a buffer: its elements as a tensor; and storing a tensor of its shape.
  Tensor loaded() const;
  void store(const Tensor &values) const;
  /// This tensor, with its cells converted if they were deferred.
  Tensor materialized() const {
    if (!source)
      return *this;
    Tensor converted = fromHost(*source);
    converted.origin = origin;
    return converted;
  }

  /// "2x3xf32".
  std::string typeString() const;

  /// Values keep it through calls, loops, branches and memory.
  using Origin = ValueOrigin;
  Origin origin;

  /// A bound on the error of each element, as a float, in the same shape (Bounds.h); null: the elements are exact, or
  /// bounds are not computed. The bounds of a buffer are in its memory.
  std::shared_ptr<const Tensor> bound;
  /// The bound of element `i` in row-major order; not for buffers.
  double boundAt(int64_t i) const { return bound ? bound->data()[i].f : 0; }
  /// The same for a scalar.
  double scalarBound() const { return boundAt(0); }
  bool hasBound() const { return isBuffer() ? place.memory->bounds != nullptr : bound != nullptr; }
  /// Of a buffer: a buffer of its bounds, created if it has none. Of a tensor: its bounds, zeros if it has none.
  Tensor boundTwin() const;
  /// Sets `bounds`, of this shape, if any is not zero.
  void setBound(Tensor bounds);

private:
  ElementType type;
  llvm::SmallVector<int64_t, 4> dims;
  Cell single = Cell::of(int64_t(0)); // the cell of a rank-0 tensor; others use `cells`
  std::shared_ptr<std::vector<Cell>> cells;
  BufferView place;                   // of a buffer
  const HostTensor *source = nullptr; // of a deferred tensor
};

/// Product of `shape`.
int64_t sizeOf(llvm::ArrayRef<int64_t> shape);
/// Row-major strides of `shape`, in elements.
llvm::SmallVector<int64_t> stridesOf(llvm::ArrayRef<int64_t> shape);
/// Row-major position of `position` in a tensor with `strides`.
int64_t linearize(llvm::ArrayRef<int64_t> position, llvm::ArrayRef<int64_t> strides);
/// Calls `visit` with each position of `shape` in row-major order; a failure ends the walk.
llvm::LogicalResult tryEachPosition(llvm::ArrayRef<int64_t> shape,
                                    llvm::function_ref<llvm::LogicalResult(llvm::ArrayRef<int64_t>)> visit);
/// The same for visitors that cannot fail.
void forEachPosition(llvm::ArrayRef<int64_t> shape, llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_TENSOR_H
