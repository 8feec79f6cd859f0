// SPDX-License-Identifier: Apache-2.0
// load_inline and load of torch.utils.cpp_extension, in the real worker inside the real interpreter.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/base/files/file.h"
#include "core/model/exit/exit_status.h"
#include "tests/engine/python/python_fixture.h"

namespace wb {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::Each;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class PythonModules : public PythonWorker {
 protected:
  /// What the worker logged in the run before.
  static std::string logOf(const Report& report) {
    std::string all;
    for (std::size_t i = 0; i < report.log.size(); ++i) all += report.log[i].text + "\n";
    return all;
  }
  /// A number in the source makes its text new.
  static std::string unique() { return "// " + std::to_string(getpid()) + " " + std::to_string(++counter_); }

  /// A kernel for relu whose function f is built from this C++.
  static std::string inlined(const std::string& cpp, const std::string& call = "ext.f(x)",
                             const std::string& more = "functions=['f']") {
    return "import torch\nfrom torch.utils.cpp_extension import load_inline\n\nsource = '''\n" + cpp +
           "\n'''\next = load_inline('ext', source, " + more + ")\n\ndef relu_kernel_impl(x):\n    return " +
           call + "\n";
  }
  static std::string reluSource() {
    return "torch::Tensor f(torch::Tensor x) {\n  return x.clamp_min(0);\n}\n";
  }

 private:
  inline static int counter_ = 0;
};

TEST_F(PythonModules, AreBuiltByWarpbenchAndTakenFromTheCacheAfterThat) {
  const Job job = jobOf(inlined(unique() + "\n" + reluSource()));
  const Report first = run(job);
  EXPECT_THAT(verdicts(first), Each(Verdict::pass)) << logOf(first);
  ASSERT_TRUE(first.kernels[0]->compiled) << logOf(first);
  EXPECT_FALSE(first.kernels[0]->compiled->cached);
  EXPECT_THAT(first.kernels[0]->compiled->toolchain, AnyOf(HasSubstr(", clang++"), HasSubstr(", g++")));
  EXPECT_THAT(first.kernels[0]->compiled->artifacts, Contains(Field(&Artifact::name, "ext")));
  EXPECT_THAT(logOf(first), Not(HasSubstr("torch builds")));
  const Report second = run(job);
  EXPECT_THAT(verdicts(second), Each(Verdict::pass));
  EXPECT_TRUE(second.kernels[0]->compiled->cached);
}

TEST_F(PythonModules, BindSeveralFunctionsOfTheUsualTypes) {
  const std::string cpp =
      "std::tuple<at::Tensor, int64_t> both(const at::Tensor& a, double low) { return {a.clamp_min(low), "
      "a.dim()}; }\n"
      "std::vector<torch::Tensor> all(std::vector<torch::Tensor> a, at::IntArrayRef n, std::vector<int> m) "
      "{\n"
      "  TORCH_CHECK(n.size() == 2 && m.at(1) == 4, \"lists\"); return a; }\n"
      "void inplace(torch::Tensor& a, bool doIt) { if (doIt) a.clamp_min_(0); }\n"
      "at::Tensor maybe(std::optional<at::Tensor> a, const at::Tensor& b, std::string s, int n, float f) {\n"
      "  return a ? *a : s == \"b\" && n == 3 && f == 0.5f ? b : at::Tensor(); }\n"
      "std::optional<at::Tensor> nothing() { return std::nullopt; }\n";
  const std::string call =
      "(lambda y: y if all(["
      "ext.both(x, 0)[1] == x.dim(), ext.nothing() is None, ext.inplace(y, True) is None,"
      "type(ext.all([x, x], (1, 2), [3, 4])) is list, ext.maybe(None, x, 'b', 3, 0.5) is x,"
      "torch.equal(ext.both(x, 0)[0], y)]) else None)(x.clone())";
  const Report report =
      run(jobOf(inlined(cpp, call, "functions=['both', 'all', 'inplace', 'maybe', 'nothing']")));
  EXPECT_THAT(verdicts(report), Each(Verdict::pass)) << check(report).message << check(report).trace;
  EXPECT_THAT(logOf(report), Not(HasSubstr("torch builds")));
}

TEST_F(PythonModules, MayHaveBindingsOfTheirOwn) {
  const std::string cpp =
      "torch::Tensor relu_forward(torch::Tensor x, double low) { return x.clamp_min(low); }\n"
      "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {\n"
      "  m.def(\"forward\", &relu_forward, \"ReLU\", py::arg(\"x\"), py::arg(\"low\") = 0);\n"
      "  m.def(\"one\", [](int64_t n) { return n + 1; });\n}\n";
  const Report report = run(jobOf(inlined(
      cpp, "ext.forward(x) if ext.one(1) == 2 and ext.forward.__doc__ == 'ReLU' else ext.forward(x, low=9)",
      "")));
  EXPECT_THAT(verdicts(report), Each(Verdict::pass)) << check(report).message << logOf(report);
  EXPECT_THAT(logOf(report), Not(HasSubstr("torch builds")));
}

TEST_F(PythonModules, RaiseWhatTorchWould) {
  const std::string cpp =
      "torch::Tensor f(torch::Tensor x) { TORCH_CHECK(x.numel() != 4, \"four is too many\"); return "
      "x.relu(); }\n";
  EXPECT_THAT(check(run(jobOf(inlined(cpp))), 1).message, HasSubstr("RuntimeError: four is too many"));
  EXPECT_THAT(check(run(jobOf(inlined(cpp, "ext.f(3)")))).message,
              HasSubstr("TypeError: f(): incompatible function arguments"));
}

TEST_F(PythonModules, HaveErrorsOnTheirLineOfThePythonFile) {
  const Report report = run(jobOf(inlined("torch::Tensor f(torch::Tensor x) {\n  return y;\n}")));
  const KernelReport& kernel = *report.kernels[0];
  ASSERT_FALSE(kernel.diagnostics.empty()) << logOf(report);
  EXPECT_THAT(kernel.diagnostics[0].message, HasSubstr("'y'"));
  EXPECT_EQ(kernel.diagnostics[0].place, (Place{"relu.py", 6, 10}));
  ASSERT_TRUE(kernel.failure);
  EXPECT_THAT(kernel.failure->text, HasSubstr("in the sources of 'ext'"));
  EXPECT_EQ(kernel.failure->place.line, 6);
  EXPECT_THAT(kernel.failure->trace, HasSubstr("relu.py:6"));
  EXPECT_EQ(exitStatus(report), 2);
}

TEST_F(PythonModules, SayThatAFunctionIsNotDeclared) {
  const Report report = run(jobOf(inlined(reluSource(), "ext.g(x)", "functions=['g']")));
  ASSERT_FALSE(report.kernels[0]->diagnostics.empty());
  EXPECT_THAT(report.kernels[0]->diagnostics[0].message, HasSubstr("functions: "));
  EXPECT_EQ(report.kernels[0]->diagnostics[0].place.line, 10);
}

TEST_F(PythonModules, SayThatAFunctionIsNotDefined) {
  const Report report = run(jobOf(inlined("torch::Tensor f(torch::Tensor x);")));
  ASSERT_TRUE(report.kernels[0]->failure);
  EXPECT_THAT(report.kernels[0]->failure->text, HasSubstr("undefined symbol: f(at::Tensor)"));
  EXPECT_EQ(report.kernels[0]->failure->place.line, 7);
}

TEST_F(PythonModules, GoToTorchWhereWarpbenchCannot) {
  // An option that no compiler knows ends torch's own way soon, which is all that is looked at here.
  const std::string kernel =
      "import torch\nimport torch.utils.cpp_extension as extensions\n"
      "def build():\n    try:\n        extensions.load_inline('ext', 'int f() { return 1; }', "
      "functions=['f'], "
      "extra_ldflags=['-lnothing'], extra_cflags=['--no-such-option'])\n"
      "    except Exception as error:\n        return type(error).__name__\n"
      "assert build() in ('RuntimeError', 'ImportError', 'CalledProcessError'), build()\n"
      "assert extensions.CUDAExtension.__name__ == 'CUDAExtension'\n"
      "def relu_kernel_impl(x):\n    return torch.relu(x)\n";
  const Report report = run(jobOf(kernel));
  EXPECT_THAT(logOf(report), HasSubstr("torch builds 'ext' itself"));
  EXPECT_THAT(logOf(report), HasSubstr("since it is asked for extra_ldflags"));
  EXPECT_THAT(verdicts(report), Each(Verdict::pass)) << check(report).message;
}

TEST_F(PythonModules, AreLoadedFromFilesToo) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("wb_module_" + std::to_string(getpid()) + ".cpp");
  std::ofstream(file) << "#include <torch/extension.h>\n"
                      << reluSource() << "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"f\", &f); }\n";
  const std::string kernel =
      "import torch\nfrom torch.utils.cpp_extension import load\next = load('ext', ['" + file.string() +
      "'])\ndef relu_kernel_impl(x):\n    return ext.f(x)\n";
  EXPECT_THAT(verdicts(run(jobOf(kernel))), Each(Verdict::pass));
  std::ofstream(file) << "int f() { return y; }\nPYBIND11_MODULE(a, m) {}\n";
  const Report broken = run(jobOf(kernel));
  ASSERT_FALSE(broken.kernels[0]->diagnostics.empty());
  EXPECT_EQ(broken.kernels[0]->diagnostics[0].place.file, file.string());
  EXPECT_EQ(broken.kernels[0]->diagnostics[0].place.line, 1);
  std::filesystem::remove(file);
}

TEST_F(PythonModules, OfCudaAreCompiledAndNotRunHere) {
  auto text = readSource(WB_SOURCE_DIR "/resources/templates/load_inline.py");
  ASSERT_TRUE(text);
  const Report report = run(jobOf(*text));
  const KernelReport& kernel = *report.kernels[0];
  ASSERT_TRUE(kernel.compiled) << logOf(report) << (kernel.failure ? kernel.failure->text : "");
  EXPECT_THAT(kernel.compiled->note, HasSubstr("Compiled for sm_"));
  EXPECT_THAT(kernel.compiled->toolchain, HasSubstr("NVRTC"));
  EXPECT_THAT(kernel.compiled->artifacts, Contains(Field(&Artifact::registers, testing::Gt(0))));
  EXPECT_THAT(kernel.diagnostics, IsEmpty());
  const std::size_t at = text->find("x[i] <= scalar_t(0)");
  ASSERT_NE(at, std::string::npos);
  text->replace(at, 4, "z[i]");
  const Report broken = run(jobOf(*text));
  ASSERT_FALSE(broken.kernels[0]->diagnostics.empty());
  const auto line = 1 + std::count(text->begin(), text->begin() + static_cast<long>(at), '\n');
  EXPECT_EQ(broken.kernels[0]->diagnostics[0].place.line, line);
  EXPECT_THAT(broken.kernels[0]->diagnostics[0].message, HasSubstr("\"z\""));
}

}  // namespace
}  // namespace wb
