/**
 * `ergodic loo MODEL.stan --draws FILE…`: leave-one-out of finished draws, with rows of data and moment matching;
 * `--k-fold`: K-fold cross-validation, which runs the program again.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { MatchingSettings } from '../engine/chain-state.ts';
import type { ImportedDraws } from '../formats/imported-draws.ts';
import type { Loo } from '../posterior/loo.ts';
import type { MatchedByVariable } from '../posterior/matched-observations.ts';
import type { ObservationColumns } from '../posterior/observation-columns.ts';
import { StartError } from '../service/start-error.ts';
import { alignedText, say } from './report.ts';
import type { RunInputs, RunOptions } from './run-inputs.ts';

interface LooOptions extends Pick<RunOptions, 'chains' | 'warmup' | 'samples' | 'data' | 'json'> {
  readonly draws?: readonly string[];
  readonly kFold?: string | true;
  readonly holdout?: string;
  readonly stratify?: string;
  readonly group?: string;
  readonly seed: string;
  readonly momentMatch?: boolean;
  readonly all?: boolean;
}

export function addLooCommand(program: Command): void {
  program
    .command('loo')
    .argument('<model>', 'Stan program that computes log_lik')
    .description(
      'leave-one-out for finished draws: elpd, and Pareto k for each observation with its data; or K-fold cross-validation',
    )
    .option('--draws <files...>', 'draws, one file per chain: CmdStan CSV, or as exported')
    .option('--data <file>', 'data as JSON, an R dump, or a table (CSV, TSV, .xlsx)')
    .option('--moment-match', 'improve observations whose Pareto k is too high')
    .option('--k-fold [k]', 'run the program k times (default 10), each with a fold held out')
    .option(
      '--holdout <name>',
      'K-fold: the flag of each observation in the data (default holdout)',
    )
    .option('--stratify <name>', 'K-fold: each fold has its share of each value of this variable')
    .option(
      '--group <name>',
      'K-fold: observations with the same value of this variable stay together',
    )
    .option('--chains <n>', 'K-fold: chains per run (default 4)')
    .option('--warmup <n>', 'K-fold: warmup iterations per chain (default 1000)')
    .option('--samples <n>', 'K-fold: sampling iterations per chain (default 1000)')
    .option('--all', 'list every observation')
    .option(
      '--seed <n>',
      'seed for random numbers in transformed data, and for folds and their runs',
      '1',
    )
    .option('--json', 'print the numbers as JSON')
    .action(async (model: string, options: LooOptions) => {
      const isFolded = options.kFold !== undefined;
      process.stdout.write(await (isFolded ? crossValidate : leaveOneOut)(model, options));
    });
}

async function crossValidate(path: string, options: LooOptions): Promise<string> {
  const [{ readRunInputs }, { kFoldText, runFolds }] = await Promise.all([
    import('./run-inputs.ts'),
    import('./k-fold.ts'),
  ]);
  const { kFold = true, draws, data, seed, chains, warmup, samples } = options;
  const read = await readRunInputs(path, { data, seed, chains, warmup, samples });
  if (!read.ok) throw new StartError(read.error);
  const full = draws === undefined ? undefined : wholeLogLik(await readFiles(draws));
  const { holdout, stratify, group } = options;
  const found = await runFolds(read.value, { kFold, holdout, stratify, group, full });
  return kFoldText(found, options.json === true);
}

/** All draws of each observation. */
const wholeLogLik = ({ observations, draws, logLik }: MatchingSettings): Float64Array[] =>
  observations.map((_, i) => logLik.subarray(i * draws.count, (i + 1) * draws.count));

async function leaveOneOut(path: string, options: LooOptions): Promise<string> {
  const [
    { readRunInputs },
    { looOf, tooFewDrawsText },
    { matchedByPlace },
    rows,
    { dataVariables },
  ] = await Promise.all([
    import('./run-inputs.ts'),
    import('../posterior/loo.ts'),
    import('../posterior/matched-observations.ts'),
    import('../posterior/observation-columns.ts'),
    import('../formats/data-variables.ts'),
  ]);
  const read = await readRunInputs(path, { data: options.data, seed: options.seed });
  if (!read.ok) throw new StartError(read.error);
  const { data, labels } = read.value;
  if (options.draws === undefined)
    throw new StartError('Name the draws files with --draws, or run folds with --k-fold.');
  const drawn = await readFiles(options.draws);
  const observations = drawn.observations;
  const matched = options.momentMatch ? await match(drawn, read.value) : {};
  const loo = looOf(logLikOf(drawn), { matched: matchedByPlace(observations, matched) });
  const columns = rows.observationColumns(observations, dataVariables(data), labels);
  const listed = [...observations.keys()]
    .filter((i) => options.all === true || isListed(loo, i))
    .toSorted((a, b) => loo.pareto_k[b] - loo.pareto_k[a]);
  return options.json
    ? jsonText(loo, observations, columns, listed)
    : tableText(loo, {
        observations,
        columns,
        listed,
        isMatched: options.momentMatch === true,
        tooFew: tooFewDrawsText(loo),
      });
}

const isListed = ({ pareto_k: k, pareto_k_before: before, threshold }: Loo, i: number) =>
  !(k[i] <= threshold) || (before !== undefined && before[i] !== k[i]);

async function readFiles(paths: readonly string[]): Promise<MatchingSettings> {
  const { readDrawFiles } = await import('../formats/read-draw-files.ts');
  const { isLogLik } = await import('../posterior/variable-kinds.ts');
  const { looRefusal } = await import('../posterior/loo-refusal.ts');
  const { methodOf } = await import('../posterior/run-method.ts');
  const files = paths.map((path) => {
    try {
      return { name: basename(path), bytes: new Uint8Array(readFileSync(path)) };
    } catch (error) {
      throw new StartError(`Cannot read ${path}: ${(error as NodeJS.ErrnoException).code}.`);
    }
  });
  const { draws } = await readDrawFiles(files).catch((error: Error) => {
    throw new StartError(error.message);
  });
  const names = draws.columns.map(({ name }) => name);
  const observations = names.filter(isLogLik);
  if (observations.length < 2)
    throw new StartError('The draws have no log_lik with an entry for each observation.');
  const refusal = looRefusal(methodOf(names));
  if (refusal !== null) throw new StartError(`Leave-one-out is not possible: ${refusal}.`);
  const length = Math.min(...draws.chains.map((chain) => chain.draws[0]?.length ?? 0));
  if (length === 0) throw new StartError('The files have no draws.');
  const count = draws.chains.length * length;
  const flat = (wanted: readonly string[]) => flattened(draws, wanted, length);
  const columns = names.filter((name) => !isLogLik(name));
  return {
    draws: { columns, count, values: flat(columns), isParametersOnly: false },
    numChains: draws.chains.length,
    observations,
    logLik: flat(observations),
  };
}

/** Column by column, within each chain in turn. */
function flattened(
  { columns, chains }: ImportedDraws,
  wanted: readonly string[],
  length: number,
): Float64Array {
  const places = new Map(columns.map(({ name }, c) => [name, c]));
  const values = new Float64Array(wanted.length * chains.length * length);
  wanted.forEach((name, w) => {
    chains.forEach(({ draws }, k) => {
      const column = draws[places.get(name) ?? -1];
      if (column !== undefined)
        values.set(column.subarray(0, length), (w * chains.length + k) * length);
    });
  });
  return values;
}

function logLikOf({ observations, numChains, draws, logLik }: MatchingSettings): Float64Array[][] {
  const length = draws.count / numChains;
  return observations.map((_, i) =>
    Array.from({ length: numChains }, (__, chain) => {
      const from = i * draws.count + chain * length;
      return logLik.subarray(from, from + length);
    }),
  );
}

async function match(matching: MatchingSettings, inputs: RunInputs): Promise<MatchedByVariable> {
  const [{ compileInputs }, { createChain }, { settingsOfChain }, { defaultSettings }] =
    await Promise.all([
      import('./compile-inputs.ts'),
      import('../engine/chain.ts'),
      import('../engine/chain-settings.ts'),
      import('../engine/settings.ts'),
    ]);
  const { matchingColumns } = await import('../engine/matching/matching-chain.ts');
  const made = compileInputs(inputs);
  if (!made.ok) throw new StartError(made.message);
  const place = { seed: inputs.settings.seed ?? 1, chain: 1, streamWarmup: false };
  const settings = { ...settingsOfChain(defaultSettings, place), matching };
  const chain = createChain({ model: made.model, settings, chain: 1 });
  const found: Record<string, { elpd_loo: number; pareto_k: number }> = {};
  for (;;) {
    const advance = chain.advance({ maxIterations: 1 });
    if (advance.status === 'failed') throw new StartError(advance.failure.message);
    for (const { count, values } of advance.blocks) {
      const at = (name: (typeof matchingColumns)[number], i: number) =>
        values[matchingColumns.indexOf(name) * count + i];
      for (let i = 0; i < count; i++)
        if (at('moves__', i) > 0)
          found[matching.observations[at('observation__', i)]] = {
            elpd_loo: at('elpd_loo__', i),
            pareto_k: at('pareto_k__', i),
          };
    }
    const { iteration, of } = chain.progress();
    if (of > 0) say(`Moment matching: ${iteration} of ${of} observations`);
    if (advance.status === 'finished') return found;
  }
}

interface Listing {
  readonly observations: readonly string[];
  readonly columns: ObservationColumns;
  /** Their indices, in order. */
  readonly listed: readonly number[];
  readonly isMatched: boolean;
  /** Of `tooFewDrawsText`. */
  readonly tooFew: string | null;
}

function tableText(loo: Loo, listing: Listing): string {
  const { observations, columns, listed, isMatched, tooFew } = listing;
  const { pareto_k: k, pareto_k_before: before, threshold, num_high_k: high } = loo;
  const number = (value: number) => (Number.isFinite(value) ? value.toFixed(2) : 'NA');
  const head = [
    'observation',
    'pareto_k',
    ...(before === undefined ? [] : ['k_before']),
    'elpd_loo',
    ...columns.columns.map(({ name }) => name),
  ];
  const lines = listed.map((i) => [
    observations[i],
    number(k[i]),
    ...(before === undefined ? [] : [number(before[i])]),
    number(loo.pointwise.elpd_loo[i]),
    ...columns.columns.map(({ values }) => String(values[i])),
  ]);
  const advice =
    high > 0 && !isMatched ? ' --moment-match improves them; --k-fold refits without them.' : '';
  return [
    `elpd_loo  ${number(loo.elpd_loo)}  (SE ${number(loo.se_elpd_loo)})`,
    `p_loo     ${number(loo.p_loo)}  (SE ${number(loo.se_p_loo)})`,
    `looic     ${number(loo.looic)}  (SE ${number(loo.se_looic)})`,
    tooFew === null
      ? `${high} of ${observations.length} observations have a Pareto k above ${threshold.toFixed(2)}.${advice}`
      : `${tooFew}.`,
    ...(lines.length === 0 ? [] : ['', alignedText([head, ...lines])]),
    '',
  ].join('\n');
}

function jsonText(
  loo: Loo,
  observations: readonly string[],
  { columns }: ObservationColumns,
  listed: readonly number[],
): string {
  const { elpd_loo, se_elpd_loo, p_loo, se_p_loo, looic, se_looic, threshold, num_high_k } = loo;
  const shown = listed.map((i) => ({
    observation: observations[i],
    pareto_k: loo.pareto_k[i],
    ...(loo.pareto_k_before === undefined ? {} : { pareto_k_before: loo.pareto_k_before[i] }),
    elpd_loo: loo.pointwise.elpd_loo[i],
    data: Object.fromEntries(columns.map(({ name, values }) => [name, values[i]])),
  }));
  const totals = { elpd_loo, se_elpd_loo, p_loo, se_p_loo, looic, se_looic, threshold, num_high_k };
  return `${JSON.stringify({ ...totals, observations: shown }, null, 2)}\n`;
}
