/** What the sampler reports of itself: energy, tree depth, acceptance and step size, divergences. */
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import type { FigureRequest } from '../../../plots/figure-request.ts';
import { type CardOptions, PlotCard } from '../../../plots/plot-card.tsx';
import { divergentColumn } from '../../live/draws-loader.ts';
import type { ChainFocus } from '../run/chain-strip.tsx';
import classes from '../run/experiment.module.css';
import type { SamplerPlot } from '../run/experiment-search.ts';
import { fadedBy, figureVariable, hasDraws, useDrawsOf } from '../run/figure-variables.ts';
import { settingNumber } from '../run/run-facts.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';

/** Variables in the plot of divergences: more lines could not be distinguished. */
const mostVariables = 12;
const columns = [
  'energy__',
  'treedepth__',
  'accept_stat__',
  'stepsize__',
  divergentColumn,
  'lp__',
] as const;

export interface SamplerSectionProps {
  readonly live: LiveExperiment;
  readonly focus: ChainFocus;
  readonly at: SamplerPlot | '';
  /** Worst R-hat first. */
  readonly rows: readonly SummaryRow[];
}

export function SamplerSection({ live, focus, at, rows }: SamplerSectionProps) {
  const shown = useMemo(
    () =>
      rows
        .filter((row) => row.variable !== 'lp__' && !row.constant)
        .slice(0, mostVariables)
        .map((row) => row.variable),
    [rows],
  );
  const { energy, treedepth, acceptance, divergences, isMissing } = useSamplerFigures(live, shown);
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (at === '') return;
    const card = section.current?.querySelector(`[data-plot="${at}"]`);
    card?.scrollIntoView?.({ block: 'center' });
  }, [at]);
  const { chainNames } = live;
  const common = { height: 180, faded: fadedBy(focus, chainNames.length), hidden: focus.hidden };
  return (
    <section aria-label="Sampler" ref={section}>
      <h2 className={classes.sectionTitle}>Sampler</h2>
      <div className={classes.wideGrid}>
        <Spot plot="energy" at={at}>
          <PlotCard
            {...common}
            name="Energy and E-BFMI"
            caption={
              <Caption
                title="Energy and E-BFMI"
                hint="Dashed: energy change per step. It should be as wide as the filled curve."
              />
            }
            make={energy}
            absence={absence(isMissing('energy__'))}
          />
        </Spot>
        <Spot plot="divergences" at={at}>
          <PlotCard
            {...common}
            name="Divergent draws across variables"
            caption={
              <Caption title="Divergences" hint="Divergent draws (red), standardised values" />
            }
            make={divergences}
            absence={shown.length < 2 ? 'This plot takes at least two variables.' : absence(false)}
          />
          {isMissing(divergentColumn) && <p className={classes.note}>Divergences: not recorded.</p>}
        </Spot>
        <Spot plot="treedepth" at={at}>
          <PlotCard
            {...common}
            name="Tree depth"
            caption={
              <Caption title="Tree depth" hint="draws by chain; the dotted line is the limit" />
            }
            make={treedepth}
            absence={absence(isMissing('treedepth__'))}
          />
        </Spot>
        <Spot at={at}>
          <PlotCard
            {...common}
            name="Acceptance and step size by chain"
            caption={
              <Caption title="Acceptance and step size" hint="the dotted line is the target" />
            }
            make={acceptance}
            absence={absence(isMissing('accept_stat__', 'stepsize__'))}
          />
        </Spot>
      </div>
    </section>
  );
}

/** The place of a plot, marked where a failed check leads to it. */
function Spot({
  plot,
  at,
  children,
}: {
  plot?: SamplerPlot;
  at: SamplerPlot | '';
  children: ReactNode;
}) {
  const isMarked = plot !== undefined && at === plot;
  return (
    <div data-plot={plot} data-lit={isMarked || undefined} className={classes.spot}>
      {children}
    </div>
  );
}

function Caption({ title, hint }: { title: string; hint: string }) {
  return (
    <>
      <strong>{title}</strong> <span className={classes.dim}>{hint}</span>
    </>
  );
}

/** The four plots as requests; each is null until its columns are here. */
function useSamplerFigures(live: LiveExperiment, shown: readonly string[]) {
  const { chainNames, experiment } = live;
  const wanted = useMemo(() => [...columns, ...shown], [shown]);
  const draws = useDrawsOf(live, wanted);
  const read = useCallback(
    (name: string) => figureVariable(draws, chainNames, name),
    [draws, chainNames],
  );
  // All columns are requested together: where others are here and one is not, it was not recorded.
  const isHere = wanted.some((name) => hasDraws(read(name)));
  const isMissing = (...names: readonly string[]) =>
    isHere && names.some((name) => !hasDraws(read(name)));
  const maxTreedepth = settingNumber(experiment, 'max_treedepth') ?? undefined;
  const target = settingNumber(experiment, 'adapt_delta') ?? undefined;

  const energy = useCallback(
    (options: CardOptions): FigureRequest | null => {
      const { chains } = read('energy__');
      return hasDraws({ variable: '', chains }) ? { kind: 'energy', chains, options } : null;
    },
    [read],
  );
  const treedepth = useCallback(
    (options: CardOptions): FigureRequest | null => {
      const column = read('treedepth__');
      if (!hasDraws(column)) return null;
      return { kind: 'treedepth', chains: column.chains, options: { ...options, maxTreedepth } };
    },
    [read, maxTreedepth],
  );
  const acceptance = useCallback(
    (options: CardOptions): FigureRequest | null => {
      const input = {
        acceptance: read('accept_stat__').chains,
        stepSize: read('stepsize__').chains,
      };
      const isEmpty = [...input.acceptance, ...input.stepSize].every(
        (c) => c.sampling.length === 0,
      );
      return isEmpty ? null : { kind: 'acceptance', input, options: { ...options, target } };
    },
    [read, target],
  );
  const divergences = useCallback(
    (options: CardOptions): FigureRequest | null => {
      const variables = shown
        .map((name) => figureVariable(draws, chainNames, name, true))
        .filter(hasDraws);
      return variables.length < 2 ? null : { kind: 'divergence', variables, options };
    },
    [shown, draws, chainNames],
  );
  return { energy, treedepth, acceptance, divergences, isMissing };
}

function absence(isMissing: boolean): string | undefined {
  return isMissing ? 'Not recorded.' : undefined;
}
