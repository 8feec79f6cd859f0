// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace wb {

/// The seconds in which torch's threads begin and end some work that is nothing, of several tries the least;
/// 0 where there is one thread alone.
[[nodiscard]] double teamSeconds();

/// Whether they take much longer for it than they did.
[[nodiscard]] bool isTeamSlow(double before);

}  // namespace wb
