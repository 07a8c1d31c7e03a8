/** The verdict on a calibration as text: deviations first, then missing or doubtful simulations. */
import type { CalibratedQuantity, Calibration, CalibrationShape } from './calibration.ts';
import type { Check, Verdict, VerdictState } from './verdict.ts';
import { counted, joined, makeHeadline } from './verdict-label.ts';
import { verdictLimits } from './verdict-limits.ts';

/** The outcome of the requested simulations, by chain name. */
export interface SimulationCounts {
  readonly asked: number;
  readonly failed: readonly string[];
  /** Simulations with divergent transitions. */
  readonly divergent: readonly string[];
  /** Simulations with so small an ESS that few of their draws were used. */
  readonly slow: readonly string[];
}

export interface CalibrationVerdictInput {
  readonly calibration: Calibration;
  readonly counts: SimulationCounts;
}

export function judgeCalibration({ calibration, counts }: CalibrationVerdictInput): Verdict {
  const { chains, quantities } = calibration;
  const departed = quantities
    .filter(({ state }) => state !== 'passed')
    .toSorted((a, b) => b.distance - a.distance);
  const checks: Check[] = [
    ...departures(departed),
    ...(departed.length === 0 && isEnough(calibration)
      ? [{ name: 'calibration', status: 'passed' } as const]
      : []),
    ...doubts(chains.length, counts),
    ...missing(calibration, counts),
  ];
  const state = stateOf(checks, calibration);
  const done = counted(chains.length, 'simulation');
  return {
    state,
    rhat_max: null,
    ess_bulk_min: null,
    ess_tail_min: null,
    divergences: null,
    treedepth_hits: null,
    ebfmi_min: null,
    headline: makeHeadline(state, checks, {
      short: shortOf(departed, checks),
      plain: state === 'good' ? `No miscalibration found in ${done}` : undefined,
    }),
    checks,
    chains,
    draws: 0,
    draws_left_out: 0,
    chains_left_out: [],
  };
}

const isEnough = ({ chains, quantities }: Calibration): boolean =>
  chains.length >= verdictLimits.leastSimulations && quantities.length > 0;

const shapes: Readonly<Record<CalibrationShape, string>> = {
  narrow: 'too narrow',
  wide: 'too wide',
  high: 'too high',
  low: 'too low',
  other: 'not calibrated',
};

/** "too narrow". */
export const shapeName = ({ shape }: Pick<CalibratedQuantity, 'shape'>): string =>
  shapes[shape ?? 'other'];

/** "posterior too narrow for tau". */
function shapeText(quantity: CalibratedQuantity): string {
  return `posterior ${shapeName(quantity)} for ${quantity.variable}`;
}

const explained: Readonly<Record<CalibrationShape, string>> = {
  narrow: 'true values lie too often at its ends (∪)',
  wide: 'true values lie too often in its middle (∩)',
  high: 'true values lie too often in its lower part',
  low: 'true values lie too often in its upper part',
  other: 'the ranks of the true values are not uniform',
};

/** One check of all quantities: the worst is explained, the next ones are named. */
function departures(departed: readonly CalibratedQuantity[]): Check[] {
  const [worst, ...others] = departed;
  if (worst === undefined) return [];
  const named = others.slice(0, mostNamed).map(({ variable }) => variable);
  const rest =
    others.length > named.length
      ? `${named.join(', ')} and ${others.length - named.length} more`
      : joined(named);
  return [
    {
      name: 'calibration',
      status: 'failed',
      tone: departed.some(({ state }) => state === 'bad') ? 'bad' : 'warn',
      variable: worst.variable,
      value: worst.distance,
      threshold: 1,
      count: departed.length,
      message: `${shapeText(worst)}: ${explained[worst.shape ?? 'other']}${rest === '' ? '' : `; not calibrated either: ${rest}`}`,
    },
  ];
}

/** "Posterior too narrow for tau and 2 more". */
function shortOf(departed: readonly CalibratedQuantity[], checks: readonly Check[]) {
  const [first, ...others] = departed;
  const text =
    first === undefined
      ? checks.find(({ status }) => status === 'failed')?.message
      : `${shapeText(first)}${others.length === 0 ? '' : ` and ${others.length} more`}`;
  return text === undefined ? undefined : text.charAt(0).toUpperCase() + text.slice(1);
}

const mostNamed = 8;

/** Complete but doubtful simulations: many of them make the verdict doubtful, few are named. */
function doubts(done: number, { divergent, slow }: SimulationCounts): Check[] {
  const share = verdictLimits.doubtfulSimulations;
  return [
    { name: 'divergences' as const, chains: divergent, what: 'divergent transitions' },
    { name: 'ess_bulk' as const, chains: slow, what: `an ESS below ${verdictLimits.leastRankEss}` },
  ]
    .filter(({ chains }) => chains.length > 0)
    .map(({ name, chains, what }): Check => {
      const isMany = chains.length > share * done;
      return {
        name,
        ...(isMany ? { status: 'failed', tone: 'warn' } : { status: 'passed' }),
        count: chains.length,
        chain: chains[0],
        message: `${counted(chains.length, 'simulation')} of ${done} ${chains.length === 1 ? 'has' : 'have'} ${what}${namesOf(chains)}`,
      };
    });
}

function missing(calibration: Calibration, { asked, failed }: SimulationCounts): Check[] {
  const { chains, quantities } = calibration;
  const done = chains.length;
  const found: Check[] = [];
  if (failed.length > 0)
    found.push({
      name: 'simulations',
      ...(failed.length > verdictLimits.doubtfulSimulations * asked
        ? { status: 'failed', tone: 'warn' }
        : { status: 'passed' }),
      count: failed.length,
      chain: failed[0],
      message: `${counted(failed.length, 'simulation')} of ${asked} failed${namesOf(failed)}`,
    });
  if (done < verdictLimits.leastSimulations)
    found.push({
      name: 'simulations',
      status: 'unknown',
      value: done,
      threshold: verdictLimits.leastSimulations,
      message: `${counted(done, 'simulation')} of ${asked} ${done === 1 ? 'is' : 'are'} too few`,
    });
  else if (quantities.length === 0)
    found.push({
      name: 'simulations',
      status: 'unknown',
      message: 'no quantity has a true value to compare with',
    });
  else if (done + failed.length < asked)
    found.push({
      name: 'simulations',
      status: 'passed',
      count: done,
      message: `${done} of ${asked} simulations are done`,
    });
  return found;
}

/** " (3, 17 and 42)"; empty if they are too many to look up. */
function namesOf(chains: readonly string[]): string {
  if (chains.length > mostNamed) return '';
  return ` (${joined(chains.map((name) => name.replace(/^chain#/, '')))})`;
}

function stateOf(checks: readonly Check[], calibration: Calibration): VerdictState {
  if (checks.some(({ tone }) => tone === 'bad')) return 'bad';
  if (!isEnough(calibration)) return 'unknown';
  return checks.some(({ tone }) => tone === 'warn') ? 'warn' : 'good';
}
