/** rstan 2.21 as the bench "engine" runs it: compiled models are stored in a folder that later runs reuse. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { EngineCase } from './cases.ts';
import type { Measured, MeasureRequest } from './measure.ts';
import { readDraws } from './ours.ts';

const script = path.join(import.meta.dirname, 'rstan.R');
/** R's own options, followed by -O3. */
const compilerOptions = ['CXXFLAGS', 'CXX14FLAGS', 'CXX17FLAGS']
  .map((name) => `${name} += -O3\n`)
  .join('');

function runR(folder: string, args: readonly string[]): unknown {
  const makevars = path.join(folder, 'Makevars');
  writeFileSync(makevars, compilerOptions);
  const out = execFileSync('Rscript', [script, ...args], {
    encoding: 'utf8',
    env: { ...process.env, R_MAKEVARS_USER: makevars, OMP_NUM_THREADS: '1' },
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const line = /^result: (.*)$/m.exec(out);
  if (line === null) throw new Error(`rstan gave no result:\n${out.slice(-2000)}`);
  return JSON.parse(line[1]);
}

export interface RstanModel {
  readonly file: string;
  readonly compileSeconds: number;
  readonly version: string;
}

/** Compiles the program, unless the folder has it from an earlier run. */
export function rstanModel(
  { name, rstanSource }: Pick<EngineCase, 'name' | 'rstanSource'>,
  folder: string,
): RstanModel {
  mkdirSync(folder, { recursive: true });
  const hash = createHash('sha256').update(rstanSource).digest('hex').slice(0, 12);
  const base = path.join(folder, `${name}-${hash}`);
  const [file, known] = [`${base}.rds`, `${base}.json`];
  if (!existsSync(file) || !existsSync(known)) {
    writeFileSync(`${base}.stan`, rstanSource);
    writeFileSync(known, JSON.stringify(runR(folder, ['compile', `${base}.stan`, file])));
  }
  const { compileSeconds, version } = JSON.parse(readFileSync(known, 'utf8')) as RstanModel;
  return { file, compileSeconds, version };
}

interface Sampled extends Omit<Measured, 'draws'> {
  readonly columns: number;
}

/** All chains one after another in a separate process. */
export function sampleByRstan(
  model: RstanModel,
  request: MeasureRequest,
  parameters: readonly string[],
  folder: string,
): Measured {
  const place = (name: string) => path.join(folder, name);
  const { settings } = request;
  writeFileSync(place('data.json'), JSON.stringify(request.data));
  const { numWarmup, numSamples, numChains, adaptDelta, maxTreeDepth, initRadius, seed } = settings;
  writeFileSync(
    place('request.json'),
    JSON.stringify({
      model: model.file,
      data: place('data.json'),
      draws: place('draws.bin'),
      parameters,
      chains: numChains,
      warmup: numWarmup,
      samples: numSamples,
      // R's integers are signed
      seed: (seed ?? 1) & 0x7fffffff,
      adaptDelta,
      maxTreeDepth,
      initRadius,
    }),
  );
  const sampled = runR(folder, ['sample', place('request.json')]) as Sampled;
  return {
    ...sampled,
    draws: readDraws(place('draws.bin'), sampled.columns, numChains, numSamples),
  };
}
