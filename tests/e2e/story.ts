/** What every story shares: one service per file, one browser per process, and a signed-in person in a theme. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { itemAt } from '../../src/shared/items.ts';
import { builtCli, launch, makeReadyFolder, type Served } from '../support/served.ts';
import { leaveBrowser, takeBrowser, type Visitor, visit } from './browser.ts';

export const bothSchemes = ['light', 'dark'] as const;
export type Scheme = (typeof bothSchemes)[number];

/**
 * The schemes in which the stories of a file run: one, alternating between light and dark from file to file, since
 * `accessibility` and `openings` check the colours of every page. `SCHEMES=both` runs each story in both.
 */
export const schemes: readonly Scheme[] = schemesOf(expect.getState().testPath ?? '');

function schemesOf(file: string): readonly Scheme[] {
  if (process.env.SCHEMES === 'both') return bothSchemes;
  const sum = Buffer.from(path.basename(file)).reduce((total, byte) => total + byte, 0);
  return [itemAt(bothSchemes, sum % 2)];
}

/** Enough for a verdict, and over in a moment. */
export const tinyRun = { num_warmup: 100, num_samples: 100, seed: 3 } as const;

interface WindowSize {
  readonly width: number;
  readonly height: number;
}

const usual: WindowSize = { width: 1440, height: 900 };

export interface Stage {
  readonly served: Served;
  readonly browser: Browser;
  readonly dataDir: string;
  /** A signed-in person with a separate profile, on the overview. */
  readonly person: (scheme: Scheme, size?: WindowSize) => Promise<Visitor>;
  /** The same, but with no page opened yet, for a test that does not start on the overview. */
  readonly arrive: (scheme: Scheme, size?: WindowSize) => Promise<Visitor>;
  readonly create: (payload: Readonly<Record<string, unknown>>) => Promise<string>;
  /** A second user of the server, created as its operator would; returns the name that shares are addressed to. */
  readonly addUser: (name: string, password: string) => Promise<string>;
}

/**
 * Starts and stops the file's service, and provides a browser; `fill` creates objects before the first test, `env` is
 * added to the environment of the service.
 */
export function setStage(
  fill: (stage: Stage) => Promise<void> = async () => {},
  env: Readonly<Record<string, string>> = {},
): Stage {
  const stage: Record<string, unknown> = {
    arrive(scheme: Scheme, size = usual) {
      const { served, browser } = stage as unknown as Stage;
      const { origin, token } = served;
      return visit(browser, { scheme, ...size, signedIn: { origin, token } });
    },
    async person(scheme: Scheme, size = usual) {
      const { served, browser } = stage as unknown as Stage;
      const visitor = await visit(browser, { scheme, ...size });
      await visitor.page.goto(`${served.origin}/?token=${served.token}`);
      await visitor.page.getByRole('heading', { name: 'Overview' }).waitFor();
      expect(await themeOf(visitor.page)).toBe(scheme);
      return visitor;
    },
    async create(payload: Readonly<Record<string, unknown>>) {
      const made = await (stage as unknown as Stage).served.call('POST', '/api/object', {
        payload,
      });
      expect(made).toMatchObject({ status: 'ok' });
      return (made.data as { short_id: string }).short_id;
    },
    async addUser(name: string, password: string) {
      const { dataDir } = stage as unknown as Stage;
      const child = spawn(process.execPath, [builtCli, 'user', 'add', name, '--data', dataDir], {
        env: { ...process.env, DATABASE_URL: '' },
      });
      let said = '';
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString('utf8');
      });
      child.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString('utf8');
      });
      child.stdin.end(`${password}\n`);
      await once(child, 'close');
      const made = /Created user (\S+)\./.exec(said);
      if (made === null) throw new Error(`no user was made: ${said}`);
      return made[1];
    },
  };
  beforeAll(async () => {
    stage.dataDir = await makeReadyFolder();
    const starting = launch({ dataDir: stage.dataDir as string, env }).ready;
    [stage.browser, stage.served] = await Promise.all([takeBrowser(), starting]);
    await fill(stage as unknown as Stage);
  });
  afterAll(async () => {
    const { served } = stage as unknown as Partial<Stage>;
    await leaveBrowser();
    served?.process.kill('SIGTERM');
    await served?.exited;
  });
  return stage as unknown as Stage;
}

/** The theme of the page. */
export function themeOf(page: Page): Promise<string | null> {
  return page.evaluate(() => document.documentElement.getAttribute('data-mantine-color-scheme'));
}

/** Expects that the page had no errors, then discards the profile. */
export async function leave({ context, problems }: Visitor): Promise<void> {
  expect(problems).toEqual([]);
  await context.close();
}

/** What a click downloads. */
export async function downloadBy(page: Page, click: () => Promise<void>): Promise<Saved> {
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: 60_000 }),
    click(),
  ]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

export interface Saved {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Picks a choice of a Mantine select. */
export async function choose(page: Page, field: Locator, option: string | RegExp): Promise<void> {
  await field.click();
  await page
    .getByRole(
      'option',
      typeof option === 'string' ? { name: option, exact: true } : { name: option },
    )
    .first()
    .click();
}

/** Picks a segment by its label, which covers its radio. */
export async function pickSegment(page: Page, group: string, label: string): Promise<void> {
  await page.getByRole('radiogroup', { name: group }).getByText(label, { exact: true }).click();
}

/** Presses *Undo* in the toast that says `words`. */
export async function undo(page: Page, words: string | RegExp): Promise<void> {
  const toast = page.getByRole('status').filter({ hasText: words });
  await toast.getByRole('button', { name: 'Undo' }).click();
}
