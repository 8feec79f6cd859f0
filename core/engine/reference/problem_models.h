// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace wb {

/// A buffer that a model keeps from one call to the next, of numbers with a fraction: counters are nobody's
/// result.
struct KeptBuffer {
  /// "layer.running_mean", "[64]".
  std::string name, shape;
  /// It holds something else than it did when all of them were remembered.
  bool changed = false;
  bool operator==(const KeptBuffer&) const = default;
};

/// A parameter that a layer has drawn, and a number that depends on all of its bits.
struct DrawnParameter {
  std::string name;
  std::uint64_t digest = 0;
  bool operator==(const DrawnParameter&) const = default;
};

/// One of a problem's two models: what can be asked of it beside its calls, here or in another process. It
/// changes the model. Who cannot answer says nothing.
class ProblemModel {
 public:
  virtual ~ProblemModel() = default;
  /// Keeps what the buffers hold now.
  virtual void rememberBuffers() = 0;
  /// Those that were there then, too.
  [[nodiscard]] virtual std::vector<KeptBuffer> buffers() = 0;
  /// Makes the model again. Layers draw, from the seed, the parameters that begin as the same number
  /// everywhere, as a norm's weight does. Gives those, ordered by their names; none where something else was
  /// drawn, too. A reference without such parameters stays as it is.
  [[nodiscard]] virtual std::vector<DrawnParameter> drawParameters(std::uint64_t seed) = 0;
};

/// Both models of a problem that brings its own reference; those that are no torch.nn.Module, or are not
/// here, are null.
struct ProblemModels {
  std::shared_ptr<ProblemModel> reference, candidate;
  [[nodiscard]] bool areBoth() const { return reference && candidate; }
};

void rememberBuffers(const ProblemModels& models);
/// A buffer that the reference has changed since then while the kernel's of the same name and shape has
/// stayed as it was; "" where there is none.
[[nodiscard]] std::string bufferLeft(const ProblemModels& models);
/// Makes both again with drawn parameters. False where there are none, or the two have drawn other ones: then
/// they say different things.
[[nodiscard]] bool drawParameters(const ProblemModels& models, std::uint64_t seed);

}  // namespace wb
