func.func @main(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %c: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0 : index
  %pad = arith.constant 0.0 : f64
  %r = scf.forall (%i, %j) = (0, 0) to (8, 8) step (4, 4) shared_outs(%t = %c) -> tensor<?x?xf64> {
    %old = tensor.extract_slice %t[%i, %j] [4, 4] [1, 1] : tensor<?x?xf64> to tensor<4x4xf64>
    %x = vector.transfer_read %a[%i, %zero], %pad {in_bounds = [true, true]} : tensor<?x?xf64>, vector<4x16xf64>
    %y = vector.transfer_read %b[%zero, %j], %pad {in_bounds = [true, true]} : tensor<?x?xf64>, vector<16x4xf64>
    %z = vector.transfer_read %old[%zero, %zero], %pad {in_bounds = [true, true]} : tensor<4x4xf64>, vector<4x4xf64>
    %s = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
         affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} %x, %y, %z
         : vector<4x16xf64>, vector<16x4xf64> into vector<4x4xf64>
    %w = vector.transfer_write %s, %old[%zero, %zero] {in_bounds = [true, true]} : vector<4x4xf64>, tensor<4x4xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %t[%i, %j] [4, 4] [1, 1] : tensor<4x4xf64> into tensor<?x?xf64>
    }
  }
  return %r : tensor<?x?xf64>
}
