/** Calibrates a program in this process, without threads. */
import { makeCalibrationModel } from '../../src/engine/calibration/make-calibration-model.ts';
import { createChain } from '../../src/engine/chain.ts';
import { settingsOfChain } from '../../src/engine/chain-settings.ts';
import { blockColumn, type DrawBlock } from '../../src/engine/events.ts';
import { parseSettings } from '../../src/engine/settings.ts';
import { calibrate } from '../../src/posterior/calibration.ts';
import { judgeCalibration } from '../../src/posterior/judge-calibration.ts';
import { rankSimulation, type SimulationRanks } from '../../src/posterior/simulation-ranks.ts';
import type { Verdict } from '../../src/posterior/verdict.ts';
import type { CalibratedProgram } from './calibration-programs.ts';

export interface CalibrationOptions {
  readonly simulations?: number;
  readonly seed?: number;
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** The draws of one simulation by column. */
export function simulationDraws(
  { source, data }: CalibratedProgram,
  chain: number,
  { seed = 1, settings = {} }: CalibrationOptions = {},
): Map<string, Float64Array> {
  const parsed = parseSettings({ algorithm: 'calibration', seed, ...settings });
  if (!parsed.ok) throw new Error(parsed.error.message);
  const own = settingsOfChain(parsed.settings, { seed, chain, streamWarmup: false });
  if (own.calibration === undefined) throw new Error('no calibration');
  const made = makeCalibrationModel({
    options: { source, data },
    settings: own,
    choice: own.calibration,
    chain,
    log: () => {},
    beat: () => {},
  });
  if (!made.ok) throw new Error(made.message);
  const machine = createChain({ model: made.model, settings: own, chain });
  const { status, blocks } = machine.advance();
  if (status !== 'finished') throw new Error(`the chain is ${status}`);
  return new Map(machine.columns.map((name, c) => [name, joined(blocks, c)]));
}

const joined = (blocks: readonly DrawBlock[], c: number): Float64Array =>
  Float64Array.from(blocks.flatMap((block) => [...blockColumn(block, c)]));

export function calibrateProgram(program: CalibratedProgram, options: CalibrationOptions = {}) {
  const { simulations = 100 } = options;
  const ranks: SimulationRanks[] = [];
  for (let chain = 1; chain <= simulations; chain++)
    ranks.push(rankSimulation(`chain#${chain}`, simulationDraws(program, chain, options)));
  const calibration = calibrate(ranks);
  const counts = { asked: simulations, failed: [], divergent: [], slow: [] };
  const verdict: Verdict = judgeCalibration({ calibration, counts });
  return { calibration, verdict };
}
