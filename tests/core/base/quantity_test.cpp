// SPDX-License-Identifier: Apache-2.0
#include "core/base/quantity.h"

#include <gtest/gtest.h>

#include <limits>

namespace wb {
namespace {

const double infinity = std::numeric_limits<double>::infinity();

TEST(Quantity, SecondsTakeTheUnitThatShowsThreeDigits) {
  EXPECT_EQ(formatSeconds(38.2e-6), "38.2 µs");
  EXPECT_EQ(formatSeconds(1.84), "1.84 s");
  EXPECT_EQ(formatSeconds(0.9e-9), "0.9 ns");
  EXPECT_EQ(formatSeconds(0), "0 s");
  EXPECT_EQ(formatSeconds(123.4), "123 s");
  EXPECT_EQ(formatSeconds(-2e-3), "-2.00 ms");
  EXPECT_EQ(formatSeconds(12345), "12\u2009345 s");
}

TEST(Quantity, RoundingUpCarriesIntoTheNextUnit) {
  EXPECT_EQ(formatSeconds(999.6e-6), "1.00 ms");
  EXPECT_EQ(formatSeconds(0.9999e-9 * 1.0001), "1.00 ns");
  EXPECT_EQ(formatSeconds(9.996e-3), "10.0 ms");
  EXPECT_EQ(formatBytes(1024 * 1024 - 1), "1.00 MiB");
}

TEST(Quantity, RatiosKeepThreeDigitsOrAWholeNumber) {
  EXPECT_EQ(formatRatio(1.94), "1.94×");
  EXPECT_EQ(formatRatio(0.7126), "0.713×");
  EXPECT_EQ(formatRatio(48486.2), "48\u2009486×");
  EXPECT_EQ(formatRatio(1), "1.00×");
  EXPECT_EQ(formatRatio(0), "0×");
  EXPECT_EQ(formatRatio(9.999), "10.0×");
  EXPECT_EQ(formatRatio(0.00012345), "0.000123×");
  EXPECT_EQ(formatRatio(1e-12), "1.00e-12×");
}

TEST(Quantity, ErrorsHaveTwoDigits) {
  EXPECT_EQ(formatError(0), "0");
  EXPECT_EQ(formatError(3.14e-3), "3.1e-03");
  EXPECT_EQ(formatError(1e30), "1.0e+30");
}

TEST(Quantity, RatesTakeDecimalPrefixes) {
  EXPECT_EQ(formatScaled(3.123e12, "B/s"), "3.12 TB/s");
  EXPECT_EQ(formatScaled(1.98e9, "Hz"), "1.98 GHz");
  EXPECT_EQ(formatScaled(12.34e6, ""), "12.3 M");
  EXPECT_EQ(formatScaled(999, "W"), "999 W");
  EXPECT_EQ(formatScaled(999.6e3, "W"), "1.00 MW");
  EXPECT_EQ(formatScaled(0, "FLOP/s"), "0 FLOP/s");
  EXPECT_EQ(formatScaled(0.25, ""), "0.250");
  EXPECT_EQ(formatScaled(-2e3, "J"), "-2.00 kJ");
  EXPECT_EQ(formatScaled(infinity, "J"), "inf");
}

TEST(Quantity, ChangesSayTheirSign) {
  EXPECT_EQ(formatChange(0.123), "+12.3 %");
  EXPECT_EQ(formatChange(-0.041), "−4.1 %");
  EXPECT_EQ(formatChange(0), "0 %");
  EXPECT_EQ(formatChange(4e-4), "0 %");
  EXPECT_EQ(formatChange(6e-4), "+0.1 %");
  EXPECT_EQ(formatChange(8.5), "+850 %");
  EXPECT_EQ(formatChange(31), "×32.0");
  EXPECT_EQ(formatChange(infinity), "inf");
  EXPECT_EQ(formatNumber(0.8213), "0.821");
}

TEST(Quantity, CountsAreGroupedByThinSpaces) {
  EXPECT_EQ(formatCount(0), "0");
  EXPECT_EQ(formatCount(999), "999");
  EXPECT_EQ(formatCount(10036), "10\u2009036");
  EXPECT_EQ(formatCount(-1234567), "-1\u2009234\u2009567");
  EXPECT_EQ(formatCount(std::numeric_limits<std::int64_t>::min()),
            "-9\u2009223\u2009372\u2009036\u2009854\u2009775\u2009808");
}

TEST(Quantity, BytesHaveBinaryPrefixes) {
  EXPECT_EQ(formatBytes(0), "0 B");
  EXPECT_EQ(formatBytes(1023), "1\u2009023 B");
  EXPECT_EQ(formatBytes(1024), "1.00 KiB");
  EXPECT_EQ(formatBytes(12.5 * 1024 * 1024), "12.5 MiB");
  EXPECT_EQ(formatBytes(80.0 * (1LL << 30)), "80.0 GiB");
}

TEST(Quantity, PercentOfAFraction) {
  EXPECT_EQ(formatPercent(0.951), "95.1 %");
  EXPECT_EQ(formatPercent(1), "100 %");
  EXPECT_EQ(formatPercent(0), "0 %");
  EXPECT_EQ(formatPercent(0.005), "0.500 %");
}

TEST(Quantity, WhatIsNotANumberSaysSo) {
  for (const auto format : {formatSeconds, formatRatio, formatError, formatBytes, formatPercent}) {
    EXPECT_EQ(format(std::numeric_limits<double>::quiet_NaN()), "nan");
    EXPECT_EQ(format(infinity), "inf");
    EXPECT_EQ(format(-infinity), "-inf");
  }
}

TEST(Quantity, ExtremesStayReadable) {
  EXPECT_EQ(formatRatio(std::numeric_limits<double>::denorm_min()).substr(0, 1), "4");
  EXPECT_FALSE(formatSeconds(std::numeric_limits<double>::max()).empty());
  EXPECT_EQ(formatSeconds(1e-15), "0.0 ns");
}

}  // namespace
}  // namespace wb
