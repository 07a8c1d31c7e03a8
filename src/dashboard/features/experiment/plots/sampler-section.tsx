/** The sampler's own statistics: energy, tree depth, acceptance and step size, divergences. */
import { useEffect, useMemo, useRef } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import { firstLook } from '../../../../posterior/variable-kinds.ts';
import { PlotCard, type PlotCardProps } from '../../../plots/plot-card.tsx';
import { usePlotHeight } from '../../../plots/use-plot-height.ts';
import { divergentColumn } from '../../live/draws-loader.ts';
import type { ChainFocus } from '../run/chain-strip.tsx';
import classes from '../run/experiment.module.css';
import type { SamplerPlot } from '../run/experiment-search.ts';
import {
  fadedBy,
  figureVariable,
  hasDraws,
  type NamedColumn,
  useDrawsOf,
} from '../run/figure-variables.ts';
import { settingNumber } from '../run/run-facts.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';

/** Most variables in the plot of divergences: more lines could not be distinguished. */
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
  /** In the order of the variables of the tab. */
  readonly rows: readonly SummaryRow[];
}

export function SamplerSection({ live, focus, at, rows }: SamplerSectionProps) {
  const shown = useMemo(() => divergingOver(rows), [rows]);
  const cards = useSamplerCards(live, shown);
  const section = useRef<HTMLElement>(null);
  const height = usePlotHeight(180);
  useEffect(() => {
    if (at === '') return;
    const card = section.current?.querySelector(`[data-plot="${at}"]`);
    card?.scrollIntoView?.({ block: 'center' });
  }, [at]);
  return (
    <section aria-label="Sampler" ref={section}>
      <h2 className={classes.sectionTitle}>Sampler</h2>
      <div className={classes.fourGrid}>
        {cards.map(({ plot, title, note, ...card }) => (
          <div
            key={title}
            data-plot={plot}
            // Highlighted when a failed check links to it.
            data-lit={(plot !== undefined && plot === at) || undefined}
            className={classes.spot}
          >
            <PlotCard
              {...card}
              caption={<strong>{title}</strong>}
              height={height}
              faded={fadedBy(focus, live.chainNames.length)}
              hidden={focus.hidden}
            />
            {note !== undefined && <p className={classes.note}>{note}</p>}
          </div>
        ))}
      </div>
    </section>
  );
}

/** Divergences show in what the sampler moves in; log-likelihoods and replicated data say nothing about them. */
function divergingOver(rows: readonly SummaryRow[]): readonly SummaryRow[] {
  const varying = rows.filter((row) => row.variable !== 'lp__' && !row.constant);
  const first = varying.filter(firstLook(varying));
  return (first.length > 1 ? first : varying).slice(0, mostVariables);
}

type Make = PlotCardProps['make'];

interface SamplerCard extends Pick<PlotCardProps, 'help' | 'name' | 'hint' | 'make' | 'absence'> {
  /** Its name in a failed check; absent if no check links to it. */
  readonly plot?: SamplerPlot;
  readonly title: string;
  readonly note?: string;
}

function useSamplerCards(
  live: LiveExperiment,
  shown: readonly NamedColumn[],
): readonly SamplerCard[] {
  const { energy, divergences, treedepth, acceptance, isMissing } = useSamplerFigures(live, shown);
  const absence = (...names: readonly string[]) =>
    isMissing(...names) ? 'Not recorded.' : undefined;
  return [
    {
      plot: 'energy',
      help: 'energy',
      name: 'Energy and E-BFMI',
      title: 'Energy and E-BFMI',
      hint: 'Dashed: energy change per step. It should be as wide as the filled curve.',
      make: energy,
      absence: absence('energy__'),
    },
    {
      plot: 'divergences',
      help: 'divergence-plot',
      name: 'Divergent draws across variables',
      title: 'Divergences',
      hint: 'Divergent draws (red), standardised values.',
      make: divergences,
      absence: shown.length < 2 ? 'This plot needs at least two variables.' : undefined,
      note: isMissing(divergentColumn) ? 'Divergences: not recorded.' : undefined,
    },
    {
      plot: 'treedepth',
      help: 'treedepth-plot',
      name: 'Tree depth',
      title: 'Tree depth',
      hint: 'Draws by chain. Dotted: the limit.',
      make: treedepth,
      absence: absence('treedepth__'),
    },
    {
      help: 'acceptance',
      name: 'Acceptance and step size by chain',
      title: 'Acceptance and step size',
      hint: 'Middle 90 % of the draws by chain. Dotted: the target.',
      make: acceptance,
      absence: absence('accept_stat__', 'stepsize__'),
    },
  ];
}

/** The four plots as requests; each is null until its columns are loaded. */
function useSamplerFigures(live: LiveExperiment, shown: readonly NamedColumn[]) {
  const { chainNames, experiment } = live;
  const wanted = useMemo(() => [...columns, ...shown.map(({ variable }) => variable)], [shown]);
  const draws = useDrawsOf(live, wanted);
  const maxTreedepth = settingNumber(experiment, 'max_treedepth') ?? undefined;
  const target = settingNumber(experiment, 'adapt_delta') ?? undefined;
  return useMemo(() => {
    const read = (variable: string) => figureVariable(draws, chainNames, { variable });
    // All columns are requested together: if others have arrived and one has not, it was not recorded.
    const isHere = wanted.some((name) => hasDraws(read(name)));
    const isMissing = (...names: readonly string[]) =>
      isHere && names.some((name) => !hasDraws(read(name)));
    const energy: Make = (options) => {
      const column = read('energy__');
      return hasDraws(column) ? { kind: 'energy', chains: column.chains, options } : null;
    };
    const treedepth: Make = (options) => {
      const column = read('treedepth__');
      if (!hasDraws(column)) return null;
      return { kind: 'treedepth', chains: column.chains, options: { ...options, maxTreedepth } };
    };
    const acceptance: Make = (options) => {
      const accepted = read('accept_stat__');
      const steps = read('stepsize__');
      if (!hasDraws(accepted) && !hasDraws(steps)) return null;
      const input = { acceptance: accepted.chains, stepSize: steps.chains };
      return { kind: 'acceptance', input, options: { ...options, target } };
    };
    const divergences: Make = (options) => {
      const variables = shown
        .map((row) => figureVariable(draws, chainNames, row, true))
        .filter(hasDraws);
      return variables.length < 2 ? null : { kind: 'divergence', variables, options };
    };
    return { energy, treedepth, acceptance, divergences, isMissing };
  }, [draws, chainNames, wanted, shown, maxTreedepth, target]);
}
