/** The result of a comparison: one sentence, and what it is based on. */

import { shownName } from '../../../posterior/variable-labels.ts';
import { counted, headlineOf } from '../../../posterior/verdict-label.ts';
import { verdictOfRun } from './checks-card.tsx';
import { joinNames } from './compared-style.ts';
import { type Difference, mcseLabel, meanDifference, sdLabel } from './differences.ts';
import type { ComparedRun } from './use-compared.ts';

export interface Finding {
  readonly sentence: string;
  readonly detail: string;
  readonly tone: 'plain' | 'warn' | 'unknown';
}

interface Worst {
  readonly variable: string;
  readonly run: ComparedRun;
  readonly difference: Difference;
}

/** `variables`: the compared ones. Nothing is called the same before every run has ended. */
export function findingOf(
  runs: readonly ComparedRun[],
  base: ComparedRun,
  variables: readonly string[],
): Finding {
  const unended = runs.filter((run) => run.isLive);
  if (unended.length > 0)
    return {
      sentence: `Too early to tell: ${stateOf(unended)}.`,
      detail: 'The numbers below are from the draws so far.',
      tone: 'unknown',
    };
  const others = runs.filter((run) => run !== base && run.rows.size > 0);
  const compared = variables.filter(
    (name) => base.rows.has(name) && others.some((run) => run.rows.has(name)),
  );
  if (others.length === 0 || compared.length === 0)
    return {
      sentence: 'There is nothing to compare.',
      detail: 'None of the variables shown has draws in two of these experiments.',
      tone: 'unknown',
    };
  const distrusted = runs.filter(
    (run) => run.summary !== null && verdictOfRun(run)?.state === 'bad',
  );
  const doubtful = runs.filter(
    (run) => run.summary !== null && verdictOfRun(run)?.state === 'warn',
  );
  const found = worstOf(base, others, compared);
  const but =
    distrusted.length > 0
      ? `, but ${joinNames(distrusted.map(({ letter }) => letter))} cannot be trusted`
      : doubtful.length > 0
        ? `, and ${joinNames(doubtful.map(({ letter }) => letter))} ${doubtful.length === 1 ? 'needs' : 'need'} a look`
        : '';
  return {
    sentence: `${agreement(found, base)}${but}.`,
    detail: [
      ...[...distrusted, ...doubtful].map(reasons).filter(Boolean),
      ...(found.inMcse === null ? [] : [`${counted(compared.length, 'variable')} compared.`]),
    ].join(' '),
    tone: but === '' ? 'plain' : 'warn',
  };
}

/** "A and B are still running", "A is paused", "A and B have not ended". */
function stateOf(unended: readonly ComparedRun[]): string {
  const names = joinNames(unended.map(({ letter }) => letter));
  const numPaused = unended.filter(
    ({ experiment }) => experiment?.meta?.action === 'paused',
  ).length;
  const verb = unended.length === 1 ? 'is' : 'are';
  if (numPaused === 0) return `${names} ${verb} still running`;
  return numPaused === unended.length ? `${names} ${verb} paused` : `${names} have not ended`;
}

function worstOf(
  base: ComparedRun,
  others: readonly ComparedRun[],
  variables: readonly string[],
): { inMcse: Worst | null; inSd: Worst | null } {
  let inMcse: Worst | null = null;
  let inSd: Worst | null = null;
  for (const variable of variables) {
    const of = base.rows.get(variable);
    for (const run of others) {
      const row = run.rows.get(variable);
      if (of === undefined || row === undefined) continue;
      const difference = meanDifference(row, of);
      const worst = { variable, run, difference };
      const isApart = difference.tone === 'apart' && difference.inMcse === null;
      if (isApart || (difference.inMcse ?? -1) > (inMcse?.difference.inMcse ?? -1)) inMcse = worst;
      if ((difference.inSd ?? -1) > (inSd?.difference.inSd ?? -1)) inSd = worst;
    }
  }
  return { inMcse, inSd };
}

/** "Means agree within Monte Carlo error everywhere", "Means differ: tau by 0.40 SD (12 MCSE, B against A)". */
function agreement({ inMcse, inSd }: ReturnType<typeof worstOf>, base: ComparedRun): string {
  if (inMcse === null) return 'Means cannot be compared';
  if (inMcse.difference.tone === 'same') return 'Means agree within Monte Carlo error everywhere';
  if (inMcse.difference.tone === 'unsure')
    return `Means differ only slightly beyond Monte Carlo error, most in ${place(inMcse, base)}`;
  const most = inSd?.difference.inSd ?? Number.POSITIVE_INFINITY;
  if (most < 1)
    return `Means agree within 1 SD everywhere but differ by more than Monte Carlo error, most in ${place(inMcse, base)}`;
  return `Means differ, most in ${place(inSd ?? inMcse, base)}`;
}

function place({ variable, run, difference }: Worst, base: ComparedRun): string {
  const size = [mcseLabel(difference), sdLabel(difference)].filter(Boolean).join(', ');
  return `\`${shownName(run.rows.get(variable) ?? { variable })}\` (${run.letter} against ${base.letter}${size === '' ? '' : `: ${size}`})`;
}

/** "A: 156 divergences; 3 checks failed." */
function reasons(run: ComparedRun): string {
  const verdict = verdictOfRun(run);
  return verdict === null ? '' : `${run.letter}: ${headlineOf(verdict)}.`;
}
