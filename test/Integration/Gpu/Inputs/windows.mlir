// A window of a temporary whose length the sizes of the arguments give, far beyond any memory for large ones.
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %n2 = arith.muli %n, %n : index
  %n4 = arith.muli %n2, %n2 : index
  %n8 = arith.muli %n4, %n4 : index
  %r = scf.forall (%i) in (%n) shared_outs(%o = %x) -> tensor<?xf32> {
    %e = tensor.empty(%n8) : tensor<?xf32>
    %v = tensor.extract %x[%i] : tensor<?xf32>
    %t = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %e) -> tensor<?xf32> {
      %s = tensor.insert %v into %acc[%j] : tensor<?xf32>
      scf.yield %s : tensor<?xf32>
    }
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %zero) -> f32 {
      %w = tensor.extract %t[%j] : tensor<?xf32>
      %a = arith.addf %acc, %w : f32
      scf.yield %a : f32
    }
    %one = tensor.from_elements %sum : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %one into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  return %r : tensor<?xf32>
}
