/** One cell per chain: progress while it runs, and the legend of every plot on the page. */
import { UnstyledButton, useComputedColorScheme } from '@mantine/core';
import type { ChainProgress, Experiment } from '../../../../contract/experiment.ts';
import { chainColor, chainDashArray, plotPalettes } from '../../../../figures/palette.ts';
import { formatCount } from '../../../ui/numbers.ts';
import { usePrinting } from '../../../ui/printing.ts';
import { chainNumber } from '../../live/draws-store.ts';
import classes from './chain-strip.module.css';
import { isSettled } from './live-progress.ts';
import { isCalibration, settingNumber, thinOf } from './run-facts.ts';

/** Which chains the plots draw: all except `hidden` (by click); all but `pointed` faintly. Indices are 0-based. */
export interface ChainFocus {
  readonly pointed: number | null;
  readonly hidden: ReadonlySet<number>;
}

export interface ChainStripProps {
  readonly experiment: Experiment;
  /** Names in order; used if a server reports no progress: then only the draws are counted. */
  readonly chainNames: readonly string[];
  /** Names of chains excluded from summary and plots. */
  readonly leftOut?: readonly string[];
  readonly isLive: boolean;
  readonly focus: ChainFocus;
  readonly onFocusChange: (focus: ChainFocus) => void;
}

export function ChainStrip({
  experiment,
  chainNames,
  leftOut = [],
  isLive,
  focus,
  onFocusChange,
}: ChainStripProps) {
  const chains = cellsOf(experiment, chainNames);
  const isReported = (experiment.meta?.progress?.chains.length ?? 0) > 0;
  if (chains.length === 0) return null;
  if (chains.length > listedChains || isCalibration(experiment))
    return isLive ? <ChainCounts chains={chains} noun={nounOf(experiment)} /> : null;
  const isMoving = isLive && isReported;
  // If all chains have the number of draws shown in the head, they need not repeat it.
  const isAlike = !isLive && chains.every(({ iteration }) => iteration === chains[0]?.iteration);
  return (
    <ul
      className={classes.strip}
      aria-label="Chains"
      data-many={chains.length > 4 || undefined}
      data-ended={!isMoving || undefined}
    >
      {chains.map((chain, index) => (
        <li key={chain.name}>
          <UnstyledButton
            className={classes.chain}
            data-hidden={focus.hidden.has(index) || leftOut.includes(chain.name) || undefined}
            aria-pressed={!focus.hidden.has(index) && !leftOut.includes(chain.name)}
            disabled={leftOut.includes(chain.name)}
            title={titleOf(leftOut.includes(chain.name), focus.hidden.has(index))}
            onMouseEnter={() => onFocusChange({ ...focus, pointed: index })}
            onMouseLeave={() => onFocusChange({ ...focus, pointed: null })}
            onFocus={() => onFocusChange({ ...focus, pointed: index })}
            onBlur={() => onFocusChange({ ...focus, pointed: null })}
            onClick={() => onFocusChange({ ...focus, hidden: toggled(focus.hidden, index) })}
          >
            <ChainCell
              chain={chain}
              index={index}
              experiment={experiment}
              isLive={isMoving}
              isAlike={isAlike}
              isLeftOut={leftOut.includes(chain.name)}
            />
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}

/** Beyond this number chains are only counted: plots show them all, in more colours than anyone can distinguish. */
const listedChains = 64;

const nounOf = (experiment: Experiment) =>
  isCalibration(experiment) ? ('simulation' as const) : ('chain' as const);

/** "37 of 200 simulations done, 2 running, 161 waiting". */
function ChainCounts({ chains, noun }: { chains: readonly ChainProgress[]; noun: string }) {
  const count = (...phases: ChainProgress['phase'][]) =>
    chains.filter(({ phase }) => phases.includes(phase)).length;
  const others = [
    [count('warmup', 'sampling'), 'running'],
    [count('waiting'), 'waiting'],
    [count('failed'), 'failed'],
  ] as const;
  const done = count('done');
  const rest = others.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  const text = [`${done} of ${chains.length} ${noun}s done`, ...rest].join(', ');
  return (
    <div className={classes.counts}>
      <progress value={done} max={chains.length} aria-label={`${noun}s done`} />
      <span>{text}</span>
    </div>
  );
}

function ChainCell({
  chain,
  index,
  experiment,
  isLive,
  isAlike,
  isLeftOut,
}: {
  chain: ChainProgress;
  index: number;
  experiment: Experiment;
  isLive: boolean;
  isAlike: boolean;
  isLeftOut: boolean;
}) {
  const screenScheme = useComputedColorScheme('light');
  const scheme = usePrinting() ? 'light' : screenScheme;
  const color = chainColor(plotPalettes[scheme], index);
  const { numWarmup, numSampling } = phasesOf(chain, experiment);
  // a chain that waits to be resumed may have its warmup behind it
  const isWaitingForWarmup = chain.phase === 'waiting' && chain.iteration < numWarmup;
  const inWarmup =
    chain.warmed_by === undefined && (chain.phase === 'warmup' || isWaitingForWarmup);
  // a run elsewhere does not report the progress of its warmup
  const numIterations = inWarmup ? numWarmup : numSampling;
  const done = inWarmup ? chain.iteration : chain.iteration - numWarmup;
  return (
    <>
      <span className={classes.chainHead}>
        <svg width="18" height="8" aria-hidden="true">
          <line
            x1="0"
            x2="18"
            y1="4"
            y2="4"
            stroke={color}
            strokeWidth="2"
            strokeDasharray={chainDashArray(index)}
          />
        </svg>
        <strong>Chain {chainLabel(chain.name, index)}</strong>
        {isLive && <span className={classes.dim}>{phaseLabel(chain.phase)}</span>}
        {isLeftOut && <span className={classes.leftOut}>left out</span>}
        {!isAlike && (
          <span className={classes.chainCount}>
            <strong>{formatCount(Math.max(0, done))}</strong>
            {isLive && !isLeftOut && numIterations > 0 && (
              <span className={classes.dim}> of {formatCount(numIterations)}</span>
            )}
          </span>
        )}
      </span>
      {isLive && (
        <>
          <Bars chain={chain} color={color} numWarmup={numWarmup} numSampling={numSampling} />
          <span className={classes.chainFoot}>
            <span>{waitsFor(chain) ?? rateOf(chain)}</span>
            <span>
              {timeLeft(chain)}
              <span data-warn={chain.divergences > 0 || undefined}>
                {formatCount(chain.divergences)} divergent
              </span>
            </span>
          </span>
        </>
      )}
    </>
  );
}

/** Iterations of a chain by phase. */
interface Phases {
  readonly numWarmup: number;
  readonly numSampling: number;
}

function phasesOf(chain: ChainProgress, experiment: Experiment): Phases {
  // A snapshot contains only the draws: its chains have no more iterations than there are draws.
  const isWithoutWarmup = chain.of <= experiment.n_samples * thinOf(experiment);
  const numWarmup = isWithoutWarmup
    ? 0
    : Math.min(settingNumber(experiment, 'num_warmup') ?? 0, chain.of);
  return { numWarmup, numSampling: chain.of - numWarmup };
}

function titleOf(isLeftOut: boolean, isHidden: boolean): string {
  if (isLeftOut) return 'Left out of summary and plots';
  return isHidden ? 'Show this chain in the plots' : 'Hide this chain in the plots';
}

interface BarsProps extends Phases {
  readonly chain: ChainProgress;
  readonly color: string;
}

/** One bar per phase, as long as its share of the iterations. */
function Bars({ chain, color, numWarmup, numSampling }: BarsProps) {
  return (
    <span
      className={classes.bars}
      style={{
        gridTemplateColumns: `${Math.max(1, numWarmup)}fr ${Math.max(1, numSampling)}fr`,
      }}
    >
      <Bar color={color} faint share={numWarmup === 0 ? 1 : chain.iteration / numWarmup} />
      <Bar
        color={color}
        share={numSampling === 0 ? 1 : (chain.iteration - numWarmup) / numSampling}
      />
    </span>
  );
}

function Bar({ color, share, faint = false }: { color: string; share: number; faint?: boolean }) {
  const width = `${100 * Math.min(1, Math.max(0, share))}%`;
  return (
    <span className={classes.bar}>
      <span style={{ width, background: color, opacity: faint ? 0.4 : 1 }} />
    </span>
  );
}

function cellsOf(experiment: Experiment, chainNames: readonly string[]): ChainProgress[] {
  const reported = experiment.meta?.progress?.chains ?? [];
  if (reported.length > 0)
    return reported.toSorted((a, b) => chainNumber(a.name) - chainNumber(b.name));
  return chainNames.map((name) => ({
    name,
    phase: 'done',
    iteration: experiment.n_samples,
    of: experiment.n_samples,
    divergences: 0,
  }));
}

function chainLabel(name: string, index: number): string {
  const number = chainNumber(name);
  return String(number === Number.MAX_SAFE_INTEGER ? index + 1 : number);
}

function phaseLabel(phase: ChainProgress['phase']): string {
  const labels = {
    waiting: 'Waiting',
    warmup: 'Warmup',
    sampling: 'Sampling',
    done: 'Done',
    failed: 'Failed',
  };
  return labels[phase];
}

/** A chain that uses the warmup of another. */
function waitsFor({ phase, warmed_by: other }: ChainProgress): string | null {
  return phase === 'waiting' && other !== undefined ? `after chain ${chainNumber(other)}` : null;
}

function rateOf(chain: ChainProgress): string {
  const rate = chain.draws_per_second ?? 0;
  if (rate <= 0) return '';
  return `${rate >= 10 ? formatCount(Math.round(rate)) : rate.toFixed(1)} draws/s`;
}

function timeLeft(chain: ChainProgress): string {
  const rate = chain.draws_per_second ?? 0;
  const left = chain.of - chain.iteration;
  if (left <= 0 || !isSettled(chain)) return '';
  return `${durationLabel(left / rate)} left · `;
}

/** 9 s, 3 min, 2 h. */
export function durationLabel(seconds: number): string {
  if (seconds < 10)
    return `${seconds < 1 ? Math.max(0.1, Math.round(seconds * 10) / 10) : Math.round(seconds * 10) / 10} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}

function toggled(set: ReadonlySet<number>, index: number): ReadonlySet<number> {
  const next = new Set(set);
  if (!next.delete(index)) next.add(index);
  return next;
}
