// SPDX-License-Identifier: Apache-2.0
#include "core/service/http/access/tokens.h"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <utility>

#include "core/base/files/file.h"
#include "core/base/text.h"

namespace wb {
namespace {

constexpr std::string_view hexDigits = "0123456789abcdef";

bool isName(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.' || c == '@';
  });
}

template <class Bytes>
std::string hexOf(const Bytes& bytes) {
  std::string hex;
  for (const unsigned char byte : bytes) {
    hex += hexDigits[byte >> 4U];
    hex += hexDigits[byte & 15U];
  }
  return hex;
}

std::optional<std::array<unsigned char, 32>> hashOf(std::string_view hex) {
  std::array<unsigned char, 32> hash{};
  if (hex.size() != 2 * hash.size()) return std::nullopt;
  for (std::size_t i = 0; i < hash.size(); ++i) {
    const char* at = hex.data() + 2 * i;
    if (std::from_chars(at, at + 2, hash[i], 16).ptr != at + 2) return std::nullopt;
  }
  return hash;
}

template <class Number>
bool readNumber(std::string_view text, Number least, Number most, Number& number) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc() && end == text.data() + text.size() && number >= least && number <= most;
}

/// Reads a word of a line into the token; "" or what is wrong with it.
std::string takeWord(std::string_view word, Token& token) {
  const auto equals = word.find('=');
  const auto name = word.substr(0, equals);
  const auto value = equals == std::string_view::npos ? std::string_view() : word.substr(equals + 1);
  if (word == "admin") {
    token.isAdmin = true;
    return {};
  }
  if (name == "sha256") {
    const auto hash = hashOf(value);
    if (!hash) return "sha256= wants 64 hexadecimal digits";
    token.hash = *hash;
    return {};
  }
  const auto wants = [&](bool good, std::string_view what) {
    return good ? std::string() : fmt::format("{}= wants {}", name, what);
  };
  if (name == "requests")
    return wants(readNumber(value, 1, 1'000'000, token.limits.requestsPerMinute),
                 "a number of requests a minute");
  if (name == "queued")
    return wants(readNumber<std::size_t>(value, 1, 1'000'000, token.limits.mostQueued), "a number of runs");
  if (name == "priority")
    return wants(readNumber(value, -100, 100, token.limits.highestPriority), "a number from -100 to 100");
  return fmt::format("'{}' is none of sha256=, requests=, queued=, priority= and admin", word);
}

}  // namespace

Result<std::string> newSecret() {
  std::array<unsigned char, 32> random{};
  if (RAND_bytes(random.data(), static_cast<int>(random.size())) != 1)
    return Error{Stage::setup, "OpenSSL gives no random bytes", {}};
  return "wb_" + hexOf(random);
}

std::array<unsigned char, 32> sha256(std::string_view text) {
  std::array<unsigned char, 32> hash{};
  unsigned int size = 0;
  EVP_Digest(text.data(), text.size(), hash.data(), &size, EVP_sha256(), nullptr);
  return hash;
}

std::string lineOf(const Token& token) {
  std::string line = fmt::format("{} sha256={}", token.name, hexOf(token.hash));
  if (token.limits.requestsPerMinute > 0) line += fmt::format(" requests={}", token.limits.requestsPerMinute);
  if (token.limits.mostQueued > 0) line += fmt::format(" queued={}", token.limits.mostQueued);
  if (token.limits.highestPriority < 100) line += fmt::format(" priority={}", token.limits.highestPriority);
  if (token.isAdmin) line += " admin";
  return line;
}

Result<std::vector<Token>> tokensOf(std::string_view text, const std::string& file) {
  std::vector<Token> tokens;
  int number = 0;
  for (const std::string_view line : splitLines(text)) {
    ++number;
    const auto wrong = [&](std::string what) {
      return Error{
          Stage::setup, std::move(what), "make tokens by: warpbench serve token NAME", {file, number, 0}};
    };
    if (trimmed(line).empty() || trimmed(line).front() == '#') continue;
    Token token;
    bool hasHash = false;
    for (const std::string_view word : split(trimmed(line), ' ')) {
      if (word.empty()) continue;
      if (token.name.empty()) {
        if (!isName(word)) return wrong(fmt::format("'{}' is no name of a token", word));
        token.name = word;
      } else if (auto problem = takeWord(word, token); !problem.empty()) {
        return wrong(std::move(problem));
      }
      hasHash = hasHash || word.starts_with("sha256=");
    }
    if (!hasHash) return wrong(fmt::format("the token '{}' has no sha256=", token.name));
    const auto isSame = [&](const Token& each) { return each.name == token.name; };
    if (std::ranges::any_of(tokens, isSame))
      return wrong(fmt::format("there are two tokens '{}'", token.name));
    tokens.push_back(std::move(token));
  }
  return tokens;
}

Result<std::vector<Token>> readTokens(const std::filesystem::path& file) {
  WB_TRY(const std::string text, readFile(file));
  struct stat found {};
  if (::stat(file.c_str(), &found) == 0 && (found.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return Error{Stage::setup, fmt::format("others than its owner can write to {}", file.string()),
                 fmt::format("chmod 600 {}", file.string())};
  return tokensOf(text, file.string());
}

TokenFile::Stamp TokenFile::stamp() const {
  struct stat found {};
  if (::stat(file_.c_str(), &found) != 0) return std::nullopt;
  return std::array<std::int64_t, 4>{static_cast<std::int64_t>(found.st_ino), found.st_size,
                                     found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
}

std::optional<Result<std::vector<Token>>> TokenFile::changed() {
  const Stamp now = stamp();
  if (std::exchange(seen_, now) == now) return std::nullopt;
  Result<std::vector<Token>> tokens = readTokens(file_);
  if (tokens && tokens->empty())
    return Error{Stage::setup, fmt::format("{} has no token any more", file_.string()),
                 "stop the server to let everybody in"};
  return tokens;
}

Result<void> addToken(const std::filesystem::path& file, const Token& token) {
  if (!isName(token.name))
    return Error{Stage::setup, fmt::format("'{}' is no name of a token", token.name),
                 "use letters, digits, '-', '_', '.' and '@'"};
  std::string text = "# Tokens of warpbench serve: a name, the hash of the secret, and limits.\n";
  if (std::filesystem::exists(file)) {
    WB_TRY(text, readFile(file));
    WB_TRY(const auto tokens, tokensOf(text, file.string()));
    const auto isSame = [&](const Token& each) { return each.name == token.name; };
    if (std::ranges::any_of(tokens, isSame))
      return Error{Stage::setup, fmt::format("{} has a token '{}' already", file.string(), token.name),
                   "choose another name, or remove its line"};
    if (!text.empty() && text.back() != '\n') text += '\n';
  }
  WB_DO(writeFileAtomically(file, text + lineOf(token) + "\n"));
  std::error_code ignored;
  std::filesystem::permissions(file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write,
                               ignored);
  return {};
}

const Token* tokenOf(std::string_view secret, const std::vector<Token>& tokens) {
  const auto hash = sha256(secret);
  const Token* found = nullptr;
  for (const Token& token : tokens)
    if (CRYPTO_memcmp(hash.data(), token.hash.data(), hash.size()) == 0) found = &token;
  return found;
}

}  // namespace wb
