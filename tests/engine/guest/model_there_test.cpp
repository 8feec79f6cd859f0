// SPDX-License-Identifier: Apache-2.0
// What a guest says of a problem's model.
#include <gmock/gmock.h>

#include <string>

#include "core/engine/guest/orders.h"

namespace wb {
namespace {

using testing::ElementsAreArray;
using testing::IsEmpty;
using testing::SizeIs;

const std::vector<KeptBuffer> buffers{{"layer.running_mean", "[64]", true}, {"scale", "[]", false}};
const std::vector<DrawnParameter> drawn{{"layer.bias", 1}, {"layer.weight", ~std::uint64_t{0}}};

TEST(ModelThere, WhatIsSaidComesBack) {
  Bytes bytes;
  ByteWriter to(bytes);
  write(to, buffers);
  write(to, drawn);
  ByteReader from(bytes);
  EXPECT_THAT(readBuffers(from), ElementsAreArray(buffers));
  EXPECT_THAT(readDrawn(from), ElementsAreArray(drawn));
  EXPECT_FALSE(from.bad());
}

TEST(ModelThere, WhatBreaksOffIsNotTaken) {
  Bytes kept, made;
  ByteWriter toKept(kept), toMade(made);
  write(toKept, buffers);
  write(toMade, drawn);
  for (std::size_t size = 0; size < kept.size(); ++size) {
    ByteReader cut(std::span(kept).first(size));
    EXPECT_THAT(readBuffers(cut), SizeIs(testing::Le(1U))) << size;
  }
  for (std::size_t size = 0; size < made.size(); ++size) {
    ByteReader cut(std::span(made).first(size));
    EXPECT_THAT(readDrawn(cut), SizeIs(testing::Le(1U))) << size;
  }
}

TEST(ModelThere, NeitherNamesNorTheirNumberAreAnyLonger) {
  Bytes bytes;
  ByteWriter to(bytes);
  write(to, std::vector<DrawnParameter>{{std::string(100000, 'x'), 1}});
  ByteReader from(bytes);
  EXPECT_LE(readDrawn(from).at(0).name.size(), 200U);
  bytes.clear();
  to.put(~std::uint32_t{0});
  ByteReader many(bytes);
  EXPECT_THAT(readBuffers(many), IsEmpty());
  bytes.clear();
  write(to, std::vector<DrawnParameter>(20000));
  ByteReader most(bytes);
  EXPECT_THAT(readDrawn(most), SizeIs(10000));
}

}  // namespace
}  // namespace wb
