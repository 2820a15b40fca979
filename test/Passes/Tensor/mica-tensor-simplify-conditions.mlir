// RUN: mica-opt %s --mica-tensor-simplify | FileCheck %s

// A condition of more uses than upstream's pattern is given is a constant inside of its ifs all the same.
// CHECK-LABEL: func.func @many(
// CHECK-SAME:    %[[C:.+]]: i1, %[[X:.+]]: f32, %[[Y:.+]]: f32, %{{.+}}: vector<72xi1>)
// CHECK-DAG:     %[[ONE:.+]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG:     %[[ALL:.+]] = arith.constant dense<true> : vector<72xi1>
// CHECK:         %[[CHOSEN:.+]] = arith.select %[[C]], %[[ALL]],
// CHECK-NEXT:    scf.if %[[C]]
// CHECK-NEXT:      %[[SUM:.+]] = arith.addf %[[X]], %[[ONE]] : f32
// CHECK-NEXT:      scf.yield %[[SUM]] : f32
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %[[SIN:.+]] = math.sin %[[Y]] : f32
// CHECK-NEXT:      scf.yield %[[SIN]] : f32
// CHECK:         return %{{.+}}, %[[CHOSEN]]
func.func @many(%c: i1, %x: f32, %y: f32, %other: vector<72xi1>) -> (f32, vector<72xi1>) {
  %0:2 = scf.if %c -> (f32, vector<72xi1>) {
    %all = vector.from_elements
        %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c,
        %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c,
        %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c,
        %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c : vector<72xi1>
    %number = arith.uitofp %c : i1 to f32
    %sum = arith.addf %number, %x : f32
    scf.yield %sum, %all : f32, vector<72xi1>
  } else {
    %chosen = arith.select %c, %x, %y : f32
    %sin = math.sin %chosen : f32
    scf.yield %sin, %other : f32, vector<72xi1>
  }
  return %0#0, %0#1 : f32, vector<72xi1>
}
