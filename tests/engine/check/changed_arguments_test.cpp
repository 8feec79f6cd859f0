// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <ATen/core/List.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <cmath>

#include "core/engine/check/compare/check.h"
#include "core/engine/reference/operator.h"

namespace wb {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ChangedArguments, FindsOneBit) {
  const Stack before{at::ones({3}), at::zeros({4, 4})};
  const Stack after = cloneArguments(before);
  EXPECT_THAT(changedArguments(before, after), IsEmpty());
  after[1].toTensor().index_put_({at::ones({1}, at::kLong), at::ones({1}, at::kLong)}, at::zeros({1}).neg());
  EXPECT_THAT(changedArguments(before, after), ElementsAre(1)) << "minus zero has other bits";
}

TEST(ChangedArguments, TakesNanForItself) {
  const Stack before{at::full({3}, std::nan(""))};
  EXPECT_THAT(changedArguments(before, cloneArguments(before)), IsEmpty());
}

TEST(ChangedArguments, LooksIntoLists) {
  const Stack before{c10::List<at::Tensor>({at::ones({2}), at::ones({2})})};
  const Stack after = cloneArguments(before);
  after[0].toTensorVector()[1].zero_();
  EXPECT_THAT(changedArguments(before, after), ElementsAre(0));
}

TEST(ChangedArguments, LooksBetweenTheElementsOfAStridedView) {
  const Stack before{at::zeros({16}).as_strided({4}, {4})};
  const Stack after = cloneArguments(before);
  after[0].toTensor().as_strided({13}, {1}).select(0, 1).fill_(1);
  EXPECT_THAT(changedArguments(before, after), ElementsAre(0));
}

TEST(ChangedArguments, SeesAResize) {
  const Stack before{at::ones({4})};
  const Stack after = cloneArguments(before);
  after[0].toTensor().resize_({2});
  EXPECT_THAT(changedArguments(before, after), ElementsAre(0));
}

}  // namespace
}  // namespace wb
