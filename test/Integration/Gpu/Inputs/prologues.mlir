// Products whose inputs are computed as they are read.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>

// Weights of 8 bits, [n][k] in memory, with a scale per output.
func.func private @weights(%x: tensor<128x96xf16>, %q: tensor<64x96xi8>, %s: tensor<64xf16>) -> tensor<128x64xf32> {
  %f = tensor.empty() : tensor<64x96xf16>
  %w = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%q, %s : tensor<64x96xi8>, tensor<64xf16>) outs(%f : tensor<64x96xf16>) {
  ^bb0(%a: i8, %b: f16, %o: f16):
    %0 = arith.sitofp %a : i8 to f16
    %1 = arith.mulf %0, %b : f16
    linalg.yield %1 : f16
  } -> tensor<64x96xf16>
  %e = tensor.empty() : tensor<96x64xf16>
  %t = linalg.transpose ins(%w : tensor<64x96xf16>) outs(%e : tensor<96x64xf16>) permutation = [1, 0]
  %zero = arith.constant 0.0 : f32
  %i = tensor.empty() : tensor<128x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%i : tensor<128x64xf32>) -> tensor<128x64xf32>
  %p = linalg.matmul ins(%x, %t : tensor<128x96xf16>, tensor<96x64xf16>) outs(%z : tensor<128x64xf32>) -> tensor<128x64xf32>
  return %p : tensor<128x64xf32>
}

// Weights with zero points. No chunk of 16 bytes is whole.
func.func private @zero_points(%x: tensor<70x50xf32>, %q: tensor<50x37xi8>, %s: tensor<37xf32>, %p: tensor<37xi8>) -> tensor<70x37xf32> {
  %f = tensor.empty() : tensor<50x37xf32>
  %w = linalg.generic {indexing_maps = [#id, #column, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%q, %s, %p : tensor<50x37xi8>, tensor<37xf32>, tensor<37xi8>) outs(%f : tensor<50x37xf32>) {
  ^bb0(%a: i8, %b: f32, %c: i8, %o: f32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %c : i8 to i32
    %2 = arith.subi %0, %1 : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %b : f32
    linalg.yield %4 : f32
  } -> tensor<50x37xf32>
  %zero = arith.constant 0.0 : f32
  %i = tensor.empty() : tensor<70x37xf32>
  %z = linalg.fill ins(%zero : f32) outs(%i : tensor<70x37xf32>) -> tensor<70x37xf32>
  %r = linalg.matmul ins(%x, %w : tensor<70x50xf32>, tensor<50x37xf32>) outs(%z : tensor<70x37xf32>) -> tensor<70x37xf32>
  return %r : tensor<70x37xf32>
}

// A chain of ops on the left, in bf16, and weights on the right. What lies beyond the end of k counts as zero, not as what the ops make of
// zeros, which are twos on both sides.
func.func private @both_sides(%x: tensor<40x48xbf16>, %q: tensor<48x72xi8>, %s: tensor<48xbf16>) -> tensor<40x72xf32> {
  %zero = arith.constant 0.0 : bf16
  %two = arith.constant 2.0 : bf16
  %ea = tensor.empty() : tensor<40x48xbf16>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<40x48xbf16>) outs(%ea : tensor<40x48xbf16>) {
  ^bb0(%v: bf16, %o: bf16):
    %0 = arith.maximumf %v, %zero : bf16
    linalg.yield %0 : bf16
  } -> tensor<40x48xbf16>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<40x48xbf16>) outs(%ea : tensor<40x48xbf16>) {
  ^bb0(%v: bf16, %o: bf16):
    %0 = arith.subf %two, %v : bf16
    linalg.yield %0 : bf16
  } -> tensor<40x48xbf16>
  %ew = tensor.empty() : tensor<48x72xbf16>
  %w = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%q, %s : tensor<48x72xi8>, tensor<48xbf16>) outs(%ew : tensor<48x72xbf16>) {
  ^bb0(%v: i8, %c: bf16, %o: bf16):
    %0 = arith.sitofp %v : i8 to bf16
    %1 = arith.mulf %0, %c : bf16
    %2 = arith.addf %1, %two : bf16
    linalg.yield %2 : bf16
  } -> tensor<48x72xbf16>
  %zero32 = arith.constant 0.0 : f32
  %i = tensor.empty() : tensor<40x72xf32>
  %z = linalg.fill ins(%zero32 : f32) outs(%i : tensor<40x72xf32>) -> tensor<40x72xf32>
  %r = linalg.matmul ins(%b, %w : tensor<40x48xbf16>, tensor<48x72xbf16>) outs(%z : tensor<40x72xf32>) -> tensor<40x72xf32>
  return %r : tensor<40x72xf32>
}

// Rows whose number only the call knows; integers with zero points, which are scalars.
func.func private @integers(%x: tensor<?x64xi8>, %y: tensor<64x48xi8>) -> tensor<?x48xi32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x64xi8>
  %zx = arith.constant 3 : i32
  %zy = arith.constant -5 : i32
  %zero = arith.constant 0 : i32
  %i = tensor.empty(%n) : tensor<?x48xi32>
  %z = linalg.fill ins(%zero : i32) outs(%i : tensor<?x48xi32>) -> tensor<?x48xi32>
  %r = linalg.quantized_matmul ins(%x, %y, %zx, %zy : tensor<?x64xi8>, tensor<64x48xi8>, i32, i32) outs(%z : tensor<?x48xi32>) -> tensor<?x48xi32>
  return %r : tensor<?x48xi32>
}

func.func @main(%x: tensor<128x96xf16>, %q: tensor<64x96xi8>, %s: tensor<64xf16>,
                %x1: tensor<70x50xf32>, %q1: tensor<50x37xi8>, %s1: tensor<37xf32>, %p1: tensor<37xi8>,
                %x2: tensor<40x48xbf16>, %q2: tensor<48x72xi8>, %s2: tensor<48xbf16>,
                %x3: tensor<?x64xi8>, %y3: tensor<64x48xi8>)
    -> (tensor<128x64xf32>, tensor<70x37xf32>, tensor<40x72xf32>, tensor<?x48xi32>) {
  %0 = func.call @weights(%x, %q, %s) : (tensor<128x96xf16>, tensor<64x96xi8>, tensor<64xf16>) -> tensor<128x64xf32>
  %1 = func.call @zero_points(%x1, %q1, %s1, %p1) : (tensor<70x50xf32>, tensor<50x37xi8>, tensor<37xf32>, tensor<37xi8>) -> tensor<70x37xf32>
  %2 = func.call @both_sides(%x2, %q2, %s2) : (tensor<40x48xbf16>, tensor<48x72xi8>, tensor<48xbf16>) -> tensor<40x72xf32>
  %3 = func.call @integers(%x3, %y3) : (tensor<?x64xi8>, tensor<64x48xi8>) -> tensor<?x48xi32>
  return %0, %1, %2, %3 : tensor<128x64xf32>, tensor<70x37xf32>, tensor<40x72xf32>, tensor<?x48xi32>
}
