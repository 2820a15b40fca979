"""What the Python package promises, on the artifact of test/Tools/mica-run/Inputs/program.c (y = x * w + 1, number of rows).

usage: check_wrapper.py ARTIFACT
"""
import gc
import os
import sys
import threading
import unittest
import weakref

import numpy as np

import mica

ARTIFACT = sys.argv.pop(1)


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


class Other:
    """A tensor of another library, that counts how often it is given away and given back."""

    def __init__(self, array):
        self.array, self.given = array, 0

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, **_):
        self.given += 1
        return self.array.__dlpack__()


class Wrapper(unittest.TestCase):
    def setUp(self):
        self.program = mica.load(ARTIFACT)
        self.context = self.program.context(threads=2)

    def tearDown(self):
        self.context.close()
        self.program.close()

    def run_entry(self, *inputs):
        return self.context.run(*inputs, entry="affine")

    def test_entries_tell_their_types(self):
        entry = self.program.entries["affine"]
        self.assertEqual(repr(entry), "affine(x: ?x3xfloat32) -> (?x3xfloat32, int64)")
        self.assertEqual((entry.arguments[0].name, entry.arguments[0].shape, entry.results[1].shape), ("x", (-1, 3), ()))

    def test_runs_on_arrays_lists_and_results(self):
        y, rows = self.run_entry(np.ones((2, 3), np.float32))
        np.testing.assert_array_equal(y.numpy(), [[2, 11, 101]] * 2)
        self.assertEqual((int(rows.numpy()), rows.shape, y.shape, y.dtype), (2, (), (2, 3), "float32"))
        again, _ = self.run_entry(y)
        np.testing.assert_array_equal(again.numpy(), [[3, 111, 10101]] * 2)
        listed, _ = self.run_entry([[1, 1, 1]])
        np.testing.assert_array_equal(np.asarray(listed), [[2, 11, 101]])
        columns = np.asfortranarray(np.ones((2, 3), np.float32))
        np.testing.assert_array_equal(self.run_entry(columns)[0].numpy(), y.numpy())

    def test_results_are_not_copied_and_outlive_all(self):
        y, _ = self.run_entry(np.ones((2, 3), np.float32))
        array, shared = y.numpy(), np.from_dlpack(y)
        self.assertEqual(array.ctypes.data, y._dl.data)
        self.assertEqual(shared.ctypes.data, y._dl.data)
        self.assertEqual(array.ctypes.data % 64, 0)
        gone = weakref.ref(y)
        self.context.close()
        self.program.close()
        del y
        gc.collect()
        np.testing.assert_array_equal(array, [[2, 11, 101]] * 2)
        del array
        gc.collect()
        self.assertIsNotNone(gone(), "the other array has it still")
        np.testing.assert_array_equal(shared, [[2, 11, 101]] * 2)
        del shared
        gc.collect()
        self.assertIsNone(gone())

    def test_capsules_that_nobody_takes_release_the_tensor(self):
        y, _ = self.run_entry(np.ones((2, 3), np.float32))
        gone, capsules = weakref.ref(y), [y.__dlpack__(), y.__dlpack__(max_version=(1, 0), dl_device=(1, 0))]
        del y
        gc.collect()
        self.assertIsNotNone(gone())
        capsules.clear()
        gc.collect()
        self.assertIsNone(gone())

    def test_tensors_of_others_are_read_where_they_are_and_given_back(self):
        array = mica.empty((2, 3))
        array[...] = 1
        self.assertEqual(array.ctypes.data % 64, 0)
        before = sys.getrefcount(array)
        other = Other(array)
        np.testing.assert_array_equal(self.run_entry(other)[0].numpy(), [[2, 11, 101]] * 2)
        self.assertEqual(other.given, 1)
        del other
        self.assertEqual(sys.getrefcount(array), before)

    def test_submits_and_waits(self):
        x = np.ones((5, 3), np.float32)
        with self.context.submit(x, entry="affine") as first, self.context.submit(x * 2, entry="affine") as second:
            self.assertEqual(second.wait()[0].numpy()[4, 2], 201)
            self.assertTrue(first.done)
            self.assertEqual(first.wait()[0].numpy()[4, 2], 101)
            with self.assertRaises(mica.InvalidInput):
                first.wait()
        with self.assertRaisesRegex(ValueError, "this invocation is closed"):
            first.done

    def test_errors_are_exceptions_with_what_to_do(self):
        with self.assertRaises(mica.NotFound) as caught:
            mica.load("/no/such/folder")
        self.assertEqual((caught.exception.message, caught.exception.hint, caught.exception.operation),
                         ("/no/such/folder does not exist", "give the folder of an artifact", ""))
        with self.assertRaisesRegex(mica.InvalidInput, "has elements of type float64, it should have float32"):
            self.run_entry(np.ones((2, 3)))
        with self.assertRaisesRegex(ValueError, "takes 1 arguments, 0 were given"):
            self.run_entry()
        with self.assertRaisesRegex(mica.NotFound, "no entry 'other'"):
            self.context.run(entry="other")
        with self.assertRaisesRegex(mica.InvalidInput, "there is no switch 'nan-chek'(.|\n)*did you mean 'nan-check'"):
            mica.set_switches("nan-chek")
        with self.assertRaisesRegex(mica.InvalidInput, "has elements of type complex128, it should have float32"):
            self.run_entry(np.ones((2, 3), complex))
        with self.assertRaisesRegex(TypeError, "complex256 cannot be handed to Mica"):
            self.run_entry(np.ones((2, 3), np.clongdouble))
        self.context.close()
        with self.assertRaisesRegex(ValueError, "this context is closed"):
            self.run_entry(np.ones((2, 3), np.float32))

    def test_a_failed_operation_is_named(self):
        os.environ["FAKE_ERROR"] = "1"
        try:
            with self.assertRaises(mica.CheckFailed) as caught:
                self.run_entry(np.ones((2, 3), np.float32))
        finally:
            del os.environ["FAKE_ERROR"]
        error = caught.exception
        self.assertEqual((error.operation, error.id, error.kernel), ("mica.count", "cccccccccccc", "count"))
        self.assertEqual((error.file, error.line, error.column), ("affine.mlir", 5, 8))
        self.assertIn("status 7", error.message)
        with self.assertRaisesRegex(mica.CheckFailed, "is unusable after an earlier failure"):
            self.run_entry(np.ones((2, 3), np.float32))

    def test_isolated_calls_load_no_code_and_leave_nothing(self):
        x = np.ones((2, 3), np.float32)
        files = len(os.listdir("/proc/self/fd"))
        with mica.open_program(ARTIFACT) as opened:
            try:
                y, rows = opened.run_isolated(x, entry="affine", memory=4 << 30, seconds=60)
            except mica.Unsupported as reason:
                self.skipTest(reason.message)
            np.testing.assert_array_equal(y.numpy(), [[2, 11, 101]] * 2)
            self.assertEqual(int(rows.numpy()), 2)
            with self.assertRaisesRegex(mica.InvalidInput, "has elements of type float64"):
                opened.run_isolated(np.ones((2, 3)), entry="affine")
            with self.assertRaisesRegex(mica.Unsupported, "opened without its code"):
                opened.context()
            # Less than the process itself needs.
            with self.assertRaises(mica.Error):
                opened.run_isolated(x, entry="affine", memory=1 << 20)
            # The environment is not the call's: in this process FAKE_CRASH would end it.
            os.environ["FAKE_CRASH"] = "1"
            try:
                np.testing.assert_array_equal(opened.run_isolated(x, entry="affine")[0].numpy(), y.numpy())
            finally:
                del os.environ["FAKE_CRASH"]
        self.assertEqual(len(os.listdir("/proc/self/fd")), files)
        with self.assertRaises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)

    def test_threads_may_share_a_context(self):
        wrong = []

        def work(value):
            x = np.full((4, 3), value, np.float32)
            for _ in range(200):
                if self.run_entry(x)[0].numpy()[3, 2] != 100 * value + 1:
                    wrong.append(value)

        threads = [threading.Thread(target=work, args=(value,)) for value in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_nothing_is_kept(self):
        x = np.ones((1000, 3), np.float32)

        def turns(count):
            for _ in range(count):
                y, _ = self.run_entry(x)
                np.from_dlpack(y)
                with mica.load(ARTIFACT) as program, program.context(threads=1) as context:
                    try:
                        context.run(x[0], entry="affine")
                    except mica.InvalidInput:
                        pass

        turns(300)
        before = resident()
        turns(1000)
        self.assertLess(resident() - before, 1 << 20)


unittest.main(verbosity=0)
