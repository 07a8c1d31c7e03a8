/** The editor's two themes, made from the tokens of the page. */
import type { editor } from 'monaco-editor/editor/editor.api.js';
import { type TokenName, tokens } from '../tokens.ts';

/** `ergodic-light` and `ergodic-dark`. */
export function editorTheme(scheme: 'light' | 'dark'): editor.IStandaloneThemeData {
  const t = tokens[scheme];
  const rule = (token: string, name: TokenName, fontStyle?: string) => ({
    token,
    foreground: t[name].slice(1),
    ...(fontStyle && { fontStyle }),
  });
  return {
    base: scheme === 'light' ? 'vs' : 'vs-dark',
    inherit: true,
    rules: [
      rule('', 'text'),
      rule('keyword', 'code-keyword'),
      rule('type', 'code-type'),
      rule('function', 'code-function'),
      rule('identifier', 'text'),
      rule('number', 'code-number'),
      rule('string', 'code-string'),
      rule('string.key', 'code-type'),
      rule('comment', 'code-comment', 'italic'),
      rule('operator', 'code-operator'),
      rule('delimiter', 'code-operator'),
    ],
    colors: { ...editorColors(t, scheme), ...widgetColors(t), ...listColors(t), ...diffColors(t) },
  };
}

type Tokens = (typeof tokens)['light' | 'dark'];

/** The text and what is drawn behind it. */
function editorColors(t: Tokens, scheme: 'light' | 'dark'): editor.IColors {
  const selection = scheme === 'light' ? '#D1D6FE' : '#383B78';
  return {
    foreground: t.text,
    descriptionForeground: t.dim,
    errorForeground: t.bad,
    'icon.foreground': t.dim,
    'editor.background': t.surface,
    'editor.foreground': t.text,
    'editorLineNumber.foreground': t.faint,
    'editorLineNumber.activeForeground': t.text,
    'editor.lineHighlightBackground': t.hover,
    'editor.lineHighlightBorder': '#00000000',
    'editor.selectionBackground': selection,
    'editor.inactiveSelectionBackground': t['accent-bg'],
    'editor.selectionHighlightBackground': `${t['accent-text']}22`,
    'editor.selectionHighlightBorder': '#00000000',
    'editor.wordHighlightBackground': `${t.control}33`,
    'editor.wordHighlightStrongBackground': `${t['accent-text']}33`,
    'editor.wordHighlightTextBackground': `${t.control}33`,
    'editor.findMatchBackground': `${t['warn-mark']}66`,
    'editor.findMatchHighlightBackground': `${t['warn-mark']}33`,
    'editor.findRangeHighlightBackground': t.sunken,
    'editor.hoverHighlightBackground': t['accent-bg'],
    'editor.rangeHighlightBackground': t['accent-bg'],
    'editor.symbolHighlightBackground': t['accent-bg'],
    'editor.snippetTabstopHighlightBackground': t['accent-bg'],
    'editor.foldBackground': t.sunken,
    'editor.linkedEditingBackground': t['accent-bg'],
    'editorLink.activeForeground': t['accent-text'],
    'editorLightBulb.foreground': t['warn-mark'],
    'editorLightBulbAutoFix.foreground': t['accent-text'],
    'editorBracketMatch.background': t['accent-bg'],
    'editorBracketMatch.border': t['accent-bd'],
    'editorBracketHighlight.foreground1': t['code-operator'],
    'editorBracketHighlight.foreground2': t['code-operator'],
    'editorBracketHighlight.foreground3': t['code-operator'],
    'editorBracketHighlight.unexpectedBracket.foreground': t.bad,
    'editorCursor.foreground': t['accent-text'],
    'editorIndentGuide.background1': t.border,
    'editorIndentGuide.activeBackground1': t['border-strong'],
    'editorWhitespace.foreground': t['border-strong'],
    'editorError.foreground': t.bad,
    'editorWarning.foreground': t['warn-mark'],
    'editorInfo.foreground': t['accent-text'],
    'editorHint.foreground': t.faint,
    'editorOverviewRuler.border': '#00000000',
    'editorOverviewRuler.errorForeground': t.bad,
    'editorOverviewRuler.warningForeground': t['warn-mark'],
    'editorOverviewRuler.infoForeground': t['accent-text'],
    'editorOverviewRuler.findMatchForeground': `${t['warn-mark']}99`,
    'editorOverviewRuler.selectionHighlightForeground': `${t.control}66`,
    'editorOverviewRuler.wordHighlightForeground': `${t.control}66`,
    'scrollbarSlider.background': `${t.control}55`,
    'scrollbarSlider.hoverBackground': `${t.control}88`,
    'scrollbarSlider.activeBackground': `${t.control}AA`,
    'scrollbar.shadow': '#00000000',
  };
}

/** What floats over the text: cards, boxes, buttons. */
function widgetColors(t: Tokens): editor.IColors {
  return {
    focusBorder: t['accent-text'],
    'widget.shadow': '#00000033',
    'widget.border': t['border-strong'],
    'editorWidget.background': t.raised,
    'editorWidget.foreground': t.text,
    'editorWidget.border': t['border-strong'],
    'editorWidget.resizeBorder': t['accent-text'],
    'editorHoverWidget.background': t.raised,
    'editorHoverWidget.foreground': t.text,
    'editorHoverWidget.border': t['border-strong'],
    'editorHoverWidget.highlightForeground': t['accent-text'],
    'editorHoverWidget.statusBarBackground': t.sunken,
    'editorSuggestWidget.background': t.raised,
    'editorSuggestWidget.foreground': t.text,
    'editorSuggestWidget.border': t['border-strong'],
    'editorSuggestWidget.selectedBackground': t['accent-bg'],
    'editorSuggestWidget.selectedForeground': t.text,
    'editorSuggestWidget.selectedIconForeground': t['accent-text'],
    'editorSuggestWidget.highlightForeground': t['accent-text'],
    'editorSuggestWidget.focusHighlightForeground': t['accent-text'],
    'editorMarkerNavigation.background': t.surface,
    'editorMarkerNavigationError.background': t['bad-bd'],
    'editorMarkerNavigationError.headerBackground': t['bad-bg'],
    'editorMarkerNavigationWarning.background': t['warn-bd'],
    'editorMarkerNavigationWarning.headerBackground': t['warn-bg'],
    'editorMarkerNavigationInfo.background': t['accent-bd'],
    'editorMarkerNavigationInfo.headerBackground': t['accent-bg'],
    'editorActionList.background': t.raised,
    'editorActionList.foreground': t.text,
    'editorActionList.focusBackground': t['accent-bg'],
    'editorActionList.focusForeground': t.text,
    'input.background': t.surface,
    'input.foreground': t.text,
    'input.border': t.control,
    'input.placeholderForeground': t.faint,
    'inputOption.activeBackground': t['accent-bg'],
    'inputOption.activeBorder': t['accent-bd'],
    'inputOption.activeForeground': t['accent-text'],
    'inputValidation.errorBackground': t['bad-bg'],
    'inputValidation.errorBorder': t['bad-bd'],
    'button.background': t.accent,
    'button.foreground': '#FFFFFF',
    'button.hoverBackground': t.accent,
    'badge.background': t.sunken,
    'badge.foreground': t.dim,
    'progressBar.background': t['accent-text'],
    'textLink.foreground': t['accent-text'],
    'textLink.activeForeground': t['accent-text'],
    'textCodeBlock.background': t.sunken,
    'textPreformat.foreground': t.text,
    'textPreformat.background': t.sunken,
    'toolbar.hoverBackground': t.hover,
    'sash.hoverBorder': t['accent-text'],
    'problemsErrorIcon.foreground': t.bad,
    'problemsWarningIcon.foreground': t['warn-mark'],
    'problemsInfoIcon.foreground': t['accent-text'],
  };
}

/** Menus, the outline and other lists to choose from, with the icons in them. */
function listColors(t: Tokens): editor.IColors {
  const icons = ['Namespace', 'Module', 'Variable', 'Function', 'Method', 'Class', 'Keyword'];
  const colored = ['TypeParameter', 'Text', 'Snippet'].concat(icons).map((name) => {
    const token = name === 'Function' || name === 'Method' ? 'code-function' : 'code-type';
    return [
      `symbolIcon.${name.replace(/./, (letter) => letter.toLowerCase())}Foreground`,
      t[token],
    ];
  });
  return {
    ...(Object.fromEntries(colored) as editor.IColors),
    'list.hoverBackground': t.hover,
    'list.hoverForeground': t.text,
    'list.activeSelectionBackground': t['accent-bg'],
    'list.activeSelectionForeground': t.text,
    'list.activeSelectionIconForeground': t['accent-text'],
    'list.inactiveSelectionBackground': t.sunken,
    'list.inactiveSelectionForeground': t.text,
    'list.focusBackground': t['accent-bg'],
    'list.focusForeground': t.text,
    'list.focusOutline': t['accent-bd'],
    'list.focusHighlightForeground': t['accent-text'],
    'list.highlightForeground': t['accent-text'],
    'quickInput.background': t.raised,
    'quickInput.foreground': t.text,
    'quickInputTitle.background': t.sunken,
    'quickInputList.focusBackground': t['accent-bg'],
    'quickInputList.focusForeground': t.text,
    'quickInputList.focusIconForeground': t['accent-text'],
    'pickerGroup.foreground': t.dim,
    'pickerGroup.border': t.border,
    'keybindingLabel.background': t.sunken,
    'keybindingLabel.foreground': t.dim,
    'keybindingLabel.border': t.border,
    'keybindingLabel.bottomBorder': t.border,
    'menu.background': t.raised,
    'menu.foreground': t.text,
    'menu.selectionBackground': t['accent-bg'],
    'menu.selectionForeground': t.text,
    'menu.separatorBackground': t.border,
    'menu.border': t.border,
    'peekView.border': t['accent-text'],
    'peekViewTitle.background': t.sunken,
    'peekViewTitleLabel.foreground': t.text,
    'peekViewTitleDescription.foreground': t.dim,
    'peekViewEditor.background': t.surface,
    'peekViewEditorGutter.background': t.surface,
    'peekViewEditor.matchHighlightBackground': `${t['warn-mark']}44`,
    'peekViewResult.background': t.sunken,
    'peekViewResult.fileForeground': t.text,
    'peekViewResult.lineForeground': t.dim,
    'peekViewResult.selectionBackground': t['accent-bg'],
    'peekViewResult.selectionForeground': t.text,
    'peekViewResult.matchHighlightBackground': `${t['warn-mark']}44`,
  };
}

/** The diff editor. */
function diffColors(t: Tokens): editor.IColors {
  return {
    'diffEditor.insertedTextBackground': '#00000000',
    'diffEditor.removedTextBackground': '#00000000',
    'diffEditor.insertedLineBackground': t['mine-bg'],
    'diffEditor.removedLineBackground': t['theirs-bg'],
    'diffEditorGutter.insertedLineBackground': t['mine-bg'],
    'diffEditorGutter.removedLineBackground': t['theirs-bg'],
    'diffEditorOverview.insertedForeground': t['accent-text'],
    'diffEditorOverview.removedForeground': t['warn-mark'],
    'diffEditor.diagonalFill': t.border,
    'diffEditor.unchangedRegionBackground': t.sunken,
    'diffEditor.unchangedRegionForeground': t.dim,
    'diffEditor.unchangedCodeBackground': t.sunken,
  };
}
