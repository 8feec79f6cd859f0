// SPDX-License-Identifier: Apache-2.0
// With which sizes a kernel is asked about a case, and what is left out where they are large.
#include "core/engine/check/further/asked_case.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/suites/literals/literal_parser.h"
#include "tests/engine/pipeline/further/questioned.h"

namespace wb {
namespace {

/// Of so many MiB, with contents of the given kind: "own" ones are a problem's.
std::optional<AskedCase> askedOf(int mebibytes, const std::string& values) {
  Questioned asked(relu, longEnough, "aten::relu", fmt::format("((T([{}, 262144], f32),), {{}})", mebibytes));
  Case definition = asked.definition;
  definition.values = values;
  asked.further.forked = {&definition};
  asked.further.mostCheckSeconds = longEnough;
  return askedCase(asked.context, definition, *parseLiteral(definition.args), Verdict::pass, 0.1);
}

TEST(AskedCase, ALargeOneOfAnOperatorIsSmaller) {
  const auto small = askedOf(4, ""), large = askedOf(40, "");
  ASSERT_TRUE(small && large);
  EXPECT_FALSE(small->isSmaller);
  EXPECT_TRUE(large->isSmaller);
  EXPECT_LE(tensorBytes(large->call), 16 << 20);
}

TEST(AskedCase, AProblemHasItsOwnSizesAndALargeOneIsAskedOfItsParametersAlone) {
  const auto small = askedOf(256, "own"), large = askedOf(257, "own");
  ASSERT_TRUE(small && large);
  EXPECT_FALSE(small->parametersAlone);
  EXPECT_TRUE(large->parametersAlone);
  EXPECT_FALSE(large->isSmaller);
  EXPECT_FALSE(askedOf(1025, "own"));
}

}  // namespace
}  // namespace wb
