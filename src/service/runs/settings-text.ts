/** The settings text of a workflow (YAML) as the settings of a run: ours, what belongs to other runners, what nobody knows. */
import { parse } from 'yaml';
import { drawSeed } from '../../engine/chain-settings.ts';
import {
  type ParsedSettings,
  parseSettings,
  type Settings,
  settingsTable,
} from '../../engine/settings.ts';
import { err, ok, type Result } from '../../shared/result.ts';

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
  /** `serverless.engine`: where a runner shall run. */
  readonly runOn: string;
}

/** The message of an error names the key. */
export function readSettingsText(text: string | null): Result<RunSettings, string> {
  let document: unknown;
  try {
    document = parse(text ?? '') as unknown;
  } catch (error) {
    return err(`The settings are no YAML: ${(error as Error).message.split('\n')[0]}`);
  }
  if (document === null || document === undefined) document = {};
  if (typeof document !== 'object' || Array.isArray(document)) {
    return err('The settings must be a YAML mapping such as "sampling: {num_chains: 4}".');
  }
  const sections = document as Record<string, unknown>;
  const parsed: ParsedSettings = parseSettings(sections.sampling ?? sections.sampling_params ?? {});
  if (!parsed.ok) return err(`sampling.${parsed.error.message}`);
  const settings = { ...parsed.settings, seed: parsed.settings.seed ?? drawSeed() };
  return ok({
    stored: writeStored(settings),
    settings,
    unknown: parsed.unknown.filter((key) => !runnerKeys.includes(key)),
    experimentName: textOf(sections.ergodic, 'experiment_name'),
    runOn: textOf(sections.serverless, 'engine'),
  });
}

function textOf(section: unknown, key: string): string {
  const value = (section as Record<string, unknown> | null | undefined)?.[key];
  return typeof value === 'string' ? value : '';
}

function writeStored(settings: Settings): Record<string, unknown> {
  return Object.fromEntries(settingsTable.map((row) => [row.key, settings[row.property]]));
}

/** The settings of a stored run. */
export function readStored(stored: Readonly<Record<string, unknown>>): Settings {
  const parsed = parseSettings(stored);
  if (!parsed.ok) throw new Error(`stored settings are broken: ${parsed.error.message}`);
  return parsed.settings;
}
