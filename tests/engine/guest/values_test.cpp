// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/values.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>

#include <limits>
#include <random>
#include <sstream>

namespace wb {
namespace {

/// A value on its way there and back; tensors go by their place in a list.
c10::IValue thereAndBack(const c10::IValue& value, const c10::TypePtr& type = nullptr) {
  std::vector<at::Tensor> tensors;
  Bytes bytes;
  ByteWriter to(bytes);
  write(to, value, [&](ByteWriter& out, const at::Tensor& tensor) {
    out.put(static_cast<std::uint32_t>(tensors.size()));
    tensors.push_back(tensor);
  });
  ByteReader from(bytes);
  c10::IValue back =
      readValue(from, type, [&](ByteReader& in) { return tensors.at(in.get<std::uint32_t>()); });
  EXPECT_FALSE(from.bad());
  return back;
}

std::string said(const c10::IValue& value) {
  std::ostringstream text;
  text << value << " of " << value.type()->str();
  return text.str();
}

TEST(Values, ComeBackAsTheyWereSent) {
  const at::Tensor tensor = at::arange(3);
  const std::vector<c10::IValue> values{
      {},
      true,
      std::int64_t{-3},
      std::numeric_limits<double>::infinity(),
      c10::complex<double>(1, -2),
      "mean",
      at::Device(at::kCPU),
      std::vector<std::int64_t>{1, -1},
      std::vector<double>{0.5},
      c10::List<bool>({true, false}),
      tensor,
      c10::List<at::Tensor>({tensor, at::Tensor()}),
      c10::List<std::optional<at::Tensor>>({std::nullopt, tensor}),
      c10::ivalue::Tuple::create({std::int64_t{1}, tensor}),
      std::vector<std::int64_t>{},
  };
  for (const c10::IValue& value : values) EXPECT_EQ(said(thereAndBack(value)), said(value));
}

TEST(Values, AListOfNumbersHasTheTypeOfItsSchema) {
  c10::impl::GenericList list(c10::NumberType::get());
  list.push_back(1.5);
  list.push_back(std::int64_t{2});
  const c10::IValue back = thereAndBack(list, c10::ListType::create(c10::NumberType::get()));
  ASSERT_TRUE(back.isList());
  EXPECT_EQ(*back.toList().elementType(), *c10::NumberType::get());
  EXPECT_EQ(back.toListRef()[1].toInt(), 2);
}

/// Writes a shape as writeShape() would write that of a tensor which had it.
void writeAny(ByteWriter& to, const TensorShape& shape) {
  to.put(static_cast<std::int8_t>(shape.type));
  to.put(static_cast<std::uint8_t>((shape.conjugate ? 1 : 0) | (shape.negative ? 2 : 0) |
                                   (shape.wrapped ? 4 : 0) | (shape.onDevice ? 8 : 0)));
  to.put(static_cast<std::uint32_t>(shape.sizes.size()));
  for (const std::int64_t size : shape.sizes) to.put(size);
  for (const std::int64_t stride : shape.strides) to.put(stride);
}

TensorShape reread(const TensorShape& shape, bool& bad) {
  Bytes bytes;
  ByteWriter to(bytes);
  writeAny(to, shape);
  ByteReader from(bytes);
  TensorShape back = readShape(from);
  bad = from.bad();
  return back;
}

TEST(Values, AShapeComesBack) {
  bool bad = true;
  const TensorShape back = reread({at::kComplexFloat, {2, 3}, {0, 4}, true, false, false}, bad);
  EXPECT_FALSE(bad);
  EXPECT_EQ(back.sizes, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(back.strides, (std::vector<std::int64_t>{0, 4}));
  EXPECT_TRUE(back.conjugate);
  EXPECT_EQ(extentBytes(back), (2 * 4 + 1) * 8);
}

TEST(Values, ShapesThatCannotBeAreRefused) {
  constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  const std::vector<TensorShape> shapes{
      {at::kFloat, {-1}, {1}},
      {at::kFloat, {4}, {-1}},
      {at::kFloat, {huge}, {1}},
      {at::kFloat, {2}, {huge}},
      {at::kFloat, {1 << 30, 1 << 30}, {0, 0}},
      {at::kFloat, {1 << 20, 1 << 20, 1 << 20, 1 << 20}, {1, 1, 1, 1}},
      {at::kFloat, std::vector<std::int64_t>(65, 1), std::vector<std::int64_t>(65, 1)},
      {at::kQInt8, {4}, {1}},
      {static_cast<at::ScalarType>(120), {4}, {1}},
      {at::ScalarType::Undefined, {4}, {1}},
      {at::kFloat, {4}, {1}, /*conjugate=*/true},
      {at::kFloat, {4}, {1}, false, false, /*wrapped=*/true},
  };
  for (const TensorShape& shape : shapes) {
    bool bad = false;
    reread(shape, bad);
    EXPECT_TRUE(bad) << toString(shape.type) << " " << c10::IntArrayRef(shape.sizes);
  }
}

TEST(Values, AnEmptyTensorTakesNoBytes) {
  EXPECT_EQ(extentBytes({at::kFloat, {0, 5}, {5, 1}}), 0);
  EXPECT_EQ(extentBytes({at::kFloat, {}, {}}), 4);
}

TEST(Values, WhateverIsReadEndsWell) {
  std::mt19937 random(7);
  int whole = 0;
  for (int round = 0; round < 20000; ++round) {
    Bytes bytes(random() % 80);
    for (std::byte& each : bytes) each = static_cast<std::byte>(random() % (round % 2 == 0 ? 256 : 18));
    ByteReader from(bytes);
    const c10::IValue value = readValue(from, nullptr, [](ByteReader& in) {
      (void)readShape(in);
      return at::Tensor();
    });
    whole += from.bad() ? 0 : 1;
  }
  EXPECT_GT(whole, 100) << "some rubbish is a value";
}

TEST(Values, AnErrorComesBackCut) {
  Error error{Stage::check,   std::string(100000, 'x'), "hint",
              {"a.py", 3, 4}, "<class 'ValueError'>",   "trace"};
  Bytes bytes;
  ByteWriter to(bytes);
  write(to, error);
  ByteReader from(bytes);
  const Error back = readError(from);
  EXPECT_FALSE(from.bad());
  EXPECT_EQ(back.text.size(), 4000U);
  error.text = back.text;
  EXPECT_EQ(back, error);
}

TEST(Values, WhatIsNotPlainMemoryIsNotShared) {
  EXPECT_EQ(whyNotShared(at::ones({2})), "");
  EXPECT_EQ(whyNotShared(at::ones({2}).to_sparse()), "it is not strided");
  EXPECT_EQ(whyNotShared(at::ones({2}, at::kMeta)), "it is on meta");
}

TEST(Values, TheShapeOfATensorComesBack) {
  const at::Tensor tensor = at::rand({3, 4}).t().slice(0, 1);
  Bytes bytes;
  ByteWriter writer(bytes);
  writeShape(writer, tensor);
  ByteReader reader(bytes);
  const TensorShape back = readShape(reader);
  EXPECT_FALSE(reader.bad());
  EXPECT_EQ(back.sizes, tensor.sizes().vec());
  EXPECT_EQ(back.strides, tensor.strides().vec());
  EXPECT_EQ(back.type, at::kFloat);
  EXPECT_FALSE(back.onDevice || back.conjugate || back.negative || back.wrapped);
}

}  // namespace
}  // namespace wb
