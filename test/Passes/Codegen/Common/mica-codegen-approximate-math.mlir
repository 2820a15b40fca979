// RUN: mica-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(mica-codegen-approximate-math))' | FileCheck %s
// MUTATION: stays green, the option leaves them.
// RUN: mica-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(mica-codegen-approximate-math{extrema=false}))' | FileCheck %s --check-prefix=LEFT

// CHECK-LABEL: func.func @exp(
// CHECK-SAME:    %[[X:.*]]: vector<64xf32>)
// CHECK-NOT:     math.exp
// CHECK:         arith.cmpf ogt, %{{.*}}, %[[X]]
// CHECK:         %[[BITS:.*]] = arith.bitcast %{{.*}} : vector<64xf32> to vector<64xi32>
// The bits have the exponent's bias already.
// CHECK:         %[[EXPONENT:.*]] = arith.shli %[[BITS]]
// CHECK:         %[[ROOT:.*]] = arith.bitcast %[[EXPONENT]] : vector<64xi32> to vector<64xf32>
// Twice, so that a subnormal result is rounded once.
// CHECK:         %[[HALF:.*]] = arith.mulf %{{.*}}, %[[ROOT]]
// CHECK:         arith.mulf %[[HALF]], %[[ROOT]]
func.func @exp(%x: vector<64xf32>) -> vector<64xf32> {
  %0 = math.exp %x : vector<64xf32>
  return %0 : vector<64xf32>
}

// -----

// What is not positive needs no upper bound.
// CHECK-LABEL: func.func @exp_below_one(
// CHECK-COUNT-1: arith.cmpf
// CHECK-NOT:     arith.cmpf
// CHECK:         return
func.func @exp_below_one(%x: vector<64xf32>) -> vector<64xf32> {
  %half = arith.constant dense<0.5> : vector<64xf32>
  %0 = math.absf %x : vector<64xf32>
  %1 = arith.mulf %0, %half : vector<64xf32>
  %2 = arith.negf %1 : vector<64xf32>
  %3 = math.exp %2 : vector<64xf32>
  return %3 : vector<64xf32>
}

// -----

// Of a softmax: no operand is positive, so that twice the range and half of the exponent are not needed.
// CHECK-LABEL: func.func @exp_of_softmax(
// CHECK-DAG:     %[[SCALE:.*]] = arith.constant dense<5.42101086E-20> : vector<64xf32>
// CHECK-COUNT-1: arith.cmpf
// CHECK-NOT:     arith.cmpf
// CHECK:         %[[EXPONENT:.*]] = arith.shli
// CHECK:         %[[POWER:.*]] = arith.bitcast %[[EXPONENT]]
// CHECK:         %[[SCALED:.*]] = arith.mulf %{{.*}}, %[[POWER]]
// CHECK:         arith.mulf %[[SCALED]], %[[SCALE]]
func.func @exp_of_softmax(%x: vector<64xf32>) -> vector<64xf32> {
  %0 = math.exp %x {mica.softmax} : vector<64xf32>
  return %0 : vector<64xf32>
}

// -----

// The maximum of a softmax ignores NaN and the order of zeros, also among the lanes of a vector.
// CHECK-LABEL: func.func @maximum_of_softmax(
// CHECK-SAME:    %[[X:.*]]: vector<4xf32>, %[[Y:.*]]: vector<4xf32>, %[[S:.*]]: f32)
// CHECK:         %[[IS_LESS:.*]] = arith.cmpf ogt, %[[Y]], %[[X]]
// CHECK:         %[[BEST:.*]] = arith.select %[[IS_LESS]], %[[Y]], %[[X]]
// CHECK:         vector.shuffle %[[BEST]], %[[BEST]] [0, 1]
// CHECK:         vector.shuffle %[[BEST]], %[[BEST]] [2, 3]
// CHECK:         arith.cmpf ogt
// CHECK:         arith.cmpf ogt
// CHECK:         %[[LANE:.*]] = vector.extract
// CHECK:         %[[WINS:.*]] = arith.cmpf ogt, %[[LANE]], %[[S]]
// CHECK:         arith.select %[[WINS]], %[[LANE]], %[[S]]
func.func @maximum_of_softmax(%x: vector<4xf32>, %y: vector<4xf32>, %s: f32) -> f32 {
  %0 = arith.maximumf %x, %y {mica.softmax} : vector<4xf32>
  %1 = vector.reduction <maximumf>, %0, %s {mica.softmax} : vector<4xf32> into f32
  return %1 : f32
}

// -----

// f64 is left to libm.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @exp64
// CHECK:         math.exp
func.func @exp64(%x: vector<8xf64>) -> vector<8xf64> {
  %0 = math.exp %x : vector<8xf64>
  return %0 : vector<8xf64>
}

// -----

// CHECK-LABEL: func.func @functions
// CHECK-NOT:     math.{{tanh|erf|log}}
func.func @functions(%x: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  %0 = math.tanh %x : vector<16xf32>
  %1 = math.erf %x : vector<16xf32>
  %2 = math.log %x : vector<16xf32>
  %3 = math.log2 %x : vector<16xf32>
  return %0, %1, %2, %3 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
}

// -----

// One quotient of polynomials, and no choice by interval.
// CHECK-LABEL: func.func @erf
// CHECK-COUNT-2: arith.select
// CHECK-NOT:     arith.select
// CHECK:         arith.divf
// CHECK-COUNT-2: arith.select
// CHECK-NOT:     arith.select
// CHECK:         return
func.func @erf(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.erf %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// -----

// Where no order tells the two apart, equal ones and NaN, the bits of both are joined: of two zeros the sign is set if both are.
// CHECK-LABEL: func.func @maximum(
// CHECK-SAME:    %[[A:.*]]: vector<8xf32>, %[[B:.*]]: vector<8xf32>)
// CHECK:         %[[GT:.*]] = arith.cmpf ogt, %[[A]], %[[B]]
// CHECK:         %[[FIRST:.*]] = arith.select %[[GT]], %[[A]], %[[B]]
// CHECK:         %[[LT:.*]] = arith.cmpf ogt, %[[B]], %[[A]]
// CHECK:         %[[SECOND:.*]] = arith.select %[[LT]], %[[B]], %[[A]]
// CHECK:         arith.ori
// CHECK:         arith.andi
// LEFT-LABEL: func.func @maximum(
// LEFT:         arith.maximumf
func.func @maximum(%a: vector<8xf32>, %b: vector<8xf32>) -> vector<8xf32> {
  %0 = arith.maximumf %a, %b : vector<8xf32>
  return %0 : vector<8xf32>
}

// CHECK-LABEL: func.func @minimum(
// CHECK-COUNT-2: arith.select
// CHECK:         arith.ori
// CHECK-NOT:     arith.andi
// CHECK:         return
// LEFT-LABEL: func.func @minimum(
// LEFT:         arith.minimumf
func.func @minimum(%a: vector<8xf64>, %b: vector<8xf64>) -> vector<8xf64> {
  %0 = arith.minimumf %a, %b : vector<8xf64>
  return %0 : vector<8xf64>
}

// A constant is no NaN: one select. Where it is the larger zero it wins against the other one.
// CHECK-LABEL: func.func @relu(
// CHECK-SAME:    %[[A:.*]]: vector<16xf32>)
// CHECK:         %[[ZERO:.*]] = arith.constant dense<0.0
// CHECK:         %[[GE:.*]] = arith.cmpf oge, %[[ZERO]], %[[A]]
// CHECK:         %[[R:.*]] = arith.select %[[GE]], %[[ZERO]], %[[A]]
// CHECK:         return %[[R]]
func.func @relu(%a: vector<16xf32>) -> vector<16xf32> {
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %0 = arith.maximumf %a, %zero : vector<16xf32>
  return %0 : vector<16xf32>
}

// CHECK-LABEL: func.func @at_most_zero(
// CHECK-SAME:    %[[A:.*]]: vector<16xf32>)
// CHECK:         %[[ZERO:.*]] = arith.constant dense<0.0
// CHECK:         %[[LT:.*]] = arith.cmpf olt, %[[ZERO]], %[[A]]
// CHECK:         arith.select %[[LT]], %[[ZERO]], %[[A]]
func.func @at_most_zero(%a: vector<16xf32>) -> vector<16xf32> {
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %0 = arith.minimumf %zero, %a : vector<16xf32>
  return %0 : vector<16xf32>
}

// -----

// CHECK-LABEL: func.func @quotient(
// CHECK-SAME:    %[[A:.*]]: vector<16xf32>, %[[S:.*]]: f32)
// CHECK:         %[[I:.*]] = arith.divf %{{.*}}, %[[S]] : f32
// CHECK:         %[[F:.*]] = vector.broadcast %[[I]]
// CHECK:         arith.mulf %[[A]], %[[F]]
func.func @quotient(%a: vector<16xf32>, %s: f32) -> vector<16xf32> {
  %0 = vector.broadcast %s : f32 to vector<16xf32>
  %1 = arith.divf %a, %0 fastmath<arcp> : vector<16xf32>
  return %1 : vector<16xf32>
}

// A division is rounded once where nothing allows more.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @exact_quotient
// CHECK:         arith.divf %{{.*}} : vector<16xf32>
func.func @exact_quotient(%a: vector<16xf32>, %s: f32) -> vector<16xf32> {
  %0 = vector.broadcast %s : f32 to vector<16xf32>
  %1 = arith.divf %a, %0 : vector<16xf32>
  return %1 : vector<16xf32>
}

// -----

// The angle is reduced in f64, the polynomials are in f32. An element of magnitude 2^29 or more takes the exact reduction.
// CHECK-LABEL: func.func @periodic
// CHECK-NOT:     math.{{sin|cos}}
// CHECK:         arith.extf %{{.*}} : vector<16xf32> to vector<16xf64>
// CHECK:         %[[ANY:.*]] = vector.reduction <or>, %{{.*}} : vector<16xi1> into i1
// CHECK:         scf.if %[[ANY]] -> (vector<16xf64>, vector<16xi32>)
// CHECK:           arith.muli %{{.*}} : vector<16xi64>
// CHECK:         arith.truncf %{{.*}} : vector<16xf64> to vector<16xf32>
// CHECK-NOT:     math.{{sin|cos}}
// CHECK:         return
func.func @periodic(%x: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>) {
  %0 = math.sin %x : vector<16xf32>
  %1 = math.cos %x : vector<16xf32>
  return %0, %1 : vector<16xf32>, vector<16xf32>
}

// -----

// CHECK-LABEL: func.func @power
// CHECK-NOT:     math.powf
// CHECK:         %[[R:.*]] = arith.truncf %{{.*}} : vector<16xf64> to vector<16xf32>
// CHECK-NEXT:    return %[[R]]
func.func @power(%x: vector<16xf32>, %y: vector<16xf32>) -> vector<16xf32> {
  %0 = math.powf %x, %y : vector<16xf32>
  return %0 : vector<16xf32>
}
