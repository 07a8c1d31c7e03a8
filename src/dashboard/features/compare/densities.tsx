/** A density of each compared variable, with a curve for each experiment. */
import { useCallback, useMemo } from 'react';
import { shownName } from '../../../posterior/variable-labels.ts';
import type { FigureRequest } from '../../plots/figure-request.ts';
import { type CardOptions, PlotCard } from '../../plots/plot-card.tsx';
import { useInView } from '../../plots/use-in-view.ts';
import { TextButton } from '../../ui/text-button.tsx';
import classes from './compare.module.css';
import { type DrawsGroup, pooledChains, useComparedDraws } from './compared-draws.ts';
import { comparedColors, joinNames } from './compared-style.ts';
import { rowOf } from './compared-variables.ts';
import type { ComparedRun } from './use-compared.ts';

export interface DensitiesProps {
  readonly runs: readonly ComparedRun[];
  readonly variables: readonly string[];
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

/** Fetches its draws only while it is near the view. */
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
  const { label } =
    rowOf(
      runs.map(({ rows }) => rows),
      variable,
    ) ?? {};
  const name = shownName({ variable, label });
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
      return {
        kind: 'compared-density',
        variable: { variable, label },
        experiments,
        options: { ...options, colors },
      };
    },
    [runs, variable, label, read],
  );
  const without = runs.filter((run) => run.summary !== null && !run.rows.has(variable));
  return (
    <>
      <PlotCard
        name={`Density of ${name}`}
        label={`Density of ${name} in ${joinNames(runs.filter((run) => run.rows.has(variable)).map(({ letter }) => letter))}`}
        caption={<code title={variable}>{name}</code>}
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
