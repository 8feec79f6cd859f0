// SPDX-License-Identifier: Apache-2.0
#include <ATen/Parallel.h>

#include <cstdlib>
#include <fstream>
#include <random>

#include "core/base/files/file.h"
#include "core/base/quantity.h"
#include "core/engine/compile/host/build_cache.h"
#include "core/engine/compile/host/precompiled_header.h"
#include "core/model/log_sources.h"
#include "tests/engine/compile/compile_fixture.h"

namespace wb {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

constexpr const char* relu =
    "#include <torch/extension.h>\nat::Tensor relu(const at::Tensor& x) { return x.clamp_min(0); }\n";

/// The same source under a new hash: never in the cache.
std::string fresh(const std::string& text) {
  std::random_device device;
  return text + "// " + std::to_string(device()) + std::to_string(device()) + "\n";
}

class TorchCpp : public CompileTest {
 protected:
  /// The one error of a source that must not compile.
  static Diagnostic errorOf(const std::string& text, const std::string& op) {
    const auto compiled = compile("#include <torch/extension.h>\n" + text, op);
    EXPECT_FALSE(compiled.ok());
    for (const auto& d : compiled.diagnostics)
      if (d.severity == Severity::error) return d;
    ADD_FAILURE() << "no error: " << compiled.problem();
    return {};
  }
};

TEST_F(TorchCpp, ClaimsTheFunctionsThatMayBeTheKernel) {
  const auto claim = torchCppCompiler({"", sharedCache()})
                         ->claim({"k.cpp", "int helper() {}\nint relu_kernel_impl() {}", "", ""});
  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->op, "");
  EXPECT_THAT(claim->functions, ::testing::ElementsAre("relu_kernel_impl", "helper"));
}

TEST_F(TorchCpp, DescribesWhatItBuilt) {
  const auto compiled = compile(relu, "aten::relu");
  ASSERT_TRUE(compiled.ok()) << compiled.problem();
  EXPECT_THAT(compiled.outcome->toolchain, ::testing::ContainsRegex("^(clang|g)\\+\\+ [0-9]+\\.[0-9.]+$"));
  ASSERT_EQ(compiled.outcome->artifacts.size(), 1U);
  EXPECT_EQ(compiled.outcome->artifacts[0].name, "relu");
  EXPECT_EQ(compiled.outcome->artifacts[0].architecture, "x86-64");
  EXPECT_GT(compiled.outcome->artifacts[0].binaryBytes, 1000);
}

TEST_F(TorchCpp, SyntaxErrorsHaveTheUsersFileLineAndColumn) {
  const auto compiled =
      compile("#include <torch/extension.h>\nat::Tensor relu(const at::Tensor& x) {\n  return x +;\n}\n",
              "aten::relu");
  ASSERT_FALSE(compiled.ok());
  ASSERT_EQ(compiled.diagnostics.size(), 1U) << compiled.problem();
  EXPECT_EQ(compiled.diagnostics[0].place, (Place{"dir/mine.cpp", 3, 13}));
  EXPECT_EQ(compiled.outcome.error().text, "1 error in mine.cpp");
  EXPECT_EQ(compiled.outcome.error().stage, Stage::compile);
  EXPECT_EQ(compiled.outcome.error().place, (Place{"dir/mine.cpp", 3, 13}));
}

TEST_F(TorchCpp, AnOpenBraceIsReportedInTheUsersFile) {
  const auto compiled = compile("at::Tensor relu(const at::Tensor& x) {\n  return x;\n", "aten::relu");
  ASSERT_FALSE(compiled.ok());
  ASSERT_FALSE(compiled.diagnostics.empty());
  for (const auto& d : compiled.diagnostics) {
    EXPECT_THAT(d.place.file, AnyOf("dir/mine.cpp", "")) << d.message;
    EXPECT_LE(d.place.line, 2) << d.message;
  }
}

TEST_F(TorchCpp, PathsWithBlanksQuotesAndAccentsAreShownAsGiven) {
  const std::string path = "/tmp/no such dir/it's \"ünï\": 3:4/\\k(1).cpp";
  const auto compiled =
      compile("at::Tensor relu(const at::Tensor& x) {\n  return y;\n}\n", "aten::relu", path);
  ASSERT_FALSE(compiled.diagnostics.empty());
  EXPECT_EQ(compiled.diagnostics[0].place, (Place{path, 2, 10}));
}

TEST_F(TorchCpp, MissingFunctionIsNamedWithWhatThereIs) {
  const auto compiled = compile("at::Tensor rely(const at::Tensor& x) { return x; }\n", "aten::relu");
  ASSERT_FALSE(compiled.ok());
  EXPECT_THAT(compiled.outcome.error().text,
              HasSubstr("looked for relu__default_kernel_impl, relu_kernel_impl"));
  EXPECT_THAT(compiled.outcome.error().text, HasSubstr("defines rely"));
}

TEST_F(TorchCpp, WrongParameterTypeIsExplainedAtTheParameter) {
  const auto d = errorOf("at::Tensor add(const at::Tensor& a,\n               std::string b) { return a; }\n",
                         "aten::add.Tensor");
  EXPECT_EQ(d.message,
            "parameter 2 of add ('std::string b') cannot take the operator's argument 'Tensor other': use "
            "const at::Tensor&");
  EXPECT_EQ(d.place, (Place{"dir/mine.cpp", 3, 16}));
  EXPECT_EQ(d.tool, "warpbench");
}

TEST_F(TorchCpp, AWrongSignatureIsOneMessage) {
  const auto compiled = compile("struct S {};\nat::Tensor relu(S x) { return {}; }\n", "aten::relu");
  EXPECT_EQ(compiled.diagnostics.size(), 1U) << compiled.problem();
}

TEST_F(TorchCpp, TooManyAndTooFewParameters) {
  EXPECT_EQ(errorOf("at::Tensor relu(at::Tensor a, at::Tensor b) { return a; }\n", "aten::relu").message,
            "relu takes 2 parameters, but aten::relu(Tensor self) -> Tensor has only 1 argument");
  EXPECT_THAT(
      errorOf("at::Tensor add(at::Tensor a) { return a; }\n", "aten::add.Tensor").message,
      HasSubstr(
          "add takes 1 parameter, but aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> "
          "Tensor needs 2 arguments"));
}

TEST_F(TorchCpp, WrongReturnType) {
  EXPECT_THAT(errorOf("void relu(at::Tensor a) {}\n", "aten::relu").message,
              HasSubstr("relu does not return what the operator does"));
  EXPECT_THAT(errorOf("int* relu(at::Tensor a) { return nullptr; }\n", "aten::relu").message,
              HasSubstr("Use at::Tensor"));
}

TEST_F(TorchCpp, OverloadedKernelsAreRefusedWithAReason) {
  EXPECT_THAT(
      errorOf(
          "at::Tensor relu(at::Tensor a) { return a; }\nat::Tensor relu(at::Tensor a, int b) { return a; }\n",
          "aten::relu")
          .message,
      HasSubstr("relu is overloaded"));
}

TEST_F(TorchCpp, LeftOutArgumentsMustHaveTheirDefaultInTheCase) {
  auto compiled =
      compile("#include <torch/extension.h>\nat::Tensor add(at::Tensor a, at::Tensor b) { return a + b; }\n",
              "aten::add.Tensor");
  ASSERT_TRUE(compiled.ok()) << compiled.problem();
  const auto x = at::ones({2});
  EXPECT_TRUE(call(*compiled.outcome->candidate, {x, x, 1}));
  EXPECT_TRUE(call(*compiled.outcome->candidate, {x, x, 1.0}));
  const auto refused = call(*compiled.outcome->candidate, {x, x, 2});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().stage, Stage::check);
  EXPECT_EQ(refused.error().text, "add has no parameter for 'alpha', which is 2 in this case");
}

TEST_F(TorchCpp, ValuesThatAParameterCannotHoldAreErrorsNamingTheArgument) {
  auto integer = compile("at::Tensor add(at::Tensor a, at::Tensor b, int64_t s) { return a + b * s; }\n",
                         "aten::add.Tensor");
  ASSERT_TRUE(integer.ok()) << integer.problem();
  const auto x = at::ones({2});
  EXPECT_THAT(call(*integer.outcome->candidate, {x, x, 0.5}).error().text,
              HasSubstr("argument 'alpha' is 0.5"));
  auto list = compile("at::Tensor sum(at::Tensor a, at::IntArrayRef d) { return a.sum(d); }\n",
                      "aten::sum.dim_IntList");
  ASSERT_TRUE(list.ok()) << list.problem();
  EXPECT_THAT(call(*list.outcome->candidate, {x, c10::IValue(), false, c10::IValue()}).error().text,
              HasSubstr("argument 'dim' is None here"));
}

TEST_F(TorchCpp, ExceptionsOfUserCodeAreErrors) {
  const auto thrown = [](const std::string& statement) {
    auto compiled =
        compile("#include <torch/extension.h>\n#include <stdexcept>\nat::Tensor relu(at::Tensor x) { " +
                    statement + " return x; }\n",
                "aten::relu");
    EXPECT_TRUE(compiled.ok()) << compiled.problem();
    const auto result = call(*compiled.outcome->candidate, {at::ones({2})});
    EXPECT_FALSE(result);
    EXPECT_EQ(result.error().stage, Stage::check);
    return result.error().text;
  };
  EXPECT_EQ(thrown("TORCH_CHECK(false, \"not today: \", x.dim());"), "not today: 1");
  EXPECT_EQ(thrown("if (x.dim()) throw std::runtime_error(\"my own\");"), "my own");
  EXPECT_NE(thrown("if (x.dim()) throw 42;"), "");
  EXPECT_THAT(thrown("x.view({7});"), HasSubstr("shape '[7]' is invalid"));
}

TEST_F(TorchCpp, ParallelForUsesTorchsThreads) {
  // Each thread writes its number; the threads of a region are those of the reference, torch's own.
  const auto compiled = compile(R"(#include <torch/extension.h>
at::Tensor relu(const at::Tensor& x) {
  at::Tensor out = at::zeros_like(x);
  float* data = out.data_ptr<float>();
  at::parallel_for(0, x.numel(), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) data[i] = 1.0F + at::get_thread_num();
  });
  return out;
}
)",
                                "aten::relu");
  ASSERT_TRUE(compiled.ok()) << compiled.problem();
  const int threads = at::get_num_threads();
  at::set_num_threads(3);
  const auto result = call(*compiled.outcome->candidate, {at::ones({300})});
  at::set_num_threads(threads);
  ASSERT_TRUE(result) << describe(result.error());
  const at::Tensor numbers = (*result)[0].toTensor();
  EXPECT_EQ(numbers.min().item<float>(), 1);
  EXPECT_EQ(numbers.max().item<float>(), 3);
}

TEST_F(TorchCpp, UndefinedSymbolsAreNamed) {
  const auto compiled = compile(
      "at::Tensor elsewhere(const at::Tensor& x);\nat::Tensor relu(const at::Tensor& x) { return "
      "elsewhere(x); }\n",
      "aten::relu");
  ASSERT_FALSE(compiled.ok());
  EXPECT_EQ(compiled.outcome.error().text, "undefined symbol: elsewhere(at::Tensor const&)");
  ASSERT_EQ(compiled.diagnostics.size(), 1U);
  EXPECT_EQ(compiled.diagnostics[0].severity, Severity::error);
  EXPECT_EQ(compiled.diagnostics[0].place.file, "dir/mine.cpp");
}

TEST_F(TorchCpp, UnchangedSourceComesFromTheCacheWithItsWarnings) {
  const std::string text = fresh(
      "#include <torch/extension.h>\nat::Tensor relu(const at::Tensor& x) {\n  int unused = 3;\n  return "
      "x.relu();\n}\n");
  const auto compiler = torchCppCompiler({"", sharedCache()});
  const auto timed = [&](const char* what) {
    const auto start = std::chrono::steady_clock::now();
    auto compiled = compile(text, "aten::relu", *compiler);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    for (const auto& log : compiled.logs) std::printf("%s\n", log.text.c_str());
    std::printf("%s, to callable: %s\n", what, formatSeconds(seconds.count()).c_str());
    return compiled;
  };
  ASSERT_TRUE(compiler->prepare([](const Log& log) { std::printf("%s\n", log.text.c_str()); }));
  const auto first = timed("new source");
  ASSERT_TRUE(first.ok()) << first.problem();
  EXPECT_FALSE(first.outcome->cached);
  ASSERT_EQ(first.diagnostics.size(), 1U);
  EXPECT_EQ(first.diagnostics[0].code, "-Wunused-variable");
  EXPECT_EQ(first.diagnostics[0].place, (Place{"dir/mine.cpp", 3, 7}));
  const auto second = timed("unchanged source");
  ASSERT_TRUE(second.ok());
  EXPECT_TRUE(second.outcome->cached);
  EXPECT_EQ(second.diagnostics, first.diagnostics);
  EXPECT_TRUE(call(*second.outcome->candidate, {at::ones({2})}));
}

TEST_F(TorchCpp, ACorruptCacheEntryIsBuiltAnew) {
  const std::string text = fresh(relu);
  const auto compiler = torchCppCompiler({"", sharedCache()});
  const auto before = fs::file_time_type::clock::now() - std::chrono::milliseconds(20);
  ASSERT_TRUE(compile(text, "aten::relu", *compiler).ok());
  int damaged = 0;
  for (const auto& entry : fs::recursive_directory_iterator(sharedCache() / "build"))
    if (entry.path().extension() == ".so" && entry.last_write_time() > before) {
      std::ofstream(entry.path(), std::ios::app) << "x";
      ++damaged;
    }
  ASSERT_GE(damaged, 1);
  const auto again = compile(text, "aten::relu", *compiler);
  ASSERT_TRUE(again.ok()) << again.problem();
  EXPECT_FALSE(again.outcome->cached);
}

TEST_F(TorchCpp, HeadersBesideTheKernelAreFoundAndWatched) {
  auto folder = ScratchFolder::make(fs::temp_directory_path());
  ASSERT_TRUE(folder);
  const fs::path header = folder->path() / "my header.h";
  ASSERT_TRUE(writeFileAtomically(header, "inline int factor() { return 2; }\n"));
  const std::string path = (folder->path() / "k.cpp").string();
  const std::string text =
      "#include \"my header.h\"\nat::Tensor relu(at::Tensor x) { return x * factor(); }\n";
  const auto value = [&](bool cached) {
    auto compiled = compile(text, "aten::relu", path);
    EXPECT_TRUE(compiled.ok()) << compiled.problem();
    EXPECT_EQ(compiled.outcome->cached, cached);
    return call(*compiled.outcome->candidate, {at::ones({1})}).value()[0].toTensor().item<float>();
  };
  EXPECT_EQ(value(false), 2.0F);
  EXPECT_EQ(value(true), 2.0F);
  ASSERT_TRUE(writeFileAtomically(header, "inline int factor() { return 3; }\n"));
  EXPECT_EQ(value(false), 3.0F);
}

TEST_F(TorchCpp, HeadersBesideAKernelOfARelativePathAreFound) {
  auto folder = ScratchFolder::make(".");
  ASSERT_TRUE(folder);
  const std::string text = "#include \"included.h\"\nat::Tensor relu(at::Tensor x) { return x * two(); }\n";
  ASSERT_TRUE(writeFileAtomically(folder->path() / "included.h", "inline int two() { return 2; }\n"));
  ASSERT_TRUE(writeFileAtomically(folder->path() / "k.cpp", text));
  const auto compiled = compile(text, "aten::relu", (folder->path() / "k.cpp").string());
  EXPECT_TRUE(compiled.ok()) << compiled.problem();
}

TEST_F(TorchCpp, ANullPointerThatIsThrownHasWords) {
  const auto compiled = compile(
      "#include <torch/extension.h>\nat::Tensor relu(at::Tensor x) {\n"
      "  if (x.numel() == 1) throw static_cast<const char*>(nullptr);\n  return x;\n}\n",
      "aten::relu");
  ASSERT_TRUE(compiled.ok()) << compiled.problem();
  const auto thrown = call(*compiled.outcome->candidate, {at::ones({1})});
  ASSERT_FALSE(thrown);
  EXPECT_THAT(thrown.error().text, HasSubstr("null pointer"));
}

TEST_F(TorchCpp, ACopiedCacheIsNotTakenForTheOneItWasCopiedFrom) {
  auto folder = ScratchFolder::make(fs::temp_directory_path());
  ASSERT_TRUE(folder);
  ASSERT_TRUE(torchCppCompiler({"", sharedCache()})->prepare({}));
  const fs::path copy = folder->path() / "copied";
  fs::create_directory(copy);
  fs::copy(sharedCache() / "pch", copy / "pch", fs::copy_options::recursive);
  const auto compiled = compile(fresh(relu), "aten::relu", *torchCppCompiler({"", copy}));
  EXPECT_TRUE(compiled.ok()) << compiled.problem();
  for (const auto& log : compiled.logs) EXPECT_THAT(log.text, ::testing::Not(HasSubstr("refused")));
}

TEST_F(TorchCpp, WhatIsMadeOnceIsSaidBeforeItIsWaitedFor) {
  auto folder = ScratchFolder::make(fs::temp_directory_path());
  const auto torch = findTorch();
  ASSERT_TRUE(folder && torch);
  HostCompiler refuses;
  refuses.path = "/bin/false";
  refuses.version = "clang++ 14.0.6";
  refuses.clang = true;
  std::vector<Log> logs;
  ASSERT_TRUE(ensurePrecompiledHeader(refuses, *torch, folder->path(), {},
                                      [&](const Log& log) { logs.push_back(log); }));
  ASSERT_EQ(logs.size(), 2U);
  EXPECT_EQ(logs[0].source, preparingSource);
  EXPECT_THAT(logs[0].text, HasSubstr("the compiler: precompiled header of torch 2.11"));
  EXPECT_THAT(logs[0].text, HasSubstr("once, 10 to 20 s"));
  EXPECT_EQ(logs[1].source, "worker");
}

TEST_F(TorchCpp, BindingsInTheSourceAreIgnored) {
  const auto compiled = compile(
      "#include <torch/extension.h>\n#include <torch/library.h>\n#include <pybind11/stl.h>\nnamespace py = "
      "pybind11;\n"
      "at::Tensor relu(const at::Tensor& x) { return x.relu(); }\n"
      "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.doc() = \"x\"; m.def(\"relu\", &relu, \"docs\", "
      "py::arg(\"x\") = 3); }\n"
      "TORCH_LIBRARY(mine, m) { m.def(\"relu(Tensor x) -> Tensor\"); }\n"
      "TORCH_LIBRARY_IMPL(mine, CPU, m) { m.impl(\"relu\", &relu); }\n"
      "TORCH_LIBRARY_IMPL(mine, CUDA, m) { m.impl(\"relu\", TORCH_FN(relu)); }\n",
      "aten::relu");
  EXPECT_TRUE(compiled.ok()) << compiled.problem();
  EXPECT_TRUE(compiled.diagnostics.empty()) << compiled.problem();
}

TEST_F(TorchCpp, OtherTorchHeadersCanBeIncluded) {
  for (const char* include : {"torch/torch.h", "torch/all.h", "ATen/ATen.h", "torch/types.h",
                              "ATen/Parallel.h", "c10/util/Half.h"}) {
    const auto compiled = compile(std::string{"#include <"} + include +
                                      ">\nat::Tensor relu(const at::Tensor& x) { return x.relu(); }\n",
                                  "aten::relu");
    EXPECT_TRUE(compiled.ok()) << include << compiled.problem();
  }
}

TEST_F(TorchCpp, ACompilationCanBeStoppedAndHasADeadline) {
  const std::string text = fresh(relu);
  const auto compiler = torchCppCompiler({"", sharedCache()});
  ASSERT_TRUE(compiler->prepare({}));
  Compilation out{Error{}, {}, {}};
  const KernelSource source{"k.cpp", text, "torch_cpp", ""};
  auto slow = request(source, "aten::relu", out);
  slow.deadlineSeconds = 0.01;
  const auto late = compiler->compile(slow);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().text, "compiling k.cpp took longer than 10.0 ms");
  std::stop_source stop;
  stop.request_stop();
  auto stopped = request(source, "aten::relu", out);
  stopped.stop = stop.get_token();
  const auto cancelled = compiler->compile(stopped);
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().text, "cancelled");
}

TEST_F(TorchCpp, AnUnusableCompilerIsAnError) {
  const auto missing = compile(relu, "aten::relu", *torchCppCompiler({"/no/such/c++", sharedCache()}));
  ASSERT_FALSE(missing.ok());
  EXPECT_THAT(describe(missing.outcome.error()), HasSubstr("/no/such/c++"));
  const auto wrong = compile(relu, "aten::relu", *torchCppCompiler({"/bin/false", sharedCache()}));
  ASSERT_FALSE(wrong.ok());
  EXPECT_THAT(wrong.outcome.error().hint, HasSubstr("apt install clang g++"));
}

}  // namespace
}  // namespace wb
