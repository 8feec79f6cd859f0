// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <utility>

#include "core/base/quantity.h"
#include "core/base/text.h"

namespace wb {

namespace fs = std::filesystem;

namespace {

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  [[nodiscard]] int get() const { return value_; }
  int close() {
    const int value = std::exchange(value_, -1);
    return value < 0 ? 0 : ::close(value);
  }

 private:
  int value_;
};

std::string reason(int code) {
  return std::generic_category().message(code);
}

Error cannotRead(const fs::path& path, const std::string& why, std::string hint = {}) {
  return Error{Stage::job, fmt::format("cannot read {}: {}", path.string(), why), std::move(hint)};
}

Error tooLarge(const fs::path& path, double size, std::size_t limit) {
  return cannotRead(path, fmt::format("it has {}, at most {} are taken", formatBytes(size),
                                      formatBytes(static_cast<double>(limit))));
}

/// Offset of the first byte that is not UTF-8 text (a NUL byte is not text); nullopt when all is.
std::optional<std::size_t> firstBadByte(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = text[at] == '\0' ? 0 : utf8Length(text, at);
    if (length == 0) return at;
    at += length;
  }
  return std::nullopt;
}

Place placeAt(const fs::path& path, std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t lineStart = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return Place{path.string(), static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
               static_cast<int>(offset - lineStart) + 1};
}

Error cannotWrite(const fs::path& path, int code) {
  std::string hint;
  if (code == ENOSPC || code == EDQUOT) hint = "free some space or write elsewhere";
  if (code == EACCES || code == EROFS || code == EPERM) hint = "choose a folder you may write to";
  return Error{Stage::report, fmt::format("cannot write {}: {}", path.string(), reason(code)), hint};
}

/// Writes everything; gives 0 or errno.
int writeAll(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// Creates a file that did not exist, beside `path`; the kernel applies the umask, as for any new file.
std::pair<int, fs::path> createBeside(const fs::path& path) {
  static std::atomic<unsigned> counter{0};
  for (int attempt = 0; attempt < 100; ++attempt) {
    fs::path temporary = path;
    temporary.replace_filename(fmt::format(".{}.{}-{}", path.filename().string(), ::getpid(), ++counter));
    const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return {descriptor, temporary};
  }
  return {-1, {}};
}

int replaceContent(const fs::path& path, std::string_view content) {
  auto [opened, temporary] = createBeside(path);
  if (opened < 0) return errno;
  Descriptor file(opened);
  struct stat old {};
  // A file keeps its permissions when it is replaced. Where a foreign file system refuses to set them, that
  // is no reason to fail.
  if (::stat(path.c_str(), &old) == 0 && ::fchmod(file.get(), old.st_mode & 07777U) != 0) errno = 0;
  int failed = writeAll(file.get(), content);
  if (failed == 0 && ::fsync(file.get()) != 0) failed = errno;
  if (file.close() != 0 && failed == 0) failed = errno;
  if (failed == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) failed = errno;
  if (failed != 0) {
    ::unlink(temporary.c_str());
    return failed;
  }
  const Descriptor folder(::open(path.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0) ::fsync(folder.get());
  return 0;
}

/// A pipe or a device takes what is written into it, and stays what it is: whoever may do everything would
/// put a file into the place of /dev/null. A pipe that nobody reads is an error.
int writeInto(const fs::path& path, std::string_view content) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (file.get() < 0 || ::fcntl(file.get(), F_SETFL, O_WRONLY) != 0) return errno;
  const int failed = writeAll(file.get(), content);
  return file.close() != 0 && failed == 0 ? errno : failed;
}

/// Why a file must not be read, or "": a named pipe may wait for a writer for ever, and a device never ends.
/// What the program was started with, such as standard input or a shell's <(…), may be anything.
std::string unreadable(int descriptor, const struct stat& status) {
  if (S_ISREG(status.st_mode)) return {};
  if (S_ISDIR(status.st_mode)) return "it is a folder";
  struct stat input {};
  if (::fstat(STDIN_FILENO, &input) == 0 && input.st_dev == status.st_dev && input.st_ino == status.st_ino)
    return {};
  struct statfs system {};
  if (S_ISFIFO(status.st_mode) && ::fstatfs(descriptor, &system) == 0 && system.f_type == PIPEFS_MAGIC)
    return {};
  return S_ISFIFO(status.st_mode) ? "it is a named pipe" : "it is a device";
}

}  // namespace

Result<std::string> readFile(const fs::path& path, std::size_t maxBytes) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (file.get() < 0) {
    const int code = errno;
    if (code == ENXIO) return cannotRead(path, "it is a socket or a device", "name a file");
    if (code == ENOENT) return cannotRead(path, "there is no such file", "check the name and the folder");
    return cannotRead(path, reason(code));
  }
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return cannotRead(path, reason(errno));
  if (const std::string why = unreadable(file.get(), status); !why.empty())
    return cannotRead(path, why, S_ISDIR(status.st_mode) ? "name a file in it" : "name a file");
  // The file was opened so that opening does not wait; reading may wait.
  if (::fcntl(file.get(), F_SETFL, O_RDONLY) != 0) return cannotRead(path, reason(errno));
  if (S_ISREG(status.st_mode) && static_cast<std::uint64_t>(status.st_size) > maxBytes)
    return tooLarge(path, static_cast<double>(status.st_size), maxBytes);
  // The size is a hint only: pipes and /proc have none, and a file may grow while it is read.
  std::string content;
  content.reserve(static_cast<std::size_t>(std::max<off_t>(status.st_size, 0)));
  char buffer[64 << 10];
  while (true) {
    const ssize_t got = ::read(file.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return cannotRead(path, reason(errno));
    if (got == 0) return content;
    content.append(buffer, static_cast<std::size_t>(got));
    if (content.size() > maxBytes) return tooLarge(path, static_cast<double>(content.size()), maxBytes);
  }
}

Result<std::string> readSource(const fs::path& path, std::size_t maxBytes) {
  WB_TRY(std::string content, readFile(path, maxBytes));
  if (content.starts_with("\xEF\xBB\xBF")) content.erase(0, 3);
  if (const auto bad = firstBadByte(content)) {
    const bool binary = content[*bad] == '\0';
    return Error{Stage::job,
                 fmt::format("{} is not a text file: {}", path.string(),
                             binary ? "it has a NUL byte" : "it is not UTF-8"),
                 binary ? "name a source file" : "save it as UTF-8", placeAt(path, content, *bad)};
  }
  return content;
}

Result<void> writeFileAtomically(const fs::path& path, std::string_view content) {
  std::error_code failed;
  fs::path target = fs::absolute(path, failed);
  if (failed) return cannotWrite(path, failed.value());
  // A symbolic link is followed, so that a linked file stays a link.
  if (fs::is_symlink(target, failed))
    if (fs::path real = fs::canonical(target, failed); !failed) target = real;
  if (target.filename().empty() || fs::is_directory(target, failed)) return cannotWrite(path, EISDIR);
  fs::create_directories(target.parent_path(), failed);
  if (failed) return cannotWrite(path, failed.value());
  const bool isFile = !fs::exists(target, failed) || fs::is_regular_file(target, failed);
  const int code = isFile ? replaceContent(target, content) : writeInto(target, content);
  if (code != 0) return cannotWrite(path, code);
  return {};
}

Result<TemporaryFile> TemporaryFile::make(std::string_view content) {
  std::error_code failed;
  const fs::path folder = fs::temp_directory_path(failed);
  if (failed) return cannotWrite(folder, failed.value());
  std::string name = (folder / "warpbench-XXXXXX").string();
  const Descriptor opened(::mkostemp(name.data(), O_CLOEXEC));
  if (opened.get() < 0) return cannotWrite(folder, errno);
  TemporaryFile file{fs::path(name)};
  if (const int code = writeAll(opened.get(), content); code != 0) return cannotWrite(file.path(), code);
  return file;
}

TemporaryFile::~TemporaryFile() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

}  // namespace wb
