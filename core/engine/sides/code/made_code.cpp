// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/code/made_code.h"

#include <ucontext.h>

#include <algorithm>
#include <cstring>

namespace wb {

#if defined(__x86_64__)

namespace {

/// What code may keep on the stack for itself before somebody else's is not its caller any more.
constexpr std::uintptr_t mostKept = 2048;

/// Whether the instruction before this place is a call: e8 with a distance, or ff with the digit 2 in the
/// middle of the byte behind it, which is followed by as much as the way to the address needs.
bool isBehindCall(std::uintptr_t at) {
  const auto* const code = reinterpret_cast<const unsigned char*>(at);
  if (code[-5] == 0xe8) return true;
  for (const int length : {2, 3, 4, 6, 7})
    if (code[-length] == 0xff && (code[1 - length] & 0x38) == 0x10) return true;
  return false;
}

}  // namespace

std::uintptr_t callerInTorch(const TorchsCode& torchs, const void* context, std::uintptr_t stackEnd) {
  constexpr std::uintptr_t longestCall = 7;
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
  const auto top = static_cast<std::uintptr_t>(registers.gregs[REG_RSP]);
  if (top % sizeof(std::uintptr_t) != 0 || top >= stackEnd) return 0;
  const std::uintptr_t end = std::min(stackEnd, top + mostKept);
  for (std::uintptr_t place = top; place + sizeof(std::uintptr_t) <= end; place += sizeof(std::uintptr_t)) {
    std::uintptr_t value = 0;
    std::memcpy(&value, reinterpret_cast<const void*>(place), sizeof value);
    if (value < longestCall || torchs.isOfNoLibrary(value) || torchs.isOfNoLibrary(value - longestCall))
      continue;
    if (isBehindCall(value)) return torchs.has(value) ? value : 0;
  }
  return 0;
}

#elif defined(__aarch64__)

/// Code that calls nothing leaves the address in its register.
std::uintptr_t callerInTorch(const TorchsCode& torchs, const void* context, std::uintptr_t /*stackEnd*/) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
  const auto link = static_cast<std::uintptr_t>(registers.regs[30]);
  return torchs.has(link) ? link : 0;
}

#endif

}  // namespace wb
