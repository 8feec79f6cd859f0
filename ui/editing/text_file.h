// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <filesystem>
#include <optional>

#include "core/base/result.h"

namespace wb {

enum class Encoding { utf8, utf8WithMark, utf16Little, utf16Big, latin1 };

/// A file's text, and what it takes to write it back as it was. Line ends are part of the text.
struct TextFile {
  QString text;
  Encoding encoding = Encoding::utf8;
};

/// Reads a source file of up to 8 MB. UTF-16 is known by its byte order mark; what is neither that nor UTF-8
/// is taken for Latin-1. Errors: it is missing, a folder, binary, or too large.
Result<TextFile> readTextFile(const std::filesystem::path& path);

/// Bytes as text; nothing for binary ones.
[[nodiscard]] std::optional<TextFile> decodeText(const QByteArray& bytes);
/// The bytes of a file; nothing when the encoding lacks a character of the text.
[[nodiscard]] std::optional<QByteArray> encodeText(const TextFile& file);
/// "UTF-8", "UTF-8 with BOM", "UTF-16 LE", "UTF-16 BE" or "Latin-1".
[[nodiscard]] QString encodingName(Encoding encoding);

}  // namespace wb
