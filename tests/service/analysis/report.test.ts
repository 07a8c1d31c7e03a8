import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Summary } from '../../../src/contract/draws.ts';
import { defaultAnalyzerId } from '../../../src/service/analysis/analysis-ids.ts';
import { html } from '../../../src/service/analysis/html-text.ts';
import { faultsOf, worstFirst } from '../../../src/service/analysis/report-order.ts';
import { headPart, verdictPart } from '../../../src/service/analysis/report-parts.ts';
import { execute, sql } from '../../../src/service/repositories/database.ts';
import { findExperiment, updateExperiment } from '../../../src/service/repositories/experiments.ts';
import { createFakeExperiment } from '../../support/fake-objects.ts';
import { addFinishedExperiment, addShare, codeOf, startExperiment } from '../../support/objects.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';
import { type AnalysedRun, addAnalysedRun } from './analysed-run.ts';

let service: TestService;
let ada: Person;
let run: AnalysedRun;
let page: string;

const reportOn = async (experiment_id: string, person = ada, more = {}) => {
  const answer = await person.client.invoke({
    body: {
      target: defaultAnalyzerId,
      action: 'run',
      parameters: { experiment_id, ...more },
      get_response: true,
    },
  });
  return answer.cloudfunction_response as string;
};

beforeAll(async () => {
  service = await createTestService();
  ada = await service.addPerson('ada');
  run = await addAnalysedRun(service, ada);
  page = await reportOn(run.experiment);
});
afterAll(() => service.close());

describe('the default report', () => {
  it('has the verdict as text, and the checks that failed', () => {
    expect(/<section class="verdict" data-state="bad">\s*<strong>Not converged/.test(page)).toBe(
      true,
    );
    expect(page).toMatch(/7 draws diverged \(\d+\.\d\u202f%\)\./);
  });

  it('has the sections that the run has evidence for', () => {
    const heads = [...page.matchAll(/<h2>([^<]*)<\/h2>/g)].map((match) => match[1]);
    expect(heads).toEqual([
      'Summary',
      'Intervals',
      'Variables, worst first',
      'Sampler',
      'Leave-one-out',
      'Sensitivity',
      'Settings',
      'Not in this report',
    ]);
    const rows = [...page.matchAll(/<tr><td>(log_lik|mu|tau|theta|&lt;img)/g)];
    // the summary, and the observations that are not reliable
    expect(rows).toHaveLength(17 + 6);
    for (const label of ['Trace of mu', 'Rank ECDF difference of tau', 'Energy and E-BFMI'])
      expect(page.includes(`aria-label="${label}"`)).toBe(true);
  });

  it('marks bad numbers with text as well', () => {
    expect(/<td class="bad">[\d.]+<\/td>/.test(page)).toBe(true);
    expect(page.includes('bulk ESS low')).toBe(true);
  });

  it('contains no script and no external resource, even with hostile names', () => {
    const tags = page.replace(/"[^"]*"/g, '""').match(/<[a-zA-Z][^>]*>/g) ?? [];
    expect(tags.filter((tag) => /^<(?:script|img|iframe|link|object|b>schools)/.test(tag))).toEqual(
      [],
    );
    expect(tags.filter((tag) => /\b(?:src|href|on\w+)=/.test(tag))).toEqual([]);
    expect(page.includes('@import') || /url\((?!#)/.test(page)).toBe(false);
    expect(page.includes('<title>Report on Eight &lt;b&gt;schools')).toBe(true);
  });

  it('has the program on request, for users who may see it', async () => {
    const heading = '<h2>Program</h2>';
    const own = await reportOn(run.experiment, ada, { program: true });
    expect(page.includes(heading)).toBe(false);
    expect(own).toMatch(/<h2>Program<\/h2>[\s\S]*<pre>[^<]*parameters \{/);
    const eve = await service.addPerson('eve');
    const target_user = eve.username;
    await addShare(ada.client, { objid: run.experiment, target_user });
    const shared = await reportOn(run.experiment, eve, { program: true });
    expect(shared).toContain('<h2>Summary</h2>');
    expect(shared.includes(heading)).toBe(false);
  });

  it('has unique ids in every image', () => {
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]);
    expect(ids.length).toBeGreaterThan(20);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('says what a simpler run has not recorded', async () => {
    const { short_id: id } = await addFinishedExperiment(service, ada.client, { draws: 150 });
    const plain = await reportOn(id);
    expect(plain.includes('Energies are not recorded')).toBe(true);
    expect(plain.includes('the program has no variable log_lik')).toBe(true);
  });

  it('is refused without draws or without permission', async () => {
    const { short_id: id } = await startExperiment(ada.client);
    expect(await codeOf(reportOn(id))).toBe('NOT_FOUND');
    expect(await codeOf(reportOn(''))).toBe('INVALID_PARAMETER');
    expect(await codeOf(reportOn(run.workflow))).toBe('INVALID_PARAMETER');
    const bob = await service.addPerson('bob');
    expect(await codeOf(reportOn(run.experiment, bob))).toBe('PERMISSION_DENIED');
  });
});

describe('how the run ended', () => {
  it.each([
    [
      'a failed run',
      {
        status: 'ERR',
        meta: { error: { code: 'PROGRAM_FAILED', message: 'The program failed.\nat line 3' } },
      },
      ['Status <b>Error</b>', '<p>The program failed.</p>'],
    ],
    ['a stopped run', { meta: { action: 'stopped' } }, ['Status <b>Stopped</b>']],
    [
      'a run that reached its limit',
      { settings: { time_limit: 90 }, meta: { action: 'stopped', time_limit_reached: true } },
      ['Status <b>Stopped at the time limit of 1 min 30 s, draws kept</b>'],
    ],
    ['a finished run', {}, ['Status <b>Finished</b>']],
  ])('is said of %s', async (_, change, texts) => {
    const { short_id: id } = await addFinishedExperiment(service, ada.client, { draws: 150 });
    const row = await findExperiment(service.database.pool, id);
    if (row === null) throw new Error('no run');
    const { settings, ...fields } = change as { settings?: object };
    await updateExperiment(service.database.pool, row.id, fields);
    if (settings !== undefined)
      await execute(
        service.database.pool,
        sql`update experiments set settings = ${JSON.stringify(settings)} where id = ${row.id}`,
      );
    const text = await reportOn(id);
    for (const part of texts) expect(text).toContain(part);
  });
});

describe('the text of a report', () => {
  it('gives the time it took in the largest fitting unit', () => {
    const took = (elapsed_seconds: number) =>
      headPart(createFakeExperiment({ meta: { elapsed_seconds } }), {
        n_chains: 1,
        n_samples: 1,
        chains: [],
      } as unknown as Summary).markup;
    for (const [seconds, text] of [
      [119.7, '2 min'],
      [7199.6, '2 h'],
      [90_000, '1 d 1 h'],
    ] as const)
      expect(took(seconds)).toContain(`Took <b>${text}</b>`);
  });

  const row = (variable: string, change = {}) => ({
    variable,
    mean: 0,
    mcse_mean: 0.1,
    sd: 1,
    median: 0,
    mad: 1,
    q5: -1,
    q25: -0.5,
    q75: 0.5,
    q95: 1,
    rhat: 1,
    ess_bulk: 1000,
    ess_tail: 1000,
    non_finite: 0,
    constant: false,
    ...change,
  });

  it('lists the worst variables first, and the good ones in the order of the run', () => {
    const rows = [
      row('fine'),
      row('fixed', { constant: true, rhat: null, ess_bulk: null, ess_tail: null }),
      row('slow', { ess_tail: 300 }),
      row('apart', { rhat: 1.2 }),
      row('fine too', { rhat: 1.005 }),
      row('broken', { non_finite: 3, rhat: null, ess_bulk: null, ess_tail: null }),
    ];
    expect(worstFirst(rows, 4).map(({ variable }) => variable)).toEqual([
      'broken',
      'apart',
      'slow',
      'fine',
      'fine too',
      'fixed',
    ]);
    expect(faultsOf(rows[5], 4)).toEqual(['3 not finite']);
    expect(faultsOf(row('x', { rhat: 1.02, ess_bulk: 1 }), 4)).toEqual([
      'R-hat high',
      'bulk ESS low',
    ]);
    expect(faultsOf(rows[1], 4)).toEqual([]);
  });

  it('calls nothing good without evidence', () => {
    const verdict = {
      state: 'unknown' as const,
      headline: 'No verdict: chain 4 has no draws',
      checks: [
        { name: 'chains', status: 'unknown' as const, message: 'chain 4 has no draws' },
        { name: 'draws', status: 'unknown' as const, message: '20 draws per chain are too few' },
      ],
    };
    const { markup } = verdictPart(verdict);
    expect(markup).toContain('data-state="unknown"');
    expect(markup).toContain('<strong>No verdict: chain 4 has no draws.</strong>');
    expect(markup).toContain('<li>20 draws per chain are too few.</li>');
    expect(markup).not.toContain('Every check passed');
    expect(verdictPart({ state: 'good' }).markup).toContain('Every check passed');
  });
});

it('text in a template is escaped, and nested markup is not', () => {
  const inner = html`<i>${'<&"\''}</i>`;
  expect(html`<p>${[inner, null, false, 3]}</p>`.markup).toBe(
    '<p><i>&lt;&amp;&quot;&#39;</i>3</p>',
  );
});
