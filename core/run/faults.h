// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace wb {

/// Which places of a run fail by no fault of a kernel's, so that they get nothing more.
class Faults {
 public:
  explicit Faults(std::size_t places) : hasFailed_(places) {}

  /// A place has lost a worker outside user code, at work on that kernel where it had work.
  void note(std::size_t place, std::optional<std::uint32_t> kernel) { faults_.push_back({place, kernel}); }
  /// The place has done what it was given: that it could not be reached before is over.
  void noteDone(std::size_t place);
  /// No worker can be started there.
  void noteFailure(std::size_t place) { hasFailed_[place] = true; }
  [[nodiscard]] bool hasFailed(std::size_t place) const { return hasFailed_[place]; }
  /// It has failed twice, where others have not. What a kernel does in more than one place is the kernel's
  /// doing. As long as no other place is any better, none is left out.
  [[nodiscard]] bool isOut(std::size_t place) const;

 private:
  struct Fault {
    std::size_t place = 0;
    std::optional<std::uint32_t> kernel;
  };
  [[nodiscard]] bool isUnfit(std::size_t place) const;

  std::vector<Fault> faults_;
  std::vector<bool> hasFailed_;
};

}  // namespace wb
