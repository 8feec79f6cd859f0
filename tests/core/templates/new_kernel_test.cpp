// SPDX-License-Identifier: Apache-2.0
#include "core/templates/new_kernel.h"

#include <gmock/gmock.h>

#include "core/model/languages.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::Not;

const char* const relu = "aten::relu(Tensor self) -> Tensor";
const char* const rot90 = "aten::rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor";

NewKernel made(const char* schema, const char* language) {
  const Result<NewKernel> kernel = newKernel(schema, language);
  EXPECT_TRUE(kernel) << describe(kernel.error());
  return kernel ? *kernel : NewKernel{};
}

TEST(NewKernel, IsOfItsLanguageAndSaysItsSchema) {
  for (const Language& language : languages()) {
    if (language.templateFile.empty()) continue;  // ATen itself
    const NewKernel kernel = made(relu, std::string(language.id).c_str());
    EXPECT_EQ(detectLanguage(kernel.file, kernel.text), &language) << kernel.text;
    EXPECT_THAT(kernel.text, HasSubstr(relu));
    EXPECT_THAT(kernel.text, Not(HasSubstr("{{"))) << language.id;
    EXPECT_TRUE(kernel.complete);
    EXPECT_EQ(kernel.file, "relu" + std::string(language.extension));
  }
}

TEST(NewKernel, WhereThereIsNoFormAtenAnswers) {
  for (const char* language : {"torch_cpp", "python", "triton", "torch_cuda"}) {
    const NewKernel kernel = made(rot90, language);
    EXPECT_EQ(kernel.form, "ATen's answer") << language;
    EXPECT_THAT(kernel.text, HasSubstr("rot90"));
    EXPECT_TRUE(kernel.complete);
  }
}

TEST(NewKernel, RawCudaSaysThatItIsNotRightYet) {
  const NewKernel kernel = made(rot90, "raw_cuda");
  EXPECT_FALSE(kernel.complete);
  EXPECT_THAT(kernel.text, HasSubstr("not right yet"));
  const auto cat = newKernel("aten::cat(Tensor[] tensors, int dim=0) -> Tensor", "raw_cuda");
  ASSERT_FALSE(cat);
  EXPECT_THAT(cat.error().text, HasSubstr("'tensors' is a list of tensors"));
}

TEST(NewKernel, ComputesWhatItKnows) {
  const char* const sum =
      "aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> "
      "Tensor";
  const char* const mm = "aten::mm(Tensor self, Tensor mat2) -> Tensor";
  const char* const softmax = "aten::_softmax(Tensor self, int dim, bool half_to_float) -> Tensor";
  const char* const norm =
      "aten::native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float "
      "eps) -> "
      "(Tensor, Tensor, Tensor)";
  for (const char* language : {"torch_cpp", "triton", "raw_cuda"})
    for (const char* schema : {relu, sum, mm, softmax, norm}) {
      const NewKernel kernel = made(schema, language);
      EXPECT_NE(kernel.form, "ATen's answer") << schema << " in " << language;
      EXPECT_TRUE(kernel.complete);
      EXPECT_THAT(kernel.text, Not(HasSubstr("{{"))) << kernel.text;
    }
}

TEST(NewKernel, AnUnknownLanguageOrSchemaIsAnError) {
  EXPECT_FALSE(newKernel(relu, "fortran"));
  EXPECT_FALSE(newKernel("relu", "python"));
}

}  // namespace
}  // namespace wb
