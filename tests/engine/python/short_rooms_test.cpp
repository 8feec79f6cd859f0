// SPDX-License-Identifier: Apache-2.0
// Kernels in a short type that round at other places than their reference.
#include <string>

#include "tests/engine/python/python_fixture.h"

namespace wb {
namespace {

using testing::Each;

class ShortRooms : public PythonWorker {
 protected:
  /// Attention that keeps its probabilities in bfloat16; `end` is what it does with its answer y.
  static Report of(const std::string& end) {
    const std::string model = R"(
import torch
import torch.nn.functional as F
short = torch.bfloat16
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.into, self.end = torch.nn.Linear(64, 192, dtype=short), torch.nn.Linear(64, 64, dtype=short)
    def parts(self, x):
        return self.into(x).view(*x.shape[:2], 3, 4, 16).permute(2, 0, 3, 1, 4)
    def ended(self, y):
        return self.end(y.transpose(1, 2).flatten(2))
    def forward(self, x):
        return self.ended(F.scaled_dot_product_attention(*self.parts(x), is_causal=True))
)";
    Job job = jobOf(model + R"(
class ModelNew(Model):
    def forward(self, x):
        q, k, v = self.parts(x)
        scores = q.float() @ k.float().transpose(-1, -2) / 4
        later = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
        y = self.ended(scores.masked_fill(later, -torch.inf).softmax(-1).to(short) @ v)
        )" + end + "\n        return y\n",
                    "new.py");
    job.kernels[0].referencePath = "problem.py";
    job.kernels[0].referenceText =
        model + "def get_inputs():\n    return [torch.randn(8, 128, 64, dtype=short)]\n";
    job.cases.clear();
    return run(job);
  }
};

TEST_F(ShortRooms, AFewElementsOfNumbersThatCancelAreRight) {
  const Report report = of("");
  EXPECT_THAT(verdicts(report), Each(Verdict::pass)) << check(report).message;
}

TEST_F(ShortRooms, ButNeitherManyNorThoseThatAreFarOff) {
  EXPECT_THAT(verdicts(of("y.flatten()[::600] += 0.002")), Each(Verdict::mismatch));
  EXPECT_THAT(verdicts(of("y[0, 5, 7] += 0.1")), Each(Verdict::mismatch));
}

/// The reference's own answer is the worse one, and no measure of how exact another is.
TEST_F(ShortRooms, ALossInFloat32OfWhatIsShortIsHeldToFloat64) {
  const std::string model = R"(
import torch
import torch.nn.functional as F
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.head = torch.nn.Linear(64, 200, dtype=torch.bfloat16)
        self.register_buffer("weights", torch.rand(200) + 0.5)
    def forward(self, x, y):
        return F.cross_entropy(self.head(x).float(), y, weight=self.weights, label_smoothing=0.1)
)";
  Job job = jobOf(model + R"(
class ModelNew(Model):
    def forward(self, x, y):
        z = x.float() @ self.head.weight.float().t() + self.head.bias.float()
        p, keep = z - z.logsumexp(-1, keepdim=True), y != -100
        w = self.weights[y.clamp(min=0)] * keep
        nll = -(p.gather(1, y.clamp(min=0)[:, None]).squeeze(1) * w).sum() / w.sum()
        return 0.9 * nll - 0.1 / 200 * ((p * self.weights).sum(1) * keep).sum() / w.sum()
)",
                  "new.py");
  job.kernels[0].referencePath = "problem.py";
  job.kernels[0].referenceText = model + R"(
def get_inputs():
    y = torch.randint(0, 200, (256,))
    y[::7] = -100
    return [torch.randn(256, 64, dtype=torch.bfloat16), y]
)";
  job.cases.clear();
  for (job.seed = 0; job.seed < 12; ++job.seed) {
    const Report report = run(job);
    EXPECT_THAT(verdicts(report), Each(Verdict::pass)) << job.seed << check(report).message;
  }
}

}  // namespace
}  // namespace wb
