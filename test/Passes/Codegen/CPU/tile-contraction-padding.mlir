// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-cpu-select-contraction-config{vector-bits=256 l2-bytes=524288},mica-cpu-tile-contraction{vector-bits=256}))' | FileCheck %s
// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-cpu-select-contraction-config{vector-bits=256 l2-bytes=524288},mica-cpu-tile-contraction{vector-bits=256}),one-shot-bufferize{function-boundary-type-conversion=identity-layout-map},func.func(mica-cpu-vectorize-contraction,canonicalize,cse))' | FileCheck %s --check-prefix=WINDOW

#image = affine_map<(n, c, h, w, kh, kw) -> (n, c, h + kh, w + kw)>
#weight = affine_map<(n, c, h, w, kh, kw) -> (c, kh, kw)>
#result = affine_map<(n, c, h, w, kh, kw) -> (n, c, h, w)>

// Channels alone are tiled, because rows and columns are padded; a tile pads its own channels.
// CHECK-LABEL: func.func @depthwise
// CHECK-NOT:   tensor.pad
// CHECK:       scf.forall (%{{.*}}) = (0) to (96) step (3)
// CHECK:         %[[X:.*]] = tensor.extract_slice %{{.*}} [1, 3, 112, 112] [1, 1, 1, 1]
// CHECK:         tensor.pad %[[X]] low[0, 0, 1, 1] high[0, 0, 1, 1]
// CHECK:         linalg.generic
// CHECK-SAME:      tile_sizes = [0, 3, 0, 0, 0, 0]

// Six rows of results read eight rows of the image, at three places each, in two vectors; each is loaded once, as are nine weights.
// WINDOW-LABEL: func.func @depthwise
// WINDOW:       scf.forall (%{{.*}}) = (0) to (96) step (3)
// WINDOW:       scf.for %{{.*}} = %c0 to %c108 step %c6
// WINDOW-COUNT-9: memref.load
// WINDOW-NOT:   scf.for
// WINDOW-COUNT-12: vector.transfer_write
// WINDOW:       }
func.func @depthwise(%xa: memref<1x96x112x112xf32>, %wa: memref<96x3x3xf32>, %o: memref<1x96x112x112xf32>) {
  %x = bufferization.to_tensor %xa restrict : memref<1x96x112x112xf32> to tensor<1x96x112x112xf32>
  %w = bufferization.to_tensor %wa restrict : memref<96x3x3xf32> to tensor<96x3x3xf32>
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x96x112x112xf32> to tensor<1x96x114x114xf32>
  %e = tensor.empty() : tensor<1x96x112x112xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x96x112x112xf32>) -> tensor<1x96x112x112xf32>
  %r = linalg.generic {indexing_maps = [#image, #weight, #result],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %w : tensor<1x96x114x114xf32>, tensor<96x3x3xf32>) outs(%f : tensor<1x96x112x112xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<1x96x112x112xf32>
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<1x96x112x112xf32>, memref<1x96x112x112xf32>) -> ()
  return
}
