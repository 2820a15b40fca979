// RUN: mica-opt %s -split-input-file --mica-cpu-select-contraction-config=vector-bits=512 | FileCheck %s
// RUN: mica-opt %s -split-input-file --mica-cpu-select-contraction-config=vector-bits=256 | FileCheck %s --check-prefix=AVX2
// RUN: mica-opt %s -split-input-file --mica-cpu-select-contraction-config="vector-bits=512 int8-dot-bits=512" | FileCheck %s --check-prefix=VNNI
// RUN: mica-opt %s -split-input-file --mica-cpu-select-contraction-config="vector-bits=512 int8-dot-bits=256" | FileCheck %s --check-prefix=NARROW
// RUN: mica-opt %s -split-input-file --mica-cpu-select-contraction-config="vector-bits=256 int16-pair-bits=256" | FileCheck %s --check-prefix=PAIRS

// CHECK-LABEL: func @matmul
// CHECK-SAME: mica_sched.strategy = "contraction, outer products, blocks of 8x32
// CHECK: linalg.generic
// CHECK-SAME: mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 0, rows = 8, columns = 32, lanes = 16
// CHECK-SAME: reason = "8 x 2 of 32 vector registers hold sums"
// AVX2-LABEL: func @matmul
// AVX2: mica_codegen.lowering_config = #mica_codegen.contraction_config<{{.*}}rows = 4, columns = 16, lanes = 8
func.func @matmul(%a: tensor<8x64xf32>, %b: tensor<64x32xf32>, %c: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x64xf32>, tensor<64x32xf32>) outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// A transpose of an operand becomes part of the indexing map; then the operand has to be packed.
// CHECK: #[[$B:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func @transpose_folds_and_packs
// CHECK-SAME: %[[A:.*]]: tensor<64x64xf32>, %[[B:.*]]: tensor<32x64xf32>
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic {indexing_maps = [#{{[a-z0-9]+}}, #[[$B]], #{{[a-z0-9]+}}]
// CHECK-SAME: ins(%[[A]], %[[B]]
// CHECK-SAME: pack_operand = 1
func.func @transpose_folds_and_packs(%a: tensor<64x64xf32>, %b: tensor<32x64xf32>, %c: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %e = tensor.empty() : tensor<64x32xf32>
  %t = linalg.transpose ins(%b : tensor<32x64xf32>) outs(%e : tensor<64x32xf32>) permutation = [1, 0]
  %0 = linalg.matmul ins(%a, %t : tensor<64x64xf32>, tensor<64x32xf32>) outs(%c : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}

// -----

// One row and a weight stored [out][in]: lanes run along the reduction.
// CHECK-LABEL: func @few_rows_of_transposed_weight
// CHECK: form = dot, {{.*}}reduction_dim = 2
func.func @few_rows_of_transposed_weight(%a: tensor<1x64xf32>, %b: tensor<128x64xf32>, %c: tensor<1x128xf32>) -> tensor<1x128xf32> {
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<1x64xf32>, tensor<128x64xf32>) outs(%c : tensor<1x128xf32>) -> tensor<1x128xf32>
  return %0 : tensor<1x128xf32>
}

// -----

// A matrix of one column is a vector: its elements lie side by side along the reduction.
// CHECK-LABEL: func @single_column
// CHECK: tensor.collapse_shape %{{.*}} : tensor<64x1xf32> into tensor<64xf32>
// CHECK: form = dot, {{.*}}reduction_dim = 2
func.func @single_column(%a: tensor<128x64xf32>, %b: tensor<64x1xf32>, %c: tensor<128x1xf32>) -> tensor<128x1xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf32>, tensor<64x1xf32>) outs(%c : tensor<128x1xf32>) -> tensor<128x1xf32>
  return %0 : tensor<128x1xf32>
}

// -----

// Long rows of a large matrix, read for many rows of results: panels are copied first.
// CHECK-LABEL: func @large_plain_operand_is_packed
// CHECK: pack_operand = 1
func.func @large_plain_operand_is_packed(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32>, %c: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%c : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}

// -----

// Rows that lie whole pages apart fall into the same sets of the first cache: packed, however large the second one is.
// CHECK-LABEL: func @rows_whole_pages_apart_are_packed
// CHECK: pack_operand = 1
func.func @rows_whole_pages_apart_are_packed(%a: tensor<512x256xf32>, %b: tensor<256x1024xf32>, %c: tensor<512x1024xf32>) -> tensor<512x1024xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<512x256xf32>, tensor<256x1024xf32>) outs(%c : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  return %0 : tensor<512x1024xf32>
}

// -----

// CHECK-LABEL: func @other_rows_are_read_in_place
// CHECK: #mica_codegen.contraction_config
// CHECK-NOT: pack_operand
func.func @other_rows_are_read_in_place(%a: tensor<512x256xf32>, %b: tensor<256x1040xf32>, %c: tensor<512x1040xf32>) -> tensor<512x1040xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<512x256xf32>, tensor<256x1040xf32>) outs(%c : tensor<512x1040xf32>) -> tensor<512x1040xf32>
  return %0 : tensor<512x1040xf32>
}

// -----

// One row over a large matrix is read in long pieces.
// CHECK-LABEL: func @one_row_streams
// CHECK: tile_sizes = [0, 2048, 16]
func.func @one_row_streams(%a: tensor<1x4096xf32>, %b: tensor<4096x4096xf32>, %c: tensor<1x4096xf32>) -> tensor<1x4096xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<1x4096xf32>, tensor<4096x4096xf32>) outs(%c : tensor<1x4096xf32>) -> tensor<1x4096xf32>
  return %0 : tensor<1x4096xf32>
}

// -----

// Lanes along channels, rows along the output's width.
// CHECK-LABEL: func @convolution
// CHECK: lane_dim = 3
// CHECK-SAME: row_dim = 2
func.func @convolution(%a: tensor<1x10x10x8xf32>, %b: tensor<3x3x8x32xf32>, %c: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%a, %b : tensor<1x10x10x8xf32>, tensor<3x3x8x32xf32>) outs(%c : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  return %0 : tensor<1x8x8x32xf32>
}

// -----

// Every loop of the result moves the image; rows along the width read the filter once.
// CHECK-LABEL: func @depthwise_convolution
// CHECK: lane_dim = 3
// CHECK-SAME: row_dim = 2
func.func @depthwise_convolution(%a: tensor<1x10x10x32xf32>, %b: tensor<3x3x32xf32>, %c: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%a, %b : tensor<1x10x10x32xf32>, tensor<3x3x32xf32>) outs(%c : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  return %0 : tensor<1x8x8x32xf32>
}

// -----

// CHECK-LABEL: func @pooling
// CHECK: #mica_codegen.contraction_config
func.func @pooling(%a: tensor<1x10x10x32xf32>, %c: tensor<1x5x5x32xf32>) -> tensor<1x5x5x32xf32> {
  %w = tensor.empty() : tensor<2x2xf32>
  %0 = linalg.pooling_nhwc_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%a, %w : tensor<1x10x10x32xf32>, tensor<2x2xf32>) outs(%c : tensor<1x5x5x32xf32>) -> tensor<1x5x5x32xf32>
  return %0 : tensor<1x5x5x32xf32>
}

// -----

// Rows of one operand are another strategy's.
// MUTATION: stays green, no config is for it.
// CHECK-LABEL: func @row_reduction_is_left_alone
// CHECK-NOT: #mica_codegen.contraction_config
func.func @row_reduction_is_left_alone(%a: tensor<8x64xf32>, %c: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<8x64xf32>) outs(%c : tensor<8xf32>) dimensions = [1]
  return %0 : tensor<8xf32>
}

// -----

// Rows move the operand that lies across the lanes: its panels would have to be made for each row.
// CHECK-LABEL: func @rows_move_the_scattered_operand
// CHECK: row_dim = 0
// CHECK-NOT: pack_operand
func.func @rows_move_the_scattered_operand(%a: tensor<31x17xf32>, %b: tensor<3xf32>, %c: tensor<17x31xf32>) -> tensor<17x31xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, k, n) -> (n, m)>, affine_map<(m, k, n) -> (k)>, affine_map<(m, k, n) -> (m, n)>],
      iterator_types = ["parallel", "reduction", "parallel"]}
    ins(%a, %b : tensor<31x17xf32>, tensor<3xf32>) outs(%c : tensor<17x31xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<17x31xf32>
  return %0 : tensor<17x31xf32>
}

// -----

// 2^64 results are no overflow, just many.
// CHECK-LABEL: func @more_results_than_count
// CHECK: #mica_codegen.contraction_config<form = outer
func.func @more_results_than_count(%a: tensor<4294967296x4294967296xf32>, %b: tensor<4294967296x4294967296xf32>,
                                   %c: tensor<4294967296x4294967296xf32>) -> tensor<4294967296x4294967296xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4294967296x4294967296xf32>, tensor<4294967296x4294967296xf32>)
      outs(%c : tensor<4294967296x4294967296xf32>) -> tensor<4294967296x4294967296xf32>
  return %0 : tensor<4294967296x4294967296xf32>
}

// -----

// No multiple of 14 rows that is near enough divides 512: the two tiles are about equally large, not 448 and 64.
// CHECK-LABEL: func @tiles_of_equal_size
// CHECK: rows = 14, {{.*}}tile_sizes = [0, 266, 1, 0, 0, 0, 0]
func.func @tiles_of_equal_size(%x: tensor<1x256x14x14xf32>, %w: tensor<512x256x1x1xf32>, %o: tensor<1x512x14x14xf32>) -> tensor<1x512x14x14xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x256x14x14xf32>, tensor<512x256x1x1xf32>) outs(%o : tensor<1x512x14x14xf32>) -> tensor<1x512x14x14xf32>
  return %0 : tensor<1x512x14x14xf32>
}

// -----

// Products of 8-bit integers: the kernel extends them itself, and four steps are one instruction where there is one.
// VNNI-LABEL: func @bytes
// VNNI-NOT: arith.extsi {{.*}} tensor
// VNNI: %{{.*}} = linalg.generic
// VNNI-SAME: form = interleaved, lane_dim = 1, row_dim = 0, reduction_dim = 2, {{.*}}lanes = 16, pack_operand = 2
// VNNI-SAME: one instruction adds four products along loop 2, for which input 2 is packed
// VNNI-NEXT: ^bb0(%{{.*}}: i8, %{{.*}}: i32, %{{.*}}: i8, %{{.*}}: i32):
// VNNI-NOT: linalg.generic
// NARROW-LABEL: func @bytes
// NARROW: form = outer
// PAIRS-LABEL: func @bytes
// PAIRS: form = interleaved, lane_dim = 1, row_dim = 0, reduction_dim = 2, rows = 4, columns = 16, lanes = 8, pack_operand = 2
// PAIRS-SAME: one instruction adds two products of 16 bits along loop 2, for which input 2 is packed
// CHECK-LABEL: func @bytes
// CHECK: form = outer
func.func @bytes(%a: tensor<64x64xi8>, %b: tensor<64x32xi8>, %zero: tensor<i32>, %c: tensor<64x32xi32>) -> tensor<64x32xi32> {
  %e = tensor.empty() : tensor<64x64xi32>
  %x = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %zero : tensor<64x64xi8>, tensor<i32>) outs(%e : tensor<64x64xi32>) {
  ^bb0(%p: i8, %z: i32, %o: i32):
    %q = arith.extui %p : i8 to i32
    %d = arith.subi %q, %z : i32
    linalg.yield %d : i32
  } -> tensor<64x64xi32>
  %e1 = tensor.empty() : tensor<64x32xi32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<64x32xi8>) outs(%e1 : tensor<64x32xi32>) {
  ^bb0(%p: i8, %o: i32):
    %q = arith.extsi %p : i8 to i32
    linalg.yield %q : i32
  } -> tensor<64x32xi32>
  %0 = linalg.matmul ins(%x, %y : tensor<64x64xi32>, tensor<64x32xi32>) outs(%c : tensor<64x32xi32>) -> tensor<64x32xi32>
  return %0 : tensor<64x32xi32>
}

// -----

// A factor that is read with strides along the reduction, or too few rows: no groups of four bytes.
// VNNI-LABEL: func @bytes_by_columns
// VNNI: form = outer
func.func @bytes_by_columns(%a: tensor<64x64xi8>, %b: tensor<64x32xi8>, %c: tensor<64x32xi32>) -> tensor<64x32xi32> {
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<64x64xi8>, tensor<64x32xi8>) outs(%c : tensor<64x32xi32>) -> tensor<64x32xi32>
  return %0 : tensor<64x32xi32>
}

// -----

// VNNI-LABEL: func @few_rows_of_bytes
// VNNI: form = outer
func.func @few_rows_of_bytes(%a: tensor<4x64xi8>, %b: tensor<64x32xi8>, %c: tensor<4x32xi32>) -> tensor<4x32xi32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x64xi8>, tensor<64x32xi8>) outs(%c : tensor<4x32xi32>) -> tensor<4x32xi32>
  return %0 : tensor<4x32xi32>
}

// -----

// Weights that are stored as panels of 32 output channels: images of 14 pixels a row would leave two lanes of 16 without work, so that
// vectors run along the channels.
// CHECK-LABEL: func @short_images
// CHECK: form = transposed, lane_dim = 4, row_dim = 2, rows = 32, columns = 14, lanes = 16, order = lanes_outer
// CHECK-SAME: 2 x 14 of 32 vector registers hold sums, along loop 2
func.func @short_images(%x: tensor<1x64x16x16xf32>, %w: tensor<2x64x3x3x32xf32>, %o: tensor<1x2x32x14x14xf32>) -> tensor<1x2x32x14x14xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(n, p, f, h, w, c, y, x) -> (n, c, h + y, w + x)>,
                                        affine_map<(n, p, f, h, w, c, y, x) -> (p, c, y, x, f)>,
                                        affine_map<(n, p, f, h, w, c, y, x) -> (n, p, f, h, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x64x16x16xf32>, tensor<2x64x3x3x32xf32>) outs(%o : tensor<1x2x32x14x14xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<1x2x32x14x14xf32>
  return %0 : tensor<1x2x32x14x14xf32>
}

// -----

// Rows of 32 pixels fill two vectors.
// CHECK-LABEL: func @full_images
// CHECK: form = outer
func.func @full_images(%x: tensor<1x64x34x34xf32>, %w: tensor<2x64x3x3x32xf32>, %o: tensor<1x2x32x32x32xf32>) -> tensor<1x2x32x32x32xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(n, p, f, h, w, c, y, x) -> (n, c, h + y, w + x)>,
                                        affine_map<(n, p, f, h, w, c, y, x) -> (p, c, y, x, f)>,
                                        affine_map<(n, p, f, h, w, c, y, x) -> (n, p, f, h, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x64x34x34xf32>, tensor<2x64x3x3x32xf32>) outs(%o : tensor<1x2x32x32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<1x2x32x32x32xf32>
  return %0 : tensor<1x2x32x32x32xf32>
}

// -----

// Rows of 2 KiB: all 512 steps of a panel map to two sets of lines of the L1 cache, so that it is packed. Rows of 2,080 bytes do not collide.
// CHECK-LABEL: func @rows_of_two_kib
// CHECK: pack_operand = 1
// CHECK-SAME: input 1 is packed: its rows evict each other from the caches
func.func @rows_of_two_kib(%x: tensor<512x512xf32>, %y: tensor<512x512xf32>, %o: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = linalg.matmul ins(%x, %y : tensor<512x512xf32>, tensor<512x512xf32>) outs(%o : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

// -----

// CHECK-LABEL: func @rows_of_other_sizes
// CHECK-NOT: pack_operand
// CHECK: hold sums">
func.func @rows_of_other_sizes(%x: tensor<512x512xf32>, %y: tensor<512x520xf32>, %o: tensor<512x520xf32>) -> tensor<512x520xf32> {
  %0 = linalg.matmul ins(%x, %y : tensor<512x512xf32>, tensor<512x520xf32>) outs(%o : tensor<512x520xf32>) -> tensor<512x520xf32>
  return %0 : tensor<512x520xf32>
}

// -----

// Eight rows read an operand of 64 MiB in one pass: a second one would find its panels in the cache, and memory idle meanwhile.
// AVX2-LABEL: func @from_memory
// AVX2: rows = 8, columns = 8
func.func @from_memory(%x: tensor<8x4096xf32>, %y: tensor<256x4096x16xf32>, %o: tensor<8x256x16xf32>) -> tensor<8x256x16xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, p, c, k) -> (m, k)>, affine_map<(m, p, c, k) -> (p, k, c)>, affine_map<(m, p, c, k) -> (m, p, c)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<8x4096xf32>, tensor<256x4096x16xf32>) outs(%o : tensor<8x256x16xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<8x256x16xf32>
  return %0 : tensor<8x256x16xf32>
}

// -----

// An image of 841 KiB, whose elements nine steps of the window read, does not come from memory in each pass.
// AVX2-LABEL: func @window
// AVX2: form = outer, {{.*}}rows = 6, columns = 16, lanes = 8
func.func @window(%x: tensor<1x64x58x58xf32>, %w: tensor<64x64x3x3xf32>, %o: tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>) outs(%o : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  return %0 : tensor<1x64x56x56xf32>
}
