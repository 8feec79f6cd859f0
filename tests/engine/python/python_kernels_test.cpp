// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <set>

#include "core/base/files/file.h"
#include "tests/engine/python/python_fixture.h"

namespace wb {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class PythonKernels : public PythonWorker {};

TEST_F(PythonKernels, PassWhereTheyAgreeWithAten) {
  const Report report = run(bodyOf("return torch.where(x > 0, x, torch.zeros_like(x))"));
  EXPECT_THAT(verdicts(report), ElementsAre(Verdict::pass, Verdict::pass, Verdict::pass));
  EXPECT_THAT(report.kernels[0]->compiled->toolchain, HasSubstr("Python 3."));
  EXPECT_EQ(report.kernels[0]->compiled->artifacts.at(0).name, "relu_kernel_impl");
}

TEST_F(PythonKernels, OfOtherLanguagesRunInTheSameWorker) {
  Job job = bodyOf("return x.clamp_min(0)");
  job.kernels.push_back({"relu.cpp",
                         "#include <torch/extension.h>\nat::Tensor relu(const at::Tensor& self) { return "
                         "self.clamp_min(0); }\n",
                         "", "", "", ""});
  const Report report = run(job);
  EXPECT_EQ(counts(report).passed, 6);
}

TEST_F(PythonKernels, AreCalledAsTheCaseSpellsIt) {
  Job job = jobOf(
      "import torch\n"
      "def sum_kernel_impl(*args, **kwargs):\n"
      "    assert len(args) == 2 and args[1] == [0] and list(kwargs) == ['keepdim', 'dtype'], (args, "
      "kwargs)\n"
      "    assert kwargs['keepdim'] is True and kwargs['dtype'] is torch.float64\n"
      "    return torch.ops.aten.sum.dim_IntList(*args, **kwargs)\n");
  job.kernels[0].op = "sum.dim_IntList";
  job.cases = {caseOf("aten::sum.dim_IntList", "((T([5, 3], f32), [0]), {'keepdim': True, 'dtype': f64})")};
  const Report report = run(job);
  EXPECT_EQ(check(report).verdict, Verdict::pass) << check(report).message << check(report).trace;
}

TEST_F(PythonKernels, GetNumbersAsTheDispatcherHandsThemOver) {
  Job job = jobOf(
      "import torch\n"
      "def sum_kernel_impl(x, dim=None, keepdim=False, *, dtype=None):\n"
      "    return torch.ops.aten.sum.dim_IntList(x, [d for d in dim], keepdim, dtype=dtype)\n");
  job.kernels[0].op = "sum.dim_IntList";
  job.cases = {caseOf("aten::sum.dim_IntList", "((T([5, 3], f32), 0), {})"),
               caseOf("aten::sum.dim_IntList", "((T([5, 3], f32),), {'dim': -1, 'keepdim': True})"),
               caseOf("aten::sum.dim_IntList", "((T([5, 3], f32), [0, 1]), {})")};
  const Report report = run(job);
  EXPECT_THAT(verdicts(report), Each(Verdict::pass)) << check(report).message << check(report).trace;

  Job norm = jobOf(
      "import torch\n"
      "def layer_norm_kernel_impl(x, shape, weight=None, bias=None, eps=1e-5, cudnn=True):\n"
      "    assert shape == [5] and type(eps) is float, (shape, eps)\n"
      "    return torch.nn.functional.layer_norm(x, shape, weight, bias, eps)\n");
  norm.kernels[0].op = "layer_norm";
  norm.cases = {caseOf("aten::layer_norm", "((T([3, 5], f32), 5, None, None, 1), {})")};
  const Report normal = run(norm);
  EXPECT_THAT(verdicts(normal), Each(Verdict::pass)) << check(normal).message;

  // As BackendBench hands them over: what the case spells.
  job.checking.likeBackendBench = true;
  EXPECT_THAT(verdicts(run(job)), ElementsAre(Verdict::threw, Verdict::threw, Verdict::pass));
}

TEST_F(PythonKernels, GetListsOfTensorsAndReturnTuples) {
  Job job =
      jobOf("import torch\ndef cat_kernel_impl(tensors, dim=0):\n    return torch.cat(list(tensors), dim)\n",
            "cat.py");
  job.cases = {caseOf("aten::cat", "(([T([2, 3], f32), T([1, 3], f32)], 0), {})")};
  EXPECT_EQ(counts(run(job)).passed, 1);
  Job max = jobOf(
      "import torch\ndef max_kernel_impl(x, dim, keepdim=False):\n    return tuple(torch.max(x, dim, "
      "keepdim))\n");
  max.kernels[0].op = "max.dim";
  max.cases = {caseOf("aten::max.dim", "((T([4, 5], f32), 1), {})")};
  EXPECT_EQ(counts(run(max)).passed, 1);
}

TEST_F(PythonKernels, InTritonAreInterpretedOnTheCpuAndNotTimed) {
  auto text = readSource(WB_SOURCE_DIR "/resources/samples/relu_triton.py");
  ASSERT_TRUE(text);
  Job job = jobOf(*text, "relu_triton.py");
  job.stages.add(Stage::time);
  const Report report = run(job);
  EXPECT_THAT(verdicts(report), Each(Verdict::pass));
  EXPECT_EQ(report.kernels[0]->language, "triton");
  EXPECT_THAT(report.kernels[0]->cases[0].notTimed, HasSubstr("Interpreted"));
}

TEST_F(PythonKernels, InTritonAreListedForAGpuThatIsNotThere) {
  auto text = readSource(WB_SOURCE_DIR "/resources/samples/relu_triton.py");
  ASSERT_TRUE(text);
  Job job = jobOf(*text, "relu_triton.py");
  job.stages.add(Stage::profile);
  job.profile.architecture = "sm_80";
  const Report report = run(job);
  ASSERT_THAT(verdicts(report), Each(Verdict::pass));
  std::vector<ListingKind> kinds;
  for (const Listing& each : report.kernels[0]->listings) {
    kinds.push_back(each.kind);
    EXPECT_EQ(each.dtype, "f32");
    EXPECT_EQ(each.function, "relu_kernel");
    EXPECT_THAT(each.architecture, testing::StartsWith("sm_80"));
  }
  for (const ListingKind wanted :
       {ListingKind::ttir, ListingKind::ttgir, ListingKind::llir, ListingKind::ptx})
    EXPECT_THAT(kinds, testing::Contains(wanted));
  for (const Listing& each : report.kernels[0]->listings)
    if (each.kind == ListingKind::ttgir) EXPECT_THAT(each.text, testing::HasSubstr("cuda:80"));
}

TEST_F(PythonKernels, SeeModulesBesideThemAsTheyAreNow) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "wb_python_neighbours";
  std::filesystem::create_directories(folder);
  const std::string text =
      "import wb_neighbour\ndef relu_kernel_impl(x):\n    return x.clamp_min(wb_neighbour.low)\n";
  std::ofstream(folder / "wb_neighbour.py") << "low = 0\n";
  EXPECT_EQ(counts(run(jobOf(text, (folder / "relu.py").string()))).passed, 3);
  std::ofstream(folder / "wb_neighbour.py") << "low = 1  # changed\n";
  std::filesystem::last_write_time(folder / "wb_neighbour.py",
                                   std::filesystem::file_time_type::clock::now() + std::chrono::seconds(2));
  EXPECT_EQ(counts(run(jobOf(text, (folder / "relu.py").string()))).passed, 0);
  std::filesystem::remove_all(folder);
}

TEST_F(PythonKernels, GetTheImportsThatTheyForgot) {
  EXPECT_EQ(counts(run(jobOf("def relu_kernel_impl(x):\n    return torch.relu(x)\n"))).passed, 3);
}

TEST_F(PythonKernels, MayBringTheirOwnReferenceAndInputs) {
  auto text = readSource(WB_SOURCE_DIR "/resources/templates/problem.py");
  ASSERT_TRUE(text);
  Report report = run(jobOf(*text, "linear_relu.py"));
  EXPECT_EQ(report.kernels[0]->compiled->op, "problem::linear_relu");
  ASSERT_THAT(verdicts(report), SizeIs(3));
  EXPECT_THAT(verdicts(report), Each(Verdict::pass));
  const std::size_t at = text->find("min=0");
  text->replace(at, 5, "min=1");
  report = run(jobOf(*text, "linear_relu.py"));
  EXPECT_THAT(verdicts(report), Each(Verdict::mismatch));
}

// A call through the dispatcher takes a third of a microsecond more, which made copies of short models
// faster.
TEST_F(PythonKernels, OfAProblemAreTimedAsItsReferenceIsCalled) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "wb-how-models-are-called";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  Job job = jobOf(
      "import sys\nimport torch\nseen = set()\n"
      "def tell(name):\n    frame, depth = sys._getframe(1), 0\n"
      "    while frame:\n        frame, depth = frame.f_back, depth + 1\n"
      "    if (name, depth) not in seen:\n        seen.add((name, depth))\n"
      "        with open(f'" +
          folder.string() +
          "/{name}.{depth}', 'w'):\n            pass\n"
          "class Model(torch.nn.Module):\n    def forward(self, x):\n        tell('model')\n        return "
          "x.relu()\n"
          "class ModelNew(torch.nn.Module):\n    def forward(self, x):\n        tell('kernel')\n"
          "        return x.clamp(min=0)\n"
          "def get_inputs():\n    return [torch.randn(1000)]\n",
      "frames.py");
  job.stages.add(Stage::time);
  const Report report = run(job);
  EXPECT_THAT(verdicts(report), Each(Verdict::pass));
  std::set<std::string> model, kernel;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string depth = entry.path().extension().string();
    (entry.path().stem() == "model" ? model : kernel).insert(depth);
  }
  EXPECT_THAT(kernel, SizeIs(1));
  for (const std::string& depth : kernel) EXPECT_THAT(model, testing::Contains(depth));
  EXPECT_THAT(model, SizeIs(testing::Gt(1U))) << "the dispatcher calls it in another way";
}

TEST_F(PythonKernels, OfAProblemLoseNoWorker) {
  auto text = readSource(WB_SOURCE_DIR "/resources/templates/problem.py");
  ASSERT_TRUE(text);
  const Job job = jobOf(*text, "linear_relu.py");
  // What holds Python's objects ends with each run, where nobody holds the interpreter's lock.
  for (int again = 0; again < 3; ++again) {
    const Report report = run(job);
    EXPECT_TRUE(report.losses.empty()) << report.losses[0].how << ": " << report.losses[0].lastWords;
    EXPECT_THAT(verdicts(report), Each(Verdict::pass));
  }
}

TEST_F(PythonKernels, OfAProblemAreScoredAndFlaggedWhereItsInputsTellLittle) {
  const Report report = run(jobOf(
      "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return x.relu()\n"
      "class ModelNew(Model):\n    pass\ndef get_inputs():\n    return [torch.rand(1000)]\n",
      "never_negative.py"));
  EXPECT_THAT(verdicts(report), Each(Verdict::pass));
  EXPECT_THAT(check(report).message, HasSubstr("inputs are never negative: a copy of 'a0' would pass"));
  EXPECT_THAT(check(report).trivial, HasSubstr("a copy of 'a0'"));
}

// The last question about parameters leaves two models with different ones, which is no fault of the
// kernel's.
TEST_F(PythonKernels, OfAProblemHaveNoNoteWhereTheyAreModelItself) {
  for (const char* norm : {"BatchNorm2d(8)", "LayerNorm((8, 16, 16))"}) {
    const std::string model =
        "(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.norm = torch.nn." +
        std::string(norm) + "\n    def forward(self, x):\n        return self.norm(x)\n";
    const Report report = run(jobOf("import torch\nclass Model" + model + "class ModelNew" + model +
                                        "def get_inputs():\n    return [torch.rand(16, 8, 16, 16)]\n",
                                    "norm.py"));
    EXPECT_THAT(verdicts(report), Each(Verdict::pass));
    for (const Diagnostic& each : report.kernels[0]->diagnostics)
      EXPECT_THAT(each.message, Not(HasSubstr("made for the sizes"))) << norm;
  }
}

TEST_F(PythonKernels, OfAProblemFindTorchsGeneratorSeeded) {
  const Report report = run(jobOf(
      "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return x.relu()\n"
      "class ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return x.clamp(min=0)\n"
      "def get_inputs():\n    drawn = torch.randn(1000)\n"
      "    same = type(torch.default_generator)().manual_seed(torch.initial_seed())\n"
      "    assert torch.equal(drawn, torch.randn(1000, generator=same)), 'nobody has seeded the generator'\n"
      "    return [drawn]\n",
      "seeded.py"));
  EXPECT_THAT(verdicts(report), AllOf(Not(IsEmpty()), Each(Verdict::pass)));
}

TEST_F(PythonKernels, OfAProblemThatSeedsGeneratorsGetOtherInputsAllTheSame) {
  const Report report = run(jobOf(
      "import random\nimport numpy\nimport torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n"
      "        return x.relu()\n"
      "class ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return x.clamp(min=0)\n"
      "_fixed = torch.randn(8, generator=torch.Generator().manual_seed(7))\n"
      "def get_inputs():\n    own = torch.randn(8, generator=torch.Generator().manual_seed(7))\n"
      "    torch.manual_seed(7)\n    numpy.random.seed(7)\n    random.seed(7)\n"
      "    assert not torch.equal(own, _fixed) and not torch.equal(torch.randn(8), _fixed)\n"
      "    assert numpy.random.rand() != numpy.random.RandomState(7).rand()\n"
      "    assert random.random() != random.Random(7).random()\n"
      "    return [torch.randn(1000)]\n",
      "one_seed.py"));
  EXPECT_THAT(verdicts(report), AllOf(Not(IsEmpty()), Each(Verdict::pass)));
}

TEST_F(PythonKernels, OfAProblemThatCallItsModelAreSaidTo) {
  const char* model =
      "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return x.relu()\n"
      "def get_inputs():\n    return [torch.randn(1000)]\n";
  for (const char* kernel :
       {"class ModelNew(Model):\n    pass\n",
        "class ModelNew(torch.nn.Module):\n    forward = Model.forward\n",
        "class ModelNew(Model):\n    def forward(self, x):\n        return super().forward(x)\n"}) {
    const Report report = run(jobOf(std::string(model) + kernel, "itself.py"));
    EXPECT_THAT(verdicts(report), Each(Verdict::pass)) << kernel;
    EXPECT_EQ(delegatedTo("problem::itself", check(report).ran), "problem::itself") << kernel;
  }
  const Report own =
      run(jobOf(std::string(model) + "class ModelNew(Model):\n    def forward(self, x):\n        "
                                     "return x.clamp(min=0)\n",
                "itself.py"));
  EXPECT_EQ(delegatedTo("problem::itself", check(own).ran), "");
}

TEST_F(PythonKernels, OfAProblemThatChangeItsModelAreNotBelieved) {
  const char* text =
      "import gc, torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return x.relu()\n"
      "class ModelNew(torch.nn.Module):\n    def forward(self, x):\n"
      "        Model.forward = lambda self, x: x.relu().relu()\n        return x.relu()\n"
      "def get_inputs():\n    return [torch.randn(1000)]\n";
  const Report report = run(jobOf(text, "changed.py"));
  EXPECT_THAT(verdicts(report), Each(Verdict::tampered));
  EXPECT_THAT(check(report).message, HasSubstr("Model.forward"));
}

TEST_F(PythonKernels, OfAProblemTooLargeForThisMachineIsRefusedBeforeItIsMade) {
  const Report report = run(jobOf(
      "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return x.relu()\n"
      "class ModelNew(Model):\n    pass\ndef get_inputs():\n    return [torch.rand(1 << 40)]\n",
      "huge.py"));
  EXPECT_THAT(verdicts(report), Each(Verdict::refused));
  EXPECT_THAT(check(report).message, HasSubstr("the inputs take 4.00 TiB"));
}

TEST_F(PythonKernels, OfAProblemMayBeInAnotherFile) {
  auto text = readSource(WB_SOURCE_DIR "/resources/templates/problem.py");
  ASSERT_TRUE(text);
  Job job = jobOf(
      "import torch\nclass ModelNew(torch.nn.Module):\n    def __init__(self, a, b):\n        "
      "super().__init__()\n"
      "        self.linear = torch.nn.Linear(a, b)\n    def forward(self, x):\n        return "
      "self.linear(x).relu()\n");
  job.kernels[0].referencePath = "linear.py";
  job.kernels[0].referenceText = *text;
  const Report report = run(job);
  EXPECT_EQ(report.kernels[0]->compiled->op, "problem::linear");
  EXPECT_THAT(verdicts(report), Each(Verdict::pass));
  for (const Diagnostic& each : report.kernels[0]->diagnostics)
    EXPECT_THAT(each.message, testing::Not(HasSubstr("own file")));
}

TEST_F(PythonKernels, OfAProblemInTheirOwnFileAreSaidToBringWhatTheyAreComparedWith) {
  const Report report = run(jobOf(
      "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return x.relu()\n"
      "class ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return x.clamp(min=0)\n"
      "def get_inputs():\n    return [torch.randn(1000)]\n",
      "own.py"));
  EXPECT_THAT(verdicts(report), Each(Verdict::pass));
  ASSERT_EQ(report.kernels[0]->diagnostics.size(), 1U);
  EXPECT_EQ(report.kernels[0]->diagnostics[0].severity, Severity::note) << "it is no doubt";
  EXPECT_THAT(report.kernels[0]->diagnostics[0].message, HasSubstr("Model is in the kernel's own file"));
}

}  // namespace
}  // namespace wb
