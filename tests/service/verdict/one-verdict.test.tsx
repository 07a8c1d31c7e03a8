/** A run's verdict is the same everywhere: API, list, page, palette, comparison, notification, share, report, CLI. */
import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { reportRun, summaryJson, verdictLines } from '../../../src/cli/run-report.ts';
import { expectKind } from '../../../src/client/expect-kind.ts';
import type { Summary } from '../../../src/contract/draws.ts';
import type { Experiment } from '../../../src/contract/experiment.ts';
import { RunVerdict, verdictOfRun } from '../../../src/dashboard/features/compare/checks-card.tsx';
import { findingOf } from '../../../src/dashboard/features/compare/finding.ts';
import type { ComparedRun } from '../../../src/dashboard/features/compare/use-compared.ts';
import { VerdictLine } from '../../../src/dashboard/features/experiment/page/verdict-line.tsx';
import { listCsv } from '../../../src/dashboard/features/lists/list-csv.ts';
import { detailOf } from '../../../src/dashboard/features/palette/targets.ts';
import { verdictColumn } from '../../../src/dashboard/features/status/run-columns.tsx';
import { failedChecks } from '../../../src/posterior/verdict-label.ts';
import { defaultAnalyzerId } from '../../../src/service/analysis/analysis-ids.ts';
import { execute, json, sql } from '../../../src/service/repositories/database.ts';
import { addShare } from '../../support/objects.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';
import { addEndedRun, type PlannedRun, resultOf, shiftFor } from './verdict-runs.ts';

// Both link to other pages, and there is no router here.
vi.mock('../../../src/dashboard/ui/help-link.tsx', () => ({ HelpLink: () => null }));
vi.mock('../../../src/dashboard/features/experiment/page/remedies.tsx', () => ({
  Remedies: () => null,
}));

const four = [400, 400, 400, 400];

interface Kind extends PlannedRun {
  readonly kind: string;
  readonly state: 'good' | 'warn' | 'bad' | 'unknown';
  readonly headline: string;
  readonly numFailed: number;
  /** Title of the notification, after the name. */
  readonly notice: string;
}

const kinds: readonly Kind[] = [
  {
    kind: 'good',
    lengths: four,
    state: 'good',
    headline: 'Looks converged',
    numFailed: 0,
    notice: ' finished: looks converged',
  },
  {
    kind: 'divergent',
    lengths: four,
    divergent: 33,
    state: 'bad',
    headline: '33 divergences',
    numFailed: 1,
    notice: ' finished: 33 divergences',
  },
  {
    kind: 'divergent and far apart',
    lengths: four,
    divergent: 1,
    shift: 3,
    state: 'bad',
    headline: '1 divergence; 3 checks failed',
    numFailed: 3,
    notice: ' finished: 1 divergence; 3 checks failed',
  },
  {
    kind: 'R-hat just above its limit',
    lengths: four,
    shift: shiftFor(1.0104, four),
    state: 'warn',
    headline: 'R-hat 1.0104, above 1.01',
    numFailed: 1,
    notice: ' finished: R-hat 1.0104, above 1.01',
  },
  {
    kind: 'low E-BFMI',
    lengths: four,
    isSlow: true,
    state: 'warn',
    headline: 'E-BFMI 0.24, below 0.3',
    numFailed: 1,
    notice: ' finished: E-BFMI 0.24, below 0.3',
  },
  {
    kind: 'stopped with uneven chains',
    lengths: [400, 400, 150, 120],
    isStopped: true,
    state: 'good',
    headline: 'Looks converged',
    numFailed: 0,
    notice: ' stopped: looks converged',
  },
  {
    kind: 'stopped before a chain began',
    lengths: [400, 400, 150, 0],
    isStopped: true,
    state: 'unknown',
    headline: 'No verdict: chain 4 has no draws',
    numFailed: 0,
    notice: ' stopped, no verdict: chain 4 has no draws',
  },
  {
    kind: 'stopped at once',
    lengths: [20, 20, 20, 20],
    isStopped: true,
    state: 'unknown',
    headline: 'No verdict: 20 draws per chain are too few',
    numFailed: 2,
    notice: ' stopped, no verdict: 20 draws per chain are too few',
  },
  {
    kind: 'of another sampler’s files',
    lengths: four,
    isOutside: true,
    state: 'good',
    headline: 'Looks converged',
    numFailed: 0,
    notice: ' finished: looks converged',
  },
  ...(
    [
      ['pathfinder', '0.30', '1.20'],
      ['laplace', '0.00', '2.53'],
      ['advi', '0.00', '2.53'],
    ] as const
  ).flatMap(([by, low, high]): Kind[] => [
    {
      kind: `a good approximation by ${by}`,
      lengths: [400],
      by,
      state: 'good',
      headline: `Good approximation: Pareto k ${low}`,
      numFailed: 0,
      notice: ` finished, good approximation: Pareto k ${low}`,
    },
    {
      kind: `a poor approximation by ${by}`,
      lengths: [400],
      by,
      misfit: 3,
      state: 'bad',
      headline: `Pareto k is ${high}, above 0.7`,
      numFailed: 1,
      notice: ` finished: Pareto k is ${high}, above 0.7`,
    },
  ]),
  {
    kind: 'an optimum',
    lengths: [1],
    by: 'optimize',
    state: 'unknown',
    headline: 'A point estimate: no uncertainty',
    numFailed: 0,
    notice: ' finished, a point estimate: no uncertainty',
  },
  {
    kind: 'of fixed parameters',
    lengths: [400],
    by: 'fixed',
    state: 'unknown',
    headline: 'Fixed parameters: nothing to converge',
    numFailed: 0,
    notice: ' finished, fixed parameters: nothing to converge',
  },
];

let service: TestService;
let ada: Person;
beforeAll(async () => {
  service = await createTestService();
  ada = await service.addPerson('ada');
});
afterAll(() => service.close());

/** The text that a person sees. */
function textOf(part: ReactNode): string {
  const markup = renderToStaticMarkup(<MantineProvider>{part}</MantineProvider>);
  return markup
    .replace(/<style.*?<\/style>/gs, '')
    .replace(/<[^>]+>/g, '')
    .replaceAll('&#x27;', "'");
}

const pageOf = (experiment: Experiment, summary: Summary | null) =>
  textOf(
    <VerdictLine
      experiment={experiment}
      summary={summary}
      summaryError={null}
      onOpen={() => undefined}
    />,
  );

function comparedRun(experiment: Experiment, summary: Summary, letter = 'A'): ComparedRun {
  const rows = new Map(summary.variables.map((row) => [row.variable, row]));
  const none = { problem: null, summaryError: null, fileStore: null, retry: () => undefined };
  const place = { id: experiment.short_id, index: 0, letter, isLive: false };
  return { ...place, ...none, experiment, summary, rows, source: 'columns' };
}

async function seen(name: string) {
  const listed = await ada.client.listObjects({ query: { object_type: 'experiment' } });
  const runs = listed.objects.filter((object) => object.object_type === 'experiment');
  const entry = runs.find((run) => run.name === name);
  if (entry === undefined) throw new Error(`${name} is not in the list`);
  const params = { objid: entry.short_id };
  const view = expectKind(await ada.client.viewObject({ params }), 'experiment');
  const summary = await ada.client.viewSummary({ params, query: {} });
  const { objects } = await ada.client.listNotifications({ query: { status: 'all' } });
  const notice = objects.find(({ msg_object }) => msg_object === entry.short_id)?.title;
  return { entry, view, summary, notice };
}

describe.each(kinds)('a run ($kind)', (kind) => {
  const { state, headline, numFailed } = kind;

  it('has one verdict on every surface', async () => {
    const objid = await addEndedRun(service, ada, kind.kind, kind);
    const { entry, view, summary, notice } = await seen(kind.kind);
    const { verdict } = view.meta ?? {};
    expect(verdict).toMatchObject({ state, headline });
    expect(failedChecks(verdict?.checks)).toHaveLength(numFailed);
    expect(summary.verdict).toEqual(verdict);
    expect(entry.meta?.verdict).toEqual(verdict);

    expect(textOf(verdictColumn.cell(entry))).toBe(headline);
    expect(listCsv('experiment', [entry])).toContain(
      headline.includes(',') ? `"${headline}"` : headline,
    );
    expect(detailOf(entry)).toBe(headline);
    expect(pageOf(view, summary)).toContain(headline);
    expect(notice).toBe(`${kind.kind}${kind.notice}`);

    const compared = comparedRun(view, summary);
    expect(textOf(<RunVerdict run={compared} />)).toBe(headline);
    expect(verdictOfRun(compared)).toEqual(verdict);
    const other = { ...comparedRun(view, summary, 'B'), index: 1 };
    const { detail } = findingOf([compared, other], compared, ['mu']);
    expect(detail.includes(`A: ${headline}.`)).toBe(state === 'warn' || state === 'bad');

    const share = await addShare(ada.client, { objid });
    const query = { share_id: share.short_id };
    const shared = expectKind(
      await ada.client.viewObject({ params: { objid }, query }),
      'experiment',
    );
    expect(shared.meta?.verdict).toEqual(verdict);
    const frozen = await ada.client.viewSummary({ params: { objid }, query });
    expect(frozen.verdict).toEqual(verdict);
    expect(pageOf(shared, frozen)).toBe(pageOf(view, summary));

    const answer = await ada.client.invoke({
      body: {
        target: defaultAnalyzerId,
        action: 'run',
        parameters: { experiment_id: objid },
        get_response: true,
      },
    });
    const report = answer.cloudfunction_response as string;
    expect(report.replaceAll(/<[^>]+>/g, '')).toContain(headline);
  });

  it('has the same verdict on the command line', () => {
    // Draws from another sampler never pass through it.
    if (kind.isOutside) return;
    const result = resultOf(kind);
    const report = reportRun(result);
    expect(report.verdict).toMatchObject({ state, headline });
    const [first, ...lines] = verdictLines(report.verdict, 1);
    expect(first).toContain(headline);
    const failed = failedChecks(report.verdict.checks).map(({ message }) => `- ${message}`);
    expect(failed).toHaveLength(numFailed);
    expect(lines.slice(0, numFailed)).toEqual(failed);
    expect(summaryJson(result, report, 'm')).toMatchObject({ verdict: { state, headline } });
  });
});

it('a chain that is left out is named by every surface', async () => {
  const name = 'without a chain';
  const objid = await addEndedRun(service, ada, name, { lengths: [400, 400, 400, 0] });
  const meta = { chains_left_out: ['chain#4'] };
  await ada.client.updateObject({
    params: { objid },
    body: { payload: { object_type: 'experiment', meta } },
  });
  const { entry, view, summary } = await seen(name);
  const headline = 'Looks converged (without chain 4)';
  expect(view.meta?.verdict?.headline).toBe(headline);
  expect(summary.verdict).toEqual(view.meta?.verdict);
  expect(textOf(verdictColumn.cell(entry))).toBe(headline);
  expect(listCsv('experiment', [entry])).toContain(headline);
  expect(detailOf(entry)).toBe(headline);
  expect(pageOf(view, summary)).toContain('Chain 4 is left out (no draws).');
  expect(textOf(<RunVerdict run={comparedRun(view, summary)} />)).toBe(headline);
});

it('a run with a failed chain shows the reason on every surface, and also has a verdict', async () => {
  const name = 'failed';
  const failure = 'The density is not a number.';
  await addEndedRun(service, ada, name, { lengths: [400, 400, 400, 0], failure });
  const { entry, view, summary, notice } = await seen(name);
  const said = '1 of 4 chains failed. Chain 4: The density is not a number.';
  expect(view).toMatchObject({ status: 'ERR', meta: { error: { message: said } } });
  expect(view.meta?.verdict?.headline).toBe('No verdict: chain 4 has no draws');
  expect(textOf(verdictColumn.cell(entry))).toBe(said);
  expect(detailOf(entry)).toBe(said);
  expect(pageOf(view, summary)).toContain(said);
  expect(textOf(<RunVerdict run={comparedRun(view, summary)} />)).toBe(said);
  expect(notice).toBe('failed failed');
});

it('a run without any draw has no verdict', async () => {
  await addEndedRun(service, ada, 'empty', { lengths: [0, 0], isStopped: true });
  const { entry, view, notice } = await seen('empty');
  const headline = 'No verdict: the run has no draws';
  expect(view.meta?.verdict).toMatchObject({ state: 'unknown', headline });
  expect(textOf(verdictColumn.cell(entry))).toBe(headline);
  expect(pageOf(view, null)).toContain(headline);
  expect(notice).toBe('empty stopped, no verdict: the run has no draws');
});

it('a verdict stored or shared by an earlier version is shown completely, without recomputation', async () => {
  const { pool } = service.database;
  const objid = await addEndedRun(service, ada, 'old', { lengths: four });
  const old = { state: 'bad', rhat_max: 1.2, ess_bulk_min: 30, ess_tail_min: 900, divergences: 12 };
  await execute(
    pool,
    sql`update experiments set meta = jsonb_set(meta, '{verdict}', ${json(old)}::jsonb),
          summary = jsonb_set(summary, '{verdict}', ${json(old)}::jsonb)
        where id = (select id from objects where short_id = ${objid})`,
  );
  const share = await addShare(ada.client, { objid });
  await execute(
    pool,
    sql`update shares set snapshot = jsonb_set(snapshot, '{view,meta,verdict}', ${json(old)}::jsonb)
        where id in (select id from objects where short_id = ${share.short_id})`,
  );
  const { entry, view, summary } = await seen('old');
  const headline = '12 divergences; 3 checks failed';
  expect(view.meta?.verdict).toMatchObject({ ...old, headline });
  expect(textOf(verdictColumn.cell(entry))).toBe(headline);
  expect(pageOf(view, summary)).toContain(headline);
  expect(summary.verdict).toMatchObject({ ...old, headline });
  const shared = expectKind(
    await ada.client.viewObject({ params: { objid }, query: { share_id: share.short_id } }),
    'experiment',
  );
  expect(shared.meta?.verdict).toEqual(view.meta?.verdict);
});
