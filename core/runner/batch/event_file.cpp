// SPDX-License-Identifier: Apache-2.0
#include "core/runner/batch/event_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <utility>

#include "core/model/json/json_codec.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

Error cannot(std::string_view what, const fs::path& path, int code) {
  return {Stage::job,
          fmt::format("cannot {} {}: {}", what, path.string(), std::generic_category().message(code)),
          "see whether the disk is full and the folder may be written",
          {}};
}

/// The bytes of a file from a place on.
std::string bytesFrom(const fs::path& path, std::size_t from) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(from));
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

Result<EventFile> EventFile::open(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0) return cannot("open", path, errno);
  EventFile file(descriptor, path);
  const std::string text = bytesFrom(path, 0);
  const std::size_t end = text.rfind('\n');
  const auto whole = static_cast<off_t>(end == std::string::npos ? 0 : end + 1);
  if (::ftruncate(descriptor, whole) != 0) return cannot("cut", path, errno);
  return file;
}

EventFile::EventFile(EventFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}

EventFile::~EventFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> EventFile::append(const Event& event) {
  const std::string line = dump(toJson(event)) + "\n";
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t written = ::write(descriptor_, line.data() + done, line.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return cannot("write", path_, errno);
    done += static_cast<std::size_t>(written);
  }
  return {};
}

std::string wholeLines(const fs::path& path, std::size_t from, std::size_t most) {
  std::string text = bytesFrom(path, from);
  std::size_t end = text.rfind('\n', most - 1);
  if (end == std::string::npos) end = text.find('\n');
  text.resize(end == std::string::npos ? 0 : end + 1);
  return text;
}

Result<std::vector<Event>> readEvents(const fs::path& path, std::size_t& from, const PathsThere& paths) {
  std::vector<Event> events;
  const std::string text = bytesFrom(path, from);
  std::size_t at = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', at)) {
    const std::string line = paths.here(text.substr(at, end - at), true);
    const auto wrong = [&](const Error& error) {
      return Error{Stage::job,
                   fmt::format("{}, at byte {}: {}", path.string(), from + at, error.text),
                   "the file was changed by something else: remove it and submit the script again",
                   {}};
    };
    const Result<nlohmann::json> json = parseJson(line);
    if (!json) return wrong(json.error());
    Result<Event> event = eventFromJson(*json);
    if (!event) return wrong(event.error());
    events.push_back(*std::move(event));
    at = end + 1;
  }
  from += at;
  return events;
}

}  // namespace wb
