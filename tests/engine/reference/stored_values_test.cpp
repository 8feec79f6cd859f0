// SPDX-License-Identifier: Apache-2.0
#include "core/engine/reference/stored_values.h"

#include <ATen/core/List.h>
#include <gmock/gmock.h>
#include <stdlib.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/base/files/file.h"
#include "core/engine/reference/operator.h"
#include "core/suites/literals/literal_parser.h"
#include "core/suites/opinfo_index.h"

namespace wb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

namespace fs = std::filesystem;
using Shape = std::vector<std::int64_t>;

fs::path golden(const char* name) {
  return fs::path(WB_SOURCE_DIR) / "tests" / "golden" / "opinfo" / name;
}

Result<Stack> bound(const std::string& op, const std::string& args, const std::vector<StoredTensor>& tensors,
                    std::uint64_t seed = 1) {
  WB_TRY(const auto handle, findOperator(op));
  WB_TRY(const auto call, parseLiteral(args));
  return makeArguments(handle.schema(), call, seed, "cpu", storedTensors(call, tensors));
}

std::span<const std::byte> bytesOf(const std::vector<float>& values) {
  return std::as_bytes(std::span(values));
}

std::vector<float> elements(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.contiguous().view(-1);
  return {flat.const_data_ptr<float>(), flat.const_data_ptr<float>() + flat.numel()};
}

/// Every case of the golden file, as Python wrote it.
TEST(StoredValues, EveryRecordFitsItsCaseAndItsOperatorRunsOnIt) {
  const auto index = readOpInfoIndex(golden("few.index"));
  ASSERT_TRUE(index);
  const auto values = StoredValues::open(golden("few.values"));
  ASSERT_TRUE(values) << values.error().text;
  ASSERT_EQ(values->records(), index->cases.size());
  for (std::size_t i = 0; i < index->cases.size(); ++i) {
    const Case& each = index->cases[i];
    const auto tensors = values->record(i);
    ASSERT_TRUE(tensors) << tensors.error().text;
    const auto stack = bound(each.op, each.args, *tensors);
    ASSERT_TRUE(stack) << each.args << ": " << stack.error().text;
    auto call = prepareReference(*findOperator(each.op), *stack);
    const auto ran = call->run();
    EXPECT_TRUE(ran) << each.op << each.args << (ran ? "" : ran.error().text);
  }
}

/// The first elements as Python printed them while the file was made; strides are those of the sample.
TEST(StoredValues, ValuesAreTheSamplesOwnBits) {
  const auto index = readOpInfoIndex(golden("few.index"));
  const auto values = StoredValues::open(golden("few.values"));
  ASSERT_TRUE(index && values);
  bool relu = false, cholesky = false;
  for (std::size_t i = 0; i < index->cases.size(); ++i) {
    const Case& each = index->cases[i];
    const auto tensors = values->record(i);
    ASSERT_TRUE(tensors);
    if (each.op == "aten::relu" && each.shapes == "5") {
      relu = true;
      const auto stack = bound(each.op, each.args, *tensors);
      const auto found = elements(stack->at(0).toTensor());
      EXPECT_EQ(found[0], -8.478373527526855F);
      EXPECT_EQ(found[3], -2.400455951690674F);
    }
    if (each.args == "((T([5, 5], f32, [1, 5]),), {})") {
      cholesky = true;
      const at::Tensor tensor = bound(each.op, each.args, *tensors)->at(0).toTensor();
      EXPECT_THAT(tensor.strides().vec(), ElementsAre(1, 5));
      EXPECT_EQ(tensor.const_data_ptr<float>()[1], -4.857198746321956e-06F);
      EXPECT_EQ(elements(tensor)[5], -4.857198746321956e-06F);  // row 1, column 0
    }
  }
  EXPECT_TRUE(relu);
  EXPECT_TRUE(cholesky);
}

TEST(StoredValues, ASeedChangesNothing) {
  const std::vector<float> data{1, 2, 3};
  const std::vector<StoredTensor> tensors{{"f32", {3}, {1}, 0, bytesOf(data)}};
  const auto one = bound("aten::relu", "((T([3], f32),), {})", tensors, 1);
  const auto two = bound("aten::relu", "((T([3], f32),), {})", tensors, 2);
  ASSERT_TRUE(one && two);
  EXPECT_EQ(elements(one->at(0).toTensor()), data);
  EXPECT_EQ(elements(two->at(0).toTensor()), data);
  EXPECT_NE(one->at(0).toTensor().data_ptr(), two->at(0).toTensor().data_ptr());  // each call has its own
}

TEST(StoredValues, StridesExpansionAndOffsetStay) {
  const std::vector<float> data{0, 1, 2, 3, 4, 5, 6, 7};
  const std::vector<StoredTensor> tensors{{"f32", {2, 3}, {1, 2}, 1, bytesOf(data)},
                                          {"f32", {2, 3}, {0, 1}, 0, bytesOf(data).first(12)}};
  const auto stack =
      bound("aten::add.Tensor", "((T([2, 3], f32, [1, 2]), T([2, 3], f32, [0, 1]),), {})", tensors);
  ASSERT_TRUE(stack) << stack.error().text;
  const at::Tensor strided = stack->at(0).toTensor(), expanded = stack->at(1).toTensor();
  EXPECT_THAT(strided.strides().vec(), ElementsAre(1, 2));
  EXPECT_EQ(strided.storage_offset(), 1);
  EXPECT_THAT(elements(strided), ElementsAre(1, 3, 5, 2, 4, 6));
  EXPECT_THAT(expanded.strides().vec(), ElementsAre(0, 1));
  EXPECT_THAT(elements(expanded), ElementsAre(0, 1, 2, 0, 1, 2));
}

TEST(StoredValues, KeywordsGetTheirOwnTensorsWhateverTheOrder) {
  const std::vector<float> a{1}, b{2}, c{3};
  const std::vector<StoredTensor> tensors{
      {"f32", {1}, {1}, 0, bytesOf(a)}, {"f32", {1}, {1}, 0, bytesOf(b)}, {"f32", {1}, {1}, 0, bytesOf(c)}};
  // addcmul(self, tensor1, tensor2), written out of order
  const auto stack =
      bound("aten::addcmul", "((T([1], f32),), {'tensor2': T([1], f32), 'tensor1': T([1], f32)})", tensors);
  ASSERT_TRUE(stack) << stack.error().text;
  EXPECT_THAT(elements(stack->at(1).toTensor()), ElementsAre(3));
  EXPECT_THAT(elements(stack->at(2).toTensor()), ElementsAre(2));
}

TEST(StoredValues, WhatTheCallDoesNotSayIsRefused) {
  const std::vector<float> data{1, 2, 3};
  const std::vector<StoredTensor> tensors{{"f32", {3}, {1}, 0, bytesOf(data)}};
  const auto errorOf = [&](const std::string& op, const std::string& args) {
    const auto stack = bound(op, args, tensors);
    return stack ? std::string("no error") : stack.error().text;
  };
  EXPECT_THAT(errorOf("aten::relu", "((T([4], f32),), {})"), HasSubstr("T([3], f32)"));
  EXPECT_THAT(errorOf("aten::relu", "((T([3], f16),), {})"), HasSubstr("T([3], f32)"));
  EXPECT_THAT(errorOf("aten::add.Tensor", "((T([3], f32), T([3], f32),), {})"),
              HasSubstr("1 tensors are stored"));
}

/// The golden file, damaged.
class DamagedValuesTest : public testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/wb-values-XXXXXX";
    folder_ = mkdtemp(pattern);
    bytes_ = *readFile(golden("few.values"));
  }
  void TearDown() override { fs::remove_all(folder_); }
  /// Error of opening, else of the first record that is damaged.
  std::string errorOf(const std::string& bytes) {
    const fs::path file = folder_ / "values";
    std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const auto values = StoredValues::open(file);
    if (!values) return values.error().text;
    for (std::uint64_t i = 0; i < values->records(); ++i)
      if (const auto record = values->record(i); !record) return record.error().text;
    return "no error";
  }
  fs::path folder_;
  std::string bytes_;
};

TEST_F(DamagedValuesTest, IsSaid) {
  EXPECT_EQ(errorOf(bytes_), "no error");
  EXPECT_THAT(errorOf(""), HasSubstr("cannot be read"));
  EXPECT_THAT(errorOf(bytes_.substr(0, 63)), HasSubstr("cannot be read"));
  EXPECT_THAT(errorOf(bytes_.substr(0, bytes_.size() - 1)), HasSubstr("cut short"));
  EXPECT_THAT(errorOf("X" + bytes_.substr(1)), HasSubstr("another kind"));
  const auto values = StoredValues::open(folder_ / "nothing");
  ASSERT_FALSE(values);
  EXPECT_THAT(values.error().text, HasSubstr("nothing"));
}

TEST_F(DamagedValuesTest, AnyByteChangedNeverReadsOutside) {
  // Under a sanitizer this would end the program; without one it must at least come back.
  std::size_t refused = 0;
  for (std::size_t i = 24; i < bytes_.size(); ++i) {
    std::string changed = bytes_;
    changed[i] = static_cast<char>(changed[i] ^ 0xff);
    refused += errorOf(changed) != "no error";
    i += i < 200 ? 0 : 97;
  }
  EXPECT_GT(refused, 0u) << "no change of the index was noticed";
}

TEST_F(DamagedValuesTest, ARecordThatIsNotThereIsSaid) {
  const auto values = StoredValues::open(golden("few.values"));
  ASSERT_TRUE(values);
  EXPECT_FALSE(values->record(values->records()));
}

}  // namespace
}  // namespace wb
