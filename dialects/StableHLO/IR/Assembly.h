//===- Assembly.h - parts of the text of stablehlo ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private to the dialect: the directives `custom<..>` of the declarative formats.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_STABLEHLO_IR_ASSEMBLY_H
#define MICA_DIALECTS_STABLEHLO_IR_ASSEMBLY_H

#include "dialects/StableHLO/IR/StableHLODialect.h"

namespace mica::stablehlo {

using mlir::Attribute;
using mlir::OpAsmParser;
using mlir::OpAsmPrinter;
using mlir::Operation;
using mlir::ParseResult;
using mlir::Type;

/// `[0, 1]`.
ParseResult parseDims(mlir::AsmParser &parser, llvm::SmallVectorImpl<int64_t> &dims);
void printDims(mlir::AsmPrinter &printer, llvm::ArrayRef<int64_t> dims);

/// `e5m10`.
ParseResult parseExponentMantissa(OpAsmParser &parser, mlir::IntegerAttr &exponent, mlir::IntegerAttr &mantissa);
void printExponentMantissa(OpAsmPrinter &printer, Operation *, mlir::IntegerAttr exponent, mlir::IntegerAttr mantissa);

/// `tensor<complex<f32>>`, from which the types of the parts follow, or a function type.
ParseResult parseComplexTypes(OpAsmParser &parser, Type &lhs, Type &rhs, Type &result);
void printComplexTypes(OpAsmPrinter &printer, Operation *, Type lhs, Type rhs, Type result);

/// Nothing: the results have the types of the operands.
ParseResult parseSameResults(OpAsmParser &parser, llvm::SmallVectorImpl<Type> &operands,
                             llvm::SmallVectorImpl<Type> &results);
template <typename Operands, typename Results>
void printSameResults(OpAsmPrinter &, Operation *, const Operands &, const Results &) {}

/// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`.
ParseResult parseConvDimensions(mlir::AsmParser &parser, ConvDimensionNumbersAttr &numbers);
void printConvDimensions(mlir::AsmPrinter &printer, ConvDimensionNumbersAttr numbers);
inline void printConvDimensions(OpAsmPrinter &printer, Operation *, ConvDimensionNumbersAttr numbers) {
  printConvDimensions(printer, numbers);
}

/// `{stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]}`.
ParseResult parseWindow(OpAsmParser &parser, Attribute &strides, mlir::DenseIntElementsAttr &padding,
                        Attribute &lhsDilation, Attribute &rhsDilation, Attribute &reversal);
void printWindow(OpAsmPrinter &printer, Operation *, Attribute strides, mlir::DenseIntElementsAttr padding,
                 Attribute lhsDilation, Attribute rhsDilation, Attribute reversal);

/// `[8]`, or `dense<8> : tensor<1xi64>`.
ParseResult parseListOrElements(OpAsmParser &parser, Attribute &list);
void printListOrElements(OpAsmPrinter &printer, Operation *, Attribute list);

/// A case of an enumeration, by its name.
ParseResult parseFftKind(OpAsmParser &parser, FftTypeAttr &kind);
void printFftKind(OpAsmPrinter &printer, Operation *, FftTypeAttr kind);
ParseResult parseAlgorithm(OpAsmParser &parser, RngAlgorithmAttr &algorithm);
void printAlgorithm(OpAsmPrinter &printer, Operation *, RngAlgorithmAttr algorithm);

ParseResult parseDistribution(OpAsmParser &parser, RngDistributionAttr &distribution);
void printDistribution(OpAsmPrinter &printer, Operation *, RngDistributionAttr distribution);

/// The type of a tuple, from which those of its elements follow.
ParseResult parseTupleType(OpAsmParser &parser, llvm::SmallVectorImpl<Type> &elements, Type &result);
template <typename Elements> void printTupleType(OpAsmPrinter &printer, Operation *, const Elements &, Type result) {
  printer << result;
}

/// `@name`, which need not name a symbol.
ParseResult parseCallTarget(OpAsmParser &parser, mlir::StringAttr &name);
void printCallTarget(OpAsmPrinter &printer, Operation *, mlir::StringAttr name);

} // namespace mica::stablehlo

#endif // MICA_DIALECTS_STABLEHLO_IR_ASSEMBLY_H
