// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "core/engine/check/compare/chunk_errors.h"
#include "core/engine/reference/tensor_factory.h"

namespace wb {
namespace {

/// A chunk with small errors, gross ones, and non-finite values at equal and at other places.
Chunk disturbed(const char* dtype, std::uint64_t seed) {
  const at::Tensor expected = makeTensor({{2000}, dtype, false, {}}, at::kCPU, seed);
  at::Tensor candidate = expected.clone();
  if (isIntegral(expected.scalar_type())) {
    candidate.slice(0, 0, 2000, 7).add_(1);
  } else {
    candidate.slice(0, 0, 2000, 3).mul_(1 + 1e-6);
    candidate.slice(0, 1, 2000, 97).mul_(1.5);
    candidate.slice(0, 2, 2000, 501).fill_(INFINITY);
    expected.slice(0, 5, 2000, 499).fill_(NAN);
    candidate.slice(0, 5, 1200, 499).fill_(NAN);
  }
  const at::Tensor oracle = widened(expected).mul(1 + 1e-7);
  const at::Tensor room = oracle.abs().mul(0.6).slice(0, 0, 2000).contiguous();
  room.slice(0, 0, 1000).zero_();
  return {candidate, expected, oracle, room, expected.scalar_type(), 0};
}

TEST(ChunkErrors, HostAndDeviceCodeAgree) {
  for (const char* dtype : {"f16", "bf16", "f32", "f64", "c64", "i32", "u8"}) {
    for (const bool oracle : {false, true}) {
      Chunk chunk = disturbed(dtype, 5);
      if (!oracle) chunk.oracle = chunk.room = at::Tensor();
      ElementRule rule{{1.3e-6, 1e-5}, false, true, oracle && !isIntegral(chunk.dtype)};
      if (isIntegral(chunk.dtype)) rule.bounds = {};
      ElementErrors host, device;
      host.differences = device.differences = DifferenceSample(chunk.expected.numel());
      if (oracle) {
        referenceErrorsOnHost(chunk, rule, host.reference);
        referenceErrorsOnDevice(chunk, rule, device.reference);
        host.reference.conclude(rule.bounds);
        device.reference.conclude(rule.bounds);
        EXPECT_DOUBLE_EQ(host.reference.worst(), device.reference.worst()) << dtype;
        EXPECT_EQ(host.reference.mostForgiven(), device.reference.mostForgiven()) << dtype;
        for (int bin = 0; bin < ReferenceErrors::bins; ++bin)
          ASSERT_NEAR(host.reference.room(bin), device.reference.room(bin), 1e-9 * host.reference.room(bin))
              << dtype << bin;
      }
      compareOnHost(chunk, rule, host);
      compareOnDevice(chunk, rule, device);
      EXPECT_GT(host.bad.count(), 0) << dtype;
      EXPECT_EQ(host.bad.places(), device.bad.places()) << dtype << oracle;
      EXPECT_EQ(host.forgiven, device.forgiven) << dtype << oracle;
      EXPECT_EQ(host.forgivenByRoom, device.forgivenByRoom) << dtype << oracle;
      EXPECT_DOUBLE_EQ(host.roomUsed, device.roomUsed) << dtype << oracle;
      if (oracle && chunk.dtype == at::kFloat)
        EXPECT_GT(host.forgivenByRoom, 0) << "else this compares nothing";
      EXPECT_DOUBLE_EQ(host.maxAbs, device.maxAbs) << dtype << oracle;
      EXPECT_DOUBLE_EQ(host.maxRel, device.maxRel) << dtype << oracle;
      EXPECT_DOUBLE_EQ(host.maxUlp, device.maxUlp) << dtype << oracle;
      EXPECT_DOUBLE_EQ(host.oracleAbs, device.oracleAbs) << dtype << oracle;
      for (const double rank : {0.5, 0.99, 1.0})
        EXPECT_NEAR(host.differences.percentile(rank), device.differences.percentile(rank),
                    1e-7 * host.differences.percentile(rank))
            << dtype << rank;
    }
  }
}

}  // namespace
}  // namespace wb
