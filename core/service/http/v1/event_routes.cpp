// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <utility>

#include "core/model/json/json_codec.h"
#include "core/service/http/v1/v1.h"

namespace wb {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view eventStream = "text/event-stream";

/// Which event a client wants first: the one after the last that it has.
std::optional<std::uint64_t> firstWanted(const HttpRequest& request) {
  std::string text = request.header("Last-Event-ID").value_or("");
  if (text.empty()) text = request.queried("after").value_or("");
  if (text.empty()) return 0;
  std::uint64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number + 1;
}

std::string frame(std::uint64_t number, const Event& event) {
  nlohmann::json object = toJson(event);
  const std::string kind = object.value("event", "event");
  return fmt::format("id: {}\nevent: {}\ndata: {}\n\n", number, kind, dump(object));
}

/// Sends a run's events as they come, and at its end what it came to.
void sendEvents(const Service& service, const std::string& id, std::uint64_t first,
                const HttpRequest& request, const HttpWrite& write) {
  // Something is said at once, so that whoever listens knows that it is heard.
  if (!write("retry: 2000\n\n")) return;
  for (;;) {
    // Whoever follows a run when the server stops gets what was said until then.
    const bool isWanted = request.isWanted();
    const EventPage page = service.events(id, first, isWanted ? 1s : 0s);
    std::string text;
    if (page.areForgotten) text = ": the events of this run are no longer kept\n\n";
    if (page.first > first && !page.events.empty())
      text = fmt::format(": the events {} to {} are no longer kept\n\n", first, page.first - 1);
    std::uint64_t number = page.first;
    for (const auto& event : page.events) text += frame(number++, *event);
    if (page.isLast)
      if (const auto run = service.status(id))
        text += fmt::format("event: end\ndata: {}\n\n", runJson(*run).dump());
    if (text.empty()) text = ": still there\n\n";
    if (!write(text) || page.isLast || !isWanted) return;
    first = std::max(first, page.next);
  }
}

HttpResponse events(const Service& service, const HttpRequest& request) {
  const auto run = runOf(service, request);
  if (!run) return noSuchRun(request);
  const auto first = firstWanted(request);
  if (!first)
    return v1Error(400, "Last-Event-ID is no number", "give the number of the last event that came");
  // A browser comes back after the end of a stream until it is told that there is nothing more.
  if (*first > 0 && isOver(run->state)) {
    const EventPage rest = service.events(run->id, *first, 0ms);
    if (rest.areForgotten)
      return v1Error(410, fmt::format("The events after {} are no longer kept.", *first - 1),
                     "read /v1/runs/ID/report, which has what they came to");
    if (rest.isLast && rest.events.empty()) return {.status = 204, .headers = {}, .body = {}, .stream = {}};
  }
  HttpResponse response{.status = 200,
                        .headers = {{"Content-Type", std::string(eventStream)},
                                    {"Cache-Control", "no-store"},
                                    {"X-Accel-Buffering", "no"}},
                        .body = {},
                        .stream = {}};
  // The request lives until its answer is whole.
  response.stream = [&service, &request, id = run->id, first = *first](const HttpWrite& write) {
    sendEvents(service, id, first, request, write);
  };
  return response;
}

}  // namespace

void addEventRoutes(HttpRoutes& to, const V1Context& context) {
  Service& service = context.service;
  to.routes.push_back(
      {"GET", "/v1/runs/{id}/events",
       [&service](const HttpRequest& request) { return events(service, request); }, HttpAccess::client,
       operation("Follow a run: its events as they come, then the event `end`",
                 {{"200", answerOf("Server-Sent Events, each with its number", {}, eventStream)},
                  {"204", {{"description", "There are no more events"}}},
                  {"410", {{"description", "The run is over and its events are no longer kept"}}}},
                 {{"parameters",
                   {{{"name", "Last-Event-ID"},
                     {"in", "header"},
                     {"description", "The number of the last event that came"},
                     {"schema", {{"type", "string"}}}},
                    queryParameter("after", "The same, for clients that cannot send the header")}}})});
}

}  // namespace wb
