// SPDX-License-Identifier: Apache-2.0
#include "core/service/queue/run_queue.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace wb {
namespace {

/// How many clients are remembered that have neither a run waiting nor one running.
constexpr std::size_t mostIdleClients = 1000;

bool isGpu(const std::string& device) {
  return device != "cpu";
}

using Numbers = std::vector<std::vector<std::uint64_t>>;

/// The lowest number in some of the lists; 0 where they are empty.
std::uint64_t oldest(const Numbers& lists, const std::vector<std::size_t>& wanted) {
  std::uint64_t found = 0;
  for (const std::size_t i : wanted)
    if (!lists[i].empty() && (found == 0 || lists[i].front() < found)) found = lists[i].front();
  return found;
}

/// The lowest numbers in some of the lists, at most so many.
std::vector<std::uint64_t> inOrder(const Numbers& lists, const std::vector<std::size_t>& wanted,
                                   std::size_t most) {
  std::vector<std::uint64_t> all;
  for (const std::size_t i : wanted) {
    const auto end = lists[i].begin() + static_cast<std::ptrdiff_t>(std::min(most, lists[i].size()));
    const auto middle = all.insert(all.end(), lists[i].begin(), end);
    std::inplace_merge(all.begin(), middle, all.end());
  }
  all.resize(std::min(most, all.size()));
  return all;
}

/// How many numbers in some of the lists are lower.
std::size_t countBelow(const Numbers& lists, const std::vector<std::size_t>& wanted, std::uint64_t number) {
  std::ptrdiff_t count = 0;
  for (const std::size_t i : wanted)
    count += std::lower_bound(lists[i].begin(), lists[i].end(), number) - lists[i].begin();
  return static_cast<std::size_t>(count);
}

}  // namespace

bool mayRunOn(const std::string& wanted, const std::string& device, const std::vector<std::string>& devices) {
  if (wanted != "auto") return wanted == device;
  return isGpu(device) || std::none_of(devices.begin(), devices.end(), isGpu);
}

RunQueue::RunQueue(std::vector<std::string> devices) : devices_(std::move(devices)), wishes_(devices_) {
  wishes_.emplace_back("auto");
}

std::size_t RunQueue::wishOf(const std::string& device) const {
  return static_cast<std::size_t>(std::find(wishes_.begin(), wishes_.end(), device) - wishes_.begin());
}

std::vector<std::size_t> RunQueue::wishesFor(const std::string& device, Taking taking) const {
  std::vector<std::size_t> found{wishOf(device)};
  if (taking == Taking::any && mayRunOn("auto", device, devices_)) found.push_back(wishOf("auto"));
  return found;
}

void RunQueue::add(WaitingRun run) {
  Line& line = lines_[run.priority][run.client];
  line.client = &clients_[run.client];
  line.numbers.resize(wishes_.size() + 1);
  std::vector<std::uint64_t>& numbers = line.numbers[wishOf(run.device)];
  // A run that is put back is older than those that came meanwhile.
  numbers.insert(std::upper_bound(numbers.begin(), numbers.end(), run.number), run.number);
  ++line.client->waiting;
  waiting_.emplace(run.number, std::move(run));
}

bool RunQueue::remove(std::uint64_t number) {
  const auto found = waiting_.find(number);
  if (found == waiting_.end()) return false;
  const WaitingRun run = std::move(found->second);
  waiting_.erase(found);
  erase(run);
  forgetOldClients();
  return true;
}

void RunQueue::erase(const WaitingRun& run) {
  const auto level = lines_.find(run.priority);
  const auto line = level->second.find(run.client);
  std::vector<std::uint64_t>& list = line->second.numbers[wishOf(run.device)];
  list.erase(std::lower_bound(list.begin(), list.end(), run.number));
  --line->second.client->waiting;
  const auto isEmpty = [](const auto& numbers) { return numbers.empty(); };
  if (std::all_of(line->second.numbers.begin(), line->second.numbers.end(), isEmpty))
    level->second.erase(line);
  if (level->second.empty()) lines_.erase(level);
}

std::vector<std::uint64_t> RunQueue::turns(const std::string& device, std::size_t most, Taking taking) const {
  const std::vector<std::size_t> wishes = wishesFor(device, taking);
  using Turn = std::tuple<std::size_t, std::uint64_t, std::uint64_t, const Line*>;
  std::vector<std::uint64_t> numbers;
  for (const auto& level : lines_) {
    std::vector<Turn> clients;
    for (const auto& [client, line] : level.second)
      if (const std::uint64_t head = oldest(line.numbers, wishes))
        clients.emplace_back(line.client->running, line.client->served, head, &line);
    const std::size_t looked = std::min(clients.size(), most - numbers.size());
    std::partial_sort(clients.begin(), clients.begin() + static_cast<std::ptrdiff_t>(looked), clients.end());
    for (const Turn& turn : clients) {
      const std::vector<std::uint64_t> own =
          inOrder(std::get<3>(turn)->numbers, wishes, most - numbers.size());
      numbers.insert(numbers.end(), own.begin(), own.end());
      if (numbers.size() == most) return numbers;
    }
  }
  return numbers;
}

std::optional<WaitingRun> RunQueue::take(std::uint64_t number) {
  const auto found = waiting_.find(number);
  if (found == waiting_.end()) return std::nullopt;
  WaitingRun run = std::move(found->second);
  waiting_.erase(found);
  erase(run);
  Client& client = clients_[run.client];
  ++client.running;
  client.served = ++turns_;
  return run;
}

void RunQueue::release(const std::string& client) {
  const auto found = clients_.find(client);
  if (found != clients_.end() && found->second.running > 0) --found->second.running;
  forgetOldClients();
}

void RunQueue::forgetOldClients() {
  const auto isIdle = [](const auto& entry) {
    return entry.second.running == 0 && entry.second.waiting == 0;
  };
  // Counting all of them each time would be slow; twice as many are let in, and then half are forgotten.
  if (clients_.size() < 2 * mostIdleClients + waiting_.size()) return;
  std::vector<std::uint64_t> turns;
  for (const auto& entry : clients_)
    if (isIdle(entry)) turns.push_back(entry.second.served);
  if (turns.size() <= mostIdleClients) return;
  const auto kept = turns.end() - static_cast<std::ptrdiff_t>(mostIdleClients);
  std::nth_element(turns.begin(), kept, turns.end());
  // Who was served longest ago is first in turn all the same when it comes again.
  std::erase_if(clients_, [&](const auto& entry) { return isIdle(entry) && entry.second.served < *kept; });
}

std::size_t RunQueue::sizeOf(const std::string& client) const {
  const auto found = clients_.find(client);
  return found == clients_.end() ? 0 : found->second.waiting;
}

std::size_t RunQueue::waitingClients() const {
  const auto waits = [](const auto& entry) { return entry.second.waiting > 0; };
  return static_cast<std::size_t>(std::count_if(clients_.begin(), clients_.end(), waits));
}

std::size_t RunQueue::ahead(std::uint64_t number) const {
  const auto found = waiting_.find(number);
  if (found == waiting_.end()) return 0;
  std::optional<std::size_t> least;
  for (const std::string& device : devices_)
    if (mayRunOn(found->second.device, device, devices_)) {
      const std::size_t here = aheadOn(device, found->second);
      least = std::min(least.value_or(here), here);
    }
  return least.value_or(0);
}

std::size_t RunQueue::aheadOn(const std::string& device, const WaitingRun& run) const {
  // Within a priority clients take turns, so a client's Nth run stands in the Nth round. The order of the
  // clients in a round is that of their last service, which the rounds of higher priorities have changed:
  // first those that had no part in these, then by the last round in which they had.
  using Service = std::tuple<int, std::size_t, std::uint64_t, std::uint64_t>;
  struct Turns {
    const Client* client;
    Service last;
    /// How many runs it has here.
    std::size_t count;
  };
  const std::vector<std::size_t> wishes = wishesFor(device, Taking::any);
  std::unordered_map<const Client*, Service> served;
  std::size_t before = 0;
  int levels = 0;
  for (const auto& [priority, level] : lines_) {
    ++levels;
    std::vector<Turns> turns;
    turns.reserve(level.size());
    for (const auto& [client, line] : level) {
      const std::uint64_t head = oldest(line.numbers, wishes);
      if (head == 0) continue;
      Turns its{line.client, Service{0, 0, line.client->served, head}, 0};
      if (const auto known = served.find(line.client); known != served.end()) its.last = known->second;
      for (const std::size_t wish : wishes) its.count += line.numbers[wish].size();
      turns.push_back(its);
    }
    if (priority == run.priority) {
      const Line& line = level.at(run.client);
      const auto own = std::find_if(turns.begin(), turns.end(),
                                    [&](const Turns& its) { return its.client == line.client; });
      if (own == turns.end()) return before;
      const std::size_t older = countBelow(line.numbers, wishes, run.number);
      for (const Turns& its : turns)
        before +=
            its.client == own->client ? older : std::min(its.count, older + (its.last < own->last ? 1 : 0));
      return before;
    }
    std::sort(turns.begin(), turns.end(), [](const Turns& a, const Turns& b) { return a.last < b.last; });
    for (std::size_t place = 0; place < turns.size(); ++place) {
      before += turns[place].count;
      served[turns[place].client] = Service{levels, turns[place].count, place, 0};
    }
  }
  return before;
}

double retryAfter(double meanSeconds, std::size_t places, std::size_t share) {
  const double seconds = meanSeconds * static_cast<double>(std::max<std::size_t>(share, 1)) /
                         static_cast<double>(std::max<std::size_t>(places, 1));
  return std::clamp(std::ceil(seconds), 1.0, 600.0);
}

}  // namespace wb
