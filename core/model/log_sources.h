// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace wb {

/// The Log::source of a line that says what a worker makes once, while a kernel waits for it: "the compiler:
/// precompiled header of torch …". The line holds until the worker's next one; progress shows it.
inline constexpr std::string_view preparingSource = "preparing";

/// The Log::source of a line that says where workers wait before they can start: "the queue of gpu:
/// Priority".
inline constexpr std::string_view waitingSource = "waiting";

/// The Log::source of a line about the way to a worker on another machine: "the connection to box is lost …".
inline constexpr std::string_view connectionSource = "connection";

/// The Log::source of a line about what befell one of the places where workers run: it is gone, is out, its
/// device is another one.
inline constexpr std::string_view placeSource = "place";

/// The Log::source of a line that names a target on which a run goes, where that is not just this machine:
/// "box". Of several, the runner says each when its first worker gets work: one on which none started is not
/// named.
inline constexpr std::string_view targetSource = "target";

}  // namespace wb
