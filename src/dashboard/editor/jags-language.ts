/** Colours for JAGS: keywords, distributions after a tilde, functions, numbers, comments. */
import type * as monaco from 'monaco-editor/editor/editor.api.js';

const keywords = ['model', 'data', 'var', 'for', 'in', 'T', 'I'];

export function registerJags({ languages }: typeof monaco): void {
  languages.register({ id: 'jags', extensions: ['.jags', '.bug', '.bugs'], aliases: ['JAGS'] });
  languages.setMonarchTokensProvider('jags', {
    keywords,
    tokenizer: {
      root: [
        [/#.*/, 'comment'],
        [/\/\*/, 'comment', '@comment'],
        [/(~\s*)([A-Za-z][\w.]*)/, ['operator', 'type']],
        [
          /[A-Za-z][\w.]*(?=\s*\()/,
          { cases: { '@keywords': 'keyword', '@default': 'predefined' } },
        ],
        [/[A-Za-z][\w.]*/, { cases: { '@keywords': 'keyword', '@default': 'identifier' } }],
        [/(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/, 'number'],
        [/%[^%\s]*%|<-|[~:^*/+\-<>=!&|]+/, 'operator'],
        [/[{}()[\]]/, '@brackets'],
        [/[,;]/, 'delimiter'],
      ],
      comment: [
        [/\*\//, 'comment', '@pop'],
        [/./, 'comment'],
      ],
    },
  });
  languages.setLanguageConfiguration('jags', {
    comments: { lineComment: '#', blockComment: ['/*', '*/'] },
    brackets: [
      ['{', '}'],
      ['[', ']'],
      ['(', ')'],
    ],
    autoClosingPairs: [
      { open: '{', close: '}' },
      { open: '[', close: ']' },
      { open: '(', close: ')' },
    ],
  });
}
