/** The planned run in numbers, *Run*, and next to it the reason why it cannot run. */
import { Button } from '@mantine/core';
import { IconAlertCircle, IconPlayerPlay } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { algorithmOf } from '../../../engine/settings-table.ts';
import { savedIterations } from '../../../shared/saved-iterations.ts';
import type { DataCheck } from '../../editor/data-check.ts';
import { CodeText } from '../../ui/code-text.tsx';
import { formatDuration } from '../../ui/duration.ts';
import { formatCount } from '../../ui/numbers.ts';
import { isJags } from '../launching/jags-fields.ts';
import { algorithmLabels, numberOf } from '../launching/launch-settings.ts';
import type { RunReason } from '../launching/run-reason.ts';
import type { Launch } from '../launching/use-launch.ts';
import classes from './launch.module.css';

export interface WhatWillRunProps {
  readonly launch: Launch;
  readonly check: DataCheck | null;
  readonly reason: RunReason | null;
  /** Of a data object; empty: there is none to open. */
  readonly dataId: string;
  /** The model is known. */
  readonly isReady: boolean;
  readonly onRun: () => void;
}

export function WhatWillRun({ launch, check, reason, dataId, isReady, onRun }: WhatWillRunProps) {
  return (
    <aside className={classes.summary} aria-labelledby="launch-summary">
      <h2 id="launch-summary">What will run</h2>
      <dl>
        {factsOf(launch, check).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Button
        variant="filled"
        fullWidth
        leftSection={<IconPlayerPlay size={16} />}
        disabled={reason !== null || !isReady}
        loading={launch.isStarting}
        aria-describedby={reason === null ? undefined : 'launch-reason'}
        onClick={onRun}
      >
        Run
      </Button>
      {reason !== null && (
        <p id="launch-reason" className={classes.reason}>
          <IconAlertCircle size={16} aria-hidden="true" />
          <span>
            Cannot run: <CodeText>{reason.message}</CodeText>{' '}
            {reason.place === 'data' && dataId !== '' && (
              <Link to="/data/$dataId" params={{ dataId }}>
                Open the data
              </Link>
            )}
          </span>
        </p>
      )}
      {launch.failure !== null && (
        <p role="alert" className={classes.reason}>
          <IconAlertCircle size={16} aria-hidden="true" />
          <span>Not started: {launch.failure}</span>
        </p>
      )}
    </aside>
  );
}

/** Startup of a chain: its thread and the program. */
const startSeconds = 0.4;

/**
 * Seconds that the iterations take at the speed of the newest run of this model and data; a simulation samples prior and
 * posterior. Null: none has ended yet.
 */
function estimateOf(runs: Launch['runs'], simulations: number, each: number): number | null {
  const iterations = 2 * simulations * each;
  for (const { status, meta } of runs) {
    const { progress, elapsed_seconds: seconds } = meta ?? {};
    if (status !== 'FIN' || !seconds || !progress || progress.done === 0) continue;
    const isCalibrated = meta?.settings?.algorithm === 'calibration';
    if (isCalibrated) return (seconds * iterations) / (2 * progress.done);
    if ((meta?.settings?.algorithm ?? 'nuts') !== 'nuts') continue;
    const work = Math.max(0, seconds - startSeconds);
    return (work * iterations) / progress.done + simulations * startSeconds;
  }
  return null;
}

/** JAGS keeps the last of every `thin` iterations. */
const keptOf = (texts: Launch['texts'], samples: number, thin: number): number =>
  isJags(texts) ? Math.floor(samples / thin) : savedIterations(samples, thin);

function factsOf(
  { texts, runs, isReading }: Launch,
  check: DataCheck | null,
): [string, ReactNode][] {
  if (isReading) return [];
  const algorithm = algorithmOf(texts);
  const isCalibration = algorithm === 'calibration';
  const chains = numberOf(texts, isCalibration ? 'num_simulations' : 'num_chains');
  const warmup = numberOf(texts, 'num_warmup');
  const samples = numberOf(texts, 'num_samples');
  const thin = numberOf(texts, 'thin');
  const outputs = check?.state === 'checked' ? check.outputs : null;
  const last = runs.find((run) => run.status === 'FIN' && run.meta?.elapsed_seconds)?.meta
    ?.elapsed_seconds;
  const facts: [string, ReactNode][] = [];
  if (algorithm !== 'nuts') facts.push(['Algorithm', algorithmLabels[algorithm]]);
  if (algorithm === 'generate_quantities') facts.push(['Draws', 'Those of the finished run']);
  else if (algorithm !== 'nuts' && !isCalibration) {
    if (chains !== null && samples !== null)
      facts.push([
        algorithm === 'optimize' ? 'Points' : 'Draws',
        formatCount(chains * savedIterations(samples, thin ?? 1)),
      ]);
  } else if (chains !== null && warmup !== null && samples !== null) {
    const warmups = (isCalibration ? null : numberOf(texts, 'warmup_chains')) ?? chains;
    facts.push([
      isCalibration ? 'Simulations' : 'Iterations',
      warmups < chains && warmup > 0
        ? `${formatCount(warmups)} × ${formatCount(warmup)} + ${formatCount(chains)} × ${formatCount(samples)}`
        : `${formatCount(chains)} × ${formatCount(warmup + samples)}`,
    ]);
    const seconds = isCalibration ? estimateOf(runs, chains, warmup + samples) : null;
    if (seconds !== null) facts.push(['Takes about', formatDuration(seconds)]);
    if (thin !== null && thin >= 1)
      facts.push(['Draws kept', formatCount(chains * keptOf(texts, samples, thin))]);
  }
  if (outputs !== null) {
    const generated =
      outputs.generated > 0 ? `, plus ${formatCount(outputs.generated)} generated` : '';
    facts.push(['Variables', `${formatCount(outputs.variables)}${generated}`]);
  }
  if (last) facts.push(['Last run took', formatDuration(last)]);
  facts.push(['Run location', 'This server']);
  return facts;
}
