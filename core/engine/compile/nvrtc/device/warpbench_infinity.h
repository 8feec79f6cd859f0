// SPDX-License-Identifier: Apache-2.0
// The macros of <cmath> that libcu++ has, too. They are defined once more after its own, so there is no
// guard. They are constants, as nvcc's are: `constexpr float lowest = -INFINITY;`.

#define INFINITY __builtin_bit_cast(float, 0x7f800000)
#define NAN __builtin_bit_cast(float, 0x7fc00000)
