// Lanes that are read out of bounds are the padding. Poison there is undefined behavior where a lane comes to be seen, not where it is read.
// RUN: not mica-compile --evaluate --check-ub %s --entry=seen 2>&1 | FileCheck %s --check-prefix=SEEN
// RUN: mica-compile --evaluate --check-ub %s --entry=dropped
// RUN: mica-compile --evaluate --check-ub %s --entry=off
// RUN: mica-compile --evaluate --check-ub %s --entry=packed
// RUN: not mica-compile --evaluate %s --entry=softmax_of_integers 2>&1 | FileCheck %s --check-prefix=INTEGERS
// INTEGERS: error: the reference evaluator does not know 'linalg.softmax'

// SEEN: [[#@LINE+3]]:14: error: undefined behavior: a poison value
// SEEN: [[#@LINE+8]]:3: note: 'vector.print' depends on it
func.func @seen(%from: memref<6xf32>, %to: memref<8xf32>) {
  %padding = ub.poison : f32
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %lanes = vector.transfer_read %from[%c4], %padding : memref<6xf32>, vector<4xf32>
  vector.transfer_write %lanes, %to[%c4] : vector<4xf32>, memref<8xf32>
  %lane = memref.load %to[%c6] : memref<8xf32>
  vector.print %lane : f32
  return
}

func.func @dropped(%from: memref<6xf32>, %to: memref<6xf32>) {
  %padding = ub.poison : f32
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %lanes = vector.transfer_read %from[%c4], %padding : memref<6xf32>, vector<4xf32>
  vector.transfer_write %lanes, %to[%c4] : vector<4xf32>, memref<6xf32>
  %lane = memref.load %to[%c5] : memref<6xf32>
  vector.print %lane : f32
  return
}

func.func @off(%from: memref<6xf32>) -> f32 {
  %padding = ub.poison : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %mask = vector.create_mask %c1 : vector<4xi1>
  %lanes = vector.transfer_read %from[%c0], %padding, %mask : memref<6xf32>, vector<4xf32>
  %lane = vector.extract %lanes[0] : f32 from vector<4xf32>
  return %lane : f32
}

func.func @packed(%from: tensor<3x4xf32>) -> tensor<2x2x2x2xf32> {
  %padding = arith.constant 0.0 : f32
  %to = tensor.empty() : tensor<2x2x2x2xf32>
  %tiles = linalg.pack %from padding_value(%padding : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %to : tensor<3x4xf32> -> tensor<2x2x2x2xf32>
  return %tiles : tensor<2x2x2x2xf32>
}

func.func @softmax_of_integers(%from: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %to = tensor.empty() : tensor<2x3xi8>
  %parts = linalg.softmax dimension(1) ins(%from : tensor<2x3xi8>) outs(%to : tensor<2x3xi8>) -> tensor<2x3xi8>
  return %parts : tensor<2x3xi8>
}
