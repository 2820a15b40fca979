// RUN: %python -c "print('func.func @many(%%c: i1, %%y: i1, %%x: f32) -> (f32, i1) {'); [print(f'%%{i} = scf.if %%c -> (f32) {{\n%%b = arith.uitofp %%c : i1 to f32\n%%a = arith.addf %%b, %%' + (str(i - 1) if i else 'x') + ' : f32\nscf.yield %%a : f32\n} else {\n%%s = arith.select %%c, %%x, %%' + (str(i - 1) if i else 'x') + ' : f32\n%%n = math.sin %%s : f32\nscf.yield %%n : f32\n}') for i in range(70)]; print('return %%69, %%c : f32, i1\n}')" > %t.mlir
// RUN: mica-opt %t.mlir --mica-tensor-simplify | FileCheck %s

// A condition of more uses than upstream's pattern is given is a constant inside of its ifs all the same.
// CHECK-LABEL: func.func @many(
// CHECK-SAME:    %[[C:.+]]: i1, %{{.+}}: i1, %[[X:.+]]: f32)
// CHECK:         %[[ONE:.+]] = arith.constant 1.000000e+00 : f32
// CHECK-NOT:     arith.uitofp
// CHECK-NOT:     arith.select
// CHECK:         scf.if %[[C]] -> (f32) {
// CHECK-NEXT:      arith.addf %[[X]], %[[ONE]] : f32
// CHECK-NOT:     arith.uitofp
// CHECK-NOT:     arith.select
// CHECK:         } else {
// CHECK-NEXT:      math.sin %[[X]] : f32
// CHECK-NOT:     arith.uitofp
// CHECK-NOT:     arith.select
// CHECK:         return %{{.+}}, %[[C]] : f32, i1
