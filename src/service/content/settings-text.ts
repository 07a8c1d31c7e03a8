/** The settings text of a workflow (YAML) as the settings of a run: ours, what belongs to other runners, what nobody knows. */
import { drawSeed } from '../../engine/chain-settings.ts';
import { type ParsedSettings, parseSettings } from '../../engine/settings.ts';
import { isUsedBy, type Settings, settingsTable } from '../../engine/settings-table.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { readSettingsYaml } from './settings-yaml.ts';

/** Keys under `sampling` that a runner of its own reads. */
const runnerKeys = ['sync', 'julia_args', 'mcmc_data', 'parallel_algorithm', 'data_file_type'];

export interface RunSettings {
  /** As users write them, complete, the seed drawn: what is stored and shown. */
  readonly stored: Readonly<Record<string, unknown>>;
  readonly settings: Settings;
  /** Keys that mean nothing to anyone here; said in the log. */
  readonly unknown: readonly string[];
  /** A name the settings give to the experiment. */
  readonly experimentName: string;
  /** `serverless.engine`, where a runner should run; `local` when the settings name none, which is here. */
  readonly runOn: string;
  /** The section `sampling` as it was written: keys that mean nothing to us may mean much to another runtime. */
  readonly sampling: Readonly<Record<string, unknown>>;
}

/** The message of an error names the key. */
export function readSettingsText(text: string | null): Result<RunSettings, string> {
  const read = readSettingsYaml(text ?? '');
  if (!read.ok) return err(`The settings ${read.error}`);
  const document = read.value ?? {};
  if (typeof document !== 'object' || Array.isArray(document)) {
    return err('The settings must be a YAML mapping such as "sampling: {num_chains: 4}".');
  }
  const sections = document as Record<string, unknown>;
  const sampling = sections.sampling ?? sections.sampling_params ?? {};
  const priority = readPriority(sampling);
  if (priority === null)
    return err(
      'sampling.priority must be a whole number from -10 to 10; a higher priority runs first.',
    );
  const parsed: ParsedSettings = parseSettings(sampling);
  if (!parsed.ok) {
    const { key, message } = parsed.error;
    return err(key === 'sampling' ? message : `sampling.${message}`);
  }
  const settings = { ...parsed.settings, seed: parsed.settings.seed ?? drawSeed() };
  return ok({
    // The queue's own: the engine knows nothing of it.
    stored: { ...writeStored(settings), ...(priority === 0 ? {} : { priority }) },
    settings,
    unknown: parsed.unknown.filter((key) => !runnerKeys.includes(key) && key !== 'priority'),
    experimentName: textOf(sections.ergodic, 'experiment_name'),
    runOn: textOf(sections.serverless, 'engine') || 'local',
    sampling: isRecord(sampling) ? sampling : {},
  });
}

/** 0 when absent; null when it is not valid. */
function readPriority(sampling: unknown): number | null {
  const given = (sampling as { priority?: unknown } | null)?.priority;
  if (given === undefined || given === null || given === '') return 0;
  const priority = typeof given === 'string' ? Number(given) : given;
  const isPriority = typeof priority === 'number' && Number.isInteger(priority);
  return isPriority && Math.abs(priority) <= 10 ? priority : null;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function textOf(section: unknown, key: string): string {
  const value = (section as Record<string, unknown> | null | undefined)?.[key];
  return typeof value === 'string' ? value : '';
}

/** Read everywhere, whatever makes the draws. */
const alwaysStored = ['num_warmup', 'num_samples'];

/** What the algorithm reads. */
function writeStored(settings: Settings): Record<string, unknown> {
  const stored = settingsTable.filter(
    (row) => isUsedBy(row, settings.algorithm) || alwaysStored.includes(row.key),
  );
  return Object.fromEntries(stored.map((row) => [row.key, settings[row.property]]));
}

/** The settings of a stored run. */
export function readStored(stored: Readonly<Record<string, unknown>>): Settings {
  const parsed = parseSettings(stored);
  if (!parsed.ok) throw new Error(`the stored settings are invalid: ${parsed.error.message}`);
  return parsed.settings;
}
