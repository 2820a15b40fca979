"""The format of lit's tests with two things more: each result has the processor time of its commands, in seconds, and the files
of a test that passed are removed, because all tests together write gigabytes.

run_tests.py --costs prints the times. A worker of lit runs one test at a time, so what its ended children used meanwhile is the
test's. With MICA_TEST_KEEP=1 in the environment, all files stay.
"""
import glob
import os
import resource
import shutil

import lit.formats
import lit.Test


def used():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def remove_files(test):
    """Removes what the commands of `test` wrote to %t and beside it."""
    folder, name = os.path.split(test.getExecPath())
    for path in glob.glob(glob.escape(os.path.join(folder, "Output", name)) + ".tmp*"):
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            os.unlink(path)


class MeasuredShTest(lit.formats.ShTest):
    def execute(self, test, litConfig):
        before = used()
        result = super().execute(test, litConfig)
        if isinstance(result, tuple):
            result = lit.Test.Result(*result)
        if result.code == lit.Test.PASS and not os.environ.get("MICA_TEST_KEEP"):
            remove_files(test)
        result.addMetric("cpu_seconds", lit.Test.RealMetricValue(round(used() - before, 3)))
        return result
