/** Splits the settings text of a workflow (YAML) into our settings, those of other runners, and unknown keys. */
import { drawSeed } from '../../engine/chain-settings.ts';
import { type ParsedSettings, parseSettings } from '../../engine/settings.ts';
import { isUsedBy, type Settings, settingsTable } from '../../engine/settings-table.ts';
import { isRecord } from '../../shared/items.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { readSettingsYaml } from './settings-yaml.ts';

/** Keys under `sampling` that only other runners read. */
const runnerKeys = ['sync', 'julia_args', 'mcmc_data', 'parallel_algorithm', 'data_file_type'];

export interface RunSettings {
  /** As users write them, completed and with the seed drawn: this form is stored and shown. */
  readonly stored: Readonly<Record<string, unknown>>;
  readonly settings: Settings;
  /** Keys that are unknown here; listed in the log. */
  readonly unknown: readonly string[];
  /** A name for the experiment, if the settings give one. */
  readonly experimentName: string;
  /** `serverless.engine`: the runner to use; `local`, meaning here, when the settings name none. */
  readonly runOn: string;
  /** The section `sampling` as written: another runtime may know keys that we do not. */
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
    // Only the queue uses it; the engine does not know it.
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

function textOf(section: unknown, key: string): string {
  const value = (section as Record<string, unknown> | null | undefined)?.[key];
  return typeof value === 'string' ? value : '';
}

/** Read for every algorithm. */
const alwaysStored = ['num_warmup', 'num_samples'];

/** Writes only what the algorithm reads. */
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
