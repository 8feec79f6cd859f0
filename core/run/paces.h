// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace wb {

/// How fast the places of a run are. They are compared by the steps that several have done: the same stage of
/// the same kernel. The seconds come from whoever has a clock.
class Paces {
 public:
  explicit Paces(std::size_t places) : places_(places) {}

  /// A place has done a step in so many seconds.
  void note(std::size_t place, std::uint32_t kernel, Stage stage, double seconds);
  /// It took a place so many seconds to load a kernel that another one has compiled.
  void noteLoad(std::uint32_t kernel, double seconds);
  /// Whether it has done a step.
  [[nodiscard]] bool isKnown(std::size_t place) const { return places_[place].took > 0; }
  /// How many times as fast as the mean of all it is; 1 where that is not known.
  [[nodiscard]] double speed(std::size_t place) const;
  /// How long such a step will take there; nothing where nobody has done one.
  [[nodiscard]] std::optional<double> expected(std::size_t place, std::uint32_t kernel, Stage stage) const;
  /// How long it takes to load a kernel, on the mean of all places; 0 where nobody has done it yet.
  [[nodiscard]] double load(std::uint32_t kernel) const;

 private:
  struct Mean {
    std::size_t steps = 0;
    double seconds = 0;
  };
  /// What a place's steps took, and what they take on the mean of all.
  struct Pace {
    double took = 0, usual = 0;
  };
  std::map<std::pair<std::uint32_t, Stage>, Mean> means_;
  std::map<std::uint32_t, Mean> loads_;
  std::vector<Pace> places_;
};

}  // namespace wb
