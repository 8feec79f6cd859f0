// SPDX-License-Identifier: Apache-2.0
// Problems with weights of a short type: a kernel that rounds once is nearer to float64 than their reference
// is.
#include <fmt/format.h>

#include <string>

#include "tests/engine/python/python_fixture.h"

namespace wb {
namespace {

using testing::Each;

struct Problem {
  const char* name;
  /// The body of Model; `short` is its type.
  const char* model;
  const char* input = "torch.randn(64, 32, dtype=short)";
};

class WideReferences : public PythonWorker, public testing::WithParamInterface<Problem> {
 protected:
  /// ModelNew computes the same in float32 and rounds once; `end` is what it does with that.
  static Report of(const Problem& problem, const std::string& type, const std::string& end = "y") {
    const std::string begin =
        fmt::format("import copy\nimport torch\nimport torch.nn.functional as F\nshort = torch.{}\n", type);
    const std::string model = begin + "class Model(torch.nn.Module):\n" + problem.model;
    Job job = jobOf(model +
                        "class ModelNew(Model):\n"
                        "    def forward(self, x):\n"
                        "        wide = lambda each: each.float() if each.is_floating_point() else each\n"
                        "        x = [wide(each) for each in x] if isinstance(x, list) else wide(x)\n"
                        "        model = copy.deepcopy(self).float()\n"
                        "        model.inside = torch.float\n"
                        "        y = Model.forward(model, x).to(short)\n"
                        "        return " +
                        end + "\n",
                    "new.py");
    job.kernels[0].referencePath = "problem.py";
    job.kernels[0].referenceText = model + fmt::format("def get_inputs():\n    return [{}]\n", problem.input);
    job.cases.clear();
    job.checking.oracle = true;
    return run(job);
  }
};

TEST_P(WideReferences, AreNoReasonToCallWhatRoundsOnceWrong) {
  for (const char* type : {"bfloat16", "float16"}) {
    const Report report = of(GetParam(), type);
    EXPECT_THAT(verdicts(report), Each(Verdict::pass)) << type << ": " << check(report).message;
    ASSERT_TRUE(check(report).errors->oracleAbs) << type;
    // Each draw has a largest error of its own; once in thousands that of one rounding is the larger one.
    EXPECT_LE(*check(report).errors->oracleAbs, 1.5 * *check(report).errors->oracleReferenceAbs) << type;
    EXPECT_THAT(verdicts(of(GetParam(), type, "y * 1.1")), Each(Verdict::mismatch)) << type;
  }
}

INSTANTIATE_TEST_SUITE_P(, WideReferences,
                         testing::Values(Problem{"layers", R"(
    def __init__(self):
        super().__init__()
        self.into, self.norm = torch.nn.Linear(32, 48, dtype=short), torch.nn.LayerNorm(48, dtype=short)
    def forward(self, x):
        return F.gelu(self.norm(self.into(x)))
)"},
                                         Problem{"sharedWeights", R"(
    def __init__(self):
        super().__init__()
        self.first, self.second = (torch.nn.Linear(32, 32, dtype=short) for _ in range(2))
        self.second.weight = self.first.weight
    def forward(self, x):
        return F.silu(self.second(F.silu(self.first(x))))
)"},
                                         Problem{"recurrent", R"(
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.GRU(32, 16, batch_first=True, dtype=short)
    def forward(self, x):
        return F.gelu(self.layer(x)[0])
)",
                                                 "torch.randn(4, 5, 32, dtype=short)"},
                                         Problem{"keptTable", R"(
    def __init__(self):
        super().__init__()
        self.into, self.kept = torch.nn.Linear(32, 48, dtype=short), None
    def forward(self, x):
        if self.kept is None or x.dtype == torch.float64:
            self.kept = torch.linspace(0.5, 2, 48, dtype=x.dtype)
        return F.gelu(self.into(x) * self.kept.to(x.dtype if x.dtype == torch.float32 else self.kept.dtype))
)"},
                                         Problem{"statistics", R"(
    def __init__(self):
        super().__init__()
        self.into, self.norm = torch.nn.Linear(32, 48, dtype=short), torch.nn.BatchNorm1d(48, dtype=short)
        self.eval()
    def forward(self, x):
        return F.gelu(self.norm(self.into(x)))
)"},
                                         Problem{"conversions", R"(
    inside = short
    def __init__(self):
        super().__init__()
        self.norm, self.into = torch.nn.LayerNorm(32), torch.nn.Linear(32, 48, dtype=short)
    def forward(self, x):
        return F.softmax(F.gelu(self.into(self.norm(x.float()).to(self.inside))), -1, dtype=torch.float32).to(self.inside)
)"},
                                         Problem{"weightsOfFloat32", R"(
    inside = short
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(32, 48))
        self.shift = torch.randn(48).to(short)
    def forward(self, x):
        return F.gelu(x @ self.weight.to(self.inside) + self.shift.to(self.inside))
)"},
                                         Problem{"lists", R"(
    def __init__(self):
        super().__init__()
        self.into = torch.nn.Linear(32, 48, dtype=short)
    def forward(self, x):
        return F.gelu(self.into(x[0]) * torch.tanh(x[1].sum(-1, keepdim=True)))
)",
                                                 "[torch.randn(64, 32, dtype=short) for _ in range(2)]"},
                                         Problem{"automatic", R"(
    inside = short
    def __init__(self):
        super().__init__()
        self.into, self.end = torch.nn.Linear(32, 48), torch.nn.Linear(48, 48)
    def forward(self, x):
        with torch.autocast("cpu", dtype=short, enabled=self.inside == short):
            return F.gelu(self.end(F.silu(self.into(x))))
)",
                                                 "torch.randn(64, 32)"},
                                         Problem{"tokens", R"(
    def __init__(self):
        super().__init__()
        self.words, self.into = torch.nn.Embedding(64, 32, dtype=short), torch.nn.Linear(32, 48, dtype=short)
    def forward(self, x):
        return F.gelu(self.into(F.silu(self.words(x))))
)",
                                                 "torch.randint(0, 64, (8, 16))"},
                                         Problem{"scripted", R"(
    def __init__(self):
        super().__init__()
        self.into, self.end = torch.nn.Linear(32, 48, dtype=short), torch.nn.Linear(48, 48, dtype=short)
        self.middle = torch.jit.script(torch.nn.Sequential(torch.nn.Linear(48, 48, dtype=short), torch.nn.SiLU()))
    def forward(self, x):
        return F.gelu(self.end(self.middle(self.into(x))))
)"},
                                         Problem{"tablesByLength", R"(
    def __init__(self):
        super().__init__()
        self.into, self.kept = torch.nn.Linear(32, 48, dtype=short), {}
    def forward(self, x):
        if x.dtype == torch.float64 or len(x) not in self.kept:
            self.kept[len(x)] = torch.linspace(0.5, 2, 48, dtype=x.dtype)
        return F.gelu(self.into(x) * self.kept[len(x)].to(x.dtype if x.dtype == torch.float else short))
)"}),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace wb
