//===- ContiguousDescriptor.h - descriptors of packed buffers -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Like upstream's MemRefDescriptor::fromStaticShape, but for buffers with dynamic sizes.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_CONTIGUOUSDESCRIPTOR_H
#define MICA_DIALECTS_CONTIGUOUSDESCRIPTOR_H

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mica {

/// The descriptor of a buffer of type `type` with the identity layout, at `memory`, with the i64 `sizes` of all
/// dimensions.
inline mlir::Value contiguousDescriptor(mlir::OpBuilder &builder, mlir::Location loc,
                                        const mlir::LLVMTypeConverter &converter, mlir::MemRefType type,
                                        mlir::Value memory, llvm::ArrayRef<mlir::Value> sizes) {
  auto descriptor = mlir::MemRefDescriptor::poison(builder, loc, converter.convertType(type));
  descriptor.setAllocatedPtr(builder, loc, memory);
  descriptor.setAlignedPtr(builder, loc, memory);
  descriptor.setConstantOffset(builder, loc, 0);
  mlir::Value stride = mlir::LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(1));
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    descriptor.setSize(builder, loc, dim, sizes[dim]);
    descriptor.setStride(builder, loc, dim, stride);
    if (dim > 0)
      stride = mlir::LLVM::MulOp::create(builder, loc, stride, sizes[dim]);
  }
  return descriptor;
}

} // namespace mica

#endif // MICA_DIALECTS_CONTIGUOUSDESCRIPTOR_H
