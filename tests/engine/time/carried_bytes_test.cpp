// SPDX-License-Identifier: Apache-2.0
// In which rows bytes are carried; that they arrive is seen on a GPU.
#include "core/engine/device/carried_bytes.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

TEST(CarriedBytes, FewAreSeveralRowsOfOneLength) {
  EXPECT_EQ(carriedRows(4), 2U);
  EXPECT_EQ(carriedRows(8192), 2U);
  EXPECT_EQ(carriedRows(9), 3U);
  EXPECT_EQ(carriedRows(15), 3U);
  EXPECT_EQ(carriedRows(65521), 65521U) << "a prime";
}

TEST(CarriedBytes, OneOrManyAreCarriedAsTheyLie) {
  EXPECT_EQ(carriedRows(0), 1U);
  EXPECT_EQ(carriedRows(1), 1U);
  EXPECT_EQ(carriedRows(1 << 20), 1U);
}

}  // namespace
}  // namespace wb
