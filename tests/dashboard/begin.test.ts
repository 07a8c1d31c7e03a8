/** The built script that requests the code of the addressed page before the frame runs. */
import fs from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';

const web = path.resolve(import.meta.dirname, '../../dist/web');
const html = fs.readFileSync(path.join(web, 'index.html'), 'utf8');
const place = /<script src="(\/assets\/begin-[^"]+)"/.exec(html)?.[1] ?? '';

/** Addresses that it requests at `pathname`. */
function askedAt(pathname: string): string[] {
  const asked: string[] = [];
  const document = {
    createElement: () => ({}),
    head: {
      append: ({ rel, href }: { rel: string; href: string }) => {
        if (rel === 'modulepreload') asked.push(href);
      },
    },
  };
  runInNewContext(fs.readFileSync(path.join(web, place), 'utf8'), {
    document,
    location: { pathname },
  });
  return asked;
}
const namesAt = (pathname: string) =>
  askedAt(pathname).map((href) => path.basename(href).replace(/-[\w-]{8}\.js$/, ''));

describe('the code of a page', () => {
  it.each([
    ['/', '_app.index'],
    ['/models', '_app.models.index'],
    ['/models/new', '_app.models.new'],
    ['/models/M1234567', '_app.models._modelId'],
    ['/experiments/compare', '_app.experiments.compare'],
    ['/experiments/X1234567', '_app.experiments._experimentId'],
    ['/s/X1234567/S1234567', 's._objectId._shareId'],
    ['/sign-in', 'sign-in'],
  ])('at %s is the code of its route', (pathname, chunk) => {
    expect(namesAt(pathname)[0]).toBe(chunk);
  });

  it('comes with all its imports, and all these files exist', () => {
    expect(namesAt('/experiments/X1234567')).toEqual(
      expect.arrayContaining(['experiment', 'live', 'plots', 'overlays']),
    );
    for (const href of askedAt('/experiments/X1234567'))
      expect(fs.existsSync(path.join(web, href)), href).toBe(true);
  });

  it('is nothing at an address that is not a page', () => {
    expect(askedAt('/nowhere/at/all')).toEqual([]);
  });
});

it('styles of the whole app come before those of its parts, which override them', () => {
  const sheets = [...html.matchAll(/<link rel="stylesheet"[^>]*href="\/([^"]+)"/g)];
  const all = sheets.map(([, file]) => fs.readFileSync(path.join(web, file), 'utf8')).join('');
  const ofApp = all.lastIndexOf('.mantine-Checkbox-body');
  const ofParts = all.search(/\._[A-Za-z]+_[a-z0-9]+_\d+/);
  expect(all.indexOf('@layer base')).toBeGreaterThanOrEqual(0);
  expect(ofApp).toBeGreaterThan(0);
  expect(ofParts).toBeGreaterThan(ofApp);
});
