// SPDX-License-Identifier: Apache-2.0
// Tests of walls start this program again: as the launcher, and as what runs inside.
#include <gmock/gmock.h>

#include "tests/core/sandbox/sandbox_fixture.h"

int main(int argc, char** argv) {
  if (const auto code = wb::walls::actAs(argc, argv)) return *code;
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
