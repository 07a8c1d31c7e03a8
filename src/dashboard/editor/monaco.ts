/** The editor with the languages we support, from our own origin. Imported lazily: this chunk is large. */
import * as monaco from 'monaco-editor/editor/editor.api.js';
import EditorWorker from 'monaco-editor/editor/editor.worker.js?worker';
import 'monaco-editor/features/register.all.js';
import 'monaco-editor/languages/definitions/ini/register.js';
import 'monaco-editor/languages/definitions/javascript/register.js';
import 'monaco-editor/languages/definitions/julia/register.js';
import 'monaco-editor/languages/definitions/markdown/register.js';
import 'monaco-editor/languages/definitions/python/register.js';
import 'monaco-editor/languages/definitions/r/register.js';
import 'monaco-editor/languages/definitions/yaml/register.js';
import { languageConfiguration, monarchGrammar } from '../../language/editor/highlighting.ts';
import { registerJags } from './jags-language.ts';
import { fixRemovedSyntax, registerStanProviders } from './stan-providers.ts';
import { editorTheme } from './themes.ts';

export { fixRemovedSyntax, monaco };

(globalThis as { MonacoEnvironment?: unknown }).MonacoEnvironment = {
  getWorker: () => new EditorWorker(),
};

monaco.editor.defineTheme('ergodic-light', editorTheme('light'));
monaco.editor.defineTheme('ergodic-dark', editorTheme('dark'));

monaco.languages.register({
  id: 'stan',
  extensions: ['.stan', '.stanfunctions'],
  aliases: ['Stan'],
});
monaco.languages.setMonarchTokensProvider(
  'stan',
  monarchGrammar() as monaco.languages.IMonarchLanguage,
);
monaco.languages.setLanguageConfiguration(
  'stan',
  languageConfiguration as unknown as monaco.languages.LanguageConfiguration,
);
registerStanProviders(monaco);
registerJags(monaco);

// The editor's language service for JSON needs a separate worker: colours are enough here.
monaco.languages.register({ id: 'json', extensions: ['.json'], aliases: ['JSON'] });
monaco.languages.setMonarchTokensProvider('json', {
  tokenizer: {
    root: [
      [/"(?:[^"\\]|\\.)*"(?=\s*:)/, 'string.key'],
      [/"(?:[^"\\]|\\.)*"?/, 'string'],
      [/-?(?:\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|Infinity\b|Inf\b)/, 'number'],
      [/\b(?:true|false|null|NaN|Infinity|Inf)\b/, 'keyword'],
      [/[{}[\]]/, '@brackets'],
      [/[,:]/, 'delimiter'],
    ],
  },
});
monaco.languages.setLanguageConfiguration('json', {
  brackets: [
    ['{', '}'],
    ['[', ']'],
  ],
  autoClosingPairs: [
    { open: '{', close: '}' },
    { open: '[', close: ']' },
    { open: '"', close: '"', notIn: ['string'] },
  ],
});

// Letters are measured once; a font that arrives later would misplace the cursor.
void document.fonts.ready.then(() => monaco.editor.remeasureFonts());
