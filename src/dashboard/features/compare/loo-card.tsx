/** Experiments by leave-one-out, if every program computes `log_lik` of the same observations. */
import { Link } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { LooComparison } from '../../../posterior/loo.ts';
import { looRefusal } from '../../../posterior/loo-refusal.ts';
import { isLogLik } from '../../../posterior/variable-kinds.ts';
import type { FigureRequest } from '../../plots/figure-request.ts';
import { type CardOptions, PlotCard } from '../../plots/plot-card.tsx';
import { Card } from '../../ui/card.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { formatCount, formatNumber, missing } from '../../ui/numbers.ts';
import { TableHead } from '../../ui/table-head.tsx';
import { TextButton } from '../../ui/text-button.tsx';
import { LooProgress, LooStart, useLooGate } from '../live/loo-progress.tsx';
import type { LooModel } from '../live/loo-statistics.ts';
import { matchedObservations } from '../live/matched-observations.ts';
import { useLoo } from '../live/use-loo.ts';
import classes from './compare.module.css';
import { type DrawsGroup, useComparedDraws } from './compared-draws.ts';
import { joinNames } from './compared-style.ts';
import type { ComparedRun } from './use-compared.ts';

export interface LooCardProps {
  readonly runs: readonly ComparedRun[];
  readonly group: DrawsGroup;
}

export interface LooPlan {
  /** Names of the observations; null: not compared, for `reason`. */
  readonly names: readonly string[] | null;
  readonly reason: string;
  /** What makes a comparison questionable, though it can be computed. */
  readonly doubt: string;
}

const logLikNames = (run: ComparedRun) => [...run.rows.keys()].filter(isLogLik);

/** Whether the experiments can be compared, and why not. */
export function looPlan(runs: readonly ComparedRun[]): LooPlan {
  const refused = (reason: string): LooPlan => ({ names: null, reason, doubt: '' });
  const known = runs.map((run) => ({ run, names: logLikNames(run) }));
  const without = known.filter(({ names }) => names.length < 2).map(({ run }) => run.letter);
  if (without.length === runs.length)
    return refused(
      'None of these programs computes `log_lik`, so leave-one-out cannot compare them.',
    );
  if (without.length > 0)
    return refused(
      `Leave-one-out needs \`log_lik\` in every experiment; ${joinNames(without)} ${without.length === 1 ? 'has' : 'have'} none.`,
    );
  const refusals = runs.flatMap(({ letter, experiment }) => {
    const refusal = looRefusal(experiment?.meta?.settings?.algorithm);
    return refusal === null ? [] : [`Leave-one-out cannot use ${letter}: ${refusal}.`];
  });
  if (refusals.length > 0) return refused(refusals.join(' '));
  const counts = new Set(known.map(({ names }) => names.length));
  if (counts.size > 1) {
    const each = known.map(({ run, names }) => `${run.letter} has ${formatCount(names.length)}`);
    return refused(
      `The numbers of observations differ: ${joinNames(each)}. Leave-one-out compares models on the same data only.`,
    );
  }
  const data = new Set(runs.map(({ experiment }) => experiment?.meta?.data_name || ''));
  return {
    names: known[0]?.names ?? [],
    reason: '',
    doubt:
      data.size > 1
        ? 'The data sets have different names. The comparison is meaningful only if the observations are the same, in the same order.'
        : '',
  };
}

export function LooCard({ runs, group }: LooCardProps) {
  const plan = useMemo(() => looPlan(runs), [runs]);
  const size = runs.reduce(
    (sum, { summary }) =>
      sum + (plan.names?.length ?? 0) * (summary?.n_chains ?? 0) * (summary?.n_samples ?? 0),
    0,
  );
  const { isWanted, start, cancel } = useLooGate(size);
  return (
    <Card className={classes.card} aria-labelledby="compare-loo">
      <header className={classes.cardHead}>
        <h2 id="compare-loo">Leave-one-out</h2>
        <HelpLink topic="loo" of="leave-one-out and stacking weights" />
        {plan.names !== null && (
          <span className={classes.dim}>{formatCount(plan.names.length)} observations</span>
        )}
      </header>
      {plan.names === null ? (
        <p className={classes.cardText}>
          <CodeText>{plan.reason}</CodeText>
        </p>
      ) : isWanted ? (
        <Comparison runs={runs} group={group} names={plan.names} size={size} onCancel={cancel} />
      ) : (
        <LooStart values={size} onStart={start} />
      )}
      {plan.doubt !== '' && <p className={classes.cardText}>{plan.doubt}</p>}
    </Card>
  );
}

interface ComparisonProps extends LooCardProps {
  readonly names: readonly string[];
  /** Number of values to read. */
  readonly size: number;
  readonly onCancel: (() => void) | undefined;
}

function Comparison({ runs, group, names, size, onCancel }: ComparisonProps) {
  const { read, error, retry } = useComparedDraws(group, runs, names);
  const models = useMemo(
    () =>
      runs.map((run): LooModel => {
        const observations = logLikNames(run);
        return {
          name: run.letter,
          observations,
          logLik: observations.map((name) => read(run, name)),
          matched: matchedObservations(run.experiment ?? {}),
        };
      }),
    [runs, read],
  );
  const isWhole = models.every(({ logLik }) => logLik.every((chains) => chains.length > 0));
  const { answer, error: failed, done } = useLoo(isWhole ? models : null);
  const rows = answer?.rows ?? null;
  const make = useCallback(
    (options: CardOptions): FigureRequest | null =>
      rows === null ? null : { kind: 'loo-compare', rows, options },
    [rows],
  );
  if (error !== null)
    return (
      <p className={classes.problem} role="alert">
        The draws could not be loaded: {error.message}{' '}
        <TextButton onClick={retry}>Try again</TextButton>
      </p>
    );
  if (failed !== null)
    return (
      <p className={classes.problem} role="alert">
        Leave-one-out could not be computed: {failed}
      </p>
    );
  if (rows === null)
    return (
      <LooProgress
        read={isWhole ? size : Math.min(size, numValues(models))}
        values={size}
        done={done}
        observations={runs.length * names.length}
        onCancel={onCancel}
      />
    );
  return (
    <>
      <p className={classes.cardText}>
        <strong>{looSentence(rows)}</strong>
      </p>
      <div className={classes.inner}>
        <PlotCard
          name="Experiments by leave-one-out"
          label="Difference in elpd from the best experiment, with one standard error"
          caption={
            <>
              <strong>Difference in elpd</strong>{' '}
              <span className={classes.dim}>from the best, one standard error</span>
            </>
          }
          make={make}
          height={40 + 24 * rows.length}
        />
      </div>
      <LooTable rows={rows} runs={runs} />
      {rows.some((row) => row.num_high_k > 0) && (
        <p className={classes.cardText}>
          Not reliable: observations whose Pareto k is too high. Their contribution to elpd may be
          far off. The run’s page lists them with their data, and can improve them by moment
          matching.
        </p>
      )}
      <Matched models={models} />
    </>
  );
}

const numValues = (models: readonly LooModel[]) =>
  models.reduce(
    (sum, { logLik }) =>
      logLik.reduce((own, chains) => chains.reduce((n, { length }) => n + length, own), sum),
    0,
  );

function Matched({ models }: { models: readonly LooModel[] }) {
  const improved = models.flatMap(({ name, matched }) => {
    const count = Object.keys(matched).length;
    return count === 0 ? [] : [`${formatCount(count)} of ${name}`];
  });
  if (improved.length === 0) return null;
  return (
    <p className={classes.cardText}>
      Observations improved by moment matching: {joinNames(improved)}.
    </p>
  );
}

interface LooTableProps {
  readonly rows: readonly LooComparison[];
  readonly runs: readonly ComparedRun[];
}

const headTitles = [
  'Experiment',
  'elpd',
  'SE',
  'Difference',
  'SE of difference',
  'Stacking weight',
  'Eff. parameters',
  'Not reliable',
];

function LooTable({ rows, runs }: LooTableProps) {
  return (
    // a scrolling region must be reachable by keyboard
    <section className={classes.scroll} tabIndex={0} aria-label="Leave-one-out by experiment">
      <table className={classes.table} data-numbers>
        <TableHead titles={headTitles} />
        <tbody>
          {rows.map((row, i) => (
            <tr key={row.name}>
              <th scope="row">{row.name}</th>
              <td>{formatNumber(row.elpd_loo, 1)}</td>
              <td>{formatNumber(row.se_elpd_loo, 1)}</td>
              <td>{i === 0 ? 'best' : formatNumber(row.elpd_diff, 1)}</td>
              <td>{i === 0 ? missing : formatNumber(row.se_diff, 1)}</td>
              <td>{formatNumber(row.stacking_weight, 2)}</td>
              <td>{formatNumber(row.p_loo, 1)}</td>
              <td data-tone={row.num_high_k > 0 ? 'warn' : undefined}>
                <HighCount row={row} run={runs.find(({ letter }) => letter === row.name)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Links to the list of the observations. */
function HighCount({ row, run }: { row: LooComparison; run: ComparedRun | undefined }) {
  const count = formatCount(row.num_high_k);
  if (row.num_high_k === 0 || run === undefined) return count;
  return (
    <Link
      to="/experiments/$experimentId"
      params={{ experimentId: run.id }}
      search={{ tab: 'diagnostics' }}
      aria-label={`${count} of ${row.name}: show them`}
    >
      {count}
    </Link>
  );
}

/** Below 4 a difference of elpd is small however precise; below 2 standard errors it may be chance. */
export function looSentence(rows: readonly LooComparison[]): string {
  const [best, second] = rows;
  if (best === undefined || second === undefined) return 'There is nothing to compare.';
  if (!Number.isFinite(second.elpd_diff)) return 'Leave-one-out is undefined for these draws.';
  const size = -second.elpd_diff;
  const evidence = `elpd ${formatNumber(size, 1)} higher than ${second.name}, standard error ${formatNumber(second.se_diff, 1)}`;
  if (size < 4)
    return `${best.name} and ${second.name} predict about equally well (${best.name}: ${evidence}).`;
  if (size < 2 * second.se_diff)
    return `${best.name} may predict better: ${evidence}, which may be chance.`;
  return `${best.name} predicts best: ${evidence}.`;
}
