// SPDX-License-Identifier: Apache-2.0
// Modules of Python sources, without Python: flags, places of messages, real builds where no GPU is needed.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/engine/compile/module_builder.h"
#include "core/engine/compile/torch_cuda/module_flags.h"
#include "core/engine/compile/torch_cuda/module_places.h"

namespace wb {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

ModuleFlags flagsOf(std::vector<std::string> host, std::vector<std::string> cuda = {}, bool clang = true) {
  ModuleSources sources;
  sources.hostFlags = std::move(host);
  sources.cudaFlags = std::move(cuda);
  return readFlags(sources, clang);
}

TEST(ModuleFlags, LeaveOutWhatSaysNothingHere) {
  const ModuleFlags flags =
      flagsOf({"", "-O2", "-std=c++17", "-Wall", "-g", "-w"},
              {"-O3", "-gencode", "arch=compute_80,code=sm_80", "-arch=sm_80", "-Xcompiler", "-fPIC",
               "--expt-relaxed-constexpr", "-lineinfo", "-Xptxas", "-v"});
  EXPECT_EQ(flags.unfit, "");
  EXPECT_THAT(flags.host, IsEmpty());
  EXPECT_THAT(flags.device, IsEmpty());
  EXPECT_THAT(flags.codeGeneration, IsEmpty());
}

TEST(ModuleFlags, KeepWhatChangesTheCode) {
  const ModuleFlags flags =
      flagsOf({"-O3", "-march=native", "-DA=2", "-DB", "-I", "/a"},
              {"--use_fast_math", "-maxrregcount=32", "-DC=1", "-U__CUDA_NO_HALF_OPERATORS__"});
  EXPECT_THAT(flags.host, ElementsAre("-O3", "-isystem", "/a"));
  EXPECT_THAT(flags.codeGeneration, ElementsAre("-march=native"));
  EXPECT_EQ(flags.hostMacros, "#define A 2\n#define B 1\n");
  EXPECT_EQ(flags.cudaMacros, "#define C 1\n");
  EXPECT_THAT(flags.device,
              ElementsAre("--use_fast_math", "--maxrregcount=32", "-DC=1", "-U__CUDA_NO_HALF_OPERATORS__"));
  EXPECT_THAT(flagsOf({"-O3"}, {}, false).codeGeneration, ElementsAre("-O3")) << "g++ minds";
}

TEST(ModuleFlags, NameWhatOnlyTorchCanObey) {
  EXPECT_EQ(flagsOf({"--unheard-of"}).unfit, "extra_cflags has --unheard-of");
  EXPECT_EQ(flagsOf({"-fopenmp"}).unfit, "extra_cflags has -fopenmp") << "clang's is not torch's";
  EXPECT_EQ(flagsOf({"-fopenmp"}, {}, /*clang=*/false).unfit, "");
  EXPECT_EQ(flagsOf({}, {"-rdc=true"}).unfit, "extra_cuda_cflags has -rdc=true");
}

TEST(ModulePlaces, AreThoseOfTheLiteral) {
  ModuleSources sources;
  sources.callerPath = "k.py";
  sources.callerLine = 9;
  sources.callerText = "import x\ns = '''int a;\n  int b;\n'''\n";
  EXPECT_EQ(placeInPython(sources, "int a;\n  int b;\n", 1, 5), (Place{"k.py", 2, 12}));
  EXPECT_EQ(placeInPython(sources, "int a;\n  int b;\n", 2, 7), (Place{"k.py", 3, 7}));
}

TEST(ModulePlaces, AreThoseOfALikeLineWhereTheLiteralHasEscapes) {
  ModuleSources sources;
  sources.callerPath = "k.py";
  sources.callerLine = 9;
  sources.callerText =
      "a = '''\n  return y;\n'''\ns = f'''\nint f() {{\n  puts(\"x\\\\n\");\n  return y;\n}}'''\n";
  const std::string part = "\nint f() {\n  puts(\"x\\n\");\n  return y;\n}";
  EXPECT_EQ(placeInPython(sources, part, 4, 10), (Place{"k.py", 7, 10}));
  EXPECT_EQ(placeInPython(sources, "nothing alike", 1, 3), (Place{"k.py", 9, 0}));
}

class Modules : public testing::Test {
 protected:
  static void SetUpTestSuite() { setenv("WARPBENCH_CACHE", WB_BINARY_DIR "/tests/cache", 1); }

  Result<ModuleOutcome> build(const std::string& cpp, const std::string& cuda,
                              const std::vector<std::string>& cudaFlags = {}) {
    diagnostics_.clear();
    ModuleSources sources;
    sources.name = "ext";
    sources.parts = {{cpp, "", false}};
    if (!cuda.empty()) sources.parts.push_back({cuda, "", true});
    sources.functions.emplace({std::pair<std::string, std::string>{"f", "f"}});
    sources.cudaFlags = cudaFlags;
    sources.callerPath = "k.py";
    sources.callerText = "cpp = '''" + cpp + "'''\ncuda = '''" + cuda + "'''\n";
    sources.callerLine = 1;
    const KernelSource source{"k.py", "", "python", "", "", ""};
    CompileRequest request{source, "", "", {}, "cuda:0", "sm_90", false, 240, {}, {}, {}};
    request.onDiagnostic = [this](const Diagnostic& d) { diagnostics_.push_back(d); };
    return moduleBuilder(WB_BINARY_DIR "/tests/cache")->build(sources, request);
  }
  std::vector<Diagnostic> diagnostics_;
};

constexpr const char* declared = "torch::Tensor f(torch::Tensor x);";
const std::string kernelText =
    "\n#include <cuda.h>\n#include <torch/types.h>\n"
    "__global__ void scale(const float* x, float* y, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = FACTOR * x[i];\n}\n"
    "torch::Tensor f(torch::Tensor x) {\n  auto y = torch::empty_like(x);\n"
    "  scale<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());\n"
    "  return y;\n}\n";

TEST_F(Modules, OfCudaAreCompiledWithoutAGpu) {
  const auto outcome = build(declared, kernelText, {"-DFACTOR=2", "--use_fast_math"});
  ASSERT_TRUE(outcome) << describe(outcome.error()) << outcome.error().trace;
  EXPECT_EQ(outcome->unfit, "");
  EXPECT_THAT(outcome->notRun, HasSubstr("Compiled for sm_90"));
  EXPECT_THAT(outcome->artifacts, Contains(Field(&Artifact::name, "scale")));
  EXPECT_THAT(outcome->cubins, testing::SizeIs(1));
}

TEST_F(Modules, HaveDeviceErrorsAtTheirPlaceInPython) {
  const auto outcome = build(declared, kernelText);
  ASSERT_FALSE(outcome);
  ASSERT_FALSE(diagnostics_.empty());
  EXPECT_THAT(diagnostics_[0].message, HasSubstr("FACTOR"));
  EXPECT_EQ(diagnostics_[0].place.file, "k.py");
  EXPECT_EQ(diagnostics_[0].place.line, 7);
}

TEST_F(Modules, WithTypesThatOnlyPybindKnowsAreTorchs) {
  const auto outcome = build("#include <map>\nint f(std::map<int, int> a) { return 1; }", "");
  ASSERT_TRUE(outcome) << describe(outcome.error()) << outcome.error().trace;
  EXPECT_THAT(outcome->unfit, HasSubstr("a parameter's type of a function"));
  const auto object = build("py::object f(py::object a) { return a; }", "");
  ASSERT_TRUE(object) << describe(object.error()) << object.error().trace;
  EXPECT_THAT(object->unfit, HasSubstr("pybind11"));
  EXPECT_THAT(build("TORCH_LIBRARY(x, m) {}\nint f();", "")->unfit, HasSubstr("TORCH_LIBRARY"));
  EXPECT_THAT(diagnostics_, IsEmpty());
}

}  // namespace
}  // namespace wb
