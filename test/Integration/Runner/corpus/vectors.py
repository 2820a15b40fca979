# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops of vector, and elementwise ops on vectors."""
from program import FLOATS, INTEGERS, program

V4 = {"f32": "[1.0, -2.5, 3.0, 4.5]", "f64": "[1.0, -2.5, 3.0, 4.5]", "f16": "[1.0, -2.5, 3.0, 4.5]", "bf16": "[1.0, -2.5, 3.0, 4.5]",
      "i64": "[1, -2, 3, 4]", "i32": "[1, -2, 3, 4]", "i16": "[1, -2, 3, 4]", "i8": "[1, -2, 3, 4]", "index": "[1, 2, 3, 4]",
      "i1": "[true, false, true, true]"}
M23 = {"f32": "[[1.0, 2.0, 3.0], [4.0, 5.0, -6.0]]", "i32": "[[1, 2, 3], [4, 5, -6]]"}
BUFFER = """%x = arith.constant 1.5 : f32
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c3 = arith.constant 3 : index
%c4 = arith.constant 4 : index
%m = memref.get_global @data : memref<4x4xf32>
"""
DATA = """memref.global "private" @data : memref<4x4xf32> = dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0],
  [13.0, 14.0, 15.0, 16.0]]>"""


def shapes():
    for k in [*FLOATS, *INTEGERS, "index", "i1"]:
        yield program("vector.print", k, f"%v = arith.constant dense<{V4[k]}> : vector<4x{k}>\nvector.print %v : vector<4x{k}>")
    yield program("vector.print", "text", """vector.print str "a text"
vector.print punctuation <newline>
vector.print punctuation <open>
vector.print punctuation <comma>
vector.print punctuation <close>
vector.print punctuation <newline>""")
    for k in ("f32", "i32"):
        v, m = f"vector<4x{k}>", f"vector<2x3x{k}>"
        head = f"%v = arith.constant dense<{V4[k]}> : {v}\n%m = arith.constant dense<{M23[k]}> : {m}\n"
        yield program("vector.print", f"{k}-2d", head + f"vector.print %m : {m}")
        yield program("vector.extract", k, head + f"%0 = vector.extract %m[1, 2] : {k} from {m}\n%1 = vector.extract %m[1] : vector<3x{k}> from {m}\n"
                      f"vector.print %0 : {k}\nvector.print %1 : vector<3x{k}>")
        yield program("vector.extract", f"{k}-dynamic", head + f"%i = arith.constant 2 : index\n%0 = vector.extract %v[%i] : {k} from {v}\nvector.print %0 : {k}")
        yield program("vector.insert", k, head + f"%e = vector.extract %v[3] : {k} from {v}\n%0 = vector.insert %e, %m[0, 1] : {k} into {m}\n"
                      f"vector.print %0 : {m}")
        yield program("vector.extract_strided_slice", k, head +
                      f"%0 = vector.extract_strided_slice %m {{offsets = [0, 1], sizes = [2, 2], strides = [1, 1]}} : {m} to vector<2x2x{k}>\n"
                      f"vector.print %0 : vector<2x2x{k}>")
        yield program("vector.insert_strided_slice", k, head +
                      f"%s = vector.extract_strided_slice %v {{offsets = [0], sizes = [2], strides = [1]}} : {v} to vector<2x{k}>\n"
                      f"%0 = vector.insert_strided_slice %s, %m {{offsets = [1, 1], strides = [1]}} : vector<2x{k}> into {m}\nvector.print %0 : {m}")
        yield program("vector.shape_cast", k, head + f"%0 = vector.shape_cast %m : {m} to vector<3x2x{k}>\nvector.print %0 : vector<3x2x{k}>")
        yield program("vector.transpose", k, head + f"%0 = vector.transpose %m, [1, 0] : {m} to vector<3x2x{k}>\nvector.print %0 : vector<3x2x{k}>")
        yield program("vector.broadcast", k, head + f"%e = vector.extract %v[3] : {k} from {v}\n%0 = vector.broadcast %e : {k} to {m}\n"
                      f"%1 = vector.broadcast %v : {v} to vector<2x4x{k}>\nvector.print %0 : {m}\nvector.print %1 : vector<2x4x{k}>")
        yield program("vector.shuffle", k, head + f"%0 = vector.shuffle %v, %v [0, 5, 2, 7, 3] : {v}, {v}\nvector.print %0 : vector<5x{k}>")
        yield program("vector.interleave", k, head + f"%0 = vector.interleave %v, %v : {v} -> vector<8x{k}>\nvector.print %0 : vector<8x{k}>")
        yield program("vector.deinterleave", k, head + f"%0, %1 = vector.deinterleave %v : {v} -> vector<2x{k}>\n"
                      f"vector.print %0 : vector<2x{k}>\nvector.print %1 : vector<2x{k}>")
        yield program("vector.from_elements", k, head + f"%a = vector.extract %v[0] : {k} from {v}\n%b = vector.extract %v[1] : {k} from {v}\n"
                      f"%0 = vector.from_elements %b, %a, %b : vector<3x{k}>\nvector.print %0 : vector<3x{k}>")
        yield program("vector.to_elements", k, head + f"%0:4 = vector.to_elements %v : {v}\nvector.print %0#3 : {k}")
        yield program("vector.outerproduct", k, head + f"%0 = vector.outerproduct %v, %v : {v}, {v}\nvector.print %0 : vector<4x4x{k}>")
        yield program("vector.outerproduct", f"{k}-sum", head + f"%z = arith.constant dense<{'1.0' if k == 'f32' else '1'}> : vector<4x4x{k}>\n"
                      f"%0 = vector.outerproduct %v, %v, %z {{kind = #vector.kind<add>}} : {v}, {v}\nvector.print %0 : vector<4x4x{k}>")
        kinds = ("add", "mul", "minnumf", "maxnumf", "minimumf", "maximumf") if k == "f32" else (
            "add", "mul", "minsi", "minui", "maxsi", "maxui", "and", "or", "xor")
        for kind in kinds:
            yield program("vector.reduction", f"{k}-{kind}", head + f"%0 = vector.reduction <{kind}>, %v : {v} into {k}\nvector.print %0 : {k}")
        for kind in (("add", "maximumf") if k == "f32" else ("add", "maxsi", "xor")):
            yield program("vector.multi_reduction", f"{k}-{kind}-one", head +
                          f"%z = vector.extract %m[0] : vector<3x{k}> from {m}\n"
                          f"%0 = vector.multi_reduction <{kind}>, %m, %z [0] : {m} to vector<3x{k}>\nvector.print %0 : vector<3x{k}>")
            yield program("vector.multi_reduction", f"{k}-{kind}-all", head + f"%z = vector.extract %v[0] : {k} from {v}\n"
                          f"%0 = vector.multi_reduction <{kind}>, %m, %z [0, 1] : {m} to {k}\nvector.print %0 : {k}")
        yield program("vector.scan", k, head + f"%z = vector.extract %m[0] : vector<3x{k}> from {m}\n"
                      f"%0:2 = vector.scan <add>, %m, %z {{inclusive = true, reduction_dim = 0 : i64}} : {m}, vector<3x{k}>\n"
                      f"vector.print %0#0 : {m}\nvector.print %0#1 : vector<3x{k}>")
        yield program("vector.contract", k, head + f"%z = arith.constant dense<{'0.5' if k == 'f32' else '1'}> : vector<2x2x{k}>\n"
                      f"%t = vector.transpose %m, [1, 0] : {m} to vector<3x2x{k}>\n"
                      "%0 = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, "
                      'affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} '
                      f"%m, %t, %z : {m}, vector<3x2x{k}> into vector<2x2x{k}>\nvector.print %0 : vector<2x2x{k}>")
        yield program("vector.bitcast", k, head + f"%0 = vector.bitcast %v : {v} to vector<8xi16>\nvector.print %0 : vector<8xi16>")
    yield program("vector.fma", "f32", f"%v = arith.constant dense<{V4['f32']}> : vector<4xf32>\n"
                  "%0 = vector.fma %v, %v, %v : vector<4xf32>\nvector.print %0 : vector<4xf32>")
    yield program("vector.step", "index", "%0 = vector.step : vector<4xindex>\nvector.print %0 : vector<4xindex>")
    yield program("vector.constant_mask", "2d", "%0 = vector.constant_mask [2, 3] : vector<3x4xi1>\nvector.print %0 : vector<3x4xi1>")
    yield program("vector.create_mask", "2d", "%a = arith.constant 1 : index\n%b = arith.constant 3 : index\n"
                  "%0 = vector.create_mask %a, %b : vector<3x4xi1>\nvector.print %0 : vector<3x4xi1>")
    yield program("vector.mask", "reduction", f"%v = arith.constant dense<{V4['f32']}> : vector<4xf32>\n%k = vector.constant_mask [2] : vector<4xi1>\n"
                  "%0 = vector.mask %k { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32\nvector.print %0 : f32")
    yield program("vector.broadcast", "splat", "%x = arith.constant 2 : i32\n%0 = vector.broadcast %x : i32 to vector<4xi32>\nvector.print %0 : vector<4xi32>")


def memory():
    yield program("vector.load", "f32", BUFFER + "%0 = vector.load %m[%c1, %c0] : memref<4x4xf32>, vector<4xf32>\nvector.print %0 : vector<4xf32>", DATA)
    yield program("vector.store", "f32", BUFFER + """%v = vector.broadcast %x : f32 to vector<2xf32>
vector.store %v, %m[%c1, %c2] : memref<4x4xf32>, vector<2xf32>
%0 = vector.load %m[%c1, %c0] : memref<4x4xf32>, vector<4xf32>
vector.print %0 : vector<4xf32>""", DATA)
    yield program("vector.maskedload", "f32", BUFFER + """%k = vector.constant_mask [3] : vector<4xi1>
%p = vector.broadcast %x : f32 to vector<4xf32>
%0 = vector.maskedload %m[%c2, %c0], %k, %p : memref<4x4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
vector.print %0 : vector<4xf32>""", DATA)
    yield program("vector.maskedstore", "f32", BUFFER + """%k = vector.constant_mask [3] : vector<4xi1>
%p = vector.broadcast %x : f32 to vector<4xf32>
vector.maskedstore %m[%c2, %c0], %k, %p : memref<4x4xf32>, vector<4xi1>, vector<4xf32>
%0 = vector.load %m[%c2, %c0] : memref<4x4xf32>, vector<4xf32>
vector.print %0 : vector<4xf32>""", DATA)
    yield program("vector.gather", "f32", BUFFER + """%k = arith.constant dense<[true, false, true, true]> : vector<4xi1>
%i = arith.constant dense<[3, 2, 1, 0]> : vector<4xi32>
%p = vector.broadcast %x : f32 to vector<4xf32>
%0 = vector.gather %m[%c1, %c0] [%i], %k, %p : memref<4x4xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
vector.print %0 : vector<4xf32>""", DATA)
    yield program("vector.scatter", "f32", BUFFER + """%k = arith.constant dense<[true, false, true, true]> : vector<4xi1>
%i = arith.constant dense<[3, 2, 1, 0]> : vector<4xi32>
%p = vector.load %m[%c3, %c0] : memref<4x4xf32>, vector<4xf32>
vector.scatter %m[%c1, %c0] [%i], %k, %p : memref<4x4xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
%0 = vector.load %m[%c1, %c0] : memref<4x4xf32>, vector<4xf32>
vector.print %0 : vector<4xf32>""", DATA)
    yield program("vector.expandload", "f32", BUFFER + """%k = arith.constant dense<[true, false, true, true]> : vector<4xi1>
%p = vector.broadcast %x : f32 to vector<4xf32>
%0 = vector.expandload %m[%c1, %c0], %k, %p : memref<4x4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
vector.print %0 : vector<4xf32>""", DATA)
    yield program("vector.compressstore", "f32", BUFFER + """%k = arith.constant dense<[true, false, true, true]> : vector<4xi1>
%p = vector.load %m[%c3, %c0] : memref<4x4xf32>, vector<4xf32>
vector.compressstore %m[%c1, %c0], %k, %p : memref<4x4xf32>, vector<4xi1>, vector<4xf32>
%0 = vector.load %m[%c1, %c0] : memref<4x4xf32>, vector<4xf32>
vector.print %0 : vector<4xf32>""", DATA)
    yield program("vector.transfer_read", "1d", BUFFER + """%0 = vector.transfer_read %m[%c1, %c2], %x : memref<4x4xf32>, vector<4xf32>
vector.print %0 : vector<4xf32>""", DATA)
    yield program("vector.transfer_read", "2d", BUFFER + """%0 = vector.transfer_read %m[%c2, %c2], %x : memref<4x4xf32>, vector<3x3xf32>
vector.print %0 : vector<3x3xf32>""", DATA)
    yield program("vector.transfer_read", "transposed", BUFFER + """%0 = vector.transfer_read %m[%c0, %c1], %x {permutation_map = affine_map<(i, j) -> (j, i)>} :
  memref<4x4xf32>, vector<3x3xf32>
vector.print %0 : vector<3x3xf32>""", DATA)
    yield program("vector.transfer_read", "broadcast", BUFFER + """%0 = vector.transfer_read %m[%c0, %c1], %x {permutation_map = affine_map<(i, j) -> (0, j)>} :
  memref<4x4xf32>, vector<2x3xf32>
vector.print %0 : vector<2x3xf32>""", DATA)
    yield program("vector.transfer_write", "2d", BUFFER + """%v = vector.broadcast %x : f32 to vector<3x3xf32>
vector.transfer_write %v, %m[%c2, %c2] : vector<3x3xf32>, memref<4x4xf32>
%0 = vector.transfer_read %m[%c0, %c0], %x : memref<4x4xf32>, vector<4x4xf32>
vector.print %0 : vector<4x4xf32>""", DATA)
    yield program("vector.transfer_write", "tensor", """%x = arith.constant 1.5 : f32
%c0 = arith.constant 0 : index
%t = arith.constant dense<2.0> : tensor<4xf32>
%v = vector.broadcast %x : f32 to vector<2xf32>
%r = vector.transfer_write %v, %t[%c0] : vector<2xf32>, tensor<4xf32>
%0 = vector.transfer_read %r[%c0], %x : tensor<4xf32>, vector<4xf32>
vector.print %0 : vector<4xf32>""")
    yield program("vector.type_cast", "f32", BUFFER + """%t = vector.type_cast %m : memref<4x4xf32> to memref<vector<4x4xf32>>
%0 = memref.load %t[] : memref<vector<4x4xf32>>
vector.print %0 : vector<4x4xf32>""", DATA)
    yield program("vector.store", "constant-printed", """%v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
%c0 = arith.constant 0 : index
%m = memref.alloc() : memref<4xf32>
vector.store %v, %m[%c0] : memref<4xf32>, vector<4xf32>
%u = memref.cast %m : memref<4xf32> to memref<*xf32>
call @printMemrefF32(%u) : (memref<*xf32>) -> ()""")


def elementwise():
    for op in ("addf", "mulf", "divf", "maximumf", "minimumf"):
        yield program(f"arith.{op}", "vector", f"%v = arith.constant dense<{V4['f32']}> : vector<4xf32>\n"
                      f"%w = vector.shuffle %v, %v [3, 2, 1, 0] : vector<4xf32>, vector<4xf32>\n"
                      f"%0 = arith.{op} %v, %w : vector<4xf32>\nvector.print %0 : vector<4xf32>")
    for op in ("addi", "muli", "divsi", "floordivsi", "ceildivsi", "maxsi", "shli", "shrsi"):
        yield program(f"arith.{op}", "vector", f"%v = arith.constant dense<{V4['i32']}> : vector<4xi32>\n"
                      f"%w = arith.constant dense<[3, 2, 4, 1]> : vector<4xi32>\n"
                      f"%0 = arith.{op} %v, %w : vector<4xi32>\nvector.print %0 : vector<4xi32>")
    for op in ("exp", "tanh", "sqrt", "absf", "floor", "erf", "log1p", "roundeven"):
        yield program(f"math.{op}", "vector", "%v = arith.constant dense<[1.0, 2.5, 0.25, 4.0]> : vector<4xf32>\n"
                      f"%0 = math.{op} %v : vector<4xf32>\nvector.print %0 : vector<4xf32>")
    yield program("arith.cmpf", "vector", f"%v = arith.constant dense<{V4['f32']}> : vector<4xf32>\n%w = arith.constant dense<1.0> : vector<4xf32>\n"
                  "%c = arith.cmpf ogt, %v, %w : vector<4xf32>\n%0 = arith.select %c, %v, %w : vector<4xi1>, vector<4xf32>\n"
                  "vector.print %c : vector<4xi1>\nvector.print %0 : vector<4xf32>")
    yield program("arith.truncf", "vector", f"%v = arith.constant dense<{V4['f32']}> : vector<4xf32>\n%0 = arith.truncf %v : vector<4xf32> to vector<4xbf16>\n"
                  "%1 = arith.extf %0 : vector<4xbf16> to vector<4xf32>\nvector.print %1 : vector<4xf32>")


def programs():
    for table in (shapes, memory, elementwise):
        yield from table()
