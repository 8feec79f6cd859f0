// SPDX-License-Identifier: Apache-2.0
// Python kernels that take over what others use: neither their own reference nor the next kernel may be
// fooled.
#include <future>
#include <ostream>
#include <utility>
#include <variant>

#include "tests/engine/python/python_fixture.h"

namespace wb {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;

class PythonState : public PythonWorker {
 protected:
  static constexpr const char* good = "import torch\ndef relu_kernel_impl(x):\n    return x.clamp(min=0)\n";

  /// The given kernel, and after it a good one in the same run.
  static Report runBefore(const std::string& text, bool time = false) {
    Job job = jobOf(text, "first.py");
    job.kernels.push_back(job.kernels[0]);
    job.kernels[1].path = "second.py";
    job.kernels[1].text = good;
    job.stages.set(Stage::time, time);
    job.timing.capSeconds = 0.05;
    return run(job);
  }
  static std::vector<Verdict> verdictsOf(const Report& report, std::size_t kernel) {
    std::vector<Verdict> all;
    const auto& cases = report.kernels[kernel]->cases;
    for (std::size_t i = 0; i < cases.size(); ++i) all.push_back(cases[i].check.verdict);
    return all;
  }
  static std::string warnings(const Report& report, std::size_t kernel) {
    std::string text;
    for (const Diagnostic& each : report.kernels[kernel]->diagnostics) text += each.message + "\n";
    return text;
  }
  /// The second kernel neither failed nor was warned of.
  static void expectNextIsGood(const Report& report) {
    EXPECT_FALSE(report.kernels[1]->failure) << describe(*report.kernels[1]->failure);
    EXPECT_THAT(verdictsOf(report, 1), Each(Verdict::pass));
    EXPECT_THAT(warnings(report, 1), IsEmpty());
    EXPECT_EQ(report.outcome, Outcome::finished);
  }
};

TEST_F(PythonState, AKernelInThePlaceOfTheReferenceIsNoPass) {
  const Report report = runBefore(
      "import torch\n"
      "def relu_kernel_impl(x):\n    return torch.full_like(x, 7)\n"
      "library = torch.library.Library('aten', 'IMPL')\n"
      "library.impl('relu', relu_kernel_impl, 'CPU')\n");
  EXPECT_THAT(verdictsOf(report, 0), Each(Verdict::tampered));
  EXPECT_THAT(report.kernels[0]->cases[0].check.message, HasSubstr("the kernel of aten::relu for CPU"));
  EXPECT_THAT(warnings(report, 0), HasSubstr("fresh process"));
  expectNextIsGood(report);
}

TEST_F(PythonState, OneThatStepsInDuringACallIsNoPassEither) {
  const Report report = runBefore(
      "import torch\nlibrary = torch.library.Library('aten', 'IMPL')\ndone = []\n"
      "def relu_kernel_impl(x):\n"
      "    if not done:\n"
      "        done.append(library.impl('relu', lambda x: torch.full_like(x, 7), 'CPU'))\n"
      "    return torch.full_like(x, 7)\n");
  EXPECT_THAT(verdictsOf(report, 0), Each(Verdict::tampered));
  expectNextIsGood(report);
}

TEST_F(PythonState, WhatIsPatchedCostsTheScoreAndNotTheNextKernel) {
  const Report report = runBefore(
      "import torch, builtins, sys, os\n"
      "torch.clamp = torch.Tensor.clamp = lambda *a, **k: 1 / 0\n"
      "del builtins.sorted\n"
      "del sys.modules['ast']\n"
      "os.environ['PATH'] = ''\n"
      "def relu_kernel_impl(x):\n    return x.relu()\n",
      /*time=*/true);
  EXPECT_THAT(verdictsOf(report, 0), Each(Verdict::pass));
  EXPECT_THAT(report.kernels[0]->cases[0].notTimed, HasSubstr("torch.Tensor.clamp"));
  for (const char* word : {"torch.clamp", "the built-in sorted", "ast is gone", "variable PATH"})
    EXPECT_THAT(warnings(report, 0), HasSubstr(word));
  expectNextIsGood(report);
  EXPECT_TRUE(report.kernels[1]->cases[0].timing) << report.kernels[1]->cases[0].notTimed;
}

TEST_F(PythonState, WhatAKernelPatchesWhileItGoesAwayDoesNotReachTheNext) {
  // The class is in the module that the object keeps alive, so that both are gone only when Python looks for
  // what nobody can reach.
  Report report = runBefore(
      "import torch\n"
      "class Last:\n"
      "    def __del__(self, torch=torch):\n"
      "        torch.clamp = torch.Tensor.clamp = lambda *a, **k: 1 / 0\n"
      "last = Last()\n"
      "def relu_kernel_impl(x, last=last):\n    return x.relu()\n"
      "del last\n",
      /*time=*/true);
  EXPECT_THAT(verdictsOf(report, 0), Each(Verdict::pass));
  EXPECT_THAT(warnings(report, 0), HasSubstr("cannot be undone: torch.clamp, torch.Tensor.clamp."));
  expectNextIsGood(report);
  EXPECT_TRUE(report.kernels[1]->cases[0].timing) << report.kernels[1]->cases[0].notTimed;
  // Nor one of the next run.
  report = runBefore(good);
  EXPECT_THAT(verdictsOf(report, 0), Each(Verdict::pass));
  EXPECT_THAT(warnings(report, 0), IsEmpty());
}

TEST_F(PythonState, WhatAModelPatchesWhileItGoesAwayDoesNotReachTheNext) {
  const std::string problem =
      "import torch\n"
      "class Model(torch.nn.Module):\n    def forward(self, x):\n        return x.clamp(min=0)\n"
      "def get_inputs():\n    return [torch.randn(100)]\n"
      "def get_init_inputs():\n    return []\n";
  const std::string last =
      "import torch\n"
      "class Last:\n"
      "    def __del__(self, torch=torch):\n"
      "        torch.clamp = torch.Tensor.clamp = lambda *a, **k: 1 / 0\n"
      "class ModelNew(torch.nn.Module):\n"
      "    def __init__(self):\n        super().__init__()\n        self.last = Last()\n"
      "    def forward(self, x):\n        return x.relu()\n";
  Job job = jobOf(last, "first.py");
  job.suite = "own";
  job.cases.clear();
  job.kernels[0].referencePath = "problem.py";
  job.kernels[0].referenceText = problem;
  const Report report = run(job);
  ASSERT_FALSE(report.kernels[0]->failure) << describe(*report.kernels[0]->failure);
  EXPECT_THAT(verdictsOf(report, 0), Each(Verdict::pass));
  EXPECT_THAT(warnings(report, 0), HasSubstr("cannot be undone: torch.clamp, torch.Tensor.clamp."));
  EXPECT_THAT(verdictsOf(run(jobOf(good)), 0), Each(Verdict::pass));
}

TEST_F(PythonState, WhatACancelledKernelHasPatchedDoesNotReachTheNextRun) {
  Job job = jobOf(
      "import torch, time\n"
      "torch.clamp = torch.Tensor.clamp = lambda *a, **k: 1 / 0\n"
      "def relu_kernel_impl(x):\n    time.sleep(0.02)\n    return x.relu()\n");
  Report report = startReport(job);
  std::promise<void> first;
  bool done = false;
  const Runner::RunId id = runner->submit(job, [&](Runner::RunId, const Event& event) {
    fold(report, event);
    if (std::holds_alternative<StepDone>(event) && !std::exchange(done, true)) first.set_value();
  });
  first.get_future().wait();
  runner->cancel(id);
  runner->wait();
  EXPECT_EQ(report.outcome, Outcome::cancelled);
  report = run(jobOf(good));
  EXPECT_THAT(verdictsOf(report, 0), Each(Verdict::pass));
  EXPECT_THAT(warnings(report, 0), IsEmpty());
}

struct Left {
  const char* name;
  /// What a kernel does when it is loaded, and what the next one gives, which knows nothing of it.
  const char *first, *next;
};
void PrintTo(const Left& left, std::ostream* out) {
  *out << left.name;
}

class LeftInPython : public PythonState, public testing::WithParamInterface<Left> {};

TEST_P(LeftInPython, DoesNotReachTheNextKernel) {
  const std::string imports = "import importlib.util, math, os, struct, sys, torch, types\n";
  Job job =
      jobOf(imports + GetParam().first + "\ndef relu_kernel_impl(x):\n    return x.relu()\n", "first.py");
  job.kernels.push_back(job.kernels[0]);
  job.kernels[1].path = "second.py";
  job.kernels[1].text = imports + "def relu_kernel_impl(x):\n    return " + GetParam().next + "\n";
  const Report report = run(job);
  EXPECT_THAT(verdictsOf(report, 0), Each(Verdict::pass));
  expectNextIsGood(report);
}

INSTANTIATE_TEST_SUITE_P(
    Things, LeftInPython,
    testing::Values(
        Left{"ANumber", "math.pi = 3", "x.clamp(min=0) * (math.pi > 3.1)"},
        Left{"ANumberThatIsSetWhileItGoesAway",
             "class Last:\n    def __init__(self):\n        self.me = self\n"
             "    def __del__(self, math=math):\n        math.pi = 3\nlast = Last()",
             "x.clamp(min=0) * (math.pi > 3.1)"},
        Left{"AFunctionOfALibrary", "struct.unpack = lambda *a: (9.0,)",
             "x.clamp(min=struct.unpack('f', bytes(4))[0])"},
        Left{"ADtype", "torch.float64 = torch.float16", "x.relu() + (torch.float64.itemsize - 8)"},
        Left{"AnOperator", "torch.ops.aten.clamp_min = lambda *a: 1 / 0", "torch.ops.aten.clamp_min(x, 0)"},
        Left{"APlaceOfModules", "sys.path.insert(0, '/tmp')", "x.relu() + ('/tmp' in sys.path)"},
        Left{"AVariable", "os.environ['WB_LEFT'] = '1'", "x.relu() + ('WB_LEFT' in os.environ)"},
        Left{"AModule",
             "there = sys.modules\nthere['wb_left'] = types.ModuleType('wb_left')\n"
             "there['wb_left'].__spec__ = sys.__spec__",
             "x.relu() + (importlib.util.find_spec('wb_left') is not None)"},
        Left{"HowModulesAreMade",
             "made = importlib.util.module_from_spec\n"
             "class Other(types.ModuleType):\n"
             "    def __getattribute__(self, name):\n"
             "        return (lambda x: x * 0) if name.startswith('relu') else "
             "super().__getattribute__(name)\n"
             "importlib.util.module_from_spec = lambda spec: Other(spec.name)",
             "x.relu()"},
        Left{"ObjectsThatComeAgain",
             "class Again:\n    def __init__(self):\n        self.me = self\n"
             "    def __del__(self):\n        Again()\n        sys.wb_came = True\nAgain()",
             "x.relu() + hasattr(sys, 'wb_came')"}),
    [](const auto& info) { return info.param.name; });

TEST_F(PythonState, ALibraryThatIsForAllToUseIsNamedAndDoesNotAnswerForTheNext) {
  const std::string right =
      "at::Tensor relu_kernel_impl(const at::Tensor& x) { return at::clamp_min(x, 0); }\n";
  Job job = checkOf("first.cpp",
                    "#include <ATen/ATen.h>\n#include <dlfcn.h>\n" + right +
                        "static void* const forAll = [] {\n"
                        "  Dl_info own{};\n"
                        "  dladdr(reinterpret_cast<void*>(&relu_kernel_impl), &own);\n"
                        "  return dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);\n}();\n",
                    {"3", "4"});
  job.kernels.push_back(job.kernels[0]);
  job.kernels[1].path = "second.cpp";
  job.kernels[1].text =
      "#include <ATen/ATen.h>\nat::Tensor relu_kernel_impl(const at::Tensor& x) { return x * 0; }\n";
  const Report report = run(job);
  EXPECT_THAT(verdictsOf(report, 0), Each(Verdict::pass));
  EXPECT_THAT(warnings(report, 0), HasSubstr("for all that is loaded later"));
  EXPECT_THAT(verdictsOf(report, 1), Each(Verdict::mismatch));
}

TEST_F(PythonState, WhatWatchesOrSlowsAllOfPythonIsPutBack) {
  const Report report = runBefore(
      "import torch, sys, gc\n"
      "gc.set_threshold(1)\ngc.callbacks.append(lambda *a: None)\nsys.setswitchinterval(1)\n"
      "torch.nn.Linear.forward = lambda *a: 1 / 0\n"
      "def relu_kernel_impl(x):\n    sys.settrace(lambda *a: None)\n    return x.clamp(min=0)\n");
  EXPECT_THAT(verdictsOf(report, 0), Each(Verdict::pass));
  for (const char* word :
       {"the thresholds of the garbage collector", "callbacks of the garbage collector",
        "how often Python's threads take turns", "a trace function of Python's", "torch.nn.Linear.forward"})
    EXPECT_THAT(warnings(report, 0), HasSubstr(word));
  expectNextIsGood(report);
}

TEST_F(PythonState, FunctionsThatGetOtherCodeAreNamed) {
  const Report report = runBefore(
      "import torch, sys, types\n"
      "def slow(input, dim=None, _stacklevel=3, dtype=None):\n    return 1 / 0\n"
      "torch.nn.functional.softmax.__code__ = slow.__code__\n"
      "torch.nn.modules.activation.F = types.ModuleType('F')\n"
      "torch.nn.init.uniform_ = torch.nn.init.zeros_\n"
      "torch._C._get_tracing_state = lambda: None\n"
      "torch.random.default_generator = torch.Generator()\n"
      "torch.nn.functional.glu = torch._dynamo.disable(slow)\n"
      "sys.modules['json'] = types.ModuleType('json')\n"
      "sys.modules['warpbench_inputs'].as_list.__code__ = (lambda given: given).__code__\n"
      "def relu_kernel_impl(x):\n    return x.clamp(min=0)\n");
  const std::string said = warnings(report, 0);
  for (const char* word :
       {"torch.nn.modules.activation.F", "torch.nn.init.uniform_", "torch._C._get_tracing_state",
        "torch.random.default_generator", "torch.nn.functional.glu", "and 2 more"})
    EXPECT_THAT(said, HasSubstr(word));
  expectNextIsGood(report);
}

TEST_F(PythonState, CodeThatNamesAFileOfTorchsThatIsNotThereIsNotTorchs) {
  const Report report = runBefore(
      "import os, torch, types\n"
      "def around(true):\n"
      "    def glu(*given, **named):\n        return true(*given, **named)\n"
      "    return glu\n"
      "shared = torch.nn.functional\n"
      "made = around(shared.glu)\n"
      "code = made.__code__.replace(co_filename=os.path.dirname(torch.__file__) + '/no_such_file.py')\n"
      "shared.glu = types.FunctionType(code, vars(shared), 'glu', None, made.__closure__)\n"
      "def relu_kernel_impl(x):\n    return x.clamp(min=0)\n");
  EXPECT_THAT(warnings(report, 0), HasSubstr("torch.nn.functional.glu"));
  expectNextIsGood(report);
}

TEST_F(PythonState, WhatPythonAllowsIsTheKernelsOwn) {
  const Report report = run([] {
    Job job = jobOf(
        "import numpy, sys, torch, warnings\n"
        "numpy.seterr(all='raise')\nsys.setrecursionlimit(150)\nwarnings.simplefilter('error')\n"
        "def relu_kernel_impl(x):\n    return x.clamp(min=0)\n",
        "first.py");
    job.kernels.push_back(job.kernels[0]);
    job.kernels[1].path = "second.py";
    job.kernels[1].text =
        "import numpy, sys, torch, warnings\n"
        "def relu_kernel_impl(x):\n"
        "    assert sys.getrecursionlimit() > 500\n"
        "    warnings.warn('nobody stops for this')\n"
        "    numpy.float32(0) / numpy.float32(0)\n"
        "    return x.clamp(min=0)\n";
    return job;
  }());
  EXPECT_THAT(verdictsOf(report, 0), Each(Verdict::pass));
  EXPECT_THAT(warnings(report, 0), IsEmpty()) << "many an honest kernel sets these";
  expectNextIsGood(report);
}

TEST_F(PythonState, TheDefaultDtypeIsNoPatchOfTorchs) {
  const Report report = runBefore(
      "import torch\ntorch.set_default_dtype(torch.float64)\n"
      "def relu_kernel_impl(x):\n    return x.clamp(min=0)\n",
      /*time=*/true);
  EXPECT_THAT(verdictsOf(report, 0), Each(Verdict::pass));
  EXPECT_EQ(report.kernels[0]->cases[0].notTimed, "");
  EXPECT_THAT(warnings(report, 0), HasSubstr("the default dtype"));
  expectNextIsGood(report);
}

TEST_F(PythonState, SettingsAndModesStayTheKernelsOwn) {
  const Report report = runBefore(
      "import torch\n"
      "torch.set_num_threads(3)\ntorch.set_default_dtype(torch.float64)\ntorch.set_default_device('meta')\n"
      "torch.set_flush_denormal(True)\n"
      "def relu_kernel_impl(x):\n"
      "    assert torch.get_num_threads() == 3 and torch.ones(1).device.type == 'meta'\n"
      "    return torch.relu(x)\n");
  EXPECT_THAT(verdictsOf(report, 0), Each(Verdict::pass)) << report.kernels[0]->cases[0].check.message;
  for (const char* word : {"the number of threads (3, was", "the default dtype (Double, was Float)",
                           "a mode of torch", "flushing of denormal numbers"})
    EXPECT_THAT(warnings(report, 0), HasSubstr(word));
  expectNextIsGood(report);
}

}  // namespace
}  // namespace wb
