/** Builds the model of a calibration's chain from its task: compiles, simulates, and gives the program its data. */
import type { CompiledProgram, DataJson } from '../../language/program.ts';
import { priorFlags } from '../../posterior/predictive/pairing.ts';
import { ChainEnd } from '../chain-end.ts';
import type { CalibrationSettings, ChainSettings } from '../chain-state.ts';
import { compileModel, linkModel, type ModelOptions } from '../compile-model.ts';
import type { Model } from '../model.ts';
import { openStream } from '../random-streams.ts';
import { withOwnTruths, withTruth } from './calibration-model.ts';
import { type CalibrationPlan, planCalibration } from './plan.ts';
import { asSimulationFailure, simulate } from './simulate.ts';

export interface CalibrationRequest {
  readonly options: Omit<ModelOptions, 'rng'>;
  readonly settings: ChainSettings;
  readonly choice: CalibrationSettings;
  /** 1-based. */
  readonly chain: number;
  readonly log: (line: string) => void;
  /** Throws when the chain should end. */
  readonly beat: () => void;
}

type Made = ReturnType<typeof compileModel>;

/** Throws `ChainEnd` if the program cannot be calibrated or a simulation fails, and whatever `beat` throws. */
export function makeCalibrationModel(request: CalibrationRequest): Made {
  const { options, settings, choice, chain } = request;
  const flags = choice.priorFlag === null ? priorFlags : [choice.priorFlag];
  const data = { ...Object.fromEntries(flags.map((name) => [name, 0])), ...options.data };
  // A program that simulates its data does so in transformed data, separately for each chain.
  const rng = openStream(settings.seed, chain, 'transformed-data');
  const made = compileModel({ ...options, data, rng });
  if (!made.ok) return made;
  const { model, program } = made;
  const plan = planCalibration({
    outputs: model.variables,
    variables: program.variables,
    data: options.data,
    choice,
  });
  switch (plan.kind) {
    case 'none':
      throw new ChainEnd('program-invalid', plan.message);
    case 'simulates-itself':
      return { ...made, model: withOwnTruths(model, plan.truths) };
    case 'prior-and-replication':
      return { ...made, model: simulated(request, program, data, plan) };
  }
}

function simulated(
  request: CalibrationRequest,
  program: CompiledProgram,
  data: DataJson,
  { flag, replications }: Extract<CalibrationPlan, { kind: 'prior-and-replication' }>,
): Model {
  const { options, settings, chain, log, beat } = request;
  const link = (given: DataJson): Model =>
    // The same in all chains, as in any run.
    linkModel(program, {
      ...options,
      data: given,
      rng: openStream(settings.seed, 0, 'transformed-data'),
    });
  const prior = link({ ...data, [flag]: 1 });
  const { position, data: drawn } = simulate({
    model: prior,
    settings,
    chain,
    replications,
    log,
    beat,
  });
  try {
    const model = link({ ...data, ...drawn, [flag]: 0 });
    return withTruth(model, { position, rng: openStream(settings.seed, chain, 'simulation') });
  } catch (error) {
    throw asSimulationFailure(error);
  }
}
