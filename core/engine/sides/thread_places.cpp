// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/thread_places.h"

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "core/engine/sides/started_threads.h"

namespace wb {

namespace {

constexpr std::size_t wordBits = 8 * sizeof(unsigned long);

void add(std::vector<std::string>& words, const std::string& more) {
  if (std::find(words.begin(), words.end(), more) == words.end()) words.push_back(more);
}

}  // namespace

ThreadPlaces::Place ThreadPlaces::placeOf(int thread) {
  Place place;
  place.processors.resize(CPU_SETSIZE / wordBits);
  if (::sched_getaffinity(thread, place.processors.size() * sizeof(unsigned long),
                          reinterpret_cast<cpu_set_t*>(place.processors.data())) != 0)
    place.processors.clear();
  place.nice = ::getpriority(PRIO_PROCESS, static_cast<id_t>(thread));
  place.policy = ::sched_getscheduler(thread);
  return place;
}

bool ThreadPlaces::put(int thread, const Place& place) {
  const sched_param ordinary{};
  ::sched_setaffinity(thread, place.processors.size() * sizeof(unsigned long),
                      reinterpret_cast<const cpu_set_t*>(place.processors.data()));
  if (place.policy == SCHED_OTHER) ::sched_setscheduler(thread, place.policy, &ordinary);
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(thread), place.nice);
  return placeOf(thread) == place;
}

ThreadPlaces::ThreadPlaces() {
  for (const int thread : threadsNow()) places_[thread] = placeOf(thread);
}

PutBack ThreadPlaces::putBack() const {
  PutBack back;
  const std::set<int> there = threadsNow();
  for (const auto& [thread, place] : places_) {
    if (place.processors.empty() || !there.contains(thread)) continue;
    const Place now = placeOf(thread);
    if (now == place || now.processors.empty()) continue;
    const std::string what = now.processors != place.processors ? "the processors of torch's threads"
                                                                : "the priority of torch's threads";
    add(back.changed, what);
    if (!put(thread, place)) add(back.stuck, what);
  }
  return back;
}

}  // namespace wb
