# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Control flow and functions: scf, cf, func, async, transform scripts; what is declared and not used."""
from program import Program, program, show

NUMBERS = """%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c5 = arith.constant 5 : index
%one = arith.constant 1 : i32
%x = arith.constant 1.5 : f32
"""


def scf():
    yield program("scf.for", "carried", NUMBERS + """%s:2 = scf.for %i = %c0 to %c5 step %c2 iter_args(%a = %x, %n = %one) -> (f32, i32) {
  %b = arith.addf %a, %a : f32
  %k = arith.addi %n, %n : i32
  scf.yield %b, %k : f32, i32
}
vector.print %s#0 : f32
vector.print %s#1 : i32""")
    yield program("scf.for", "prints", NUMBERS + "scf.for %i = %c0 to %c5 step %c2 {\n  vector.print %i : index\n}")
    yield program("scf.for", "i32", NUMBERS + """%z = arith.constant 0 : i32
%e = arith.constant 3 : i32
scf.for %i = %z to %e step %one : i32 {
  vector.print %i : i32
}""")
    yield program("scf.if", "values", NUMBERS + """%c = arith.cmpi slt, %c1, %c2 : index
%r = scf.if %c -> (f32) {
  %b = arith.addf %x, %x : f32
  scf.yield %b : f32
} else {
  scf.yield %x : f32
}
vector.print %r : f32
scf.if %c {
  vector.print %one : i32
}""")
    yield program("scf.while", "carried", NUMBERS + """%r = scf.while (%n = %one) : (i32) -> i32 {
  %lim = arith.constant 100 : i32
  %c = arith.cmpi slt, %n, %lim : i32
  scf.condition(%c) %n : i32
} do {
^bb0(%n: i32):
  vector.print %n : i32
  %k = arith.muli %n, %n : i32
  %m = arith.addi %k, %one : i32
  scf.yield %m : i32
}
vector.print %r : i32""")
    yield program("scf.index_switch", "values", NUMBERS + """scf.for %i = %c0 to %c5 step %c1 {
  %r = scf.index_switch %i -> i32
  case 1 {
    %v = arith.constant 10 : i32
    scf.yield %v : i32
  }
  case 3 {
    %v = arith.constant 30 : i32
    scf.yield %v : i32
  }
  default {
    scf.yield %one : i32
  }
  vector.print %r : i32
}""")
    yield program("scf.execute_region", "value", NUMBERS + """%r = scf.execute_region -> f32 {
  %b = arith.mulf %x, %x : f32
  scf.yield %b : f32
}
vector.print %r : f32""")
    yield program("scf.execute_region", "blocks", NUMBERS + """%r = scf.execute_region -> f32 {
  %c = arith.cmpi slt, %c1, %c2 : index
  cf.cond_br %c, ^a, ^b
^a:
  %b = arith.mulf %x, %x : f32
  scf.yield %b : f32
^b:
  scf.yield %x : f32
}
vector.print %r : f32""")
    yield program("scf.parallel", "stores", NUMBERS + """%m = memref.alloc() : memref<5xf32>
scf.parallel (%i) = (%c0) to (%c5) step (%c1) {
  %k = arith.index_cast %i : index to i32
  %f = arith.sitofp %k : i32 to f32
  memref.store %f, %m[%i] : memref<5xf32>
  scf.reduce
}
""" + show("%m", "memref<5xf32>"))
    yield program("scf.parallel", "sum", NUMBERS + """%s = scf.parallel (%i) = (%c0) to (%c5) step (%c1) init (%x) -> f32 {
  scf.reduce(%x : f32) {
  ^bb0(%l: f32, %r: f32):
    %t = arith.addf %l, %r : f32
    scf.reduce.return %t : f32
  }
}
vector.print %s : f32""")
    yield program("scf.forall", "tensor", NUMBERS + """%t = arith.constant dense<0.0> : tensor<5xf32>
%r = scf.forall (%i) in (5) shared_outs(%o = %t) -> (tensor<5xf32>) {
  %e = tensor.from_elements %x : tensor<1xf32>
  scf.forall.in_parallel {
    tensor.parallel_insert_slice %e into %o[%i] [1] [1] : tensor<1xf32> into tensor<5xf32>
  }
}
""" + show("%r", "tensor<5xf32>"))
    yield program("scf.for", "tensor", NUMBERS + """%t = arith.constant dense<0.0> : tensor<5xf32>
%r = scf.for %i = %c0 to %c5 step %c2 iter_args(%o = %t) -> (tensor<5xf32>) {
  %n = tensor.insert %x into %o[%i] : tensor<5xf32>
  scf.yield %n : tensor<5xf32>
}
""" + show("%r", "tensor<5xf32>"))


def cf():
    def flow(op, kind, text, top="", **rest):
        from program import declarations
        return Program(op, kind, "\n".join([*declarations(text), top, "func.func @main() {", text, "}", ""]), **rest)
    yield flow("cf.cond_br", "loop", """  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %c = arith.cmpi slt, %i, %c3 : index
  cf.cond_br %c, ^body, ^done
^body:
  vector.print %i : index
  %n = arith.addi %i, %c1 : index
  cf.br ^head(%n : index)
^done:
  return""", pipeline="cf")
    yield flow("cf.switch", "i32", """  %v = arith.constant 7 : i32
  cf.switch %v : i32, [
    default: ^other,
    7: ^seven
  ]
^seven:
  vector.print %v : i32
  return
^other:
  return""")
    yield flow("cf.assert", "holds", """  %t = arith.constant true
  cf.assert %t, "never"
  vector.print %t : i1
  return""")
    yield flow("cf.br", "irreducible", """  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %t = arith.cmpi slt, %c0, %c1 : i32
  cf.cond_br %t, ^a(%c0 : i32), ^b(%c1 : i32)
^a(%i: i32):
  vector.print %i : i32
  %n = arith.addi %i, %c1 : i32
  cf.br ^b(%n : i32)
^b(%j: i32):
  %c = arith.cmpi slt, %j, %c4 : i32
  cf.cond_br %c, ^a(%j : i32), ^done
^done:
  return""", pipeline="cf")


def func():
    yield program("func.call", "scalars", "%x = arith.constant 1.5 : f32\n%r:2 = call @two(%x) : (f32) -> (f32, i32)\nvector.print %r#0 : f32\nvector.print %r#1 : i32",
                  """func.func private @two(%x: f32) -> (f32, i32) {
  %0 = arith.addf %x, %x : f32
  %1 = arith.constant 5 : i32
  return %0, %1 : f32, i32
}""")
    yield program("func.call", "recursive", "%n = arith.constant 5 : i64\n%r = call @factorial(%n) : (i64) -> i64\nvector.print %r : i64",
                  """func.func private @factorial(%n: i64) -> i64 {
  %one = arith.constant 1 : i64
  %c = arith.cmpi sle, %n, %one : i64
  %r = scf.if %c -> (i64) {
    scf.yield %one : i64
  } else {
    %m = arith.subi %n, %one : i64
    %f = func.call @factorial(%m) : (i64) -> i64
    %p = arith.muli %n, %f : i64
    scf.yield %p : i64
  }
  return %r : i64
}""")
    yield program("func.call_indirect", "scalars", "%f = constant @twice : (f32) -> f32\n%x = arith.constant 1.5 : f32\n"
                  "%r = call_indirect %f(%x) : (f32) -> f32\nvector.print %r : f32",
                  """func.func private @twice(%x: f32) -> f32 {
  %0 = arith.addf %x, %x : f32
  return %0 : f32
}""")
    yield program("func.call", "vectors", "%v = arith.constant dense<[1.0, 2.0]> : vector<2xf32>\n%r = call @twice(%v) : (vector<2xf32>) -> vector<2xf32>\nvector.print %r : vector<2xf32>",
                  """func.func private @twice(%x: vector<2xf32>) -> vector<2xf32> {
  %0 = arith.addf %x, %x : vector<2xf32>
  return %0 : vector<2xf32>
}""")
    yield program("func.call", "public-vectors", "%v = arith.constant dense<[1.0, 2.0]> : vector<2xf32>\n%r = call @twice(%v) : (vector<2xf32>) -> vector<2xf32>\nvector.print %r : vector<2xf32>",
                  """func.func @twice(%x: vector<2xf32>) -> vector<2xf32> {
  %0 = arith.addf %x, %x : vector<2xf32>
  return %0 : vector<2xf32>
}""")
    yield program("func.call", "tensors", "%t = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>\n%r = call @twice(%t) : (tensor<2xf32>) -> tensor<2xf32>\n" + show("%r", "tensor<2xf32>"),
                  """func.func private @twice(%t: tensor<2xf32>) -> tensor<2xf32> {
  %e = tensor.empty() : tensor<2xf32>
  %0 = linalg.add ins(%t, %t : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}""")
    yield program("func.call", "prints-nothing", "call @say() : () -> ()\ncall @say() : () -> ()", """func.func private @say() {
  call @printNewline() : () -> ()
  return
}""")
    yield program("func.func", "unused-declaration", "%x = arith.constant 1.5 : f32\nvector.print %x : f32",
                  "func.func private @elsewhere(tensor<4xf32>) -> tensor<4xf32>\nfunc.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}")
    yield program("func.func", "several-entries", "%x = arith.constant 1.5 : f32\nvector.print %x : f32",
                  "func.func @other(%x: f32) -> f32 {\n  return %x : f32\n}\nfunc.func @third() {\n  return\n}")
    yield program("func.call", "printF32", "%x = arith.constant 1.5 : f32\ncall @printF32(%x) : (f32) -> ()\ncall @printComma() : () -> ()\ncall @printNewline() : () -> ()")
    yield program("func.call", "printI64", "%x = arith.constant -15 : i64\ncall @printI64(%x) : (i64) -> ()\ncall @printNewline() : () -> ()\n"
                  "%y = arith.constant 2.25 : f64\ncall @printF64(%y) : (f64) -> ()\ncall @printNewline() : () -> ()")


def asynchronous():
    rest = {"pipeline": "async", "libraries": ("async_runtime",)}
    yield program("async.execute", "token", """%c0 = arith.constant 0 : index
%x = arith.constant 2.5 : f32
%m = memref.alloc() : memref<2xf32>
linalg.fill ins(%x : f32) outs(%m : memref<2xf32>)
%t = async.execute {
  %y = arith.constant 9.5 : f32
  memref.store %y, %m[%c0] : memref<2xf32>
  async.yield
}
async.await %t : !async.token
""" + show("%m", "memref<2xf32>"), **rest)
    yield program("async.execute", "value", """%x = arith.constant 2.5 : f32
%t, %v = async.execute -> !async.value<f32> {
  %y = arith.addf %x, %x : f32
  async.yield %y : f32
}
%r = async.await %v : !async.value<f32>
vector.print %r : f32""", **rest)
    yield program("async.execute", "depends", """%x = arith.constant 2.5 : f32
%t, %v = async.execute -> !async.value<f32> {
  %y = arith.addf %x, %x : f32
  async.yield %y : f32
}
%t2, %v2 = async.execute [%t] (%v as %a: !async.value<f32>) -> !async.value<f32> {
  %y = arith.mulf %a, %a : f32
  async.yield %y : f32
}
%r = async.await %v2 : !async.value<f32>
vector.print %r : f32""", **rest)
    yield program("async.create_group", "two", """%c2 = arith.constant 2 : index
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%x = arith.constant 2.5 : f32
%m = memref.alloc() : memref<2xf32>
%g = async.create_group %c2 : !async.group
%t = async.execute {
  memref.store %x, %m[%c0] : memref<2xf32>
  async.yield
}
%s = async.execute {
  memref.store %x, %m[%c1] : memref<2xf32>
  async.yield
}
%i = async.add_to_group %t, %g : !async.token
%j = async.add_to_group %s, %g : !async.token
async.await_all %g
""" + show("%m", "memref<2xf32>"), **rest)
    yield program("async.func", "call", """%x = arith.constant 2.5 : f32
%v = async.call @work(%x) : (f32) -> !async.value<f32>
%r = async.await %v : !async.value<f32>
vector.print %r : f32""", """async.func @work(%x: f32) -> !async.value<f32> {
  %y = arith.addf %x, %x : f32
  return %y : f32
}""", **rest)


SCRIPT = """module attributes {transform.with_named_sequence} {
%s
  transform.named_sequence @__transform_main(%%m: !transform.any_op {transform.readonly}) {
%s
    transform.yield
  }
}
"""


def transform():
    matmul = """%a = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>
%b = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.5]]> : tensor<4x2xf32>
%z = arith.constant dense<0.5> : tensor<2x2xf32>
%r = linalg.matmul ins(%a, %b : tensor<2x4xf32>, tensor<4x2xf32>) outs(%z : tensor<2x2xf32>) -> tensor<2x2xf32>
""" + show("%r", "tensor<2x2xf32>")
    inner = program("transform.none", "", matmul).text.rstrip()
    match = '    %p = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op\n'
    rest = {"pipeline": "transform"}

    def script(op, steps):
        return Program(f"transform.{op}", "matmul", SCRIPT % (inner, match + "\n".join("    " + s for s in steps)), **rest)
    yield script("structured.tile_using_for", ["%t, %l:2 = transform.structured.tile_using_for %p tile_sizes [1, 1] : "
                                               "(!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)"])
    yield script("structured.tile_using_forall", ["%t, %l = transform.structured.tile_using_forall %p tile_sizes [1, 1] : "
                                                  "(!transform.any_op) -> (!transform.any_op, !transform.any_op)"])
    yield script("structured.generalize", ["%t = transform.structured.generalize %p : (!transform.any_op) -> !transform.any_op"])
    yield script("structured.vectorize", ["transform.structured.vectorize %p : !transform.any_op"])
    yield script("structured.pad", ["%t, %q, %c = transform.structured.pad %p {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], "
                                    "padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 1], copy_back_op = \"none\"} : "
                                    "(!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)"])
    yield script("structured.interchange", ["%t = transform.structured.generalize %p : (!transform.any_op) -> !transform.any_op",
                                            "%i = transform.structured.interchange %t iterator_interchange = [1, 0, 2] : "
                                            "(!transform.any_op) -> !transform.any_op"])


def programs():
    for table in (scf, cf, func, asynchronous, transform):
        yield from table()
