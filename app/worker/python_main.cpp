// SPDX-License-Identifier: Apache-2.0
// The worker as a library inside Python, called by resources/python/warpbench_worker.py.
#include <sys/prctl.h>

#include <csignal>
#include <optional>

#include "app/worker/descriptors.h"
#include "app/worker/engine_library.h"
#include "app/worker/last_words.h"
#include "app/worker/options.h"
#include "app/worker/session.h"
#include "core/base/process/guest_start.h"

namespace {
// These live from the first of the two calls to the second; Python's script makes them one after the other,
// once. NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
wb::Descriptors descriptors;
wb::StartedAhead started;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)
}  // namespace

/// Takes the protocol's descriptors before anything can print. Gives 0 when they were there. Where the worker
/// `judges`, what its guests are forked from finds its torch while this process finds its own.
extern "C" __attribute__((visibility("default"))) int warpbench_worker_begin(int judges) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGPIPE, SIG_IGN);
  const wb::Result<wb::Descriptors> moved = wb::moveDescriptors();
  if (!moved) return 3;
  descriptors = *moved;
  wb::keepLastWords(descriptors);
  if (judges != 0) started.guests = wb::startParentOfGuests(wb::ownCommandAsGuest()).value_or(started.guests);
  return 0;
}

/// Makes the copy of this process in which a problem's reference can be served, where no kernel's code runs.
/// Gives 1 in the copy.
extern "C" __attribute__((visibility("default"))) int warpbench_worker_divide() {
  const wb::Result<std::optional<wb::ParentOfGuests>> copy = wb::copyAsParentOfGuests();
  if (!copy) return 0;  // another program is started instead once one is needed
  if (*copy) started.copy = **copy;
  if (!*copy) {
    wb::forgetLastWords();
    wb::forgetDescriptors();
  }
  return *copy ? 0 : 1;
}

/// In the copy: sleeps until it is needed. Gives 0 where it never is.
extern "C" __attribute__((visibility("default"))) int warpbench_worker_awaited() {
  return wb::awaitJudge() ? 1 : 0;
}

/// Serves, as a worker or as the parent of guests, until the end and gives the exit code. `failure` says why
/// Python cannot work here, "" when it can. `begins` is called first in each guest, `warms` in their parent
/// when a judge asks for it.
extern "C" __attribute__((visibility("default"))) int warpbench_worker_serve(
    int argc, const char* const* argv, const char* failure, void (*begins)(), void (*warms)()) {
  wb::Result<wb::WorkerOptions> options = wb::parseOptions(argc, argv);
  if (!options) return 2;
  options->failure = failure;
  if (options->mode == wb::WorkerOptions::Mode::guest) return wb::serveAsGuests(*options, begins, warms);
  return wb::serve(*options, descriptors, started);
}
