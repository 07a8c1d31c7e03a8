/** Reads settings on the event loop if they are short, otherwise in a thread. */
import type { Result } from '../../shared/result.ts';
import { type RunSettings, readSettingsText } from '../content/settings-text.ts';
import { isLongYaml } from '../content/settings-yaml.ts';
import type { ReadingThreads } from '../reading/reading-threads.ts';

/** Without threads they are read here. */
export async function readSettings(
  text: string | null,
  reading: ReadingThreads | undefined,
): Promise<Result<RunSettings, string>> {
  if (text === null || reading === undefined || !isLongYaml(text)) return readSettingsText(text);
  return reading.run('settings', { text });
}
