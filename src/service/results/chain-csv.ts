/** The CSV file of one chain of this service, in CmdStan's layout. */

import type { ChainRun } from '../../engine/run.ts';
import type { Settings } from '../../engine/settings-table.ts';
import {
  stanCsvAdaptation,
  stanCsvColumns,
  stanCsvHead,
  stanCsvRow,
  stanCsvTimes,
} from '../../formats/stan-csv.ts';
import { cmdStanOrder } from '../../formats/tuple-order.ts';
import { itemAt } from '../../shared/items.ts';
import { methodLines } from './method-lines.ts';

export interface CsvRun {
  readonly columns: readonly string[];
  readonly seed: number;
  readonly settings: Settings;
  readonly model: string;
  readonly dataFile?: string;
}

/** Yields the CSV file of one chain piece by piece. */
export function* chainCsv(chain: ChainRun, run: CsvRun): Generator<string> {
  const { settings, model, seed, dataFile, columns } = run;
  const { numSamples, numWarmup, saveWarmup, thin, initRadius, adaptDelta, maxTreeDepth } =
    settings;
  // CmdStan's files know no low-rank metric, so its diagonal is written instead
  const metric = settings.metric === 'low-rank' ? 'diag' : settings.metric;
  const { adaptation, progress } = chain;
  const usesHmc = adaptation !== null;
  yield stanCsvHead({
    model,
    chainId: chain.chain,
    numSamples,
    numWarmup,
    // a chain that starts from another's warmup has none: readers would mistake its first draws for warmup
    saveWarmup: saveWarmup && chain.warmedBy === undefined,
    thin,
    seed,
    initRadius,
    adaptDelta,
    maxTreeDepth,
    metric,
    usesHmc,
    method: methodLines(settings),
    dataFile,
    writer: 'Ergodic',
  });
  const order = cmdStanOrder(columns);
  const inOrder = <Column>(all: readonly Column[]) => order.map((place) => itemAt(all, place));
  yield stanCsvColumns(inOrder(columns));
  if (chain.warmup.length > 0) yield* rows(inOrder(chain.warmup));
  if (adaptation !== null) {
    yield stanCsvAdaptation({
      stepSize: adaptation.stepSize,
      metric,
      inverseMetric: adaptation.invMetric,
    });
  }
  if (chain.sampling.length > 0) yield* rows(inOrder(chain.sampling));
  if (progress !== null) yield stanCsvTimes(progress.warmupSeconds, progress.samplingSeconds);
}

function* rows(columns: readonly Float64Array[]): Generator<string> {
  const length = columns[0]?.length ?? 0;
  const row = new Float64Array(columns.length);
  for (let i = 0; i < length; i++) {
    for (const [c, column] of columns.entries()) row[c] = itemAt(column, i);
    yield stanCsvRow(row);
  }
}
