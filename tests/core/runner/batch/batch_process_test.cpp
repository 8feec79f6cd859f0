// SPDX-License-Identifier: Apache-2.0
// A run that a process of this machine does, which outlives whoever started it.
#include "core/runner/batch/batch_process.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>

#include "core/base/files/file.h"
#include "core/runner/batch/batch_queue.h"
#include "tests/core/runner/fake_runs.h"
#include "tests/core/service/temporary_folder.h"

namespace wb {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class BatchProcess : public testing::Test {
 protected:
  void SetUp() override { ::setenv("WARPBENCH_DATA", own_.path().c_str(), 1); }
  void TearDown() override { ::unsetenv("WARPBENCH_DATA"); }
  Batch make(const std::string& script) {
    Batch batch = newBatch(parseTarget("local cpu").value(), fakeJob(), 2, newBatchId());
    EXPECT_TRUE(writeBatch(batch));
    EXPECT_TRUE(writeFileAtomically(batch.script(), script));
    return batch;
  }
  const TemporaryFolder own_;
};

TEST_F(BatchProcess, AHoldIsOneProcesss) {
  const Batch batch = make("");
  EXPECT_EQ(batch.shards, 1U);
  EXPECT_EQ(batch.workers, 2);
  EXPECT_EQ(batchProcess(batch), 0);
  {
    const auto hold = BatchHold::take(batch);
    ASSERT_TRUE(hold) << describe(hold.error());
    EXPECT_EQ(batchProcess(batch), ::getpid());
    EXPECT_EQ(askQueue(batch).value().running, 1);
    EXPECT_THAT(BatchHold::take(batch).error().text, HasSubstr("is being done already"));
  }
  EXPECT_EQ(batchProcess(batch), 0);
  EXPECT_EQ(askQueue(batch).value().running, 0);
}

TEST_F(BatchProcess, AScriptThatDoesNotBeginSaysWhy) {
  const auto started = submitScript(make("echo 'no torch here' >&2; exit 3\n"));
  ASSERT_FALSE(started);
  EXPECT_THAT(describe(started.error()),
              AllOf(HasSubstr("ended before it began"), HasSubstr("no torch here")));
}

}  // namespace
}  // namespace wb
