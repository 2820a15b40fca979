// inputs: --input=37xf32=random:3 --input=index=5
func.func @main(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?xf32> {
    %0 = mica.exp %a : tensor<?xf32>
    %1 = mica.add %0, %x : tensor<?xf32>
    %2 = mica.tanh %1 : tensor<?xf32>
    scf.yield %2 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
