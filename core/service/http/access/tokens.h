// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace wb {

/// What a client may ask for. 0 means as much as the service gives anybody.
struct ClientLimits {
  int requestsPerMinute = 0;
  std::size_t mostQueued = 0;
  /// No run of the client has a higher priority.
  int highestPriority = 100;
  bool operator==(const ClientLimits&) const = default;
};

/// A client that is let in by a secret text, of which only the hash is known here.
struct Token {
  std::string name;
  /// SHA-256 of the text.
  std::array<unsigned char, 32> hash{};
  ClientLimits limits;
  bool isAdmin = false;
  bool operator==(const Token&) const = default;
};

/// A new secret of 256 random bits, for a header: "wb_…".
Result<std::string> newSecret();
[[nodiscard]] std::array<unsigned char, 32> sha256(std::string_view text);

/// A token as a line of its file: "ci sha256=0f… requests=60 queued=100 priority=10 admin".
[[nodiscard]] std::string lineOf(const Token& token);
/// The tokens of a file: a line each; empty lines and those that begin with # are skipped. Errors name file
/// and line: an unknown word, a wrong number, a name that was there before.
Result<std::vector<Token>> tokensOf(std::string_view text, const std::string& file);
/// Reads the file. Errors: as above, and others than the owner can write to it.
Result<std::vector<Token>> readTokens(const std::filesystem::path& file);
/// The file's tokens, as they change.
class TokenFile {
 public:
  explicit TokenFile(std::filesystem::path file) : file_(std::move(file)), seen_(stamp()) {}
  /// Its tokens, if it is another one than when it was asked last. A file without tokens is an error: it
  /// would let everybody in.
  std::optional<Result<std::vector<Token>>> changed();

 private:
  /// What changes with the file; nothing where there is none.
  using Stamp = std::optional<std::array<std::int64_t, 4>>;
  [[nodiscard]] Stamp stamp() const;
  std::filesystem::path file_;
  Stamp seen_;
};

/// Adds a token to a file, which is made for the owner alone where there is none. Errors: there is a token of
/// that name; the file cannot be read or written.
Result<void> addToken(const std::filesystem::path& file, const Token& token);

/// The token whose secret this is; null if there is none. It takes as long for a wrong text as for a right
/// one.
[[nodiscard]] const Token* tokenOf(std::string_view secret, const std::vector<Token>& tokens);

}  // namespace wb
