// SPDX-License-Identifier: Apache-2.0
#include "core/suites/python_script.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>

#include "core/base/files/paths.h"
#include "core/base/process/process.h"
#include "core/base/python.h"

namespace wb {
namespace {

constexpr int stopLatency = 100;                           ///< milliseconds
constexpr std::size_t errorsKept = std::size_t{64} << 10;  ///< bytes, the last ones

/// Hands over whole lines of what comes in pieces.
class Lines {
 public:
  explicit Lines(const std::function<void(std::string_view)>& onLine) : onLine_(onLine) {}
  void take(std::string_view piece) {
    pending_ += piece;
    std::size_t start = 0;
    for (std::size_t end = pending_.find('\n'); end != std::string::npos; end = pending_.find('\n', start)) {
      onLine_(std::string_view(pending_).substr(start, end - start));
      start = end + 1;
    }
    pending_.erase(0, start);
  }
  void finish() {
    if (!pending_.empty()) onLine_(pending_);
    pending_.clear();
  }

 private:
  const std::function<void(std::string_view)>& onLine_;
  std::string pending_;
};

/// Reads one piece; false at the end.
bool readPiece(int descriptor, const std::function<void(std::string_view)>& take) {
  std::array<char, 64 << 10> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  if (got > 0) take({buffer.data(), static_cast<std::size_t>(got)});
  return got > 0;
}

/// Drains both outputs until both are closed. False when it was stopped before.
bool drain(const Child& child, Lines& lines, std::string& errors, const std::stop_token& stop) {
  std::array<pollfd, 2> waiting{pollfd{child.output(), POLLIN, 0}, pollfd{child.errors(), POLLIN, 0}};
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    if (stop.stop_requested()) return false;
    if (::poll(waiting.data(), waiting.size(), stopLatency) <= 0) continue;
    if (waiting[0].revents != 0 &&
        !readPiece(waiting[0].fd, [&](std::string_view piece) { lines.take(piece); }))
      waiting[0].fd = -1;
    if (waiting[1].revents != 0 && !readPiece(waiting[1].fd, [&](std::string_view piece) {
          errors += piece;
          if (errors.size() > 2 * errorsKept) errors.erase(0, errors.size() - errorsKept);
        }))
      waiting[1].fd = -1;
  }
  lines.finish();
  return true;
}

std::string lastLine(std::string_view text) {
  const auto end = text.find_last_not_of(" \r\n");
  if (end == std::string_view::npos) return {};
  text = text.substr(0, end + 1);
  const auto start = text.rfind('\n');
  return std::string(start == std::string_view::npos ? text : text.substr(start + 1));
}

}  // namespace

Result<std::filesystem::path> pythonFor(const std::string& given) {
  return given.empty() ? findPython() : Result<std::filesystem::path>(given);
}

Result<void> runScript(const HelperScript& script, const std::function<void(std::string_view)>& onLine,
                       const std::stop_token& stop) {
  const auto python = pythonFor(script.python);
  if (!python) return python.error();
  Command command;
  command.argv = {python->string(), (resourceFolder() / "python" / script.name).string()};
  command.argv.insert(command.argv.end(), script.arguments.begin(), script.arguments.end());
  command.environment = {
      {"PYTHONDONTWRITEBYTECODE", "1"}};  // an installed resource folder is not ours to write
  auto child = Child::start(command);
  if (!child) return child.error();
  child->closeInput();
  Lines lines(onLine);
  std::string errors;
  const bool finished = drain(*child, lines, errors, stop);
  if (!finished) child->kill(SIGKILL);
  const Ending ending = child->wait(std::chrono::milliseconds{-1}).second;
  if (!finished) return Error{Stage::job, script.purpose + " was stopped", "", {}};
  if (ending == Ending{}) return {};
  const std::string said = lastLine(errors);
  return Error{Stage::job,
               fmt::format("{} failed: {}", script.purpose, said.empty() ? describe(ending) : said),
               fmt::format("this is what {} says; WARPBENCH_PYTHON names another one", python->string()),
               {}};
}

std::string unescapeField(std::string_view field) {
  std::string text;
  text.reserve(field.size());
  for (std::size_t i = 0; i < field.size(); ++i) {
    if (field[i] != '\\' || i + 1 == field.size()) {
      text += field[i];
      continue;
    }
    const char next = field[++i];
    text += next == 'n' ? '\n' : next == 'r' ? '\r' : next == 't' ? '\t' : next;
  }
  return text;
}

}  // namespace wb
