// Weights that an exporter named: mica-tensor-externalize-constants names them by their bytes, and the snapshots before it, which
// know the exporter's names, go on with their bytes too. So do records of mica-opt, of chunks of a split file each with its own.
// RUN: rm -rf %t && mkdir %t && sed "/^.. ----/,\$d" %s > %t/one.mlir && mica-compile %t/one.mlir -o %t/art
// RUN: mica-compile --resume=%t/art:0 -o %t/again && mica-compile --resume=%t/again:0 -o %t/third
// RUN: cmp %t/art/constants.bin %t/again/constants.bin && diff %t/art/host/tasks.json %t/third/host/tasks.json
// RUN: mica-opt --resume=%t/art:0 --mica-tensor-externalize-constants | FileCheck %s --check-prefix=NAMED
// RUN: mica-opt %s --split-input-file --record=%t/record --mica-tensor-assign-ids --mica-tensor-externalize-constants -o /dev/null
// RUN: mica-opt --resume=%t/record:1 --mica-tensor-externalize-constants | FileCheck %s --check-prefix=NAMED
// RUN: mica-opt --resume=%t/record:2 --mlir-elide-resource-strings-if-larger=1000 | FileCheck %s --check-prefix=BYTES
// BYTES: resources: {
// BYTES: mica_{{[0-9a-f]+}}: "0x
// RUN: mica-opt --resume=%t/record/chunk_1:2 --mlir-elide-resource-strings-if-larger=2000 | FileCheck %s --check-prefix=OTHER
// OTHER: mica_{{[0-9a-f]+}}: "0x{{[0-9A-F]*}}4142
// NAMED: constant dense_resource<mica_
// NAMED-NOT: dense_resource<fc1

func.func @forward(%x: tensor<100xf32>, %y: tensor<2xf32>) -> (tensor<100xf32>, tensor<2xf32>) {
  %w = arith.constant dense_resource<fc1.weight> : tensor<100xf32>
  %b = arith.constant dense_resource<fc1_bias_2> : tensor<2xf32>
  %0 = arith.addf %x, %w : tensor<100xf32>
  %1 = arith.addf %y, %b : tensor<2xf32>
  return %0, %1 : tensor<100xf32>, tensor<2xf32>
}

{-#
  dialect_resources: {
    builtin: {
      fc1.weight: "0x40000000000000000000003F0000803F0000C03F0000004000002040000040400000604000008040000090400000A0400000B0400000C0400000D0400000E0400000F0400000004100000841000010410000184100002041000028410000304100003841000040410000484100005041000058410000604100006841000070410000784100008041000084410000884100008C4100009041000094410000984100009C410000A0410000A4410000A8410000AC410000B0410000B4410000B8410000BC410000C0410000C4410000C8410000CC410000D0410000D4410000D8410000DC410000E0410000E4410000E8410000EC410000F0410000F4410000F8410000FC41000000420000024200000442000006420000084200000A4200000C4200000E42000010420000124200001442000016420000184200001A4200001C4200001E42000020420000224200002442000026420000284200002A4200002C4200002E42000030420000324200003442000036420000384200003A4200003C4200003E4200004042000042420000444200004642",
      fc1_bias_2: "0x400000000000803F00000040"
    }
  }
#-}

// -----

func.func @forward(%x: tensor<100xf32>, %y: tensor<2xf32>) -> (tensor<100xf32>, tensor<2xf32>) {
  %w = arith.constant dense_resource<fc1.weight> : tensor<100xf32>
  %b = arith.constant dense_resource<fc1_bias_2> : tensor<2xf32>
  %0 = arith.addf %x, %w : tensor<100xf32>
  %1 = arith.addf %y, %b : tensor<2xf32>
  return %0, %1 : tensor<100xf32>, tensor<2xf32>
}

{-#
  dialect_resources: {
    builtin: {
      fc1.weight: "0x400000004142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F4142433F",
      fc1_bias_2: "0x400000000000803F00000040"
    }
  }
#-}
