// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <set>
#include <string>

#include "core/model/languages.h"
#include "core/model/operators/dtype.h"
#include "core/model/operators/operator_name.h"
#include "core/model/verdict.h"

namespace wb {
namespace {

TEST(DTypeTest, EveryNameFindsItsType) {
  std::set<std::string_view> names;
  for (const DType& type : dtypes()) {
    EXPECT_EQ(findDType(type.abbreviation), &type);
    EXPECT_EQ(findDType(type.torchName), &type);
    EXPECT_EQ(findDType("torch." + std::string(type.torchName)), &type);
    EXPECT_EQ(findDType("th." + std::string(type.torchName)), &type);
    EXPECT_TRUE(names.insert(type.abbreviation).second) << type.abbreviation;
    EXPECT_TRUE(names.insert(type.torchName).second) << type.torchName;
    EXPECT_GT(type.bytes, 0U);
  }
}

TEST(DTypeTest, TorchsSecondNamesNeedTheirPrefix) {
  ASSERT_NE(findDType("torch.half"), nullptr);
  EXPECT_EQ(findDType("torch.half")->abbreviation, "f16");
  EXPECT_EQ(findDType("torch.long")->abbreviation, "i64");
  EXPECT_EQ(findDType("long"), nullptr);
  EXPECT_EQ(findDType("f99"), nullptr);
  EXPECT_EQ(findDType(""), nullptr);
  EXPECT_EQ(findDType("torch.torch.float32"), nullptr);
}

TEST(DTypeTest, SizesAndCudaNamesAreThoseOfTheLanguage) {
  EXPECT_EQ(findDType("bf16")->cudaName, "__nv_bfloat16");
  EXPECT_EQ(findDType("f16")->cudaName, "__half");
  EXPECT_EQ(findDType("i64")->cudaName, "long long");
  EXPECT_EQ(findDType("c64")->cudaName, "");
  EXPECT_EQ(findDType("c128")->bytes, 16U);
  EXPECT_EQ(findDType("b8")->bytes, 1U);
}

struct Spelling {
  const char* given;
  const char* schema;
};
class SchemaNameTest : public ::testing::TestWithParam<Spelling> {};
TEST_P(SchemaNameTest, ReadsEverySpelling) {
  EXPECT_EQ(schemaName(GetParam().given), GetParam().schema);
}
INSTANTIATE_TEST_SUITE_P(
    , SchemaNameTest,
    ::testing::Values(Spelling{"relu", "aten::relu"}, Spelling{"relu.default", "aten::relu"},
                      Spelling{"aten.relu", "aten::relu"}, Spelling{"aten.relu.default", "aten::relu"},
                      Spelling{"aten::relu", "aten::relu"}, Spelling{"aten::relu.default", "aten::relu"},
                      Spelling{"torch.ops.aten.relu.default", "aten::relu"},
                      Spelling{" sum.dim_IntList\r", "aten::sum.dim_IntList"},
                      Spelling{"sum__dim_IntList", "aten::sum.dim_IntList"},
                      Spelling{"relu__default", "aten::relu"}, Spelling{"add_.Tensor", "aten::add_.Tensor"},
                      Spelling{"add___Tensor", "aten::add_.Tensor"},
                      Spelling{"_native_batch_norm", "aten::_native_batch_norm"},
                      Spelling{"__lshift__", "aten::__lshift__"},
                      Spelling{"__lshift____Scalar", "aten::__lshift__.Scalar"},
                      Spelling{"aten::__lshift__.Scalar", "aten::__lshift__.Scalar"},
                      Spelling{"prims.add.default", "prims::add"}, Spelling{"mine::scale", "mine::scale"},
                      Spelling{"", "aten::"}));

TEST(OperatorNameTest, ShortNamesLeadBack) {
  EXPECT_EQ(shortName("aten::relu"), "relu.default");
  EXPECT_EQ(shortName("aten::sum.dim_IntList"), "sum.dim_IntList");
  EXPECT_EQ(shortName("prims::add"), "prims.add.default");
  EXPECT_EQ(shortName(""), "");
  for (const char* name :
       {"aten::relu", "aten::sum.dim_IntList", "prims::add", "aten::__lshift__.Scalar", "aten::add_.Tensor"})
    EXPECT_EQ(schemaName(shortName(name)), name);
  EXPECT_EQ(baseName("aten::sum.dim_IntList"), "sum");
  EXPECT_EQ(baseName("aten::_softmax"), "_softmax");
}

TEST(OperatorNameTest, AFilterWithoutOverloadTakesAllOverloadsOfThatNameOnly) {
  EXPECT_TRUE(matches("add", "aten::add.Tensor"));
  EXPECT_TRUE(matches("aten.add", "aten::add.Scalar"));
  EXPECT_TRUE(matches("relu", "aten::relu"));
  EXPECT_FALSE(matches("add", "aten::addmm"));
  EXPECT_FALSE(matches("add", "aten::add_.Tensor"));
  EXPECT_FALSE(matches("softmax", "aten::_softmax"));
  EXPECT_FALSE(matches("", "aten::add.Tensor"));
}

TEST(OperatorNameTest, AFilterWithOverloadTakesThatOneOnly) {
  EXPECT_TRUE(matches("sum.dim_IntList", "aten::sum.dim_IntList"));
  EXPECT_TRUE(matches("sum__dim_IntList", "aten::sum.dim_IntList"));
  EXPECT_TRUE(matches("sum.default", "aten::sum"));
  EXPECT_FALSE(matches("sum.default", "aten::sum.dim_IntList"));
  EXPECT_FALSE(matches("prims::sum", "aten::sum"));
}

TEST(OperatorNameTest, GlobsMatchTheWholeOfAnySpelling) {
  EXPECT_TRUE(matches("*softmax*", "aten::_softmax"));
  EXPECT_TRUE(matches("sum.*", "aten::sum.dim_IntList"));
  EXPECT_TRUE(matches("re?u", "aten::relu"));
  EXPECT_TRUE(matches("aten::*", "aten::relu"));
  EXPECT_TRUE(matches("aten.relu.*", "aten::relu"));
  EXPECT_FALSE(matches("soft*", "aten::_softmax"));
  EXPECT_FALSE(matches("re?", "aten::relu"));
  EXPECT_FALSE(matches(std::string(200, '*') + "x", "aten::" + std::string(5000, 'a')));
}

TEST(LanguagesTest, IdsAreUniqueAndFound) {
  std::set<std::string_view> ids;
  for (const Language& language : languages()) {
    EXPECT_TRUE(ids.insert(language.id).second);
    EXPECT_EQ(findLanguage(language.id), &language);
    EXPECT_FALSE(language.title.empty());
    EXPECT_FALSE(language.summary.empty());
  }
  EXPECT_EQ(findLanguage("fortran"), nullptr);
}

std::string_view detected(std::string_view file, std::string_view text) {
  const Language* language = detectLanguage(file, text);
  return language ? language->id : std::string_view("none");
}

TEST(LanguagesTest, DetectsByNameAndText) {
  EXPECT_EQ(detected("relu.cpp", ""), "torch_cpp");
  EXPECT_EQ(detected("/some.cu/relu.CC", "__global__"), "torch_cpp");
  EXPECT_EQ(detected("relu.cu", "/* warpbench\noperator = \"aten::relu\"\n*/"), "raw_cuda");
  EXPECT_EQ(
      detected("relu.cu", "\xEF\xBB\xBF// licence\n/* by me */\n  /*  warpbench */ #include <torch/all.h>"),
      "raw_cuda");
  EXPECT_EQ(detected("relu.cu", "__global__ void f() {}"), "raw_cuda");
  EXPECT_EQ(detected("relu.cu", "#include <torch/extension.h>\n__global__ void f() {}"), "torch_cuda");
  EXPECT_EQ(detected("relu.py", "import torch"), "python");
  EXPECT_EQ(detected("relu.py", "import triton\n@triton.jit\ndef f(): pass"), "triton");
}

TEST(LanguagesTest, AJobNeedsPythonForAKernelOrAReferenceInPython) {
  Job job;
  job.kernels = {{"relu.cpp", "", "", ""}, {"k", "", "aten", "relu"}};
  EXPECT_FALSE(needsPython(job));
  job.kernels[0].referenceText = "class Model: pass";
  EXPECT_TRUE(needsPython(job));
  job.kernels = {{"relu.py", "", "", ""}};
  EXPECT_TRUE(needsPython(job));
}

TEST(LanguagesTest, WhatNoneTakesIsNobodys) {
  EXPECT_EQ(detected("relu.cu", "/* warpbenches */"), "none");
  EXPECT_EQ(detected("relu.cu", "int a; /* warpbench */"), "none");
  EXPECT_EQ(detected("relu.cu", "/* never closed"), "none");
  EXPECT_EQ(detected("relu.cu", ""), "none");
  EXPECT_EQ(detected("relu", ""), "none");
  EXPECT_EQ(detected("folder.cpp/relu", ""), "none");
}

TEST(VerdictTest, OnlyPassPassesAndOnlyVoidAndNotRunAreNeutral) {
  for (int i = 0; i <= static_cast<int>(Verdict::tampered); ++i) {
    const auto verdict = static_cast<Verdict>(i);
    const Tally expected = verdict == Verdict::pass                                    ? Tally::pass
                           : verdict == Verdict::invalid || verdict == Verdict::notRun ? Tally::neutral
                                                                                       : Tally::fail;
    EXPECT_EQ(tally(verdict), expected) << name(verdict);
    EXPECT_FALSE(name(verdict).empty());
  }
  EXPECT_EQ(name(Verdict::invalid), "void");
  EXPECT_EQ(name(Verdict::wrongShape), "wrong-shape");
}

}  // namespace
}  // namespace wb
