// SPDX-License-Identifier: Apache-2.0
#include "core/templates/schema.h"

#include <gtest/gtest.h>

#include "core/templates/signature.h"

namespace wb {
namespace {

TEST(Schema, IsReadWithTypesDefaultsAndMarks) {
  const auto schema = parseSchema(
      "aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> "
      "Tensor");
  ASSERT_TRUE(schema);
  EXPECT_EQ(schema->space, "aten");
  EXPECT_EQ(schema->name, "sum");
  EXPECT_EQ(schema->overload, "dim_IntList");
  ASSERT_EQ(schema->arguments.size(), 4U);
  EXPECT_EQ(schema->arguments[0], (SchemaValue{.type = "Tensor", .name = "self"}));
  EXPECT_EQ(schema->arguments[1],
            (SchemaValue{.type = "int", .isList = true, .isOptional = true, .name = "dim"}));
  EXPECT_EQ(schema->arguments[2],
            (SchemaValue{.type = "bool", .name = "keepdim", .defaultValue = "False", .hasDefault = true}));
  EXPECT_TRUE(schema->arguments[3].keywordOnly);
  ASSERT_EQ(schema->results.size(), 1U);
}

TEST(Schema, ReadsAliasesListsOfOptionalsStringsAndSeveralResults) {
  const auto written = parseSchema("aten::add.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ASSERT_TRUE(written);
  EXPECT_TRUE(written->arguments[1].isWritten);
  EXPECT_TRUE(written->results[0].isWritten);
  const auto view = parseSchema("aten::view(Tensor(a) self, SymInt[] size) -> Tensor(a)");
  ASSERT_TRUE(view);
  EXPECT_FALSE(view->arguments[0].isWritten);
  EXPECT_EQ(view->arguments[0].type, "Tensor");
  const auto lists =
      parseSchema("aten::index(Tensor self, Tensor?[] indices) -> (Tensor values, Tensor[] rest)");
  ASSERT_TRUE(lists);
  EXPECT_TRUE(lists->arguments[1].hasOptionalElements);
  ASSERT_EQ(lists->results.size(), 2U);
  EXPECT_EQ(lists->results[0].name, "values");
  EXPECT_TRUE(lists->results[1].isList);
  const auto foreach_ = parseSchema("aten::_foreach_add_.List(Tensor(a!)[] self, str word=\"a, b\") -> ()");
  ASSERT_TRUE(foreach_);
  EXPECT_TRUE(foreach_->arguments[0].isList && foreach_->arguments[0].isWritten);
  EXPECT_EQ(foreach_->arguments[1].defaultValue, "\"a, b\"") << "a comma in a string";
  EXPECT_TRUE(foreach_->results.empty());
}

TEST(Schema, WhatIsNoneIsRefused) {
  for (const char* text : {"", "relu", "aten::relu", "aten::relu(Tensor self",
                           "aten::relu(Tensor self) Tensor", "aten::relu(Tensor) -> Tensor"})
    EXPECT_FALSE(parseSchema(text)) << text;
}

TEST(Signature, OfCppHasTheTypesThatTheOperatorWants) {
  const auto schema = parseSchema(
      "aten::f.x(Tensor self, Tensor? weight, SymInt[] size, int[1]? dim, Scalar alpha, str mode, *, "
      "Tensor(a!) "
      "out) -> Tensor(a!)");
  ASSERT_TRUE(schema);
  const auto signature = cppSignature(*schema);
  ASSERT_TRUE(signature);
  EXPECT_EQ(signature->parameters,
            "const at::Tensor& self, const std::optional<at::Tensor>& weight, at::IntArrayRef size, "
            "at::OptionalIntArrayRef dim, const at::Scalar& alpha, std::string_view mode, at::Tensor& out");
  EXPECT_EQ(signature->returns, "at::Tensor&");
  EXPECT_EQ(
      signature->body,
      "  return at::_ops::f_x::call(self, weight, c10::fromIntArrayRefSlow(size), dim, alpha, mode, out);");
  EXPECT_EQ(functionName(*schema), "f__x_kernel_impl");
}

TEST(Signature, OfPythonKeepsDefaultsAndNamesThatPythonKeepsForItself) {
  const auto schema = parseSchema(
      "aten::random_.from(Tensor(a!) self, int from, int? to, int[1] dim=[], *, Generator? generator=None) "
      "-> "
      "Tensor(a!)");
  ASSERT_TRUE(schema);
  EXPECT_EQ(pythonParameters(*schema), "self, from_, to, dim=(), *, generator=None");
  EXPECT_EQ(pythonCall(*schema),
            "getattr(torch.ops.aten.random_, \"from\")(self, from_, to, dim, generator=generator)");
}

}  // namespace
}  // namespace wb
