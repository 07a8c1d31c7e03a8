/** Look and behaviour of every editor: for editing, reading and comparing. */
import type * as Monaco from 'monaco-editor/editor/editor.api.js';

export const editorOptions = {
  automaticLayout: true,
  fontFamily: "'Geist Mono Variable', ui-monospace, 'SF Mono', Menlo, Consolas, monospace",
  fontSize: 13,
  lineHeight: 20,
  fontLigatures: false,
  minimap: { enabled: false },
  glyphMargin: true,
  folding: true,
  lineNumbersMinChars: 3,
  scrollBeyondLastLine: false,
  renderLineHighlight: 'all',
  padding: { top: 8, bottom: 8 },
  overviewRulerBorder: false,
  // A dimmed number under the last line would be too faint to read.
  renderFinalNewline: 'on',
  hideCursorInOverviewRuler: true,
  fixedOverflowWidgets: true,
  stickyScroll: { enabled: false },
  // In a place without code, or in the margin.
  lightbulb: { enabled: 'onCode' as Monaco.editor.ShowLightbulbIconMode },
  guides: { indentation: false },
  occurrencesHighlight: 'singleFile',
  // The language service's suggestions are better than words that happen to be nearby.
  wordBasedSuggestions: 'off',
  unicodeHighlight: { ambiguousCharacters: false },
} as const satisfies Monaco.editor.IStandaloneEditorConstructionOptions;

/** For all texts: colours show what a word is, not how deeply a bracket is nested. */
export const textOptions = {
  tabSize: 2,
  insertSpaces: true,
  bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false },
} as const satisfies Monaco.editor.ITextModelUpdateOptions;
