// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/engine/cases/changed_values.h"
#include "core/engine/cases/device_values.h"
#include "core/engine/cases/kernel_context.h"
#include "core/model/case.h"
#include "core/model/operators/literal.h"

namespace wb {

/// One copy of a case's arguments, whose contents change again and again, and what its contents come from: a
/// seed for each part of each tensor, and a last one for the single numbers that changed since; 0 for none.
struct InputCopy {
  Stack arguments;
  /// The memory of each tensor that Contents knows, in its order.
  std::vector<at::Tensor> memory;
  std::vector<std::vector<std::uint64_t>> seeds;
};

/// A change of a single number, made at the last moment before a call: the bits of `mask`, read together as
/// one number, count up by one. So a set that a sample uses several times is another one each time.
struct LateChange {
  void* address = nullptr;
  std::uint64_t mask = 0;
  int bytes = 0;
  std::size_t tensor = 0;
  std::int64_t element = 0;
  /// How often Contents::apply() makes it.
  int times = 1;
  /// What the number is before the first change, where it is another one than was drawn.
  std::optional<std::uint64_t> start;

  void begin() const {
    if (address != nullptr && start) std::memcpy(address, &*start, static_cast<std::size_t>(bytes));
  }

  void apply() const {
    if (address == nullptr) return;
    if (bytes == 4) count<std::uint32_t>();
    if (bytes == 8) count<std::uint64_t>();
    if (bytes == 2) count<std::uint16_t>();
    if (bytes == 1) count<std::uint8_t>();
  }

 private:
  template <class U>
  void count() const {
    U& number = *static_cast<U*>(address);
    const U bits = static_cast<U>(mask), others = static_cast<U>(~bits);
    // The carry runs through all bits that are not counted.
    const U next = static_cast<U>(static_cast<U>(number | others) + 1);
    number = static_cast<U>((number & others) | (next & bits));
  }
};

/// What of a copy holds something else than its seeds say, and is written anew in any case.
struct ChangedSince {
  /// A tensor in which a late change was made.
  LateChange late{};
  /// The positions of arguments to which the operator writes.
  std::span<const std::size_t> arguments{};
};

/// The contents of one case's arguments while it is timed: new ones at the speed of copying, such that no
/// answer to earlier contents is an answer to them, and the same ones again from their seeds. What is drawn
/// is drawn once or twice; new contents are these values at other places, with other signs and fractions.
/// Values that are somebody's own change as far as that is safe: where the operator looks at each element for
/// itself, or they look as if each was drawn for itself, they move, and rows of them that belong together, as
/// probabilities do, move as they are, else those of floating types are
/// multiplied by a number below 1, unless they are whole.
class Contents {
 public:
  /// Contents on a GPU do not change without `device`, which must outlive them.
  static Result<Contents> make(const KernelContext& kernel, const Case& definition, const Literal& call,
                               std::uint64_t seed, const DeviceValues* device = nullptr);

  /// Copies of the arguments with new contents.
  [[nodiscard]] InputCopy copy(std::uint64_t seed) const;
  /// Copies of the arguments as they were drawn, for repeat().
  [[nodiscard]] InputCopy blank() const;
  /// Gives a copy new contents, as far as that takes not much more than `mostBytes` bytes: of a larger tensor
  /// a part, at a place that the seeds give, and single numbers all over it: whoever knows the answer to what
  /// lay there before has to look everywhere. With no bytes nothing is changed but what `changed` says. It is
  /// quicker for copies one after the other that have `shared` in common, from which the bits come that
  /// change; where values come from depends on `own`.
  void renew(InputCopy& copy, std::uint64_t shared, std::uint64_t own, std::int64_t mostBytes,
             const ChangedSince& changed = {}) const;
  /// Makes the contents that the seeds of `like` say in other memory.
  void repeat(const std::vector<std::vector<std::uint64_t>>& seeds, InputCopy& into) const;
  /// The name of an argument whose contents are not what the seeds say any more; "" when there is none. Looks
  /// at about `mostBytes` bytes, which the seed chooses; a late change is part of what
  /// they say. The positions in `allowed` may have changed. `scratch` is another copy, which is
  /// overwritten.
  [[nodiscard]] std::string damaged(const InputCopy& copy, InputCopy& scratch, const LateChange* late,
                                    const std::vector<std::size_t>& allowed, std::uint64_t seed,
                                    std::int64_t mostBytes) const;
  /// Makes a late change that was found in another copy.
  void apply(const LateChange& late, InputCopy& copy) const;
  /// A late change of a copy that is small enough to have whole new contents each time, which has begun;
  /// nothing where no number may change so. A number of 16 bits is far out then: a sum's tolerance takes any
  /// other.
  [[nodiscard]] LateChange lateChange(const InputCopy& copy, std::uint64_t seed) const;

  /// Whether contents change at all; from keepContents() on they do not.
  [[nodiscard]] bool change() const;
  void keepContents();
  /// Whether no value takes the place of another one: what changes is multiplied by a number.
  [[nodiscard]] bool areOnlyScaled() const;
  /// Whether some tensor holds the same numbers each time, be it times a factor.
  [[nodiscard]] bool holdSameNumbers() const;
  /// Whether some tensor stays as it is, in each draw, too.
  [[nodiscard]] bool staysInPart() const;
  /// From now on somebody's own values stay at their places.
  void onlyScale();
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }
  /// The arguments as they were drawn.
  [[nodiscard]] const Stack& drawn() const { return drawn_.front(); }

 private:
  /// Whether to draw again may give other values.
  bool varies_ = true;
  struct Part {
    std::size_t argument = 0;
    std::string name;
    ValueChange change;
    ValueOrigin origin = ValueOrigin::own;
    std::int64_t elements = 0, slot = 0;
    std::size_t slots = 1;
    /// What was drawn, one or two times.
    std::vector<at::Tensor> base;
    [[nodiscard]] bool moves() const {
      return change.way == ValueChange::Way::move || change.way == ValueChange::Way::moveTogether;
    }
    [[nodiscard]] std::int64_t bytes() const { return elements * base.front().element_size(); }
  };
  void write(std::size_t part, std::size_t slot, std::uint64_t seed, const at::Tensor& into) const;
  /// Single numbers that lie in one of the slots, or in all: from the seed of all of them, or as their slots
  /// have them.
  enum class Spots { changed, asBefore };
  void writeSpots(std::size_t part, const std::vector<std::uint64_t>& seeds, Spots how,
                  const at::Tensor& into, std::optional<std::size_t> slot = {}) const;
  [[nodiscard]] bool same(std::size_t part, std::size_t slot, const at::Tensor& a, const at::Tensor& b) const;
  /// A mask or a label is no longer one when it is multiplied. It stays what it is where something else
  /// changes, else that of one draw takes turns with that of another, where there are two.
  void leaveWholeNumbers();
  [[nodiscard]] std::vector<at::Tensor> memoryOf(const Stack& arguments) const;

  const DeviceValues* device_ = nullptr;
  std::vector<Stack> drawn_;
  std::vector<Part> parts_;
  std::int64_t bytes_ = 0;
};

}  // namespace wb
