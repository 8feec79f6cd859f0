#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What packaging/summary says of tests that failed or were skipped."""
import importlib.machinery
import importlib.util
import pathlib
import sys
import unittest

PATH = pathlib.Path(__file__).parents[2] / "packaging" / "summary"
sys.dont_write_bytecode = True  # beside a file without an ending
loader = importlib.machinery.SourceFileLoader("summary", str(PATH))
summary = importlib.util.module_from_spec(importlib.util.spec_from_loader("summary", loader))
loader.exec_module(summary)

LOG = """1/3 Testing: shard.1
1/3 Test: shard.1
Command: "shard"
Output:
----------------------------------------------------------
[ RUN      ] Faults.OfAKernel
/a/faults_test.cpp:12: Failure
Value of: verdicts(report)
Expected: only contains 1
  Actual: { 2 }

[  FAILED  ] Faults.OfAKernel (12 ms)
[ RUN      ] Faults.OfNobody
unknown file: Failure
C++ exception with description "filesystem error" thrown in the test body.
[  FAILED  ] Faults.OfNobody (1 ms)
[ RUN      ] Faults.OfWhatIsNotThere
/a/faults_test.cpp:30: Skipped
no GPU here
[  SKIPPED ] Faults.OfWhatIsNotThere (0 ms)
<end of output>
Test time =   0.02 sec
----------------------------------------------------------
Test Failed.

2/3 Testing: script
2/3 Test: script
Output:
----------------------------------------------------------
reading
Traceback: no such file
<end of output>
Test time =   0.02 sec
----------------------------------------------------------
Test Failed.

3/3 Testing: good
3/3 Test: good
Output:
----------------------------------------------------------
[ RUN      ] Faults.OfNoKernel
[       OK ] Faults.OfNoKernel (1 ms)
<end of output>
Test Passed.
"""


class SummaryTest(unittest.TestCase):
    def test_every_failure_has_its_case_and_its_words(self):
        self.assertEqual([
            "    Faults.OfAKernel: /a/faults_test.cpp:12 | Value of: verdicts(report) | Expected: only contains 1 | Actual: { 2 }",
            '    Faults.OfNobody: unknown file | C++ exception with description "filesystem error" thrown in the test body.',
            "    script: Test Failed, last it said: Traceback: no such file"], list(summary.failures(LOG)))

    def test_a_program_that_ends_within_a_case_is_named_with_that_case(self):
        log = "1/1 Test: shard.2\n[ RUN      ] Faults.OfTime\nwaiting\n<end of output>\nTest Failed.\n"
        self.assertEqual(["    Faults.OfTime: Test Failed, last it said: waiting"], list(summary.failures(log)))

    def test_many_failures_are_counted(self):
        one = "[ RUN      ] A.B\nx: Failure\ny\n[  FAILED  ] A.B (1 ms)\n"
        self.assertEqual(summary.MOST_FAILURES + 1, len(list(summary.failures("1/1 Test: s\n" + 9 * one + "Test Failed.\n"))))

    def test_what_was_skipped_has_its_reason(self):
        self.assertEqual({"no GPU here": ["Faults.OfWhatIsNotThere"]}, dict(summary.skipped(LOG)))


if __name__ == "__main__":
    unittest.main()
