/** The plots of a comparison: intervals of all variables in one forest, and a density of each. */
import { useCallback, useMemo } from 'react';
import type { ForestRow } from '../../../figures/forest-figure.ts';
import type { FigureRequest } from '../../plots/figure-request.ts';
import { type CardOptions, PlotCard } from '../../plots/plot-card.tsx';
import { useInView } from '../../plots/use-in-view.ts';
import { TextButton } from '../../ui/text-button.tsx';
import classes from './compare.module.css';
import { type DrawsGroup, pooledChains, useComparedDraws } from './compared-draws.ts';
import { comparedColors, comparedPalette, joinNames } from './compared-style.ts';
import type { ComparedRun } from './use-compared.ts';

/** One line a variable and experiment, the experiments of a variable together. */
export function comparedForestRows(
  runs: readonly ComparedRun[],
  variables: readonly string[],
): readonly ForestRow[] {
  return variables.flatMap((variable) =>
    runs.flatMap((run): ForestRow[] => {
      const row = run.rows.get(variable);
      if (row === undefined) return [];
      const { median, q5, q25, q75, q95, rhat } = row;
      return [
        {
          variable: `${variable} ${run.letter}`,
          median,
          q5,
          q25,
          q75,
          q95,
          rhat,
          index: run.index,
        },
      ];
    }),
  );
}

export interface ComparedPlotsProps {
  readonly runs: readonly ComparedRun[];
  readonly variables: readonly string[];
}

export function IntervalsCard({ runs, variables }: ComparedPlotsProps) {
  const make = useCallback(
    (options: CardOptions): FigureRequest | null => {
      const rows = comparedForestRows(runs, variables);
      if (rows.length === 0) return null;
      const palette = comparedPalette(options.palette);
      return {
        kind: 'forest',
        rows,
        options: { ...options, palette, compared: true, maxRows: rows.length },
      };
    },
    [runs, variables],
  );
  const letters = joinNames(runs.map(({ letter }) => letter));
  return (
    <PlotCard
      name="Intervals side by side"
      label={`Median, 50 % and 90 % interval of ${variables.length === 1 ? variables[0] : `${variables.length} variables`} in ${letters}`}
      caption={
        <>
          <strong>Intervals</strong>{' '}
          <span className={classes.dim}>median, 25 to 75 % thick, 5 to 95 % thin</span>
        </>
      }
      make={make}
      height={60 + 24 * variables.length * runs.length}
      absence="No draws to show."
    />
  );
}

export interface DensitiesProps extends ComparedPlotsProps {
  readonly group: DrawsGroup;
}

export function Densities({ runs, variables, group }: DensitiesProps) {
  return (
    <section className={classes.densities} aria-label="Densities">
      {variables.map((variable) => (
        <DensityCard key={variable} runs={runs} variable={variable} group={group} />
      ))}
    </section>
  );
}

interface DensityCardProps {
  readonly runs: readonly ComparedRun[];
  readonly variable: string;
  readonly group: DrawsGroup;
}

/** Fetches its draws while it is near the view only. */
function DensityCard(props: DensityCardProps) {
  const [ref, inView] = useInView<HTMLDivElement>();
  return (
    <div ref={ref} style={{ minHeight: 164, minWidth: 0 }}>
      {inView && <NearDensity {...props} />}
    </div>
  );
}

function NearDensity({ runs, variable, group }: DensityCardProps) {
  const names = useMemo(() => [variable], [variable]);
  const { read, error, retry } = useComparedDraws(group, runs, names);
  const make = useCallback(
    (options: CardOptions): FigureRequest | null => {
      const experiments = runs.flatMap((run) => {
        const chains = read(run, variable);
        if (chains.length === 0) return [];
        const { lower, upper } = run.rows.get(variable) ?? {};
        return [{ index: run.index, name: run.letter, draws: pooledChains(chains), lower, upper }];
      });
      if (experiments.length === 0) return null;
      const colors = comparedColors(options.palette);
      return { kind: 'compared-density', variable, experiments, options: { ...options, colors } };
    },
    [runs, variable, read],
  );
  const without = runs.filter((run) => run.summary !== null && !run.rows.has(variable));
  return (
    <>
      <PlotCard
        name={`Density of ${variable}`}
        label={`Density of ${variable} in ${joinNames(runs.filter((run) => run.rows.has(variable)).map(({ letter }) => letter))}`}
        caption={<code title={variable}>{variable}</code>}
        facts={
          without.length === 0 ? undefined : (
            <span className={classes.fact}>
              not in {joinNames(without.map(({ letter }) => letter))}
            </span>
          )
        }
        make={make}
        absence={error === null ? undefined : 'The draws could not be loaded.'}
      />
      {error !== null && (
        <p className={classes.problem} role="alert">
          {error.message} They are safe on the server.{' '}
          <TextButton onClick={retry}>Try again</TextButton>
        </p>
      )}
    </>
  );
}
