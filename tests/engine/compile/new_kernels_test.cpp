// SPDX-License-Identifier: Apache-2.0
// A first kernel for every operator that torch has, in every language: what its front end finds in it.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/base/process/process.h"
#include "core/base/python.h"
#include "core/engine/compile/host/translation_unit.h"
#include "core/engine/compile/raw_cuda/kernel_choice.h"
#include "core/engine/compile/raw_cuda/launch_plan.h"
#include "core/engine/python/python_outline.h"
#include "core/engine/reference/operator.h"
#include "core/model/languages.h"
#include "core/templates/new_kernel.h"

namespace wb {
namespace {

/// For a look at them all: with WARPBENCH_NEW_KERNELS=FOLDER they are written there.
void keep(const std::string& language, const std::string& op, const std::string& text,
          const std::string& extension) {
  const char* folder = std::getenv("WARPBENCH_NEW_KERNELS");
  if (folder == nullptr) return;
  const std::filesystem::path to = std::filesystem::path(folder) / language;
  std::filesystem::create_directories(to);
  std::ofstream(to / (op + extension)) << text;
}

/// Makes one for each operator and gives it to `visit`; says how many there were. What is refused has to be
/// one of these reasons.
template <class Visit>
int forEachNew(const std::string& language, const std::vector<std::string>& reasons, Visit visit) {
  int made = 0;
  for (const OperatorEntry& entry : operators()) {
    const Result<NewKernel> kernel = newKernel(entry.schema, language);
    if (!kernel && entry.schema.find("(...)") != std::string::npos) continue;  // arguments of any number
    if (!kernel) {
      const bool isKnown = std::any_of(reasons.begin(), reasons.end(), [&](const std::string& reason) {
        return kernel.error().text.find(reason) != std::string::npos;
      });
      EXPECT_TRUE(isKnown) << entry.schema << ": " << kernel.error().text;
      continue;
    }
    ++made;
    EXPECT_EQ(kernel->text.find("{{"), std::string::npos) << kernel->text;
    const Language* found = detectLanguage(kernel->file, kernel->text);
    EXPECT_TRUE(found && found->id == language) << entry.name << " in " << language;
    keep(language, entry.name, kernel->text, std::string(findLanguage(language)->extension));
    visit(entry, *kernel);
  }
  return made;
}

const std::vector<std::string> notInCpp = {"which a C++ kernel cannot"};

TEST(NewKernels, EachInCppIsFoundAndHasTheOperatorsArguments) {
  const int made = forEachNew("torch_cpp", notInCpp, [](const OperatorEntry& entry, const NewKernel& kernel) {
    const auto function = findKernel(kernel.text, kernel.file, entry.name);
    ASSERT_TRUE(function) << describe(function.error()) << "\n" << kernel.text;
    const auto schema = parsedSchema(entry.schema);
    ASSERT_TRUE(schema) << entry.schema;
    EXPECT_EQ(function->parameters.size(), schema->arguments().size()) << kernel.text;
  });
  EXPECT_GT(made, 3400);
}

TEST(NewKernels, EachCudaExtensionIsFoundToo) {
  const int made =
      forEachNew("torch_cuda", notInCpp, [](const OperatorEntry& entry, const NewKernel& kernel) {
        EXPECT_TRUE(findKernel(kernel.text, kernel.file, entry.name)) << kernel.text;
      });
  EXPECT_GT(made, 3400);
}

TEST(NewKernels, EachInRawCudaCanBeLaunched) {
  const int made = forEachNew("raw_cuda", {"is a list of tensors", "returns nothing", "returns other things"},
                              [](const OperatorEntry& entry, const NewKernel& kernel) {
                                auto header = parseRawCudaHeader(kernel.text, kernel.file);
                                ASSERT_TRUE(header) << describe(header.error()) << "\n" << kernel.text;
                                EXPECT_EQ(header->op.name, entry.name);
                                const CudaSource source = scanCudaSource(kernel.text, kernel.file);
                                const auto plan = planLaunch(*header, source, entry.schema);
                                EXPECT_TRUE(plan) << entry.schema << ": " << describe(plan.error());
                              });
  EXPECT_GT(made, 2000);
}

TEST(NewKernels, EachInPythonAndTritonIsTheFunctionThatIsLookedFor) {
  for (const char* language : {"python", "triton"}) {
    const int made = forEachNew(language, {}, [](const OperatorEntry& entry, const NewKernel& kernel) {
      const std::vector<std::string> functions = possiblePythonKernels(outlineOf(kernel.text));
      ASSERT_FALSE(functions.empty()) << kernel.text;
      const std::vector<std::string> names = pythonKernelNames(entry.name);
      EXPECT_NE(std::find(names.begin(), names.end(), functions.front()), names.end())
          << entry.name << ": " << functions.front();
    });
    EXPECT_GT(made, 3500) << language;
  }
}

/// Python reads them all, without running any.
TEST(NewKernels, EachInPythonAndTritonIsPython) {
  const Result<std::filesystem::path> python = findPython();
  if (!python) GTEST_SKIP() << python.error().text;
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "wb-new-kernels";
  std::filesystem::create_directories(folder);
  for (const char* language : {"python", "triton"}) {
    const std::filesystem::path file = folder / language;
    std::ofstream all(file);
    forEachNew(language, {},
               [&](const OperatorEntry&, const NewKernel& kernel) { all << kernel.text << '\0'; });
    all.close();
    const auto read = runToEnd({.argv = {python->string(), "-c",
                                         "import ast, sys\n"
                                         "for text in open(sys.argv[1]).read().split('\\0'): ast.parse(text)",
                                         file.string()}},
                               std::chrono::seconds{200});
    ASSERT_TRUE(read);
    EXPECT_EQ(read->ending.exitCode, 0) << read->err;
  }
}

}  // namespace
}  // namespace wb
