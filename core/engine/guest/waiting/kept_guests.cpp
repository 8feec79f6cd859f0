// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/waiting/kept_guests.h"

#include <algorithm>
#include <utility>

namespace wb {
namespace {

/// On a GPU each has half a gigabyte of it, and reading counters there takes the longer the more processes
/// have contexts: four times as long beside forty.
constexpr std::size_t mostKept = 8;

}  // namespace

ServedKernel servedKernel(const Job& job, std::uint32_t kernel, ProblemPart part) {
  ServedKernel served{job, kernel, part};
  // A part of a job has its cases there.
  for (KernelWork& each : workIn(job).kernels)
    if (each.kernel == kernel && each.planned) served.job.cases = std::move(each.planned->cases);
  served.job.work.reset();
  KernelSource& source = served.job.kernels[kernel];
  if (part == ProblemPart::reference && !source.referenceText.empty()) source.path = source.text = "";
  return served;
}

std::shared_ptr<GuestSession> KeptGuests::take(const ServedKernel& served) {
  const auto found =
      std::find_if(all_.begin(), all_.end(), [&](const Kept& each) { return each.served == served; });
  if (found == all_.end()) return nullptr;
  std::shared_ptr<GuestSession> session = std::move(found->session);
  all_.erase(found);
  return session;
}

void KeptGuests::keep(ServedKernel served, std::shared_ptr<GuestSession> session) {
  all_.push_back({std::move(served), std::move(session)});
}

void KeptGuests::rest() {
  std::erase_if(all_, [](Kept& each) {
    if (each.rests) return false;
    each.rests = each.session.use_count() == 1 && each.session->rest();
    return !each.rests;
  });
  while (all_.size() > mostKept) all_.pop_front();
}

bool KeptGuests::mayHaveLeftWork() const {
  return std::any_of(all_.begin(), all_.end(),
                     [](const Kept& each) { return each.session->mayHaveLeftWork(); });
}

void KeptGuests::haveLeftNothing() {
  for (const Kept& each : all_) each.session->hasLeftNothing();
}

void KeptGuests::endThoseThatMayHaveLeftWork() {
  std::erase_if(all_, [](const Kept& each) { return each.session->mayHaveLeftWork(); });
}

}  // namespace wb
