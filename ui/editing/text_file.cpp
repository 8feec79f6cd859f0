// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editing/text_file.h"

#include <QStringDecoder>
#include <QStringEncoder>
#include <algorithm>
#include <string_view>

#include "core/base/files/file.h"

namespace wb {
namespace {

constexpr std::size_t mostBytes = std::size_t{8} << 20;
constexpr std::string_view utf8Mark = "\xEF\xBB\xBF", littleMark = "\xFF\xFE", bigMark = "\xFE\xFF";

bool startsWith(const QByteArray& bytes, std::string_view mark) {
  return bytes.startsWith(QByteArrayView(mark));
}

std::optional<QString> decoded(const QByteArray& bytes, std::size_t from, QStringConverter::Encoding how) {
  QStringDecoder decoder(how, QStringConverter::Flag::Stateless);
  const QString text = decoder(QByteArrayView(bytes).sliced(qsizetype(from)));
  return decoder.hasError() ? std::nullopt : std::optional(text);
}

QByteArray encoded(const QString& text, std::string_view mark, QStringConverter::Encoding how) {
  QStringEncoder encoder(how);
  QByteArray bytes(mark.data(), qsizetype(mark.size()));
  return bytes += QByteArray(encoder(text));
}

}  // namespace

std::optional<TextFile> decodeText(const QByteArray& bytes) {
  const auto as = [&](std::string_view mark, Encoding encoding,
                      QStringConverter::Encoding how) -> std::optional<TextFile> {
    const std::optional<QString> text = decoded(bytes, mark.size(), how);
    if (!text || text->contains(QChar(0))) return std::nullopt;
    return TextFile{*text, encoding};
  };
  if (startsWith(bytes, littleMark)) return as(littleMark, Encoding::utf16Little, QStringConverter::Utf16LE);
  if (startsWith(bytes, bigMark)) return as(bigMark, Encoding::utf16Big, QStringConverter::Utf16BE);
  if (bytes.contains('\0')) return std::nullopt;
  if (startsWith(bytes, utf8Mark))
    if (auto file = as(utf8Mark, Encoding::utf8WithMark, QStringConverter::Utf8)) return file;
  if (auto file = as({}, Encoding::utf8, QStringConverter::Utf8)) return file;
  return TextFile{QString::fromLatin1(bytes), Encoding::latin1};
}

Result<TextFile> readTextFile(const std::filesystem::path& path) {
  WB_TRY(const std::string content, readFile(path, mostBytes));
  std::optional<TextFile> file = decodeText(QByteArray::fromStdString(content));
  if (file) return *std::move(file);
  return Error{Stage::job, path.string() + " is not a text file: it has bytes that no text has",
               "name a source file"};
}

std::optional<QByteArray> encodeText(const TextFile& file) {
  switch (file.encoding) {
    case Encoding::utf8:
      return file.text.toUtf8();
    case Encoding::utf8WithMark:
      return encoded(file.text, utf8Mark, QStringConverter::Utf8);
    case Encoding::utf16Little:
      return encoded(file.text, littleMark, QStringConverter::Utf16LE);
    case Encoding::utf16Big:
      return encoded(file.text, bigMark, QStringConverter::Utf16BE);
    case Encoding::latin1:
      break;
  }
  if (std::any_of(file.text.begin(), file.text.end(), [](QChar c) { return c.unicode() > 255; }))
    return std::nullopt;
  return file.text.toLatin1();
}

QString encodingName(Encoding encoding) {
  switch (encoding) {
    case Encoding::utf8:
      return QStringLiteral("UTF-8");
    case Encoding::utf8WithMark:
      return QStringLiteral("UTF-8 with BOM");
    case Encoding::utf16Little:
      return QStringLiteral("UTF-16 LE");
    case Encoding::utf16Big:
      return QStringLiteral("UTF-16 BE");
    case Encoding::latin1:
      break;
  }
  return QStringLiteral("Latin-1");
}

}  // namespace wb
