/** Writes draws of a chain in CmdStan's CSV layout, piece by piece. */
import { toDottedName } from './flat-name.ts';
import { numberText } from './number-text.ts';

/** What the head of a file says about its run. */
export interface StanCsvHead {
  readonly model: string;
  /** 1-based. */
  readonly chainId: number;
  readonly numSamples: number;
  readonly numWarmup: number;
  readonly saveWarmup: boolean;
  readonly thin: number;
  readonly seed: number;
  readonly initRadius: number;
  readonly adaptDelta: number;
  readonly maxTreeDepth: number;
  readonly metric: 'diag' | 'dense' | 'unit';
  /** Lines of a method other than `sample`, from `method =` on. */
  readonly method?: readonly string[];
  /** False for programs without parameters, which are not sampled by HMC. */
  readonly usesHmc?: boolean;
  /** Name of the data file, for information. */
  readonly dataFile?: string;
  /** The program that wrote the file, `Ergodic 0.1.0`. */
  readonly writer?: string;
  /** The chain is not judged: its owner left it out. */
  readonly leftOut?: boolean;
}

/** The comment lines at the start, nested as in CmdStan 2.35, whose readers expect it. */
export function stanCsvHead(head: StanCsvHead): string {
  const lines = [
    'stan_version_major = 2',
    'stan_version_minor = 35',
    'stan_version_patch = 0',
    `model = ${oneLine(head.model)}`,
    ...(head.method ?? sampleLines(head)),
    `id = ${head.chainId}`,
    'data',
    `  file = ${oneLine(head.dataFile ?? '')}`,
    `init = ${numberText(head.initRadius)}`,
    'random',
    `  seed = ${head.seed}`,
    'output',
    '  sig_figs = -1',
    `writer = ${oneLine(head.writer ?? 'Ergodic')}`,
    ...(head.leftOut === true ? ['left_out = yes'] : []),
  ];
  return lines.map((line) => `# ${line}\n`).join('');
}

function sampleLines(head: StanCsvHead): string[] {
  return [
    'method = sample',
    '  sample',
    `    num_samples = ${head.numSamples}`,
    `    num_warmup = ${head.numWarmup}`,
    `    save_warmup = ${head.saveWarmup}`,
    `    thin = ${head.thin}`,
    '    adapt',
    `      engaged = ${head.usesHmc !== false && head.numWarmup > 0}`,
    '      gamma = 0.05',
    `      delta = ${numberText(head.adaptDelta)}`,
    '      kappa = 0.75',
    '      t0 = 10',
    '      init_buffer = 75',
    '      term_buffer = 50',
    '      window = 25',
    ...algorithmLines(head),
  ];
}

function algorithmLines(head: StanCsvHead): string[] {
  if (head.usesHmc === false) return ['    algorithm = fixed_param'];
  return [
    '    algorithm = hmc',
    '      hmc',
    '        engine = nuts',
    '          nuts',
    `            max_depth = ${head.maxTreeDepth}`,
    `        metric = ${head.metric}_e`,
    '        stepsize = 1',
    '        stepsize_jitter = 0',
  ];
}

/** The header row. Converts names such as `theta[1,2]` to `theta.1.2`. */
export function stanCsvColumns(names: readonly string[]): string {
  return `${names.map(toDottedName).join(',')}\n`;
}

/** One draw, in the order of the header row. */
export function stanCsvRow(values: ArrayLike<number>): string {
  let row = '';
  for (let i = 0; i < values.length; i++) row += (i === 0 ? '' : ',') + numberText(values[i]);
  return `${row}\n`;
}

/** The result of warmup: written after saved warmup draws and before the first draw of sampling. */
export interface StanCsvAdaptation {
  readonly stepSize: number;
  readonly metric: 'diag' | 'dense' | 'unit';
  /** D values of the diagonal, or D×D row by row; ignored for `unit`. */
  readonly inverseMetric: ArrayLike<number>;
}

export function stanCsvAdaptation({ stepSize, metric, inverseMetric }: StanCsvAdaptation): string {
  const lines = ['Adaptation terminated', `Step size = ${numberText(stepSize)}`];
  const values = Array.from(inverseMetric, numberText);
  switch (metric) {
    case 'unit':
      lines.push('No free parameters for unit metric');
      break;
    case 'diag':
      lines.push('Diagonal elements of inverse mass matrix:', values.join(', '));
      break;
    case 'dense': {
      const size = Math.round(Math.sqrt(values.length));
      lines.push('Elements of inverse mass matrix:');
      for (let row = 0; row < size; row++)
        lines.push(values.slice(row * size, (row + 1) * size).join(', '));
      break;
    }
  }
  return lines.map((line) => `# ${line}\n`).join('');
}

/** The end of a file: seconds of both phases. */
export function stanCsvTimes(warmupSeconds: number, samplingSeconds: number): string {
  const seconds = (value: number, phase: string) =>
    `${numberText(Number(value.toFixed(3)))} seconds (${phase})`;
  return [
    '# \n',
    `#  Elapsed Time: ${seconds(warmupSeconds, 'Warm-up')}\n`,
    `#                ${seconds(samplingSeconds, 'Sampling')}\n`,
    `#                ${seconds(warmupSeconds + samplingSeconds, 'Total')}\n`,
    '# \n',
  ].join('');
}

/** A name from outside must not start a new line. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}
