// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/engine/cases/kernel_context.h"
#include "core/model/case.h"
#include "core/model/operators/literal.h"

namespace wb {

/// The arguments of one case again and again, with other contents each time. Drawing costs far more than a
/// short kernel. So of small drawn arguments only the first two sets are new; the further ones are these with
/// every tensor's contents moved round by an amount from the seed.
class InputSets {
 public:
  InputSets(const KernelContext& kernel, const Case& definition, const Literal& call, std::uint64_t seed);
  Result<Stack> next();

 private:
  const KernelContext& kernel_;
  const Case& definition_;
  const Literal& call_;
  std::uint64_t seed_;
  std::uint64_t made_ = 0;
  std::vector<Stack> drawn_;
};

/// Moves the contents of every tensor of more than one element round by about `shift` elements of its memory.
void moveContents(const Stack& arguments, std::uint64_t shift);

}  // namespace wb
