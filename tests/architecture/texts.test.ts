import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findTexts } from '../support/find-texts.mjs';

const textsOf = (source: string): string[] =>
  findTexts(source, 'sample.tsx').map(({ text }) => text);

describe('the list of texts', () => {
  it.each([
    ['src/cli/backup.ts', 'write a backup of all data to one file; the service can keep running'],
    ['src/client/api-error.ts', 'The server cannot be reached.'],
    ['src/contract/common.ts', 'must be a whole number from {…} to {…}'],
    ['src/dashboard/editor/file-tree.ts', '{…} is already in this folder.'],
    ['src/dashboard/app.tsx', 'The dashboard has crashed'],
    ['src/engine/workers/watchdog.ts', 'The chain took longer than {…} seconds (timeout).'],
    ['src/figures/chain-lines.ts', 'All chains'],
    ['src/formats/archive.ts', 'This is not a zip archive.'],
    ['src/gallery/models/cheese.ts', 'Cheese tasting'],
    ['src/language/types/type-problems.ts', 'No variable is called {…}.{…}'],
    ['src/math/autodiff/tape.ts', 'the gradient of this program needs more than {…} MiB'],
    ['src/posterior/verdict-label.ts', 'Not converged: do not use these draws.'],
    ['src/service/account/account.ts', 'The current password is wrong.'],
    ['src/shared/invariant.ts', 'Invariant broken: {…}'],
  ])('contains the text of %s', (file, text) => {
    expect(findTexts(fs.readFileSync(file, 'utf8'), file).map((found) => found.text)).toContain(
      text,
    );
  });

  it('names the line on which a text begins', () => {
    const source = "const first = 1;\n\nfail(\n  'The file is empty.',\n);\n";
    expect(findTexts(source, 'sample.ts')).toEqual([{ line: 4, text: 'The file is empty.' }]);
  });

  it('reads the text between tags as one line', () => {
    expect(textsOf('<p>Delete {count} <b>objects</b> of\n {`run ${name}`}?</p>')).toEqual([
      'Delete {…} {…} of run {…}?',
      'objects',
    ]);
  });

  it('includes labels of one word, and both branches of a choice', () => {
    expect(
      textsOf("<Button aria-label={isOpen ? 'close' : 'open'}>{isOpen && 'ok'}</Button>"),
    ).toEqual(['close', 'open', 'ok']);
  });

  it('joins a message that is written in parts', () => {
    expect(textsOf("throw new Fault('CODE', 'The chain ' + name + ' is gone.');")).toEqual([
      'The chain {…} is gone.',
    ]);
  });

  it('leaves out names, classes, types and SQL', () => {
    expect(
      textsOf(`
        import { a } from './some file.ts';
        type Kind = 'one kind of thing';
        const id = 'chain-name';
        const rows = sql\`select id from objects\`;
        const box = <div className="card wide" role="note" />;
      `),
    ).toEqual([]);
  });
});
