// SPDX-License-Identifier: Apache-2.0
#include "core/base/sandbox/landlock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <system_error>
#include <utility>

namespace wb {
namespace {

// The kernel's interface is written down here, since the headers of a system are often older than its kernel.
constexpr long createRuleset = 444, addRule = 445, restrictSelf = 446;
constexpr unsigned askVersion = 1;
constexpr int pathBeneath = 1;

enum Right : std::uint64_t {
  execute = 1U << 0,
  writeFile = 1U << 1,
  readFile = 1U << 2,
  readFolder = 1U << 3,
  makeCharacterDevice = 1U << 6,
  makeBlockDevice = 1U << 11,
  truncate = 1U << 14,
  controlDevice = 1U << 15,
};
constexpr std::uint64_t firstRights = (1U << 13) - 1, refer = 1U << 13;
constexpr std::uint64_t ofFiles = execute | writeFile | readFile | truncate | controlDevice;
constexpr std::uint64_t toRead = execute | readFile | readFolder;
constexpr std::uint64_t toControl = readFile | writeFile | truncate | controlDevice;
constexpr std::uint64_t neverGiven = makeCharacterDevice | makeBlockDevice;

struct Attributes {
  std::uint64_t files = 0, network = 0, scoped = 0;
};
struct __attribute__((packed)) Beneath {
  std::uint64_t rights = 0;
  std::int32_t folder = -1;
};

Error failed(const std::string& what) {
  return Error{Stage::setup, what + ": " + std::generic_category().message(errno)};
}

std::uint64_t rightsOf(int version) {
  std::uint64_t rights = firstRights;
  if (version >= 2) rights |= refer;
  if (version >= 3) rights |= truncate;
  if (version >= 5) rights |= controlDevice;
  return rights;
}

std::uint64_t rightsFor(Landlock::Use use) {
  switch (use) {
    case Landlock::Use::read:
      return toRead;
    case Landlock::Use::open:
      return toRead & ~readFolder;
    case Landlock::Use::write:
      return ~(neverGiven | controlDevice);
    case Landlock::Use::control:
      return toControl;
  }
  return 0;
}

}  // namespace

int landlockVersion() {
  const long version = ::syscall(createRuleset, nullptr, 0, askVersion);
  return version > 0 ? static_cast<int>(version) : 0;
}

Result<Landlock> Landlock::make(int version) {
  Attributes attributes{rightsOf(version)};
  std::size_t size = offsetof(Attributes, network);
  if (version >= 4) {
    attributes.network = 3;  // to bind and to connect TCP
    size = offsetof(Attributes, scoped);
  }
  if (version >= 6) {
    attributes.scoped = 3;  // abstract sockets and signals stay inside
    size = sizeof attributes;
  }
  const long rules = ::syscall(createRuleset, &attributes, size, 0);
  if (rules < 0) return failed("Landlock makes no rules");
  return Landlock(static_cast<int>(rules), attributes.files);
}

Landlock::Landlock(Landlock&& other) noexcept
    : rules_(std::exchange(other.rules_, -1)), handled_(other.handled_) {}

Landlock::~Landlock() {
  if (rules_ >= 0) ::close(rules_);
}

Result<void> Landlock::add(const std::string& path, Use use) {
  const int opened = ::open(path.c_str(), O_PATH | O_CLOEXEC);
  if (opened < 0) return failed(path);
  struct stat about {};
  Beneath rule{rightsFor(use) & handled_, opened};
  if (::fstat(opened, &about) == 0 && !S_ISDIR(about.st_mode)) rule.rights &= ofFiles;
  const long added = ::syscall(addRule, rules_, pathBeneath, &rule, 0);
  const int code = errno;
  ::close(opened);
  errno = code;
  if (added != 0) return failed("Landlock does not take " + path);
  return {};
}

Result<void> Landlock::enter() const {
  if (::syscall(restrictSelf, rules_, 0) != 0) return failed("Landlock does not restrict this process");
  return {};
}

}  // namespace wb
