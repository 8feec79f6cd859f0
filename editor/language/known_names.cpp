// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/language/known_names.h"

#include <QFile>
#include <algorithm>

#include "editor/language/vocabulary.h"

namespace wb {
namespace {

/// Where the last "::" or "." before `end` ends; 0 without one.
qsizetype endOfQualifier(const QString& name) {
  const qsizetype colons = name.lastIndexOf(QLatin1String("::"));
  if (colons >= 0) return colons + 2;
  return name.lastIndexOf(QLatin1Char('.')) + 1;
}

QString withoutSeparator(QString qualifier) {
  while (qualifier.endsWith(QLatin1Char(':')) || qualifier.endsWith(QLatin1Char('.'))) qualifier.chop(1);
  return qualifier;
}

KnownNames made(const QString& lexer) {
  KnownNames names;
  for (const QString& entry : completions(lexer)) names.push_back(knownName(entry));
  return names;
}

}  // namespace

KnownName knownName(const QString& entry) {
  const QString full = entry.section(QLatin1Char('('), 0, 0);
  const qsizetype split = endOfQualifier(full);
  return {withoutSeparator(full.left(split)), full.mid(split),
          full.size() == entry.size() ? QString() : entry.mid(split)};
}

const KnownNames& languageNames(const QString& lexer) {
  static const KnownNames cpp = made(QStringLiteral("cpp")), cuda = made(QStringLiteral("cuda")),
                          python = made(QStringLiteral("python"));
  if (lexer == QLatin1String("python")) return python;
  return lexer == QLatin1String("cuda") ? cuda : cpp;
}

std::shared_ptr<const KnownNames> operatorNames(
    const std::vector<std::pair<std::string, std::string>>& schemas) {
  auto names = std::make_shared<KnownNames>(), intoOutputs = std::make_shared<KnownNames>();
  for (const auto& [name, schema] : schemas) {
    constexpr std::string_view prefix = "aten::";
    if (!name.starts_with(prefix)) continue;
    const QString full = QString::fromStdString(name.substr(prefix.size()));
    const QString overload = full.section(QLatin1Char('.'), 1);
    const QString bare = full.section(QLatin1Char('.'), 0, 0);
    const auto open = schema.find('(');
    if (open == std::string::npos) continue;
    const bool writes = overload.endsWith(QLatin1String("out"));
    (writes ? *intoOutputs : *names)
        .push_back({{}, bare, bare + QString::fromStdString(schema.substr(open))});
  }
  names->insert(names->end(), intoOutputs->begin(), intoOutputs->end());
  return names;
}

bool isOperatorQualifier(const QString& qualifier) {
  return qualifier == QLatin1String("at") || qualifier == QLatin1String("torch") ||
         qualifier == QLatin1String("aten");
}

}  // namespace wb
