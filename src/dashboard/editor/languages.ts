/** The language of a file, by its name. */
import { ownValue } from '../../shared/items.ts';

const bySuffix: Readonly<Record<string, string>> = {
  stan: 'stan',
  stanfunctions: 'stan',
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  py: 'python',
  r: 'r',
  jags: 'jags',
  bug: 'jags',
  bugs: 'jags',
  jl: 'julia',
  js: 'javascript',
  mjs: 'javascript',
  md: 'markdown',
  toml: 'ini',
};

/** Id of the editor's language; `plaintext` for the rest. */
export function languageOfFile(path: string): string {
  const suffix = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return ownValue(bySuffix, suffix) ?? 'plaintext';
}

const names: Readonly<Record<string, string>> = {
  stan: 'Stan',
  json: 'JSON',
  yaml: 'YAML',
  python: 'Python',
  r: 'R',
  jags: 'JAGS',
  julia: 'Julia',
  javascript: 'JavaScript',
  markdown: 'Markdown',
  ini: 'TOML',
  plaintext: 'Text',
};

export function languageWord(language: string): string {
  return names[language] ?? language;
}
