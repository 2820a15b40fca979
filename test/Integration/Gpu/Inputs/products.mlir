func.func @main(%ah: tensor<128x96xf16>, %bh: tensor<96x64xf16>, %bias: tensor<1x64xf16>,
                %ab: tensor<70x50xbf16>, %bb: tensor<50x37xbf16>,
                %ai: tensor<33x64xi8>, %bi: tensor<40x64xi8>,
                %ad: tensor<40x24xf64>, %bd: tensor<24x33xf64>,
                %as: tensor<?x100xf32>, %bs: tensor<100x72xf32>,
                %at: tensor<3x64x48xf16>, %bt: tensor<3x40x64xf16>)
    -> (tensor<128x64xf16>, tensor<70x37xbf16>, tensor<33x40xi32>, tensor<40x33xf64>, tensor<?x72xf32>, tensor<3x48x40xf16>) {
  %0 = mica.matmul %ah, %bh : (tensor<128x96xf16>, tensor<96x64xf16>) -> tensor<128x64xf16>
  %1 = mica.add %0, %bias : (tensor<128x64xf16>, tensor<1x64xf16>) -> tensor<128x64xf16>
  %2 = mica.relu %1 : tensor<128x64xf16>
  %3 = mica.matmul %ab, %bb : (tensor<70x50xbf16>, tensor<50x37xbf16>) -> tensor<70x37xbf16>
  %zero = arith.constant dense<0> : tensor<33x40xi32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%ai, %bi : tensor<33x64xi8>, tensor<40x64xi8>) outs(%zero : tensor<33x40xi32>) {
  ^bb0(%x: i8, %y: i8, %sum: i32):
    %a = arith.extsi %x : i8 to i32
    %b = arith.extsi %y : i8 to i32
    %p = arith.muli %a, %b : i32
    %s = arith.addi %sum, %p : i32
    linalg.yield %s : i32
  } -> tensor<33x40xi32>
  %5 = mica.matmul %ad, %bd : (tensor<40x24xf64>, tensor<24x33xf64>) -> tensor<40x33xf64>
  %6 = mica.matmul %as, %bs : (tensor<?x100xf32>, tensor<100x72xf32>) -> tensor<?x72xf32>
  %7 = mica.matmul %at, %bt transpose_a transpose_b : (tensor<3x64x48xf16>, tensor<3x40x64xf16>) -> tensor<3x48x40xf16>
  return %2, %3, %4, %5, %6, %7 : tensor<128x64xf16>, tensor<70x37xbf16>, tensor<33x40xi32>, tensor<40x33xf64>, tensor<?x72xf32>, tensor<3x48x40xf16>
}
