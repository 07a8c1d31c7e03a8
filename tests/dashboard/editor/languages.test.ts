/** Which language a file is in, and what people call it. */
import { expect, it } from 'vitest';
import { languageOfFile, languageWord } from '../../../src/dashboard/editor/languages.ts';

it.each([
  ['main.stan', 'stan', 'Stan'],
  ['lib/part.stanfunctions', 'stan', 'Stan'],
  ['A.JSON', 'json', 'JSON'],
  ['a.yaml', 'yaml', 'YAML'],
  ['a.yml', 'yaml', 'YAML'],
  ['a.py', 'python', 'Python'],
  ['a.R', 'r', 'R'],
  ['a.jags', 'jags', 'JAGS'],
  ['a.bug', 'jags', 'JAGS'],
  ['a.bugs', 'jags', 'JAGS'],
  ['a.jl', 'julia', 'Julia'],
  ['a.js', 'javascript', 'JavaScript'],
  ['a.mjs', 'javascript', 'JavaScript'],
  ['a.md', 'markdown', 'Markdown'],
  ['a.toml', 'ini', 'TOML'],
  ['a.stan.txt', 'plaintext', 'Text'],
  ['LICENSE', 'plaintext', 'Text'],
  ['a.constructor', 'plaintext', 'Text'],
])('%s is in %s, which is called %s', (path, language, word) => {
  expect(languageOfFile(path)).toBe(language);
  expect(languageWord(language)).toBe(word);
});

it('a language of the editor without a label is shown by its id', () => {
  expect(languageWord('cpp')).toBe('cpp');
});
