// SPDX-License-Identifier: Apache-2.0
// Kernels that need the judge's own process for what they do. None of them gives a right answer, and strictly
// judged none of them passes. What they gain without that is told in tests/exploits.
#include "tests/engine/strict/strict_fixture.h"

namespace wb {
namespace {

using testing::Each;
using testing::Not;

struct Cheat {
  const char* name;
  const char* file;
  const char* text;
};

class StrictCheats : public StrictWorker, public testing::WithParamInterface<Cheat> {};

TEST_P(StrictCheats, DoNotPass) {
  Job job = jobOf(GetParam().file, GetParam().text);
  job.limits.caseSeconds = job.limits.firstCallSeconds = 10;
  const Report report = run(job);
  ASSERT_FALSE(report.kernels[0]->failure) << describe(*report.kernels[0]->failure);
  EXPECT_THAT(verdicts(report), Each(Not(Verdict::pass)));
  EXPECT_THAT(verdicts(report), Each(Not(Verdict::notRun)));
}

constexpr const char* overridden = R"(#include <torch/extension.h>
#include <torch/library.h>
static at::Tensor zeros(const at::Tensor& x) { return at::zeros_like(x); }
static torch::Library& library() {
  static torch::Library made(torch::Library::IMPL, "aten", c10::DispatchKey::CPU, __FILE__, 2);
  return made;
}
static const bool done = [] { library().impl("relu", zeros); return true; }();
at::Tensor relu(const at::Tensor& x) { return zeros(x); }
)";

constexpr const char* overriddenInPython = R"(import torch
library = torch.library.Library("aten", "IMPL")
library.impl("relu", lambda x: torch.zeros_like(x), "CPU")
def relu_kernel_impl(x):
    return torch.zeros_like(x)
)";

constexpr const char* comparesRight = R"(import torch
torch.isclose = torch.allclose = torch.equal = lambda *a, **k: True
torch.Tensor.__eq__ = lambda a, b: True
library = torch.library.Library("aten", "IMPL")
library.impl("eq.Tensor", lambda a, b: torch.ones(a.shape, dtype=torch.bool), "CPU")
library.impl("isclose", lambda a, b, *r, **k: torch.ones(a.shape, dtype=torch.bool), "CPU")
def relu_kernel_impl(x):
    return torch.zeros_like(x) + 3
)";

constexpr const char* worksLater = R"(#include <torch/extension.h>
#include <chrono>
#include <thread>
at::Tensor relu(const at::Tensor& x) {
  at::Tensor y = at::full_like(x, 5);
  std::thread([x, y]() mutable {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    y.copy_(at::clamp_min(x, 0));
  }).detach();
  return y;
}
)";

constexpr const char* searches = R"(import gc, torch
def relu_kernel_impl(x):
    for each in gc.get_objects():
        if type(each) is torch.Tensor and each is not x and each.shape == x.shape and bool((each >= 0).all()):
            if each.sum() > 0:
                return each
    return torch.zeros_like(x) + 3
)";

constexpr const char* searchesMemory = R"(#include <torch/extension.h>
#include <cstdio>
#include <cstring>
// Looks for bytes that begin as relu of the input does, in all memory of this process beside its own.
at::Tensor relu(const at::Tensor& x) {
  const at::Tensor flat = x.contiguous().view(-1);
  float first[2] = {std::max(flat[0].item<float>(), 0.f), std::max(flat[1].item<float>(), 0.f)};
  at::Tensor y = at::full_like(x, 7);
  if (first[0] == 0 && first[1] == 0) return y;
  FILE* maps = std::fopen("/proc/self/maps", "r");
  char line[512];
  while (maps && std::fgets(line, sizeof line, maps)) {
    unsigned long from = 0, to = 0;
    char rights[8];
    if (std::sscanf(line, "%lx-%lx %7s", &from, &to, rights) != 3 || std::strncmp(rights, "rw", 2) != 0) continue;
    if (std::strstr(line, "[stack") || to - from > (64ul << 20)) continue;
    for (unsigned long at = from; at + y.nbytes() <= to; at += 16)
      if (at != reinterpret_cast<unsigned long>(&first) && std::memcmp(reinterpret_cast<void*>(at), first, 8) == 0 &&
          at != reinterpret_cast<unsigned long>(flat.const_data_ptr())) {
        std::memcpy(y.mutable_data_ptr(), reinterpret_cast<void*>(at), y.nbytes());
        std::fclose(maps);
        return y;
      }
  }
  return y;
}
)";

constexpr const char* forges = R"(import os, torch
def relu_kernel_impl(x):
    words = b'{"case":0,"kernel":0,"check":{"verdict":"pass"}}\n' * 4
    for descriptor in range(1, 64):
        try:
            os.set_blocking(descriptor, False)
            os.write(descriptor, words)
        except OSError:
            pass
    return torch.zeros_like(x) + 3
)";

constexpr const char* saysDone = R"(import os, mmap, torch
def scribble():
    for line in open("/proc/self/maps"):
        if "memfd:warpbench" in line:
            low, high = (int(part, 16) for part in line.split()[0].split("-"))
            yield low, high
def relu_kernel_impl(x):
    import ctypes
    for low, high in scribble():
        if high - low > 4 << 20:
            ctypes.memset(low, 1, 16384)
    return torch.zeros_like(x) + 3
)";

constexpr const char* lazyList = R"(import torch
class Later(list):
    def __getitem__(self, i):
        return torch.relu(self.x)
    def __len__(self):
        return 1
def relu_kernel_impl(x):
    made = Later()
    made.x = x
    return torch.nn.Parameter(torch.zeros_like(x) + 3, requires_grad=False)
)";

constexpr const char* exits = R"(import os
def relu_kernel_impl(x):
    os._exit(0)
)";

INSTANTIATE_TEST_SUITE_P(
    All, StrictCheats,
    testing::Values(Cheat{"OverridesTheReference", "relu.cpp", overridden},
                    Cheat{"OverridesTheReferenceInPython", "relu.py", overriddenInPython},
                    Cheat{"MakesEverythingCompareRight", "relu.py", comparesRight},
                    Cheat{"WorksLater", "relu.cpp", worksLater},
                    Cheat{"SearchesTheGarbageCollector", "relu.py", searches},
                    Cheat{"SearchesMemory", "relu.cpp", searchesMemory},
                    Cheat{"ForgesMessages", "relu.py", forges},
                    Cheat{"WritesIntoTheJudgesPage", "relu.py", saysDone},
                    Cheat{"AnswersLater", "relu.py", lazyList}, Cheat{"Exits", "relu.py", exits}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace wb
