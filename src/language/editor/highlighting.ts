/** Highlighting as plain data in the form of a Monarch grammar; knows nothing of the editor that uses it. */
import {
  blockWords,
  boundWords,
  constrainedTypes,
  plainTypes,
  statementWords,
} from '../syntax/token.ts';
import { libraryDistributions, libraryNames } from '../types/signatures/signature-table.ts';

/** Word lists and states; the values of `tokenizer` are Monarch rules. */
export function monarchGrammar() {
  return {
    defaultToken: '',
    tokenPostfix: '.stan',
    keywords: [...blockWords, ...statementWords, ...boundWords],
    types: [...plainTypes, ...Object.keys(constrainedTypes), 'array', 'tuple', 'void'],
    functions: [...libraryNames(), ...libraryDistributions().map(({ name }) => name)],
    tokenizer: {
      root: [
        [/#include\b.*$/, 'keyword.directive'],
        [/\/\/.*$|#.*$/, 'comment'],
        [/\/\*/, 'comment', '@comment'],
        [/"[^"\r\n]*"?/, 'string'],
        [/(?:\d[\d_]*(?:\.(?:\d[\d_]*)?)?|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?i?/, 'number'],
        [/[A-Za-z_]\w*(?=\s*\()/, { cases: wordCases('function.user') }],
        [/[A-Za-z_]\w*/, { cases: wordCases('identifier') }],
        [/[{}()[\]]/, '@brackets'],
        [/[-+*/\\^%'!<>=~|&?:.]+/, 'operator'],
        [/[,;]/, 'delimiter'],
      ],
      comment: [
        [/[^*]+/, 'comment'],
        [/\*\//, 'comment', '@pop'],
        [/\*/, 'comment'],
      ],
    },
  };
}

function wordCases(otherwise: string): Readonly<Record<string, string>> {
  const cases = { '@keywords': 'keyword', '@types': 'type', '@default': otherwise };
  return otherwise === 'identifier' ? cases : { '@functions': 'function', ...cases };
}

/** Comments, brackets and indentation, in the form editors take. */
export const languageConfiguration = {
  comments: { lineComment: '//', blockComment: ['/*', '*/'] },
  brackets: [
    ['{', '}'],
    ['[', ']'],
    ['(', ')'],
  ],
  autoClosingPairs: [
    { open: '{', close: '}' },
    { open: '[', close: ']' },
    { open: '(', close: ')' },
    { open: '"', close: '"', notIn: ['string', 'comment'] },
  ],
} as const;
