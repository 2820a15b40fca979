"""The format of lit's tests with one thing more: each result has the processor time of its commands, in seconds.

run_tests.py --costs prints them. A worker of lit runs one test at a time, so what its ended children used meanwhile is the test's.
"""
import resource

import lit.formats
import lit.Test


def used():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


class MeasuredShTest(lit.formats.ShTest):
    def execute(self, test, litConfig):
        before = used()
        result = super().execute(test, litConfig)
        if isinstance(result, tuple):
            result = lit.Test.Result(*result)
        result.addMetric("cpu_seconds", lit.Test.RealMetricValue(round(used() - before, 3)))
        return result
