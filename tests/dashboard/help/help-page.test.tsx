// Runs in a window.
/** Help: every topic that anything may link to is explained, with or without an account. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { accounts } from '../../../src/dashboard/features/help/accounts.ts';
import { diagnostics } from '../../../src/dashboard/features/help/diagnostics.ts';
import { plots } from '../../../src/dashboard/features/help/plots.ts';
import { statuses } from '../../../src/dashboard/features/help/statuses.ts';
import { helpTopics } from '../../../src/dashboard/ui/help-topics.ts';
import { FakeServer } from '../../support/fake-server.ts';
import { renderApp } from '../../support/render-app.tsx';

const explained = { accounts, diagnostics, plots, statuses };

describe('the help pages', () => {
  it('explain each topic on the page that links lead to', () => {
    const found = Object.entries(explained).flatMap(([page, topics]) =>
      topics.map(({ id }) => [id, page]),
    );
    expect(Object.fromEntries(found)).toEqual(helpTopics);
    expect(found.length).toBe(Object.keys(helpTopics).length);
  });

  it('are linked from where each topic appears', () => {
    const root = path.resolve(import.meta.dirname, '../../../src/dashboard');
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .filter((name) => !/features\/help|help-topics|help-pages/.test(name));
    const source = files.map((name) => readFileSync(path.join(root, name), 'utf8')).join('\n');
    // The badge of a run names its state: the tone of each is a topic.
    const byTone = Object.entries(helpTopics).filter(([, page]) => page === 'statuses');
    for (const [topic] of byTone) expect(source).toContain(`tone: '${topic}'`);
    expect(source).toMatch(/<HelpLink topic={tone as HelpTopic}/);
    const others = Object.keys(helpTopics).filter(
      (topic) => !byTone.some(([one]) => one === topic),
    );
    const linked = (topic: string) =>
      new RegExp(
        `(help|topic)(=|: ?)("|')${topic}("|')|[a-z_]+: '${topic}',|\\? '${topic}' :|: '${topic}'}`,
      );
    expect(others.filter((topic) => !linked(topic).test(source))).toEqual([]);
    expect(source).toContain("page: 'elsewhere'");
  });

  it('say what to do about each check, with its source', () => {
    for (const { id, advice, sources } of diagnostics) {
      expect([id, advice?.length ?? 0]).not.toEqual([id, 0]);
      for (const { href } of sources ?? []) expect(href).toMatch(/^https:\/\/(doi|arxiv)\.org\//);
    }
  });

  it('open with the diagnostics, and lead to the plots', async () => {
    const user = userEvent.setup();
    renderApp(new FakeServer(), '/help');
    expect(await screen.findByRole('heading', { name: 'Divergent transitions' })).toBeTruthy();
    const contents = within(screen.getByRole('navigation', { name: 'Help' }));
    await user.click(contents.getByRole('link', { name: 'Plots' }));
    expect(await screen.findByRole('heading', { name: 'Autocorrelation' })).toBeTruthy();
    await user.click(contents.getByRole('link', { name: 'Runs made elsewhere' }));
    expect(await screen.findByRole('heading', { name: 'Samplers in R' })).toBeTruthy();
  });

  it('search the functions by name and meaning', async () => {
    const user = userEvent.setup();
    renderApp(new FakeServer(), '/help/language');
    const box = await screen.findByLabelText('Search the reference');
    await user.type(box, 'cholesky wishart');
    const section = screen.getByRole('region', { name: 'Distributions' });
    expect(within(section).getByText(/^wishart_cholesky\(/, { selector: 'dt code' })).toBeTruthy();
    expect(screen.getByRole('status').textContent).toBe('2 entries');
    await user.clear(box);
    await user.type(box, 'no such thing');
    expect(screen.getByText('No function or distribution matches “no such thing”.')).toBeTruthy();
  });

  it('are open to readers without an account, in a frame without navigation', async () => {
    renderApp(new FakeServer(), '/help/diagnostics', { signedIn: false });
    expect(await screen.findByRole('heading', { name: 'R-hat' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Models' })).toBeNull();
  });

  it('show a message if there is no such page', async () => {
    renderApp(new FakeServer(), '/help/nothing');
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy();
  });
});
