// A report that leaves the house: no names of functions, arguments and files, and no weights. And the report as a page.
// RUN: rm -rf %t %t.html && not mica-bisect %s --entry=project --strip -o %t --pipeline='builtin.module(canonicalize,func.func(tosa-to-linalg))' | FileCheck %s
// RUN: cat %t/report.md %t/verdict.json %t/input.mlir %t/test.mlir | FileCheck %s --check-prefix=REPORT --implicit-check-not=secret --implicit-check-not=project --implicit-check-not=strip.mlir --implicit-check-not=-0.125
// CHECK: verdict: miscompile: canonicalize (pass 1 of 2) in @f
// REPORT: func.func @f{{[0-9]}}(
// REPORT: "program": "program.mlir"

// RUN: mica-report %t -o %t.html
// RUN: FileCheck %s --check-prefix=PAGE --implicit-check-not='<script>' < %t.html
// PAGE: <title>mica-bisect: miscompile</title>
// PAGE: <span class="kind bad">miscompile</span> canonicalize (pass 1 of 2)
// PAGE: <h3>before</h3><pre>module {
// PAGE: <span class=gone>{{.*}}tosa.cast
// PAGE: <h3>after</h3><pre>module {
// PAGE: <span class=came>{{.*}}const
// RUN: echo '{"format": "another", "schema": 1}' > %t/verdict.json && not mica-report %t -o %t.html 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: error: {{.*}}verdict.json: its format is 'another', expected 'mica-verdict'
// RUN: echo '{"format": "mica-verdict", "verdict": 1}' > %t/verdict.json && not mica-report %t -o %t.html 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: error: {{.*}}verdict.json: verdict should be a text, found 1
// RUN: not mica-report %t -o %t.html --redact 2>&1 | FileCheck %s --check-prefix=REDACT
// REDACT: error: the report of mica-bisect is one page

func.func private @secret_layer(%a: tensor<2xi1> {x.name = "secret_input"}) -> tensor<2xf32> {
  %r = tosa.cast %a : (tensor<2xi1>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
func.func @project() -> tensor<2xf32> {
  %a = "tosa.const"() {values = dense<true> : tensor<2xi1>} : () -> tensor<2xi1>
  %r = call @secret_layer(%a) : (tensor<2xi1>) -> tensor<2xf32>
  %s = tosa.cast %a : (tensor<2xi1>) -> tensor<2xf32>
  %w = arith.constant dense<[-0.125, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0]> : tensor<17xf32>
  %c = arith.constant 3 : index
  %e = tensor.extract %w[%c] : tensor<17xf32>
  %f = tensor.splat %e : tensor<2xf32>
  %sum = arith.addf %s, %f : tensor<2xf32>
  return %sum : tensor<2xf32>
}

// With inputs: the report has what the function is called with, unless it is stripped.
// RUN: rm -rf %t.given && not mica-bisect %s --entry=given --input=1 -o %t.given --pipeline='builtin.module(canonicalize)'
// RUN: FileCheck %s --check-prefix=INPUTS < %t.given/report.md
// RUN: rm -rf %t.given && not mica-bisect %s --entry=given --input=1 --strip -o %t.given --pipeline='builtin.module(canonicalize)'
// RUN: FileCheck %s --check-prefix=NOINPUTS --implicit-check-not='is called with' < %t.given/report.md
// INPUTS: is called with
// INPUTS: input 0 (i1):
// NOINPUTS: How to reproduce
func.func @given(%c: i1) -> tensor<2xf32> {
  %a = "tosa.const"() {values = dense<true> : tensor<2xi1>} : () -> tensor<2xi1>
  %s = tosa.cast %a : (tensor<2xi1>) -> tensor<2xf32>
  %two = arith.constant dense<2.0> : tensor<2xf32>
  %r = arith.select %c, %s, %two : tensor<2xf32>
  return %r : tensor<2xf32>
}
