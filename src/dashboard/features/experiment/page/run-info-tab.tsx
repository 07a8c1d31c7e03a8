/** How the run was made: settings, seed, versions, and what each chain did; everything can be copied. */
import type { Experiment } from '../../../../contract/experiment.ts';
import { ebfmiFigure } from '../../../../posterior/verdict-limits.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { formatDateTime } from '../../../ui/dates.ts';
import { formatDuration } from '../../../ui/duration.ts';
import { formatCount, missing } from '../../../ui/numbers.ts';
import { divergentColumn } from '../../live/draws-loader.ts';
import { drawsByChain } from '../../status/draw-counts.ts';
import { statusOf } from '../../status/status-badge.tsx';
import classes from '../run/experiment.module.css';
import { figureVariable, useDrawsOf } from '../run/figure-variables.ts';
import { type Fact, settingFacts } from '../run/setting-facts.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import { CopiedTable } from './copied-table.tsx';
import { ProfilesSection, secondsText } from './profiles-section.tsx';

export interface RunInfoTabProps {
  readonly live: LiveExperiment;
}

export function RunInfoTab({ live }: RunInfoTabProps) {
  const { experiment } = live;
  const settings = settingFacts(experiment);
  const run = [...runFacts(experiment), ...runnerFacts(experiment)];
  const chains = useChainFacts(live);
  return (
    <div className={classes.sections}>
      <Facts title="Run" facts={run} />
      <Facts
        title="Settings as run"
        facts={settings}
        copy={JSON.stringify(experiment.meta?.settings ?? {}, null, 2)}
        empty="This server does not report the settings of this run."
      />
      <CopiedTable
        label="Chains as run"
        title="Chains"
        what="the table of chains"
        head={['Chain', ...columns.map(({ title }) => title)]}
        rows={chains.map((chain) => [chain.name, ...columns.map(({ of }) => of(chain))])}
        note={`Leapfrog steps count sampling draws only. ${missing} = not recorded.`}
      />
      <ProfilesSection chains={live.summary?.chains ?? []} />
    </div>
  );
}

interface ChainFacts {
  readonly name: string;
  readonly draws: number;
  readonly stepSize: number | null;
  readonly warmupSeconds: number | null;
  readonly samplingSeconds: number | null;
  readonly leapfrogs: number | null;
  readonly divergences: number | null;
  readonly treedepthHits: number | null;
  readonly ebfmi: number | null;
}

const count = (value: number | null) => (value === null ? null : formatCount(value));
const seconds = (value: number | null) => (value === null ? null : secondsText(value));

const columns: readonly { title: string; of: (chain: ChainFacts) => string | null }[] = [
  { title: 'Draws', of: ({ draws }) => count(draws) },
  { title: 'Step size', of: ({ stepSize }) => stepSize?.toPrecision(4) ?? null },
  { title: 'Warmup', of: ({ warmupSeconds }) => seconds(warmupSeconds) },
  { title: 'Sampling', of: ({ samplingSeconds }) => seconds(samplingSeconds) },
  { title: 'Leapfrog steps', of: ({ leapfrogs }) => count(leapfrogs) },
  { title: 'Divergences', of: ({ divergences }) => count(divergences) },
  { title: 'Tree depth hits', of: ({ treedepthHits }) => count(treedepthHits) },
  { title: 'E-BFMI', of: ({ ebfmi }) => (ebfmi === null ? null : ebfmiFigure(ebfmi)) },
];

const samplerColumns = ['n_leapfrog__', divergentColumn, 'lp__'];

function useChainFacts(live: LiveExperiment): readonly ChainFacts[] {
  const { chainNames, summary } = live;
  // The table lists all chains, including those left out of summary and plots.
  const draws = useDrawsOf({ store: live.store, want: live.want }, samplerColumns);
  const leapfrogs = figureVariable(draws, chainNames, { variable: 'n_leapfrog__' }).chains;
  const counts = drawsByChain(live.experiment, summary);
  const byName = new Map(summary?.chains.map((chain) => [chain.name, chain]));
  return leapfrogs.map(({ name, sampling: steps }) => {
    const numDraws = counts?.get(name) ?? draws.read('lp__', name, 'sampling').length;
    const known = byName.get(name);
    const hasBegun = numDraws > 0 || Boolean(known?.warmup_seconds || known?.sampling_seconds);
    const recorded = hasBegun ? known : undefined;
    return {
      name,
      draws: numDraws,
      stepSize: recorded?.step_size ?? null,
      warmupSeconds: recorded?.warmup_seconds ?? null,
      samplingSeconds: recorded?.sampling_seconds ?? null,
      leapfrogs: steps.length === 0 ? null : steps.reduce((sum, n) => sum + n, 0),
      divergences: recorded?.divergences ?? null,
      treedepthHits: recorded?.treedepth_hits ?? null,
      ebfmi: recorded?.ebfmi ?? null,
    };
  });
}

function runFacts(experiment: Experiment): Fact[] {
  const { meta } = experiment;
  const facts: [string, unknown][] = [
    ['Experiment', experiment.short_id],
    ['Status', statusOf(experiment).label],
    ['Model', experiment.model_name],
    ['Model version', meta?.model_version],
    ['Data', meta?.data_name],
    ['Seed', meta?.settings?.seed],
    ['Ran on', experiment.run_on],
    ['Started', dateText(meta?.started_at)],
    ['Ended', dateText(meta?.finished_at)],
    [
      'Took',
      typeof meta?.elapsed_seconds === 'number' ? formatDuration(meta.elapsed_seconds) : undefined,
    ],
    ['Note', meta?.note],
    ['Silent since', dateText(meta?.silent_since)],
  ];
  return facts.flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number'
      ? value === ''
        ? []
        : [{ name, value: String(value) }]
      : [],
  );
}

/** Date and time in the browser's format; the text itself if it is not a date. */
function dateText(text: string | null | undefined): string {
  const date = new Date(text ?? '');
  return Number.isNaN(date.getTime()) ? (text ?? '') : formatDateTime(date);
}

const runnerLabels: Readonly<Record<string, string>> = {
  started_at: 'Runner started',
  last_message_at: 'Last message',
  error: 'Last error',
};

/** What an outside runner reported of its run. */
function runnerFacts({ meta }: Experiment): Fact[] {
  const info: unknown = meta?.run_info;
  if (typeof info !== 'object' || info === null) return [];
  return Object.entries(info).flatMap(([key, value]) => {
    const name = runnerLabels[key] ?? key;
    // The run's own status is already shown above.
    if (key === 'status' || typeof value !== 'string' || value === '') return [];
    return [{ name, value: key.endsWith('_at') ? dateText(value) : value }];
  });
}

interface FactsProps {
  readonly title: string;
  readonly facts: readonly Fact[];
  /** Default: one line per fact. */
  readonly copy?: string;
  readonly empty?: string;
}

function Facts({ title, facts, copy, empty = '' }: FactsProps) {
  const text = copy ?? facts.map(({ name, value }) => `${name}\t${value}`).join('\n');
  return (
    <section aria-label={title}>
      <div className={classes.toolbar}>
        <h2 className={classes.sectionTitle}>{title}</h2>
        {facts.length > 0 && <CopyButton text={text} what={title.toLowerCase()} />}
      </div>
      {facts.length === 0 ? (
        <p className={classes.dim}>{empty}</p>
      ) : (
        <dl className={classes.facts}>
          {facts.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
