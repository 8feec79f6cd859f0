// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/editor_colors.h"

#include <Qsci/qscilexercpp.h>
#include <Qsci/qscilexerpython.h>

#include <QFontDatabase>
#include <QFontInfo>
#include <initializer_list>

#include "editor/editor_palette.h"
#include "editor/scintilla.h"

namespace wb {
namespace {

using Base = QsciScintillaBase;

void paint(QsciLexer& lexer, const QColor& color, std::initializer_list<int> styles) {
  for (const int style : styles) lexer.setColor(color, style);
}

void paintCpp(QsciLexer& lexer, const EditorPalette& p) {
  using L = QsciLexerCPP;
  paint(lexer, p.comment,
        {L::Comment, L::CommentLine, L::CommentDoc, L::CommentLineDoc, L::CommentDocKeyword,
         L::CommentDocKeywordError, L::PreProcessorComment, L::PreProcessorCommentLineDoc});
  paint(lexer, p.number, {L::Number, L::UserLiteral, L::EscapeSequence});
  paint(lexer, p.keyword, {L::Keyword});
  paint(lexer, p.builtin, {L::KeywordSet2});
  paint(lexer, p.type, {L::GlobalClass});
  paint(lexer, p.string,
        {L::DoubleQuotedString, L::SingleQuotedString, L::RawString, L::VerbatimString,
         L::TripleQuotedVerbatimString, L::HashQuotedString, L::UnclosedString, L::Regex});
  paint(lexer, p.preprocessor, {L::PreProcessor});
  paint(lexer, p.op, {L::Operator});
}

void paintPython(QsciLexer& lexer, const EditorPalette& p) {
  using L = QsciLexerPython;
  paint(lexer, p.comment, {L::Comment, L::CommentBlock});
  paint(lexer, p.number, {L::Number});
  paint(lexer, p.keyword, {L::Keyword});
  paint(lexer, p.builtin, {L::HighlightedIdentifier});
  paint(lexer, p.type, {L::ClassName});
  paint(lexer, p.function, {L::FunctionMethodName});
  paint(lexer, p.preprocessor, {L::Decorator});
  paint(lexer, p.string,
        {L::DoubleQuotedString, L::SingleQuotedString, L::TripleSingleQuotedString,
         L::TripleDoubleQuotedString, L::UnclosedString, L::DoubleQuotedFString, L::SingleQuotedFString,
         L::TripleSingleQuotedFString, L::TripleDoubleQuotedFString});
  paint(lexer, p.op, {L::Operator});
}

void defineFoldMark(QsciScintilla& editor, int number, int symbol, const EditorPalette& p) {
  send(editor, Base::SCI_MARKERDEFINE, number, symbol);
  editor.SendScintilla(Base::SCI_MARKERSETFORE, static_cast<unsigned long>(number), p.fold);
  editor.SendScintilla(Base::SCI_MARKERSETBACK, static_cast<unsigned long>(number), p.fold);
}

// QScintilla's own fold styles have black and white built in, so the marks are defined again here.
void colorFolds(QsciScintilla& editor, const EditorPalette& p) {
  editor.setFoldMarginColors(p.background, p.background);
  defineFoldMark(editor, Base::SC_MARKNUM_FOLDEROPEN, Base::SC_MARK_ARROWDOWN, p);
  defineFoldMark(editor, Base::SC_MARKNUM_FOLDER, Base::SC_MARK_ARROW, p);
  defineFoldMark(editor, Base::SC_MARKNUM_FOLDEROPENMID, Base::SC_MARK_ARROWDOWN, p);
  defineFoldMark(editor, Base::SC_MARKNUM_FOLDEREND, Base::SC_MARK_ARROW, p);
  for (const int number :
       {Base::SC_MARKNUM_FOLDERMIDTAIL, Base::SC_MARKNUM_FOLDERTAIL, Base::SC_MARKNUM_FOLDERSUB}) {
    send(editor, Base::SCI_MARKERDEFINE, number, Base::SC_MARK_EMPTY);
  }
}

void colorMargins(QsciScintilla& editor, const EditorPalette& p, const QFont& font) {
  QFont small = font;
  small.setPointSizeF(font.pointSizeF() * 0.92);
  editor.setMarginsFont(small);
  editor.setMarginsBackgroundColor(p.background);
  editor.setMarginsForegroundColor(p.lineNumber);
  for (const int margin : {int{edgeMargin}, int{symbolMargin}, int{gapMargin}})
    editor.setMarginBackgroundColor(margin, p.background);
}

void colorBraces(QsciScintilla& editor, const EditorPalette& p) {
  editor.setMatchedBraceForegroundColor(p.text);
  editor.setMatchedBraceBackgroundColor(p.braceMatch);
  editor.setUnmatchedBraceForegroundColor(p.error);
  editor.setUnmatchedBraceBackgroundColor(p.background);
}

}  // namespace

QFont editorFont(double pointSize, const QString& family) {
  QFont font(family.isEmpty() ? QStringLiteral("WB Mono") : family);
  if (!family.isEmpty() && !QFontInfo(font).exactMatch()) font.setFamily(QStringLiteral("WB Mono"));
  if (!QFontInfo(font).exactMatch()) font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  // QScintilla reads the point size; with a pixel size it would draw text one pixel high.
  font.setPointSizeF(pointSize);
  font.setStyleHint(QFont::Monospace);
  return font;
}

EditorPalette defaultEditorPalette() {
  EditorPalette p;
  p.background = "#16171c", p.text = "#d6d9e0", p.lineNumber = "#5b6070", p.currentLine = "#1d1f27",
  p.selection = "#2b4470";
  p.selectionText = p.text, p.caret = "#e8eaf0", p.fold = "#6b7183", p.indentGuide = "#2a2d37",
  p.braceMatch = "#3a4256";
  p.keyword = "#c792ea", p.builtin = "#5fc9d8", p.type = "#e5c07b", p.string = "#98c379",
  p.number = "#e8a36b", p.comment = "#6b7280";
  p.preprocessor = "#e06c75", p.op = "#aab2c5", p.function = "#74aaf7";
  p.error = "#f2706b", p.errorBackground = "#331d20", p.warning = "#e6b450", p.warningBackground = "#2f2819";
  p.note = "#62a8f0", p.noteBackground = "#1a2638";
  p.heat = "#f0883e", p.pointed = "#22314d";
  return p;
}

void colorLexer(QsciLexer& lexer, const EditorPalette& palette, const QFont& font) {
  lexer.setDefaultFont(font);
  lexer.setDefaultColor(palette.text);
  lexer.setDefaultPaper(palette.background);
  lexer.setFont(font, -1);
  lexer.setColor(palette.text, -1);
  lexer.setPaper(palette.background, -1);
  for (int style = 0; style < 128; ++style) lexer.setEolFill(false, style);
  if (qobject_cast<QsciLexerPython*>(&lexer) != nullptr) {
    paintPython(lexer, palette);
  } else {
    paintCpp(lexer, palette);
  }
}

void colorEditor(QsciScintilla& editor, const EditorPalette& p, const QFont& font) {
  editor.setColor(p.text);
  editor.setPaper(p.background);
  if (editor.lexer() == nullptr) editor.setFont(font);
  colorMargins(editor, p, font);
  colorFolds(editor, p);
  colorBraces(editor, p);
  editor.setCaretForegroundColor(p.caret);
  editor.setCaretLineBackgroundColor(p.currentLine);
  editor.SendScintilla(Base::SCI_SETADDITIONALCARETFORE, p.caret);
  editor.setSelectionBackgroundColor(p.selection);
  send(editor, Base::SCI_SETSELFORE, 0, 0);  // selected text keeps its syntax colours
  editor.SendScintilla(Base::SCI_SETADDITIONALSELBACK, p.selection);
  editor.setIndentationGuidesForegroundColor(p.indentGuide);
  editor.setIndentationGuidesBackgroundColor(p.background);
  editor.SendScintilla(Base::SCI_INDICSETFORE, static_cast<unsigned long>(callIndicator), p.function);
  editor.SendScintilla(Base::SCI_INDICSETFORE, static_cast<unsigned long>(occurrenceIndicator), p.builtin);
  editor.SendScintilla(Base::SCI_INDICSETFORE, static_cast<unsigned long>(matchIndicator), p.heat);
  editor.setMarkerBackgroundColor(p.pointed, pointedMarker);
  editor.setCallTipsBackgroundColor(p.currentLine);
  editor.setCallTipsForegroundColor(p.text);
  editor.setCallTipsHighlightColor(p.function);
}

}  // namespace wb
