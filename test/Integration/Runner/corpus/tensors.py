# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops on tensors: tensor, linalg, sparse_tensor."""
from program import FLOATS, Program, dense, program, show

ROWS = [[1.0, 2.0, 3.0], [4.0, 5.5, -6.0]]
HEAD = f"""%t = arith.constant {dense(ROWS)} : tensor<2x3xf32>
%d = tensor.cast %t : tensor<2x3xf32> to tensor<?x?xf32>
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c3 = arith.constant 3 : index
%x = arith.constant 7.5 : f32
"""


def on(op, kind, body, result="", type_="", **rest):
    return program(op, kind, HEAD + body + ("\n" + show(result, type_) if result else ""), **rest)


def tensor():
    yield on("tensor.cast", "static-dynamic", "", "%d", "tensor<?x?xf32>")
    yield on("tensor.extract", "f32", "%0 = tensor.extract %t[%c1, %c2] : tensor<2x3xf32>\nvector.print %0 : f32")
    yield on("tensor.insert", "f32", "%0 = tensor.insert %x into %t[%c1, %c2] : tensor<2x3xf32>", "%0", "tensor<2x3xf32>")
    yield on("tensor.extract_slice", "static", "%0 = tensor.extract_slice %t[0, 1] [2, 2] [1, 1] : tensor<2x3xf32> to tensor<2x2xf32>", "%0", "tensor<2x2xf32>")
    # Not printed as a buffer: where in memory the elements of a tensor lie is the compiler's own affair.
    yield on("tensor.extract_slice", "dynamic", """%0 = tensor.extract_slice %d[%c0, %c1] [%c2, %c1] [%c1, %c1] : tensor<?x?xf32> to tensor<?x?xf32>
%v = vector.transfer_read %0[%c0, %c0], %x : tensor<?x?xf32>, vector<2x2xf32>
vector.print %v : vector<2x2xf32>""")
    yield on("tensor.extract_slice", "rank-reducing", "%0 = tensor.extract_slice %t[1, 0] [1, 3] [1, 1] : tensor<2x3xf32> to tensor<3xf32>", "%0", "tensor<3xf32>")
    yield on("tensor.insert_slice", "static", "%s = tensor.extract_slice %t[0, 1] [2, 2] [1, 1] : tensor<2x3xf32> to tensor<2x2xf32>\n"
             "%0 = tensor.insert_slice %s into %t[0, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<2x3xf32>", "%0", "tensor<2x3xf32>")
    yield on("tensor.insert_slice", "dynamic", "%s = tensor.extract_slice %d[%c0, %c1] [%c2, %c1] [%c1, %c1] : tensor<?x?xf32> to tensor<?x?xf32>\n"
             "%0 = tensor.insert_slice %s into %d[%c0, %c0] [%c2, %c1] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>", "%0", "tensor<?x?xf32>")
    yield on("tensor.collapse_shape", "static", "%0 = tensor.collapse_shape %t [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>", "%0", "tensor<6xf32>")
    yield on("tensor.collapse_shape", "dynamic", "%0 = tensor.collapse_shape %d [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>", "%0", "tensor<?xf32>")
    yield on("tensor.expand_shape", "static", "%0 = tensor.expand_shape %t [[0], [1, 2]] output_shape [2, 3, 1] : tensor<2x3xf32> into tensor<2x3x1xf32>", "%0", "tensor<2x3x1xf32>")
    yield on("tensor.expand_shape", "dynamic", "%0 = tensor.expand_shape %d [[0], [1, 2]] output_shape [%c2, 1, %c3] : tensor<?x?xf32> into tensor<?x1x?xf32>", "%0", "tensor<?x1x?xf32>")
    yield on("tensor.reshape", "f32", "%s = tensor.from_elements %c3, %c2 : tensor<2xindex>\n%0 = tensor.reshape %t(%s) : (tensor<2x3xf32>, tensor<2xindex>) -> tensor<3x2xf32>", "%0", "tensor<3x2xf32>")
    yield on("tensor.dim", "dynamic", "%0 = tensor.dim %d, %c1 : tensor<?x?xf32>\nvector.print %0 : index")
    yield on("tensor.rank", "f32", "%0 = tensor.rank %t : tensor<2x3xf32>\nvector.print %0 : index")
    yield on("tensor.empty", "filled", "%e = tensor.empty(%c2) : tensor<?x2xf32>\n%0 = linalg.fill ins(%x : f32) outs(%e : tensor<?x2xf32>) -> tensor<?x2xf32>", "%0", "tensor<?x2xf32>")
    yield on("tensor.splat", "static", "%0 = tensor.splat %x : tensor<2x2xf32>", "%0", "tensor<2x2xf32>")
    yield on("tensor.splat", "dynamic", "%0 = tensor.splat %x[%c3] : tensor<2x?xf32>", "%0", "tensor<2x?xf32>")
    yield on("tensor.from_elements", "f32", "%0 = tensor.from_elements %x, %x, %x, %x : tensor<2x2xf32>", "%0", "tensor<2x2xf32>")
    yield on("tensor.generate", "dynamic", """%0 = tensor.generate %c3 {
^bb0(%i: index, %j: index):
  %s = arith.addi %i, %j : index
  %k = arith.index_cast %s : index to i32
  %f = arith.sitofp %k : i32 to f32
  tensor.yield %f : f32
} : tensor<?x2xf32>""", "%0", "tensor<?x2xf32>")
    yield on("tensor.pad", "constant", "%0 = tensor.pad %t low[1, 0] high[0, 2] {\n^bb0(%i: index, %j: index):\n  tensor.yield %x : f32\n} : tensor<2x3xf32> to tensor<3x5xf32>", "%0", "tensor<3x5xf32>")
    yield on("tensor.pad", "dynamic", "%0 = tensor.pad %d low[%c1, 0] high[0, %c2] {\n^bb0(%i: index, %j: index):\n  tensor.yield %x : f32\n} : tensor<?x?xf32> to tensor<?x?xf32>", "%0", "tensor<?x?xf32>")
    yield on("tensor.concat", "static", "%0 = tensor.concat dim(1) %t, %t : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>", "%0", "tensor<2x6xf32>", pipeline="script")
    yield on("tensor.bitcast", "i32-ui32", "%i = arith.constant dense<[1, -2]> : tensor<2xi32>\n%u = tensor.bitcast %i : tensor<2xi32> to tensor<2xui32>\n"
             "%0 = tensor.bitcast %u : tensor<2xui32> to tensor<2xi32>", "%0", "tensor<2xi32>")
    yield program("tensor.extract", "i1", "%t = arith.constant dense<[true, false]> : tensor<2xi1>\n%c1 = arith.constant 1 : index\n%0 = tensor.extract %t[%c1] : tensor<2xi1>\nvector.print %0 : i1")
    for k, values in (("f64", [1.5, -0.0]), ("f32", [-0.0, 0.0]), ("f16", [1.5, -0.0]), ("bf16", [1.5, -0.0]), ("i64", [5, -7]), ("i32", [5, -7]), ("i16", [5, -7]), ("i8", [65, 66]), ("index", [5, 7])):
        yield program("arith.constant", f"tensor-{k}", f"%t = arith.constant {dense(values)} : tensor<2x{k}>\n" + show("%t", f"tensor<2x{k}>"))
    yield program("arith.constant", "sparse", "%t = arith.constant sparse<[[0, 1], [1, 2]], [1.5, -2.5]> : tensor<2x3xf32>\n" + show("%t", "tensor<2x3xf32>"))
    yield program("arith.select", "tensors", "%t = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>\n%u = arith.constant dense<[3.0, 4.0]> : tensor<2xf32>\n"
                  "%a = arith.constant 1 : index\n%b = arith.constant 2 : index\n%c = arith.cmpi sgt, %a, %b : index\n%0 = arith.select %c, %t, %u : tensor<2xf32>\n" + show("%0", "tensor<2xf32>"))
    for op in ("addf", "mulf", "maximumf"):
        for k in FLOATS:
            yield program(f"arith.{op}", f"tensor-{k}", f"%t = arith.constant dense<[1.5, -0.0, 3.0]> : tensor<3x{k}>\n%u = arith.constant dense<[0.5, 0.0, -4.0]> : tensor<3x{k}>\n"
                          f"%0 = arith.{op} %t, %u : tensor<3x{k}>\n" + show("%0", f"tensor<3x{k}>"))


VALUES = {"f32": ([[1.0, 2.0], [3.0, 4.5]], [[0.5, 1.0], [-1.0, 2.0]]), "i32": ([[1, 2], [3, 4]], [[5, 6], [-7, 8]])}


def linalg():
    for k in ("f32", "f64", "f16", "bf16", "i32", "i64", "i8"):
        a, b = VALUES["f32" if k[0] in "fb" else "i32"]
        zero = "0.0" if k[0] in "fb" else "0"
        m = f"tensor<2x2x{k}>"
        head = f"%a = arith.constant {dense(a)} : {m}\n%b = arith.constant {dense(b)} : {m}\n%z = arith.constant dense<{zero}> : {m}\n"
        head += f"%v = arith.constant {dense(a[0])} : tensor<2x{k}>\n%w = arith.constant dense<{zero}> : tensor<2x{k}>\n%e = tensor.empty() : {m}\n"
        small = k in ("f16", "bf16", "i8", "i64", "f64")
        yield program("linalg.matmul", k, head + f"%0 = linalg.matmul ins(%a, %b : {m}, {m}) outs(%z : {m}) -> {m}\n" + show("%0", m))
        for op in ("add", "sub", "mul", "div", "max", "min"):
            if op == "div" and small or small and op not in ("add", "mul"):
                continue
            yield program(f"linalg.{op}", k, head + f"%0 = linalg.{op} ins(%a, %b : {m}, {m}) outs(%e : {m}) -> {m}\n" + show("%0", m))
        if small:
            continue
        yield program("linalg.matvec", k, head + f"%0 = linalg.matvec ins(%a, %v : {m}, tensor<2x{k}>) outs(%w : tensor<2x{k}>) -> tensor<2x{k}>\n" + show("%0", f"tensor<2x{k}>"))
        yield program("linalg.vecmat", k, head + f"%0 = linalg.vecmat ins(%v, %a : tensor<2x{k}>, {m}) outs(%w : tensor<2x{k}>) -> tensor<2x{k}>\n" + show("%0", f"tensor<2x{k}>"))
        yield program("linalg.dot", k, head + f"%s = arith.constant dense<{zero}> : tensor<{k}>\n%0 = linalg.dot ins(%v, %v : tensor<2x{k}>, tensor<2x{k}>) outs(%s : tensor<{k}>) -> tensor<{k}>\n"
                      + show("%0", f"tensor<{k}>"))
        yield program("linalg.transpose", k, head + f"%0 = linalg.transpose ins(%a : {m}) outs(%e : {m}) permutation = [1, 0]\n" + show("%0", m))
        yield program("linalg.broadcast", k, head + f"%0 = linalg.broadcast ins(%v : tensor<2x{k}>) outs(%e : {m}) dimensions = [0]\n" + show("%0", m))
        add = "arith.addf" if k[0] == "f" else "arith.addi"
        yield program("linalg.reduce", k, head + f"%0 = linalg.reduce {{ {add} }} ins(%a : {m}) outs(%w : tensor<2x{k}>) dimensions = [1]\n" + show("%0", f"tensor<2x{k}>"))
        yield program("linalg.map", k, head + f"%0 = linalg.map {{ {add} }} ins(%a, %b : {m}, {m}) outs(%e : {m})\n" + show("%0", m))
        yield program("linalg.copy", k, head + f"%0 = linalg.copy ins(%a : {m}) outs(%e : {m}) -> {m}\n" + show("%0", m))
        yield program("linalg.generic", k, head + f"""%0 = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
  iterator_types = ["parallel", "parallel"]}} ins(%a, %b : {m}, {m}) outs(%e : {m}) {{
^bb0(%p: {k}, %q: {k}, %o: {k}):
  %s = {add} %p, %q : {k}
  linalg.yield %s : {k}
}} -> {m}
""" + show("%0", m))
    head = f"%a = arith.constant {dense([[0.25, 0.5], [0.75, 2.5]])} : tensor<2x2xf32>\n%e = tensor.empty() : tensor<2x2xf32>\n"
    for op in ("exp", "log", "abs", "ceil", "floor", "negf", "reciprocal", "round", "sqrt", "rsqrt", "square", "tanh", "erf"):
        yield program(f"linalg.{op}", "f32", head + f"%0 = linalg.{op} ins(%a : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>\n" + show("%0", "tensor<2x2xf32>"))
    yield program("linalg.powf", "f32", head + "%0 = linalg.powf ins(%a, %a : tensor<2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>\n" + show("%0", "tensor<2x2xf32>"))
    yield program("linalg.select", "f32", head + "%c = arith.constant dense<[[true, false], [false, true]]> : tensor<2x2xi1>\n%n = arith.negf %a : tensor<2x2xf32>\n"
                  "%0 = linalg.select ins(%c, %a, %n : tensor<2x2xi1>, tensor<2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>\n" + show("%0", "tensor<2x2xf32>"))
    yield program("linalg.index", "generic", head + """%0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<2x2xf32>) {
^bb0(%o: f32):
  %i = linalg.index 0 : index
  %j = linalg.index 1 : index
  %s = arith.addi %i, %j : index
  %k = arith.index_cast %s : index to i32
  %f = arith.sitofp %k : i32 to f32
  linalg.yield %f : f32
} -> tensor<2x2xf32>
""" + show("%0", "tensor<2x2xf32>"))
    yield program("linalg.fill", "memref", "%x = arith.constant -0.0 : f32\n%m = memref.alloc() : memref<2xf32>\nlinalg.fill ins(%x : f32) outs(%m : memref<2xf32>)\n" + show("%m", "memref<2xf32>"))
    yield program("linalg.fill_rng_2d", "f32", """%lo = arith.constant -1.0 : f64
%hi = arith.constant 1.0 : f64
%seed = arith.constant 42 : i32
%e = tensor.empty() : tensor<2x2xf32>
%0 = linalg.fill_rng_2d ins(%lo, %hi, %seed : f64, f64, i32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
""" + show("%0", "tensor<2x2xf32>"))
    yield program("linalg.matmul", "memref", """%x = arith.constant 1.5 : f32
%z = arith.constant 0.0 : f32
%a = memref.alloc() : memref<2x3xf32>
%b = memref.alloc() : memref<3x2xf32>
%c = memref.alloc() : memref<2x2xf32>
linalg.fill ins(%x : f32) outs(%a : memref<2x3xf32>)
linalg.fill ins(%x : f32) outs(%b : memref<3x2xf32>)
linalg.fill ins(%z : f32) outs(%c : memref<2x2xf32>)
linalg.matmul ins(%a, %b : memref<2x3xf32>, memref<3x2xf32>) outs(%c : memref<2x2xf32>)
""" + show("%c", "memref<2x2xf32>"))
    yield program("linalg.matmul", "dynamic", HEAD + "%e = tensor.empty(%c3, %c3) : tensor<?x?xf32>\n%z = linalg.fill ins(%x : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>\n"
                  "%f = tensor.empty(%c3, %c2) : tensor<?x?xf32>\n%g = linalg.transpose ins(%d : tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) permutation = [1, 0]\n"
                  "%0 = linalg.matmul ins(%g, %d : tensor<?x?xf32>, tensor<?x?xf32>) outs(%z : tensor<?x?xf32>) -> tensor<?x?xf32>\n" + show("%0", "tensor<?x?xf32>"))
    yield program("linalg.batch_matmul", "f32", f"%a = arith.constant {dense([VALUES['f32'][0], VALUES['f32'][1]])} : tensor<2x2x2xf32>\n%z = arith.constant dense<0.0> : tensor<2x2x2xf32>\n"
                  "%0 = linalg.batch_matmul ins(%a, %a : tensor<2x2x2xf32>, tensor<2x2x2xf32>) outs(%z : tensor<2x2x2xf32>) -> tensor<2x2x2xf32>\n" + show("%0", "tensor<2x2x2xf32>"))
    yield program("linalg.quantized_matmul", "i8", "%a = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>\n%z = arith.constant dense<0> : tensor<2x2xi32>\n%p = arith.constant 1 : i32\n"
                  "%0 = linalg.quantized_matmul ins(%a, %a, %p, %p : tensor<2x2xi8>, tensor<2x2xi8>, i32, i32) outs(%z : tensor<2x2xi32>) -> tensor<2x2xi32>\n" + show("%0", "tensor<2x2xi32>"))
    image = f"%i = arith.constant {dense([[[[float(3 * y + x)] for x in range(3)] for y in range(3)]])} : tensor<1x3x3x1xf32>\n%k = arith.constant {dense([[[[1.0]], [[2.0]]], [[[0.5]], [[-1.0]]]])} : tensor<2x2x1x1xf32>\n" \
            "%z = arith.constant dense<0.0> : tensor<1x2x2x1xf32>\n%w = arith.constant dense<0.0> : tensor<2x2xf32>\n"
    yield program("linalg.conv_2d_nhwc_hwcf", "f32", image + "%0 = linalg.conv_2d_nhwc_hwcf ins(%i, %k : tensor<1x3x3x1xf32>, tensor<2x2x1x1xf32>) outs(%z : tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>\n" + show("%0", "tensor<1x2x2x1xf32>"))
    for op in ("sum", "max", "min"):
        yield program(f"linalg.pooling_nhwc_{op}", "f32", image + f"%0 = linalg.pooling_nhwc_{op} ins(%i, %w : tensor<1x3x3x1xf32>, tensor<2x2xf32>) outs(%z : tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>\n" + show("%0", "tensor<1x2x2x1xf32>"))
    yield program("linalg.conv_1d", "f32", "%a = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>\n%k = arith.constant dense<[1.0, -1.0]> : tensor<2xf32>\n%z = arith.constant dense<0.0> : tensor<3xf32>\n"
                  "%0 = linalg.conv_1d ins(%a, %k : tensor<4xf32>, tensor<2xf32>) outs(%z : tensor<3xf32>) -> tensor<3xf32>\n" + show("%0", "tensor<3xf32>"))
    yield on("linalg.pack", "static", "%e = tensor.empty() : tensor<1x2x2x2xf32>\n%0 = linalg.pack %t padding_value(%x : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e : tensor<2x3xf32> -> tensor<1x2x2x2xf32>",
             "%0", "tensor<1x2x2x2xf32>", pipeline="script")
    yield on("linalg.pack", "dynamic", "%e = tensor.empty(%c1, %c2) : tensor<?x?x2x2xf32>\n%0 = linalg.pack %d padding_value(%x : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e : tensor<?x?xf32> -> tensor<?x?x2x2xf32>",
             "%0", "tensor<?x?x2x2xf32>", pipeline="script")
    yield on("linalg.unpack", "static", "%p = arith.constant dense<[[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]]> : tensor<1x2x2x2xf32>\n%e = tensor.empty() : tensor<2x3xf32>\n"
             "%0 = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e : tensor<1x2x2x2xf32> -> tensor<2x3xf32>", "%0", "tensor<2x3xf32>", pipeline="script")
    yield on("linalg.softmax", "static", "%e = tensor.empty() : tensor<2x3xf32>\n%0 = linalg.softmax dimension(1) ins(%t : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>", "%0", "tensor<2x3xf32>", pipeline="script")
    yield on("linalg.softmax", "dynamic", "%e = tensor.empty(%c2, %c3) : tensor<?x?xf32>\n%0 = linalg.softmax dimension(1) ins(%d : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>", "%0", "tensor<?x?xf32>", pipeline="script")
    yield on("linalg.contract", "f32", "%z = arith.constant dense<0.0> : tensor<2x2xf32>\n%0 = linalg.contract indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>] "
             "ins(%t, %t : tensor<2x3xf32>, tensor<2x3xf32>) outs(%z : tensor<2x2xf32>) -> tensor<2x2xf32>", "%0", "tensor<2x2xf32>")
    yield on("linalg.elementwise", "f32", "%e = tensor.empty() : tensor<2x3xf32>\n%0 = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%t : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>", "%0", "tensor<2x3xf32>")
    yield on("linalg.mmt4d", "f32", "%a = arith.constant dense<1.5> : tensor<1x1x2x2xf32>\n%z = arith.constant dense<0.0> : tensor<1x1x2x2xf32>\n"
             "%0 = linalg.mmt4d ins(%a, %a : tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) outs(%z : tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>", "%0", "tensor<1x1x2x2xf32>")


CONVOLUTIONS = ("conv_1d_ncw_fcw", "conv_1d_nwc_wcf", "conv_2d", "conv_2d_nchw_fchw", "conv_2d_nchw_fchw_q", "conv_2d_ngchw_fgchw", "conv_2d_ngchw_gfchw",
                "conv_2d_ngchw_gfchw_q", "conv_2d_nhwc_fhwc", "conv_2d_nhwc_fhwc_q", "conv_2d_nhwc_hwcf_q", "conv_2d_nhwgc_gfhwc", "conv_2d_nhwgc_gfhwc_q",
                "conv_3d", "conv_3d_ncdhw_fcdhw", "conv_3d_ndhwc_dhwcf", "conv_3d_ndhwc_dhwcf_q", "depthwise_conv_1d_ncw_cw", "depthwise_conv_1d_nwc_wc",
                "depthwise_conv_1d_nwc_wcm", "depthwise_conv_2d_nchw_chw", "depthwise_conv_2d_nhwc_hwc", "depthwise_conv_2d_nhwc_hwc_q",
                "depthwise_conv_2d_nhwc_hwcm", "depthwise_conv_2d_nhwc_hwcm_q", "depthwise_conv_3d_ncdhw_cdhw", "depthwise_conv_3d_ndhwc_dhwc",
                "depthwise_conv_3d_ndhwc_dhwcm")
POOLS = ("nchw_max", "nchw_sum", "ncw_max", "ncw_sum", "ndhwc_max", "ndhwc_min", "ndhwc_sum", "nhwc_max_unsigned", "nhwc_min_unsigned", "nwc_max",
         "nwc_max_unsigned", "nwc_min", "nwc_min_unsigned", "nwc_sum")
SPATIAL = "dhw"


def filled(letters, sizes, kind, start):
    """A constant with a different number nearly everywhere, and its type."""
    shape = [sizes[l] for l in letters]
    numbers = iter(range(start, start + 10**6))

    def build(dims):
        if not dims:
            value = next(numbers) % 7 - 2
            return float(value) if kind[0] == "f" else value
        return [build(dims[1:]) for _ in range(dims[0])]
    return dense(build(shape)), "tensor<" + "".join(f"{s}x" for s in shape) + f"{kind}>"


def windows():
    size = {"n": 1, "c": 2, "f": 2, "g": 2, "m": 2}
    for name in CONVOLUTIONS:
        parts = name.removesuffix("_q").split("_")
        depthwise, layout = "depthwise" in name, [p for p in parts if p not in ("conv", "depthwise", "1d", "2d", "3d")]
        spatial = SPATIAL[3 - int(parts[parts.index("conv") + 1][0]):]
        inputs, filters = layout or (spatial, spatial)
        outputs = inputs if depthwise else inputs.replace("c", "f")
        if depthwise and filters.endswith("m"):
            outputs += "m"
        quantized = name.endswith("_q")
        kind, wide = ("i8", "i32") if quantized else ("f32", "f32")
        a, ta = filled(inputs, {**size, **dict.fromkeys(SPATIAL, 3)}, kind, 1)
        b, tb = filled(filters, {**size, **dict.fromkeys(SPATIAL, 2)}, kind, 3)
        _, to = filled(outputs, {**size, **dict.fromkeys(SPATIAL, 2)}, wide, 0)
        more, types = (", %p, %p", ", i32, i32") if quantized else ("", "")
        yield program(f"linalg.{name}", kind, f"%a = arith.constant {a} : {ta}\n%b = arith.constant {b} : {tb}\n%p = arith.constant 1 : i32\n"
                      f"%z = arith.constant dense<{'0' if quantized else '0.0'}> : {to}\n"
                      f"%0 = linalg.{name} ins(%a, %b{more} : {ta}, {tb}{types}) outs(%z : {to}) -> {to}\n" + show("%0", to))
    for name in POOLS:
        layout = name.split("_")[0]
        kind = "i32" if "unsigned" in name else "f32"
        a, ta = filled(layout, {**size, **dict.fromkeys(SPATIAL, 3)}, kind, 1)
        _, tw = filled("".join(l for l in layout if l in SPATIAL), dict.fromkeys(SPATIAL, 2), kind, 0)
        _, to = filled(layout, {**size, **dict.fromkeys(SPATIAL, 2)}, kind, 0)
        zero = "0" if kind == "i32" else "0.0"
        yield program(f"linalg.pooling_{name}", kind, f"%a = arith.constant {a} : {ta}\n%w = arith.constant dense<{zero}> : {tw}\n%z = arith.constant dense<{zero}> : {to}\n"
                      f"%0 = linalg.pooling_{name} ins(%a, %w : {ta}, {tw}) outs(%z : {to}) -> {to}\n" + show("%0", to))
    for op, left, right, out in (("batch_matvec", "nhw", "nw", "nh"), ("batch_vecmat", "nh", "nhw", "nw"), ("batch_reduce_matmul", "nhw", "nwd", "hd"),
                                 ("batch_mmt4d", "nhwcf", "ndwgf", "nhdcg")):
        sizes = {"n": 2, "h": 2, "w": 3, "d": 2, "c": 1, "f": 2, "g": 2}
        a, ta = filled(left, sizes, "f32", 1)
        b, tb = filled(right, sizes, "f32", 4)
        _, to = filled(out, sizes, "f32", 0)
        yield program(f"linalg.{op}", "f32", f"%a = arith.constant {a} : {ta}\n%b = arith.constant {b} : {tb}\n%z = arith.constant dense<0.0> : {to}\n"
                      f"%0 = linalg.{op} ins(%a, %b : {ta}, {tb}) outs(%z : {to}) -> {to}\n" + show("%0", to))
    t = "tensor<2x2x2xi8>"
    yield program("linalg.quantized_batch_matmul", "i8", f"%a = arith.constant dense<[[[1, 2], [3, 4]], [[5, 6], [-7, 8]]]> : {t}\n%p = arith.constant 1 : i32\n"
                  "%z = arith.constant dense<0> : tensor<2x2x2xi32>\n%0 = linalg.quantized_batch_matmul ins(%a, %a, %p, %p : "
                  f"{t}, {t}, i32, i32) outs(%z : tensor<2x2x2xi32>) -> tensor<2x2x2xi32>\n" + show("%0", "tensor<2x2x2xi32>"))
    yield program("linalg.div_unsigned", "i32", "%a = arith.constant dense<[100, -3]> : tensor<2xi32>\n%b = arith.constant dense<[7, 2]> : tensor<2xi32>\n"
                  "%e = tensor.empty() : tensor<2xi32>\n%0 = linalg.div_unsigned ins(%a, %b : tensor<2xi32>, tensor<2xi32>) outs(%e : tensor<2xi32>) -> tensor<2xi32>\n"
                  + show("%0", "tensor<2xi32>"))


ENCODINGS = {"csr": "#sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>",
             "coo": "#sparse_tensor.encoding<{map = (i, j) -> (i : compressed(nonunique), j : singleton)}>",
             "vector": "#sparse_tensor.encoding<{map = (i) -> (i : compressed)}>"}


def sparse():
    for name in ("csr", "coo"):
        head = f"#e = {ENCODINGS[name]}\n"
        s = "tensor<3x4xf32, #e>"
        body = """%t = arith.constant dense<[[0.0, 1.0, 0.0, 2.0], [0.0, 0.0, 0.0, 0.0], [3.0, 0.0, 4.5, 0.0]]> : tensor<3x4xf32>
%s = sparse_tensor.convert %t : tensor<3x4xf32> to """ + s + "\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"

        def text(op, kind, more):
            made = program(op, f"{kind}-{name}", body + more, pipeline="sparse")
            return Program(made.op, made.kind, head + made.text, "sparse")
        yield text("sparse_tensor.number_of_entries", "f32", f"%n = sparse_tensor.number_of_entries %s : {s}\nvector.print %n : index")
        yield text("sparse_tensor.values", "f32", f"%v = sparse_tensor.values %s : {s} to memref<?xf32>\n%0 = memref.load %v[%c1] : memref<?xf32>\nvector.print %0 : f32")
        yield text("sparse_tensor.convert", "dense", f"%d = sparse_tensor.convert %s : {s} to tensor<3x4xf32>\n%c2 = arith.constant 2 : index\n"
                   "%0 = tensor.extract %d[%c2, %c2] : tensor<3x4xf32>\nvector.print %0 : f32")
        yield text("linalg.matvec", "sparse", f"""%v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
%z = arith.constant dense<0.0> : tensor<3xf32>
%r = linalg.matvec ins(%s, %v : {s}, tensor<4xf32>) outs(%z : tensor<3xf32>) -> tensor<3xf32>
%w = vector.transfer_read %r[%c0], %f0 : tensor<3xf32>, vector<3xf32>
vector.print %w : vector<3xf32>""".replace("%w =", "%f0 = arith.constant 0.0 : f32\n%w =", 1))
        yield text("sparse_tensor.foreach", "f32", f"""sparse_tensor.foreach in %s : {s} do {{
^bb0(%i: index, %j: index, %v: f32):
  vector.print %j : index
  vector.print %v : f32
}}""")
        yield text("sparse_tensor.positions", "f32", f"%v = sparse_tensor.positions %s {{level = {1 if name == 'csr' else 0} : index}} : {s} to memref<?xindex>\n"
                   "%0 = memref.load %v[%c1] : memref<?xindex>\nvector.print %0 : index")
        yield text("sparse_tensor.coordinates", "f32", f"%v = sparse_tensor.coordinates %s {{level = 1 : index}} : {s} to memref<?xindex{', strided<[?], offset: ?>' if name == 'coo' else ''}>\n"
                   f"%0 = memref.load %v[%c1] : memref<?xindex{', strided<[?], offset: ?>' if name == 'coo' else ''}>\nvector.print %0 : index")
        yield text("linalg.mul", "sparse", f"""%e = tensor.empty() : tensor<3x4xf32>
%z = arith.constant 0.0 : f32
%f = linalg.fill ins(%z : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
%r = linalg.mul ins(%s, %t : {s}, tensor<3x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
%w = vector.transfer_read %r[%c0, %c0], %z : tensor<3x4xf32>, vector<3x4xf32>
vector.print %w : vector<3x4xf32>""")
        yield text("linalg.transpose", "sparse", f"""%e = tensor.empty() : tensor<4x3xf32>
%r = linalg.transpose ins(%s : {s}) outs(%e : tensor<4x3xf32>) permutation = [1, 0]
%z = arith.constant 0.0 : f32
%w = vector.transfer_read %r[%c0, %c0], %z : tensor<4x3xf32>, vector<4x3xf32>
vector.print %w : vector<4x3xf32>""")
        yield text("sparse_tensor.print", "f32", f"sparse_tensor.print %s : {s}")


def programs():
    for table in (tensor, linalg, windows, sparse):
        yield from table()
