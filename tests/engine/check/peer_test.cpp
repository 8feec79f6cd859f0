// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/peer.h"

#include <gmock/gmock.h>

#include <ATen/core/List.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <limits>

namespace wb {
namespace {

using testing::HasSubstr;

const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();

at::Tensor floats(const std::vector<float>& values) {
  return at::tensor(values);
}

/// Arguments in BackendBench's order: reference, then candidate.
bool close(const Stack& expected, const Stack& candidate) {
  return compareAsPeer(candidate, expected).verdict == Verdict::pass;
}

TEST(ComparesAsBackendBench, ToleranceIsRelativeToTheCandidate) {
  EXPECT_TRUE(close({floats({100})}, {floats({101.02F})}));
  EXPECT_FALSE(close({floats({101.02F})}, {floats({100})}));
}

TEST(ComparesAsBackendBench, ArithmeticIsInTheTensorsOwnType) {
  const auto bf16 = [](double value) { return at::full({1}, value, at::kBFloat16); };
  EXPECT_TRUE(close({bf16(1.0)}, {bf16(1.0156)}));
  EXPECT_FALSE(close({bf16(1.0)}, {bf16(1.0234)}));
}

TEST(ComparesAsBackendBench, IntegersAreComparedAsFloats) {
  const auto integer = [](std::int64_t value) { return at::full({1}, value, at::kLong); };
  EXPECT_TRUE(close({integer(100)}, {integer(101)}));
  EXPECT_FALSE(close({integer(1)}, {integer(2)}));
  EXPECT_FALSE(close({at::ones({1}, at::kBool)}, {at::zeros({1}, at::kBool)}));
}

TEST(ComparesAsBackendBench, InfinityIsOnlyItselfAndNanEqualsNan) {
  EXPECT_TRUE(close({floats({inf, nan})}, {floats({inf, nan})}));
  EXPECT_FALSE(close({floats({inf})}, {floats({1e30F})}));
  EXPECT_FALSE(close({floats({1e30F})}, {floats({inf})}));
  EXPECT_FALSE(close({floats({nan})}, {floats({1})}));
}

TEST(ComparesAsBackendBench, ShapeTypeAndLayoutMustMatchStridesNeedNot) {
  EXPECT_EQ(compareAsPeer({at::ones({3, 2})}, {at::ones({2, 3})}).verdict, Verdict::wrongShape);
  EXPECT_EQ(compareAsPeer({at::ones({2}, at::kDouble)}, {at::ones({2})}).verdict, Verdict::wrongDtype);
  EXPECT_EQ(compareAsPeer({at::ones({2}, at::kMeta)}, {at::ones({2})}).verdict, Verdict::wrongDevice);
  EXPECT_TRUE(close({at::ones({2, 3})}, {at::ones({3, 2}).t()}));
  const at::Tensor eye = at::ones({2, 2}).triu();
  EXPECT_TRUE(close({eye.to_sparse()}, {eye.to_sparse()}));
  EXPECT_FALSE(close({eye.to_sparse()}, {at::ones({2, 2}).to_sparse()}));
  EXPECT_FALSE(close({eye.to_sparse_csr()}, {eye.mul(2).to_sparse_csr()}));
  EXPECT_TRUE(close({eye.to_sparse_csr()}, {eye.to_sparse_csr()}));
}

TEST(ComparesAsBackendBench, ListsAndTuplesStandForEachOtherInAnyCase) {
  const c10::IValue list = c10::List<at::Tensor>({floats({1}), floats({2})});
  EXPECT_TRUE(close({floats({1}), floats({2})}, {list})) << "several results are a tuple";
  EXPECT_TRUE(close({list}, {floats({1}), floats({2})}));
  EXPECT_TRUE(close({list}, {at::tensor({1.0F, 2.0F}).reshape({2, 1})})) << "slices of a tensor";
  EXPECT_EQ(compareAsPeer({floats({1})}, {list}).verdict, Verdict::wrongCount);
  EXPECT_EQ(compareAsPeer({list}, {floats({1})}).verdict, Verdict::wrongCount);
  const CaseCheck second = compareAsPeer({floats({1}), floats({5})}, {floats({1}), floats({2})});
  EXPECT_EQ(second.verdict, Verdict::mismatch);
  EXPECT_THAT(second.message, HasSubstr("output 1"));
}

TEST(ComparesAsBackendBench, NumbersAreEqualAsInPython) {
  EXPECT_TRUE(close({2.0}, {2.0}));
  EXPECT_TRUE(close({2.0}, {std::int64_t{2}}));
  EXPECT_TRUE(close({true}, {std::int64_t{1}}));
  EXPECT_TRUE(close({2.0}, {at::full({}, 2.0)}));
  EXPECT_FALSE(close({2.0}, {2.001}));
  EXPECT_FALSE(close({std::nan("")}, {std::nan("")}));
  EXPECT_FALSE(close({at::full({}, 2.0)}, {2.0})) << "a tensor wants a tensor";
  EXPECT_EQ(compareAsPeer({2.0}, {at::full({}, 2.0)}).verdict, Verdict::wrongDtype);
  EXPECT_EQ(compareAsPeer({c10::IValue()}, {floats({1})}).verdict, Verdict::wrongCount);
  EXPECT_TRUE(close({at::Tensor()}, {c10::IValue()})) << "an undefined tensor is None";
  EXPECT_TRUE(close({}, {c10::IValue()}));
}

TEST(PeerErrors, AreTheLargestInFloat32) {
  const PeerErrors errors = peerErrors({floats({1, 2.5F})}, {floats({1, 2})});
  EXPECT_EQ(errors.maxAbs, 0.5);
  EXPECT_EQ(errors.maxRel, 0.25);
  EXPECT_EQ(peerErrors({floats({1e-10F})}, {floats({0})}).maxRel, 1.0) << "1e-10 keeps zeros finite";
}

TEST(PeerErrors, NanGoesThrough) {
  const PeerErrors errors = peerErrors({floats({nan, 5})}, {floats({1, 1})});
  EXPECT_TRUE(std::isnan(*errors.maxAbs));
  EXPECT_TRUE(std::isnan(*errors.maxRel));
  EXPECT_TRUE(std::isnan(*peerErrors({floats({inf})}, {floats({inf})}).maxAbs)) << "inf − inf";
}

TEST(PeerErrors, AreThereWithAnotherDtypeAndAbsentWithAnotherShape) {
  EXPECT_EQ(peerErrors({at::full({2}, 3, at::kDouble)}, {at::full({2}, 2, at::kInt)}).maxAbs, 1.0);
  EXPECT_FALSE(peerErrors({at::ones({2})}, {at::ones({3})}).maxAbs);
  EXPECT_FALSE(peerErrors({1.0}, {at::ones({})}).maxAbs);
  EXPECT_FALSE(peerErrors({1.0}, {1.0}).maxAbs);
  EXPECT_EQ(peerErrors({at::ones({0})}, {at::ones({0})}).maxRel, 0.0);
  EXPECT_FALSE(peerErrors({at::ones({2}).to_sparse()}, {at::ones({2}).to_sparse()}).maxAbs);
}

TEST(PeerErrors, OfSeveralOutputsTheLargestThatThereIs) {
  const PeerErrors errors = peerErrors({floats({1}), floats({4}), 7.0}, {floats({1}), floats({2}), 7.0});
  EXPECT_EQ(errors.maxAbs, 2.0);
  EXPECT_FALSE(peerErrors({floats({1})}, {floats({1}), floats({1})}).maxAbs);
}

TEST(PeerErrors, OfSeveralOutputsNanIsDropped) {
  for (const bool first : {true, false}) {
    const at::Tensor bad = floats({nan}), good = floats({2}), one = floats({1});
    const PeerErrors errors = peerErrors({first ? bad : good, first ? good : bad}, {one, one});
    EXPECT_EQ(errors.maxAbs, 1.0) << first;
    EXPECT_EQ(errors.maxRel, 1.0) << first;
  }
  EXPECT_FALSE(peerErrors({floats({nan}), floats({nan})}, {floats({1}), floats({1})}).maxAbs)
      << "nothing left";
}

TEST(PeerErrors, OfComplexNumbersSeeTheRealPart) {
  const auto z = [](double re, double im) {
    return at::full({1}, c10::complex<double>(re, im), at::kComplexDouble);
  };
  EXPECT_EQ(peerErrors({z(1, 5)}, {z(1, 1)}).maxAbs, 0.0);
}

}  // namespace
}  // namespace wb
