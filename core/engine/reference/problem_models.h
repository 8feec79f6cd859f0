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

/// Which other numbers parameters begin as: what begins as one number everywhere, as a norm's weight does, is
/// another one in each place; what begins as the identity is nearly that, and what is never negative has
/// signs; all but the constant ones are much larger. Or those of the models that are there change, until they
/// are put back.
enum class ParameterValues : std::uint8_t { constants, others, large, changed, putBack };

/// What comes of drawing the parameters of both models: there were none, both have the same, or each has
/// others, so that the two say different things.
enum class ParametersDrawn { none, alike, different };

/// One of a problem's two models: what can be asked of it beside its calls, here or in another process. It
/// changes the model. Who cannot answer says nothing.
class ProblemModel {
 public:
  virtual ~ProblemModel() = default;
  /// Keeps what the buffers hold now.
  virtual void rememberBuffers() = 0;
  /// Those that were there then, too.
  [[nodiscard]] virtual std::vector<KeptBuffer> buffers() = 0;
  /// Makes the model again, with such parameters from the seed, but where those that are there change. Gives
  /// those, ordered by their names; none where something else was drawn, too. A reference without such
  /// parameters stays as it is.
  [[nodiscard]] virtual std::vector<DrawnParameter> drawParameters(std::uint64_t seed,
                                                                   ParameterValues values) = 0;
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
/// Makes both again with such parameters.
[[nodiscard]] ParametersDrawn drawParameters(const ProblemModels& models, std::uint64_t seed,
                                             ParameterValues values);

}  // namespace wb
