/** A run that CmdStan makes elsewhere, seen in the browser while `ergodic watch` follows its files. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { builtCli, makeDataFolder } from '../support/served.ts';
import { setStage } from './story.ts';

const stage = setStage();
const folder = makeDataFolder();
/** Four chains of CmdStan 2.35, as it wrote them. */
const chains = [1, 2, 3, 4].map((chain) =>
  readFileSync(new URL(`../fixtures/posterior/bern${chain}.csv`, import.meta.url), 'utf8'),
);
const fileOf = (chain: number) => path.join(folder, `bernoulli-20241017141344_${chain}.csv`);
let child: ChildProcess | null = null;
afterAll(() => child?.kill('SIGKILL'));

describe('a watched CmdStan run', () => {
  it('has a page that grows with its files, and ends with a verdict', async () => {
    const { served } = stage;
    for (const [i, text] of chains.entries())
      writeFileSync(fileOf(i + 1), text.slice(0, i === 3 ? text.indexOf('# Adapt') : 25_000));
    child = spawn(
      process.execPath,
      [builtCli, 'watch', folder, '--chains', '4', '--every', '0.05'],
      {
        env: { ...process.env, ERGODIC_SERVER: served.origin, ERGODIC_TOKEN: served.token },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    const closed = once(child, 'close');
    let said = '';
    const address = await new Promise<string>((resolve) => {
      child?.stderr?.on('data', (data: Buffer) => {
        said += data.toString();
        const match = /Experiment (\S+)\n/.exec(said);
        if (match !== null && said.includes('chain#3: warmup is over')) resolve(match[1] ?? '');
      });
    });
    const { page, problems } = await stage.person('light');
    await page.goto(address);
    await page.getByRole('heading', { name: 'bernoulli-20241017141344' }).waitFor();
    const strip = page.getByRole('list', { name: 'Chains' });
    await expect.poll(() => strip.innerText()).toMatch(/Sampling[\s\S]*Warmup/);
    await page.getByRole('button', { name: 'Stop and keep draws' }).waitFor();
    expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
    await page
      .getByText(/of 4.000 draws so far/)
      .first()
      .waitFor();
    for (const [i, text] of chains.entries())
      appendFileSync(fileOf(i + 1), text.slice(i === 3 ? text.indexOf('# Adapt') : 25_000));
    await page.getByText('Looks converged').first().waitFor();
    await closed;
    expect(child.exitCode).toBe(0);
    expect(said).toContain('Looks converged');
    await page.getByText('theta').first().waitFor();
    expect(problems).toEqual([]);
  });
});
