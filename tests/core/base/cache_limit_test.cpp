// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/cache_limit.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string>

#include "core/base/files/file.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

class CacheLimit : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "wb-cache-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    cache_ = name;
  }
  void TearDown() override { fs::remove_all(cache_); }

  void file(const std::string& name, std::size_t bytes, int hoursAgo) {
    ASSERT_TRUE(writeFileAtomically(cache_ / name, std::string(bytes, 'x')));
    fs::last_write_time(cache_ / name, fs::file_time_type::clock::now() - std::chrono::hours(hoursAgo));
  }
  [[nodiscard]] bool there(const std::string& name) const { return fs::exists(cache_ / name); }

  fs::path cache_;
};

TEST_F(CacheLimit, WhatWasUsedLongestAgoGoesFromWhicheverCache) {
  file("build/old/k.so", 1000, 50);
  file("build/old/manifest.json", 10, 9);  // touched when it was last used
  file("cubin/older", 1000, 20);
  file("suites/oldest.index", 500, 60);
  file("suites/oldest.values", 500, 60);
  file("pch/new/a.pch", 1000, 5);
  file("ceilings/GPU-1", 1000, 900);  // not a cache that grows
  keepCacheWithin(cache_, 4500);
  EXPECT_TRUE(there("suites/oldest.index") && there("cubin/older")) << "it is within its limit";
  keepCacheWithin(cache_, 2500);
  EXPECT_FALSE(there("suites/oldest.index"));
  EXPECT_FALSE(there("suites/oldest.values"));
  EXPECT_FALSE(there("cubin/older"));
  EXPECT_TRUE(there("build/old/k.so"));
  EXPECT_TRUE(there("pch/new/a.pch"));
  EXPECT_TRUE(there("ceilings/GPU-1"));
}

TEST_F(CacheLimit, WhatIsInUseStays) {
  file("build/a/k.so", 1000, 0);
  file("build/b/k.so", 1000, 0);
  keepCacheWithin(cache_, 100);
  EXPECT_TRUE(there("build/a/k.so"));
  EXPECT_TRUE(there("build/b/k.so"));
}

TEST_F(CacheLimit, ComesFromTheEnvironment) {
  constexpr std::int64_t gibibyte = std::int64_t{1} << 30;
  EXPECT_EQ(cacheLimitBytes(), 4 * gibibyte);
  for (const auto& [text, gibibytes] : {std::pair{"7", 7}, {"0", 4}, {"-3", 4}, {"many", 4}, {"2x", 4}}) {
    ::setenv("WARPBENCH_CACHE_GIB", text, 1);
    EXPECT_EQ(cacheLimitBytes(), gibibytes * gibibyte) << text;
  }
  ::unsetenv("WARPBENCH_CACHE_GIB");
}

}  // namespace
}  // namespace wb
