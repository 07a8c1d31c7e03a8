/** Statistics of a run: stored at its end, or computed while it is active and for a share. */
import type { Summary } from '../../contract/draws.ts';
import { chainUsage, commonLengthText, leftOutText } from '../../posterior/chain-usage.ts';
import { withLabels } from '../../posterior/labelled-verdict.ts';
import { hasLabels, labelOf } from '../../posterior/variable-labels.ts';
import { wholeVerdict } from '../content/whole-verdict.ts';
import type { ComputedSummary, CoreContext } from '../context.ts';
import { chainsOf } from '../policy/share-snapshot.ts';
import { listChains } from '../repositories/chains.ts';
import { findSummary } from '../repositories/experiments.ts';
import type { ShareRow } from '../repositories/shares.ts';
import { summariseRun } from './summarise-run.ts';
import type { VisibleDraws } from './visible-draws.ts';

const maxEntries = 64;
/** The summary of an active run is recomputed after this time, or after four times the duration of the last one. */
const leastPauseMs = 5000;

/** Adds the current labels, which do not affect the statistics. */
export async function viewSummary(
  context: CoreContext,
  draws: VisibleDraws & { readonly share: ShareRow | null },
): Promise<Summary> {
  const summary = await findOrCompute(context, draws);
  if (!hasLabels(draws.labels)) return summary;
  return {
    ...summary,
    verdict: withLabels(summary.verdict, draws.labels),
    variables: summary.variables.map((row) => {
      const label = labelOf(row.variable, draws.labels);
      return label === undefined ? row : { ...row, label };
    }),
  };
}

async function findOrCompute(
  context: CoreContext,
  draws: VisibleDraws & { readonly share: ShareRow | null },
): Promise<Summary> {
  const { experimentId, revision, share, leftOut } = draws;
  if (share === null) {
    const stored = (await findSummary(context.pool, experimentId)) as Summary | null;
    if (stored !== null && stored.revision === revision)
      return { ...stored, verdict: wholeVerdict(stored.verdict, stored) };
  }
  // A different choice of chains needs a new summary, however recent the last one is.
  const key = [share?.short_id ?? experimentId, ...leftOut].join(' ');
  const known = context.summaries.get(key);
  if (known !== undefined && !isStale(known, revision, context.now())) return known.summary;
  return compute(context, key, draws);
}

/** Which of the run's draws the statistics omit, worded like the checks of the verdict. */
export function notUsedTexts({ chains, verdict }: Summary): string[] {
  const lengths = chains.map(({ name, n_samples: draws = 0 }) => ({ name, draws }));
  const usage = chainUsage(lengths, verdict.chains_left_out);
  return [commonLengthText(usage), leftOutText(usage)].filter((text) => text !== null);
}

function isStale(
  { revision, startedAt, tookMs }: ComputedSummary,
  wanted: string,
  now: number,
): boolean {
  return revision !== wanted && now - startedAt > Math.max(leastPauseMs, 4 * tookMs);
}

function compute(
  { pool, summaries, now }: CoreContext,
  key: string,
  draws: VisibleDraws & { readonly share: ShareRow | null },
): Promise<Summary> {
  const { experimentId, revision, bounds, share, leftOut, settings } = draws;
  const startedAt = now();
  const work = async () => {
    const chains = share === null ? await listChains(pool, experimentId) : chainsOf(share);
    const request = {
      experimentId,
      revision,
      chains,
      leftOut,
      settings,
      ...(bounds === null ? {} : { bounds }),
    };
    return (await summariseRun(pool, request)).summary;
  };
  const entry: ComputedSummary = {
    revision,
    summary: work(),
    startedAt,
    tookMs: Number.POSITIVE_INFINITY,
  };
  summaries.delete(key);
  summaries.set(key, entry);
  const oldest = summaries.size > maxEntries ? summaries.keys().next().value : undefined;
  if (oldest !== undefined) summaries.delete(oldest);
  entry.summary.then(
    () => {
      entry.tookMs = now() - startedAt;
    },
    // the next caller tries again
    () => summaries.delete(key),
  );
  return entry.summary;
}
