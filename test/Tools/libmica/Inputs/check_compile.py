"""What the Python package promises of compiling and looking into a program.

usage: check_compile.py
"""
import glob
import pathlib
import tempfile
import unittest

import numpy as np

import mica

TEXT = """func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mica.exp %x : tensor<4xf32>
  %1 = mica.mul %0, %y : tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""


class Compile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = mica.compile(TEXT)

    def test_a_program_is_called_with_arrays_and_lists(self):
        x = np.array([0, 1, 2, 3], np.float32)
        np.testing.assert_allclose(self.program(x, [1, 2, 3, 4]), np.exp(x) * [1, 2, 3, 4], rtol=1e-6)
        twice = mica.compile("func.func @f(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) { return %x, %x : tensor<f32>, tensor<f32> }")
        self.assertEqual([float(r.numpy()) for r in twice(3.0)], [3, 3])

    def test_complex_arrays_go_in_and_come_out_as_one(self):
        program = mica.compile("func.func @f(%z: tensor<?xcomplex<f32>>, %w: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {\n"
                               "  %0 = stablehlo.multiply %z, %w : tensor<?xcomplex<f32>>\n  return %0 : tensor<?xcomplex<f32>>\n}")
        z = np.array([1 + 2j, 3 - 4j, 1j], np.complex64)
        product = program(z, [1, 1j, 2])
        self.assertEqual((product.dtype, product.shape), ("complex64", (3,)))
        np.testing.assert_array_equal(product.numpy(), z * np.array([1, 1j, 2], np.complex64))
        np.testing.assert_array_equal(np.from_dlpack(program(z[:1], z[:1])), z[:1] * z[:1])
        with self.assertRaisesRegex(mica.InvalidInput, "has elements of type float32, it should have complex64"):
            program(z.real.copy(), z)
        with self.assertRaisesRegex(mica.InvalidInput, "dimension 0 of argument 1 .* is 2, but dimension 0 of argument 0 .* is 3"):
            program(z, z[:2])

    def test_paths_bytes_and_lowered_functions_are_programs(self):
        class Lowered:  # as jax.jit(f).lower(x) gives
            def as_text(self):
                return TEXT

        ones = np.ones(4, np.float32)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "m.mlir")
            path.write_text(TEXT)
            kept = mica.compile(path, folder=pathlib.Path(folder, "kept"))
            self.assertTrue((kept.folder / "manifest.json").exists())
            for source in (str(path), Lowered(), (kept.folder / "input.orig.mlirbc").read_bytes()):
                np.testing.assert_allclose(mica.compile(source)(ones, ones), np.exp(ones), rtol=1e-6)
        with self.assertRaisesRegex(mica.InvalidInput, "cannot be made of int"):
            mica.compile(3)

    def test_the_folder_goes_with_the_program(self):
        program = mica.compile(TEXT)
        folder = program.folder
        self.assertTrue(folder.exists())
        del program
        self.assertFalse(folder.exists())

    def test_errors_name_the_place(self):
        with self.assertRaises(mica.CompileError) as caught:
            mica.compile(TEXT.replace("mica.exp", "mica.exq"), name="mine.mlir")
        error = caught.exception
        self.assertEqual((error.file, error.line, error.operation, error.hint), ("mine.mlir", 2, "mica.exq", "did you mean 'mica.exp'?"))
        self.assertIn("mine.mlir:2", error.text)
        with self.assertRaisesRegex(mica.CompileError, "cannot read 'no.mlir'"):
            mica.compile("no.mlir")
        with self.assertRaisesRegex(mica.InvalidInput, "argument 0 is 2xf32, it should be 4xf32"):
            self.program([1, 2], [1, 2])

    def test_passes_have_texts_and_differences(self):
        changed = [each for each in self.program.passes if each.changed]
        self.assertLess(len(changed), len(self.program.passes))
        ids = next(each for each in changed if each.name == "mica-tensor-assign-ids")
        self.assertEqual((ids.phase, ids.ops_before, ids.ops_after), ("tensor", 5, 5))
        self.assertIn("mica.exp", ids.text)
        lowered = next(each for each in changed if each.name == "convert-mica-to-linalg")
        self.assertIn("mica.mul", lowered.diff())
        self.assertIn("&lt;html", lowered.diff()._repr_html_())
        other = mica.compile(TEXT.replace("mul", "add"))
        self.assertIn("mica.add", self.program.diff(other))

    def test_archived_snapshots_are_read(self):
        program = mica.compile(TEXT, flags=["--dump-format=archive"])
        self.assertIn("mica.exp", next(each for each in program.passes if each.changed).text)

    def test_an_op_is_explained(self):
        self.assertEqual(sorted(self.program.ops.values()), ["mica.exp", "mica.mul"])
        product = next(key for key, kind in self.program.ops.items() if kind == "mica.mul")
        text = self.program.explain(product)
        self.assertIn("model.mlir:3", text)
        self.assertIn(self.program.kernels[0], text)

    def test_results_are_checked(self):
        check = self.program.check_reference()
        self.assertTrue(check, check.text)
        self.assertTrue(check.text.startswith("reference: result 0 (4xf32): "), check.text)
        self.assertTrue(self.program.check_reference(np.ones(4, np.float32), [1, 2, 3, 4]))

    def test_tensors_of_a_run_are_dumped_and_compared(self):
        x, y = np.array([0, 1, 2, 3], np.float32), np.ones(4, np.float32)
        dump = self.program.dump(x, y)
        np.testing.assert_array_equal(next(t for t in dump if t.info.get("name") == "%x").numpy(), x)
        self.assertTrue(dump.compare(self.program.dump(x, y)))
        self.assertFalse(dump.compare(self.program.dump(x, y * 2)))

    def test_the_report_is_one_page(self):
        report = self.program.report()
        self.assertTrue(report.page.startswith("<!doctype html>"))
        self.assertGreater(len(report.page), 100000)
        self.assertTrue(report._repr_html_().startswith("<iframe srcdoc="))

    def test_onnx_models_are_bytes_too(self):
        models = glob.glob("/usr/share/libonnx-testdata/data/node/test_softmax_axis_0/model.onnx")
        if not models:
            self.skipTest("libonnx-testdata is not installed")
        try:
            program = mica.compile(pathlib.Path(models[0]).read_bytes())
        except mica.CompileError as error:
            self.skipTest(error.message)
        x = np.arange(60, dtype=np.float32).reshape(3, 4, 5)
        weights = np.exp(x - x.max(0))
        np.testing.assert_allclose(program(x), weights / weights.sum(0), rtol=1e-5)


unittest.main(verbosity=0)
