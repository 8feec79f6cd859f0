// SPDX-License-Identifier: Apache-2.0
// The worker as a library inside Python, called by resources/python/warpbench_worker.py.
#include <sys/prctl.h>

#include <csignal>

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
wb::ParentOfGuests guests;
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
  if (judges != 0) guests = wb::startParentOfGuests(wb::ownCommandAsGuest()).value_or(guests);
  return 0;
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
  return wb::serve(*options, descriptors, guests);
}
