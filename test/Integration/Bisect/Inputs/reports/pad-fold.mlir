// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),canonicalize,one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-loops),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
// VERDICT: same
module {
  func.func private @printMemrefI32(tensor<*xi32>)
  func.func @main() {

    %x = "tosa.const"() {values = dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>} : () -> tensor<2x2xi32>
    %v = "tosa.const"() {values = dense<9> : tensor<1xi32>} : () -> tensor<1xi32>
    %s = tosa.const_shape {values = dense<[1, 0, 0, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %p = tosa.pad %x, %s, %v : (tensor<2x2xi32>, !tosa.shape<4>, tensor<1xi32>) -> tensor<3x4xi32>
    %t = tosa.transpose %p {perms = array<i32: 1, 0>} : (tensor<3x4xi32>) -> tensor<4x3xi32>
    %st = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %sz = tosa.const_shape {values = dense<[3, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %c = tosa.slice %t, %st, %sz : (tensor<4x3xi32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<3x2xi32>
    %mu = tosa.const_shape {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %r = tosa.tile %c, %mu : (tensor<3x2xi32>, !tosa.shape<2>) -> tensor<6x2xi32>
    %u = tensor.cast %r : tensor<6x2xi32> to tensor<*xi32>
    call @printMemrefI32(%u) : (tensor<*xi32>) -> ()
    return
  }
}
