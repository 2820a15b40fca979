//===- UndefinedValueRows.cpp - poison, divisions, uninitialized elements ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See UndefinedRow.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "UndefinedRow.h"

namespace mica::reference {

#define SHIFT(op, by)                                                                                                  \
  "%a = arith.constant 5 : i32\n%b = arith.constant " #by " : i32\n%r = arith." #op " %a, %b : i32\nreturn %r : i32"
#define INTEGERS(op, a, b)                                                                                             \
  "%a = arith.constant " #a " : i8\n%b = arith.constant " #b " : i8\n%r = arith." op " : i8\nreturn %r : i8"
#define FLOATS(op, a, b)                                                                                               \
  "%a = arith.constant " #a " : f32\n%b = arith.constant " #b " : f32\n%r = arith." op " : f32\nreturn %r : f32"
#define INDICES(op, a, b)                                                                                              \
  "%a = index.constant " #a "\n%b = index.constant " #b "\n%r = index." op " %a, %b\nreturn %r : index"
#define TRUNC(flag, a)                                                                                                 \
  "%a = arith.constant " #a " : i16\n%r = arith.trunci %a overflow<" flag "> : i16 to i8\nreturn %r : i8"
#define CAST(op, a, from, to)                                                                                          \
  "%a = arith.constant " a " : " #from "\n%r = arith." op " %a : " #from " to " #to "\nreturn %r : " #to
#define TOSA_SHIFT(op, by)                                                                                             \
  "%a = \"tosa.const\"() {values = dense<[1, 2]> : tensor<2xi32>} : () -> tensor<2xi32>\n"                             \
  "%b = \"tosa.const\"() {values = dense<[1, " #by "]> : tensor<2xi32>} : () -> tensor<2xi32>\n"                       \
  "%r = tosa." op " : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>\nreturn %r : tensor<2xi32>"
#define BUFFER "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%v = arith.constant 7 : i64\n"
#define ROWS "%m = memref.alloc() : memref<3x1xf32>\n%c0 = arith.constant 0 : index\n"
#define INIT "%z = arith.constant 0.0 : f32\n%x = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>\n"
#define REDUCE(init)                                                                                                   \
  INIT "%e = tensor.empty() : tensor<f32>\n%i = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>\n"     \
       "%r = linalg.reduce { arith.addf } ins(%x : tensor<2xf32>) outs(" init                                          \
       " : tensor<f32>) dimensions = [0]\nreturn %r : tensor<f32>"
#define MATMUL(init)                                                                                                   \
  "%z = arith.constant 0 : i32\n%x = arith.constant dense<2> : tensor<2x2xi32>\n%e = tensor.empty() : "                \
  "tensor<2x2xi32>\n"                                                                                                  \
  "%i = linalg.fill ins(%z : i32) outs(%e : tensor<2x2xi32>) -> tensor<2x2xi32>\n"                                     \
  "%r = linalg.matmul ins(%x, %x : tensor<2x2xi32>, tensor<2x2xi32>) outs(" init                                       \
  " : tensor<2x2xi32>) -> tensor<2x2xi32>\nreturn %r : tensor<2x2xi32>"

std::vector<Row> valueRows() {
  return {
      Row{"shli", SHIFT(shli, 32), "arith.shli: a shift by 32 of a number of 32 bits", SHIFT(shli, 31)},
      Row{"shrsi", SHIFT(shrsi, -1), "arith.shrsi: a shift by -1", SHIFT(shrsi, 31)},
      Row{"shrui", SHIFT(shrui, 40), "arith.shrui: a shift by 40", SHIFT(shrui, 0)},
      Row{"tosa_left", TOSA_SHIFT("logical_left_shift %a, %b", 32), "tosa.logical_left_shift: a shift by 32",
          TOSA_SHIFT("logical_left_shift %a, %b", 31)},
      Row{"tosa_right", TOSA_SHIFT("logical_right_shift %a, %b", 33), "tosa.logical_right_shift: a shift by 33",
          TOSA_SHIFT("logical_right_shift %a, %b", 3)},
      Row{"tosa_arithmetic", TOSA_SHIFT("arithmetic_right_shift %a, %b {round = false}", 33),
          "tosa.arithmetic_right_shift: a shift by 33", TOSA_SHIFT("arithmetic_right_shift %a, %b {round = false}", 3)},
      Row{"addi_nsw", INTEGERS("addi %a, %b overflow<nsw>", 127, 1), "arith.addi: signed overflow",
          INTEGERS("addi %a, %b", 127, 1)},
      Row{"addi_nuw", INTEGERS("addi %a, %b overflow<nuw>", -1, 1), "arith.addi: unsigned overflow",
          INTEGERS("addi %a, %b overflow<nsw>", -1, 1)},
      Row{"subi_nsw", INTEGERS("subi %a, %b overflow<nsw>", -128, 1), "arith.subi: signed overflow",
          INTEGERS("subi %a, %b overflow<nsw>", -127, 1)},
      Row{"subi_nuw", INTEGERS("subi %a, %b overflow<nuw>", 0, 1), "arith.subi: unsigned overflow",
          INTEGERS("subi %a, %b overflow<nuw>", 1, 1)},
      Row{"muli_nsw", INTEGERS("muli %a, %b overflow<nsw>", 64, 2), "arith.muli: signed overflow",
          INTEGERS("muli %a, %b overflow<nsw>", 63, 2)},
      Row{"muli_nuw", INTEGERS("muli %a, %b overflow<nuw>", -128, 2), "arith.muli: unsigned overflow",
          INTEGERS("muli %a, %b overflow<nuw>", 127, 2)},
      Row{"shli_nsw", INTEGERS("shli %a, %b overflow<nsw>", 64, 1), "arith.shli: signed overflow",
          INTEGERS("shli %a, %b overflow<nuw>", 64, 1)},
      Row{"divsi_exact", INTEGERS("divsi %a, %b exact", 7, 2), "arith.divsi: a rest",
          INTEGERS("divsi %a, %b exact", 8, 2)},
      Row{"divui_exact", INTEGERS("divui %a, %b exact", 7, 2), "arith.divui: a rest",
          INTEGERS("divui %a, %b exact", 8, 2)},
      Row{"shrsi_exact", INTEGERS("shrsi %a, %b exact", 7, 1), "arith.shrsi: a rest",
          INTEGERS("shrsi %a, %b exact", 8, 1)},
      Row{"shrui_exact", INTEGERS("shrui %a, %b exact", 7, 1), "arith.shrui: a rest",
          INTEGERS("shrui %a, %b exact", 8, 1)},
      Row{"divsi_zero", INTEGERS("divsi %a, %b", 7, 0), "division by zero", INTEGERS("divsi %a, %b", 7, 1)},
      Row{"divui_zero", INTEGERS("divui %a, %b", 7, 0), "division by zero", INTEGERS("divui %a, %b", 7, 1)},
      Row{"remsi_zero", INTEGERS("remsi %a, %b", 7, 0), "division by zero", INTEGERS("remsi %a, %b", 7, 1)},
      Row{"remui_zero", INTEGERS("remui %a, %b", 7, 0), "division by zero", INTEGERS("remui %a, %b", 7, 1)},
      Row{"divsi_overflow", INTEGERS("divsi %a, %b", -128, -1), "overflow", INTEGERS("divsi %a, %b", -127, -1)},
      Row{"fptosi", CAST("fptosi", "300.0", f32, i8), "arith.fptosi: 300 converted", CAST("fptosi", "127.0", f32, i8)},
      Row{"fptosi_nan", CAST("fptosi", "0x7fc00000", f32, i8), "arith.fptosi: nan converted",
          CAST("fptosi", "-128.5", f32, i8)},
      Row{"fptoui", CAST("fptoui", "-1.0", f32, i8), "arith.fptoui: -1 converted", CAST("fptoui", "-0.5", f32, i8)},
      Row{"nnan", FLOATS("divf %a, %b fastmath<nnan>", 0.0, 0.0), "arith.divf: a NaN",
          FLOATS("divf %a, %b fastmath<nnan>", 1.0, 0.0)},
      Row{"ninf", FLOATS("divf %a, %b fastmath<ninf>", 1.0, 0.0), "arith.divf: an infinity",
          FLOATS("divf %a, %b fastmath<ninf>", 1.0, 2.0)},
      Row{"ninf_overflow", FLOATS("mulf %a, %b fastmath<ninf>", 1.0e38, 10.0), "arith.mulf: an infinity",
          FLOATS("mulf %a, %b fastmath<fast>", 1.0e37, 10.0)},
      Row{"poison", "%r = ub.poison : i32\nreturn %r : i32", "ub.poison: a poison value -> func.func: result 0",
          "%p = ub.poison : i32\n%r = arith.constant 1 : i32\nreturn %r : i32"},
      Row{"poison_selected",
          "%p = ub.poison : i32\n%c = arith.constant 1 : i32\n%t = arith.constant true\n%r = arith.select %t, %p, %c "
          ": i32\n"
          "return %r : i32",
          "ub.poison",
          "%p = ub.poison : i32\n%c = arith.constant 1 : i32\n%t = arith.constant false\n%r = arith.select %t, %p, "
          "%c : "
          "i32\nreturn %r : i32"},
      Row{"branch",
          "%p = ub.poison : i1\n%r = scf.if %p -> i32 {\n%a = arith.constant 1 : i32\nscf.yield %a : i32\n} else {\n"
          "%b = arith.constant 1 : i32\nscf.yield %b : i32\n}\nreturn %r : i32",
          "ub.poison: a poison value -> scf.if: a condition or a trip count",
          "%p = arith.constant true\n%r = scf.if %p -> i32 {\n%a = arith.constant 1 : i32\nscf.yield %a : i32\n} "
          "else {\n"
          "%b = ub.poison : i32\nscf.yield %b : i32\n}\nreturn %r : i32"},
      Row{"load_uninitialized",
          BUFFER "%m = memref.alloc() : memref<2xi64>\nmemref.store %v, %m[%c0] : memref<2xi64>\n"
                 "%r = memref.load %m[%c1] : memref<2xi64>\ncall @printI64(%r) : (i64) -> ()\nreturn",
          "memref.alloc: uninitialized elements of 2xi64 -> func.call: a printed number",
          BUFFER "%m = memref.alloc() : memref<2xi64>\nmemref.store %v, %m[%c1] : memref<2xi64>\n"
                 "%r = memref.load %m[%c1] : memref<2xi64>\ncall @printI64(%r) : (i64) -> ()\nreturn"},
      // Bits of a byte that is written in halves: the lower one is, the upper one is not.
      Row{"bits_uninitialized",
          BUFFER "%m = memref.alloc() : memref<1xi8>\n%k = arith.constant -16 : i8\n%f = arith.constant 5 : i8\n"
                 "%four = arith.constant 4 : i8\n%a = memref.atomic_rmw andi %k, %m[%c0] : (i8, memref<1xi8>) -> i8\n"
                 "%b = memref.atomic_rmw ori %f, %m[%c0] : (i8, memref<1xi8>) -> i8\n"
                 "%l = memref.load %m[%c0] : memref<1xi8>\n%h = arith.shrui %l, %four : i8\n"
                 "%r = arith.extui %h : i8 to i64\nreturn %r : i64",
          "memref.alloc: uninitialized elements of 1xi8",
          BUFFER "%m = memref.alloc() : memref<1xi8>\n%k = arith.constant -16 : i8\n%f = arith.constant 5 : i8\n"
                 "%four = arith.constant 4 : i8\n%a = memref.atomic_rmw andi %k, %m[%c0] : (i8, memref<1xi8>) -> i8\n"
                 "%b = memref.atomic_rmw ori %f, %m[%c0] : (i8, memref<1xi8>) -> i8\n"
                 "%l = memref.load %m[%c0] : memref<1xi8>\n%h = arith.shli %l, %four : i8\n"
                 "%r = arith.extsi %h : i8 to i64\nreturn %r : i64"},
      Row{"alloca_uninitialized",
          BUFFER "%m = memref.alloca() : memref<2xi64>\n%r = memref.load %m[%c1] : memref<2xi64>\nreturn %r : i64",
          "memref.alloca: uninitialized elements",
          BUFFER "%m = memref.alloca() : memref<2xi64>\n%r = memref.load %m[%c1] : memref<2xi64>\nreturn %v : i64"},
      Row{"second_origin",
          BUFFER "%m = memref.alloc() : memref<2xi64>\n%n = memref.alloca() : memref<2xi64>\n"
                 "memref.store %v, %m[%c0] : memref<2xi64>\n%a = memref.load %m[%c0] : memref<2xi64>\n"
                 "%b = memref.load %n[%c0] : memref<2xi64>\n%r = arith.addi %a, %b : i64\nreturn %r : i64",
          "memref.alloca: uninitialized elements",
          BUFFER "%m = memref.alloc() : memref<2xi64>\n%n = memref.alloca() : memref<2xi64>\n"
                 "memref.store %v, %m[%c0] : memref<2xi64>\n%a = memref.load %m[%c0] : memref<2xi64>\nreturn %a : i64"},
      Row{"index_uninitialized",
          BUFFER "%m = memref.alloc() : memref<2xindex>\n%i = memref.load %m[%c0] : memref<2xindex>\n"
                 "%t = arith.constant dense<[1, 2]> : tensor<2xi64>\n%r = tensor.extract %t[%i] : tensor<2xi64>\n"
                 "return %r : i64",
          "memref.alloc: uninitialized elements of 2xindex -> tensor.extract: an index or a mask",
          BUFFER "%t = arith.constant dense<[1, 2]> : tensor<2xi64>\n%r = tensor.extract %t[%c1] : tensor<2xi64>\n"
                 "return %r : i64"},
      Row{"reduce_into_empty", REDUCE("%e"), "tensor.empty: uninitialized elements of f32 -> func.func: result 0",
          REDUCE("%i")},
      Row{"matmul_into_empty", MATMUL("%e"), "tensor.empty: uninitialized elements", MATMUL("%i")},
      Row{"alloc_tensor", "%r = bufferization.alloc_tensor() : tensor<2xf32>\nreturn %r : tensor<2xf32>",
          "bufferization.alloc_tensor",
          "%c = arith.constant dense<1.0> : tensor<2xf32>\n%r = bufferization.alloc_tensor() copy(%c) : "
          "tensor<2xf32>\n"
          "return %r : tensor<2xf32>"},
      Row{"store_beside",
          ROWS "%v = arith.constant dense<1.0> : vector<5xf32>\nvector.store %v, %m[%c0, %c0] : memref<3x1xf32>, "
               "vector<5xf32>\nreturn",
          "position (0, 1) is out of range for 3x1xf32",
          ROWS "%v = arith.constant dense<1.0> : vector<1xf32>\nvector.store %v, %m[%c0, %c0] : memref<3x1xf32>, "
               "vector<1xf32>\nreturn"},
      Row{"load_beside", BUFFER "%m = memref.alloc() : memref<1xi64>\n%r = memref.load %m[%c1] : memref<1xi64>\nreturn",
          "index 1 is out of range",
          BUFFER "%m = memref.alloc() : memref<2xi64>\n%r = memref.load %m[%c1] : memref<2xi64>\nreturn"},
      Row{"step", BUFFER "scf.for %i = %c0 to %c1 step %c0 {\n}\nreturn", "loop step 0 is not positive",
          BUFFER "scf.for %i = %c0 to %c1 step %c1 {\n}\nreturn"},
      Row{"printed",
          "%m = memref.alloc() : memref<f32>\n%r = memref.load %m[] : memref<f32>\nvector.print %r : f32\nreturn",
          "memref.alloc: uninitialized elements of f32 -> vector.print: a printed number",
          "%m = memref.alloc() : memref<f32>\n%c = arith.constant 1.0 : f32\nmemref.store %c, %m[] : memref<f32>\n"
          "%r = memref.load %m[] : memref<f32>\nvector.print %r : f32\nreturn"},
      Row{"index_shl", INDICES("shl", 5, 64), "index.shl: a shift by 64 of a number of 64 bits", INDICES("shl", 5, 63)},
      Row{"index_shrs", INDICES("shrs", 5, 64), "index.shrs: a shift by 64", INDICES("shrs", 5, 63)},
      Row{"index_shru", INDICES("shru", 5, -1), "index.shru: a shift by -1", INDICES("shru", 5, 1)},
      Row{"index_divs", INDICES("divs", 5, 0), "division by zero", INDICES("divs", 5, 2)},
      Row{"index_divu", INDICES("divu", 5, 0), "division by zero", INDICES("divu", 5, 2)},
      Row{"index_rems", INDICES("rems", 5, 0), "division by zero", INDICES("rems", 5, 2)},
      Row{"index_remu", INDICES("remu", 5, 0), "division by zero", INDICES("remu", 5, 2)},
      Row{"index_ceildivs", INDICES("ceildivs", -9223372036854775808, -1), "signed division overflows",
          INDICES("ceildivs", -9223372036854775807, -1)},
      Row{"index_floordivs", INDICES("floordivs", 5, 0), "division by zero", INDICES("floordivs", 5, -2)},
      Row{"ceildivsi", INTEGERS("ceildivsi %a, %b", 7, 0), "division by zero", INTEGERS("ceildivsi %a, %b", 7, 2)},
      Row{"ceildivui", INTEGERS("ceildivui %a, %b", 7, 0), "division by zero", INTEGERS("ceildivui %a, %b", 7, 2)},
      Row{"floordivsi", INTEGERS("floordivsi %a, %b", -128, -1), "overflow", INTEGERS("floordivsi %a, %b", -127, -1)},
      Row{"trunci_nsw", TRUNC("nsw", 128), "arith.trunci: bits are lost that are not the sign", TRUNC("nsw", -128)},
      Row{"trunci_nuw", TRUNC("nuw", 256), "arith.trunci: bits are lost (nuw)", TRUNC("nuw", 255)},
      Row{"math_nnan", "%a = arith.constant -1.0 : f32\n%r = math.sqrt %a fastmath<nnan> : f32\nreturn %r : f32",
          "math.sqrt: a NaN in spite of nnan",
          "%a = arith.constant -1.0 : f32\n%r = math.sqrt %a fastmath<ninf> : f32\nreturn %r : f32"},
      Row{"math_ninf", "%a = arith.constant 1.0e3 : f32\n%r = math.exp %a fastmath<ninf> : f32\nreturn %r : f32",
          "math.exp: an infinity in spite of ninf",
          "%a = arith.constant 1.0e1 : f32\n%r = math.exp %a fastmath<ninf> : f32\nreturn %r : f32"},
      Row{"select_condition",
          "%p = ub.poison : i1\n%c = arith.constant 1 : i32\n%r = arith.select %p, %c, %c : i32\nreturn %r : i32",
          "ub.poison: a poison value -> func.func: result 0",
          "%p = arith.constant true\n%c = arith.constant 1 : i32\n%r = arith.select %p, %c, %c : i32\n"
          "return %r : i32"},
      Row{"poison_in_body",
          INIT "%e = tensor.empty() : tensor<2xf32>\n%p = ub.poison : f32\n"
               "%r = linalg.map { arith.addf } ins(%x, %e : tensor<2xf32>, tensor<2xf32>) outs(%x : tensor<2xf32>)\n"
               "return %r : tensor<2xf32>",
          "tensor.empty: uninitialized elements of 2xf32 -> func.func: result 0, element 0",
          INIT "%e = tensor.empty() : tensor<2xf32>\n%p = ub.poison : f32\n"
               "%r = linalg.map { arith.addf } ins(%x, %x : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>)\n"
               "return %r : tensor<2xf32>"},
      Row{"realloc_tail",
          BUFFER "%m = memref.alloc() : memref<1xi64>\nmemref.store %v, %m[%c0] : memref<1xi64>\n"
                 "%n = memref.realloc %m : memref<1xi64> to memref<2xi64>\n"
                 "%r = memref.load %n[%c1] : memref<2xi64>\nreturn %r : i64",
          "memref.realloc: uninitialized elements",
          BUFFER "%m = memref.alloc() : memref<1xi64>\nmemref.store %v, %m[%c0] : memref<1xi64>\n"
                 "%n = memref.realloc %m : memref<1xi64> to memref<2xi64>\n"
                 "%r = memref.load %n[%c0] : memref<2xi64>\nreturn %r : i64"},
      Row{"global_uninitialized",
          "memref.global \"private\" @g : memref<2xi64> = uninitialized\nfunc.func @f() -> i64 {\n" BUFFER
          "%m = memref.get_global @g : memref<2xi64>\nmemref.store %v, %m[%c0] : memref<2xi64>\n"
          "%r = memref.load %m[%c1] : memref<2xi64>\nreturn %r : i64\n}",
          "memref.get_global: uninitialized elements",
          "memref.global \"private\" @g : memref<2xi64> = uninitialized\nfunc.func @f() -> i64 {\n" BUFFER
          "%m = memref.get_global @g : memref<2xi64>\nmemref.store %v, %m[%c0] : memref<2xi64>\n"
          "%r = memref.load %m[%c0] : memref<2xi64>\nreturn %r : i64\n}"},
      Row{"trip_count",
          "%m = memref.alloc() : memref<index>\n%n = memref.load %m[] : memref<index>\n" BUFFER
          "scf.for %i = %c0 to %n step %c1 {\n}\nreturn",
          "memref.alloc: uninitialized elements of index -> scf.for: a condition or a trip count",
          "%m = memref.alloc() : memref<index>\n%n = memref.load %m[] : memref<index>\n" BUFFER
          "scf.for %i = %c0 to %c1 step %c1 {\n}\nreturn"},
      Row{"assert_condition", "%p = ub.poison : i1\ncf.assert %p, \"no\"\nreturn",
          "ub.poison: a poison value -> cf.assert: the condition",
          "%p = arith.constant true\ncf.assert %p, \"no\"\nreturn"},
      Row{"cond_br", "%p = ub.poison : i1\ncf.cond_br %p, ^a, ^a\n^a:\nreturn",
          "ub.poison: a poison value -> cf.cond_br: the condition",
          "%p = ub.poison : i1\n%t = arith.constant true\ncf.cond_br %t, ^a(%p : i1), ^a(%p : i1)\n^a(%x: "
          "i1):\nreturn"},
      twins("unreachable", R"(%c0 = arith.constant 0 : index
%b = arith.constant dense<@@> : tensor<1xi1>
%c = tensor.extract %b[%c0] : tensor<1xi1>
cf.cond_br %c, ^a, ^b
^a:
ub.unreachable
^b:
return)",
            "true", "false", "code that is unreachable is reached")};
}

} // namespace mica::reference
