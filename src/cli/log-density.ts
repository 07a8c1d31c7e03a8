/** `ergodic log-density MODEL.stan --params POINT.json`: log density and gradient at a point, without a server. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { StartError } from '../service/start-error.ts';
import { isRecord } from '../shared/items.ts';

interface LogDensityOptions {
  readonly data?: string;
  readonly params: string;
  readonly jacobian: string;
  readonly seed: string;
  readonly json?: boolean;
}

export function addLogDensityCommand(program: Command): void {
  program
    .command('log-density')
    .argument('<model>', 'Stan program')
    .description(
      'log density and gradient at one point or several, in the columns of CmdStan’s log_prob',
    )
    .requiredOption(
      '--params <file>',
      'JSON: an object of values by parameter on the constrained scale, or a list of such objects',
    )
    .option('--data <file>', 'data as JSON, an R dump, or a table (CSV, TSV, .xlsx)')
    .option('--jacobian <true|false>', 'include the log Jacobian of the constraints', 'true')
    .option('--seed <n>', 'seed for random numbers in transformed data', '1')
    .option('--json', 'print names, unconstrained values and gradients as JSON')
    .action(async (model: string, options: LogDensityOptions) => {
      process.stdout.write(await logDensity(model, options));
    });
}

async function logDensity(path: string, options: LogDensityOptions): Promise<string> {
  if (!['true', 'false'].includes(options.jacobian))
    throw new StartError(`--jacobian must be true or false, not "${options.jacobian}".`);
  const [{ readRunInputs }, { compileInputs }, { densityAt, unconstrainedNames }, { render }] =
    await Promise.all([
      import('./run-inputs.ts'),
      import('./compile-inputs.ts'),
      import('../engine/log-density.ts'),
      import('../language/diagnostics.ts'),
    ]);
  const read = await readRunInputs(path, { data: options.data, seed: options.seed });
  if (!read.ok) throw new StartError(read.error);
  const made = compileInputs(read.value);
  if (!made.ok) {
    const places = made.diagnostics.map((diagnostic) => render(diagnostic, made.files));
    throw new StartError(places.length > 0 ? places.join('\n') : made.message);
  }
  const given = readPoints(options.params);
  const points = pointsOf(given);
  const names = unconstrainedNames(made.model);
  const found = points.map((point, index) => {
    const density = densityAt(made.model, point, { jacobian: options.jacobian === 'true' });
    if (density.ok) return density.value;
    const which = points.length > 1 ? `Point ${index + 1}: ` : '';
    throw new StartError(`${which}${density.error}`);
  });
  if (options.json) {
    const shown = found.map(({ lp, gradient, unconstrained }) => ({
      lp,
      names,
      unconstrained: [...unconstrained],
      gradient: [...gradient],
    }));
    return `${JSON.stringify(Array.isArray(given) ? shown : shown[0], null, 2)}\n`;
  }
  const rows = found.map(({ lp, gradient }) => [lp, ...gradient].join(','));
  return `${[['lp__', ...names.map((name) => `g_${name}`)].join(','), ...rows].join('\n')}\n`;
}

function readPoints(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartError(
      `Cannot read the point ${path}: ${(error as NodeJS.ErrnoException).code}.`,
    );
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new StartError(`The point ${path} is not valid JSON.`);
  }
}

type Point = Readonly<Record<string, unknown>>;

function pointsOf(value: unknown): readonly Point[] {
  const points: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (points.length === 0 || !points.every(isRecord))
    throw new StartError(
      'The point (--params) must be an object of values by parameter, or a list of such objects.',
    );
  return points;
}
