/** The verdict as text: one headline for lists, notifications and pages, and one sentence of advice. */

import { formatCount } from '../shared/readable-numbers.ts';

export interface LabelledVerdict {
  readonly state: 'good' | 'warn' | 'bad' | 'unknown';
  /** Absent if made by other servers or earlier versions. */
  readonly headline?: string | undefined;
  readonly checks?: readonly LabelledCheck[] | undefined;
}

export interface LabelledCheck {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'unknown';
  /** "R-hat of tau is 1.042, above 1.01"; absent if there is nothing to say. */
  readonly message?: string | undefined;
  /** Where the number is worst: named in the message. */
  readonly variable?: string | undefined;
}

const plain = {
  good: 'Looks converged',
  warn: 'Needs a look',
  bad: 'Not converged',
  unknown: 'No verdict',
} as const;

/** "Looks converged", "33 divergences; 4 checks failed", "No verdict: chain 4 has no draws". */
export function headlineOf(verdict: LabelledVerdict): string {
  return verdict.headline ?? plain[verdict.state];
}

export interface HeadlineParts {
  /** The first failed check in brief, "33 divergences". */
  readonly short: string | undefined;
  /** Names of left-out chains: "Looks converged (without chain 4)". */
  readonly leftOut?: readonly string[];
  /** Used instead if no check failed: "A point estimate: no uncertainty". */
  readonly plain?: string | undefined;
}

export function makeHeadline(
  state: LabelledVerdict['state'],
  checks: readonly LabelledCheck[],
  { short, leftOut = [], plain: own }: HeadlineParts,
): string {
  const headline = own ?? findingOf(state, checks, short);
  return leftOut.length === 0 ? headline : `${headline} (without ${chainsText(leftOut)})`;
}

function findingOf(
  state: LabelledVerdict['state'],
  checks: readonly LabelledCheck[],
  short: string | undefined,
): string {
  if (state === 'unknown') {
    const reason = checks.find((check) => check.status === 'unknown')?.message;
    return reason === undefined ? plain.unknown : `${plain.unknown}: ${reason}`;
  }
  if (short === undefined) return plain[state];
  const count = failedChecks(checks).length;
  return count === 1 ? short : `${short}; ${countFailed(count)}`;
}

/** What to do about it: "Not converged: do not use these draws." */
export function sentenceOf(verdict: LabelledVerdict): string {
  const failed = (name: string) => failedChecks(verdict.checks).some((one) => one.name === name);
  if (verdict.state === 'bad')
    return failed('calibration')
      ? 'Not calibrated: this program does not recover what it simulates.'
      : failed('pareto_k')
        ? 'Poor approximation: do not use these draws.'
        : 'Not converged: do not use these draws.';
  return verdict.state === 'warn' ? `${plain.warn}.` : `${headlineOf(verdict)}.`;
}

export function failedChecks<C extends LabelledCheck>(checks: readonly C[] | undefined): C[] {
  return checks?.filter((check) => check.status === 'failed') ?? [];
}

/** "1 check failed", "4 checks failed". */
export function countFailed(count: number): string {
  return `${count} ${count === 1 ? 'check' : 'checks'} failed`;
}

/**
 * Remarks of the checks other than failures, as sentences: draws and chains that are not used, evidence that is
 * missing, and assumptions. The first missing one is left out if it is the headline.
 */
export function remarksOf({ state, checks = [] }: LabelledVerdict): string[] {
  const messages = checks
    .filter((check) => check.status !== 'failed')
    .filter(({ message }) => message !== undefined);
  const said = state === 'unknown' ? messages.findIndex((one) => one.status === 'unknown') : -1;
  return messages.filter((_, index) => index !== said).map(checkSentence);
}

/** The message of a check as a sentence; it may begin with the name of a variable, which is case-sensitive. */
export function checkSentence({
  message = '',
  variable,
}: Pick<LabelledCheck, 'message' | 'variable'>): string {
  if (message === '') return '';
  const isName = variable !== undefined && message.startsWith(`${variable} `);
  return isName ? `${message}.` : asSentence(message);
}

export function asSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** "Eight schools finished: 33 divergences", "Eight schools stopped, no verdict: chain 4 has no draws". */
export function endingOf(name: string, verb: string, verdict: LabelledVerdict): string {
  const headline = headlineOf(verdict);
  // Names of statistics keep their capitals: R-hat, E-BFMI, Pareto k.
  const said = /^(?!Pareto )[A-Z][a-z ]/.test(headline)
    ? headline.charAt(0).toLowerCase() + headline.slice(1)
    : headline;
  return `${name} ${verb}${said.includes(': ') ? ', ' : ': '}${said}`;
}

/** "chain 4" for `chain#4`; other names unchanged. */
export function chainText(name: string): string {
  const number = /^chain#(\d+)$/.exec(name)?.[1];
  return number === undefined ? `chain ${name}` : `chain ${number}`;
}

/** More than this are only counted. */
const listedChains = 4;

/** "chain 4", "chains 1, 2 and 3", "12 chains". */
export function chainsText(names: readonly string[]): string {
  if (names.length === 1) return chainText(names[0]);
  if (names.length > listedChains) return `${names.length} chains`;
  return `chains ${joined(names.map((name) => chainText(name).slice('chain '.length)))}`;
}

/** "a", "a and b", "a, b and c". */
export function joined(parts: readonly string[]): string {
  if (parts.length < 2) return parts[0] ?? '';
  return `${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}`;
}

/** "1 draw", "33 draws". */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
