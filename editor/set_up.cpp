// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/set_up.h"

#include <Qsci/qsciscintilla.h>

#include "editor/scintilla.h"

namespace wb {
namespace {

void setUpText(QsciScintilla& editor) {
  editor.setUtf8(true);
  editor.setEolMode(QsciScintilla::EolUnix);
  editor.setFrameShape(QFrame::NoFrame);
  editor.setTabWidth(4);
  editor.setIndentationsUseTabs(false);
  editor.setIndentationWidth(4);
  editor.setAutoIndent(true);
  editor.setBackspaceUnindents(true);
  editor.setTabIndents(true);
  editor.setIndentationGuides(true);
  editor.setWhitespaceVisibility(QsciScintilla::WsInvisible);
  editor.setBraceMatching(QsciScintilla::SloppyBraceMatch);
  editor.setWrapMode(QsciScintilla::WrapNone);
  editor.setScrollWidth(1);
  editor.setScrollWidthTracking(true);
  editor.setExtraAscent(2);
  editor.setExtraDescent(2);
  send(editor, QsciScintillaBase::SCI_SETMULTIPLESELECTION, 1);
  send(editor, QsciScintillaBase::SCI_SETADDITIONALSELECTIONTYPING, 1);
  send(editor, QsciScintillaBase::SCI_SETMULTIPASTE, QsciScintillaBase::SC_MULTIPASTE_EACH);
  send(editor, QsciScintillaBase::SCI_SETRECTANGULARSELECTIONMODIFIER, QsciScintillaBase::SCMOD_ALT);
  send(editor, QsciScintillaBase::SCI_SETVIRTUALSPACEOPTIONS, QsciScintillaBase::SCVS_RECTANGULARSELECTION);
  send(editor, QsciScintillaBase::SCI_SETYCARETPOLICY,
       QsciScintillaBase::CARET_SLOP | QsciScintillaBase::CARET_EVEN, 3);
}

void setUpCaret(QsciScintilla& editor) {
  editor.setCaretWidth(2);
  editor.setCaretLineVisible(true);
}

void setUpMargins(QsciScintilla& editor) {
  editor.setMargins(marginCount);
  editor.setMarginType(symbolMargin, QsciScintilla::SymbolMargin);
  editor.setMarginMarkerMask(symbolMargin, (1 << errorMarker) | (1 << warningMarker) | (1 << noteMarker));
  editor.setMarginSensitivity(symbolMargin, false);
  editor.setMarginType(numberMargin, QsciScintilla::NumberMargin);
  editor.setMarginMarkerMask(numberMargin, 0);
  editor.setFolding(QsciScintilla::PlainFoldStyle, foldMargin);
  for (const int margin : {int{edgeMargin}, int{gapMargin}}) {
    editor.setMarginType(margin, QsciScintilla::SymbolMarginColor);
    editor.setMarginMarkerMask(margin, 0);
  }
  editor.markerDefine(QsciScintilla::Background, pointedMarker);
  editor.setMarginWidth(edgeMargin, 6);
  editor.setMarginWidth(gapMargin, 6);
}

void setUpCompletion(QsciScintilla& editor) {
  editor.setAutoCompletionSource(QsciScintilla::AcsAPIs);
  editor.setAutoCompletionThreshold(3);
  editor.setAutoCompletionCaseSensitivity(true);
  editor.setAutoCompletionReplaceWord(false);
  editor.setAutoCompletionUseSingle(QsciScintilla::AcusNever);
  editor.setCallTipsStyle(QsciScintilla::CallTipsNoContext);
  editor.setCallTipsVisible(0);
}

}  // namespace

void setUp(QsciScintilla& editor) {
  setUpText(editor);
  setUpCaret(editor);
  setUpMargins(editor);
  setUpCompletion(editor);
}

}  // namespace wb
