/** Settings text as a form reads and writes it: YAML that keeps its comments and other keys. Loaded with its library. */
import { type Document, isMap, parseDocument } from 'yaml';
import { parseSettings } from '../../../engine/settings.ts';
import { algorithmOf, defaultFor, settingsTable } from '../../../engine/settings-table.ts';
import { jagsRows, jagsSampler } from '../../../formats/jags-settings.ts';
import { jagsProblem, jagsTexts } from '../launching/jags-fields.ts';
import { settingsToSend } from '../launching/launch-settings.ts';
import type { SettingTexts } from '../launching/setting-field.ts';

export interface SettingsProblem {
  /** 1-based; null if no line is at fault. */
  readonly line: number | null;
  readonly message: string;
}

export interface ReadSettings {
  readonly problems: readonly SettingsProblem[];
  /** Null while the text is not valid YAML. */
  readonly texts: SettingTexts | null;
  /** Unknown keys under `sampling`: preserved, and listed. */
  readonly unknown: readonly string[];
}

/** `env`: the runtime of the model; JAGS has its own settings. */
export function readSettings(text: string, env = ''): ReadSettings {
  const document = parseDocument(text, { prettyErrors: true });
  if (document.errors.length > 0) {
    const problems = document.errors.map((error) => ({
      line: error.linePos?.[0].line ?? null,
      message: error.message.replace(/\n.*$/s, '').replace(/ at line \d+, column \d+:?$/, ''),
    }));
    return { problems, texts: null, unknown: [] };
  }
  if (document.contents !== null && !isMap(document.contents))
    return {
      problems: [{ line: 1, message: 'Settings are keys with values, such as “sampling:”.' }],
      texts: null,
      unknown: [],
    };
  const sampling: unknown = (document.toJS() as { sampling?: unknown } | null)?.sampling ?? {};
  const parsed = parseSettings(sampling);
  const own = env === jagsSampler ? ownTexts(sampling) : {};
  const texts = { ...writtenTexts(sampling), ...own };
  const fault = parsed.ok ? faultOf(own) : parsed.error;
  if (fault !== null)
    return {
      problems: [{ line: lineOf(document, text, fault.key), message: fault.message }],
      texts,
      unknown: [],
    };
  const unknown = parsed.ok ? parsed.unknown.filter((key) => !Object.hasOwn(own, key)) : [];
  return { problems: [], texts, unknown };
}

/** The settings of JAGS alone, with the mark that tells a form that they are for JAGS. */
function ownTexts(sampling: unknown): SettingTexts {
  const empty = Object.fromEntries(jagsRows.map(({ key }) => [key, '']));
  const written =
    typeof sampling === 'object' && sampling !== null ? jagsTexts({ ...sampling }) : {};
  return { ...empty, ...written, sampler: jagsSampler };
}

function faultOf(own: SettingTexts): { readonly key: string; readonly message: string } | null {
  for (const [key, text] of Object.entries(own)) {
    const problem = jagsProblem(key, text);
    if (problem !== null) return { key, message: `${key}: ${problem}` };
  }
  return null;
}

/** The written values, key by key; an empty field shows its default. */
function writtenTexts(sampling: unknown): SettingTexts {
  if (typeof sampling !== 'object' || sampling === null) return {};
  const written = new Map(Object.entries(sampling));
  return Object.fromEntries(
    settingsTable.map(({ key, alias }) => {
      const value: unknown = written.get(key) ?? (alias === undefined ? null : written.get(alias));
      if (value === undefined || value === null) return [key, ''];
      return [key, typeof value === 'string' ? value : JSON.stringify(value)];
    }),
  );
}

function lineOf(document: Document, text: string, key: string): number | null {
  const node = document.getIn(['sampling', key], true) as { range?: [number, number] } | undefined;
  if (node?.range === undefined) return null;
  return text.slice(0, node.range[0]).split('\n').length;
}

/** The text with one setting changed; a value equal to the default is left out. */
export function withSetting(
  text: string,
  { key, value, env = '' }: { readonly key: string; readonly value: string; readonly env?: string },
): string {
  const document = parseDocument(text);
  const written = (document.toJS() as { sampling?: unknown } | null)?.sampling;
  const algorithm = algorithmOf({ ...(typeof written === 'object' ? written : {}) });
  // the fields of JAGS for JAGS; any other runtime has those of the algorithm
  const sent = settingsToSend({ algorithm, sampler: env, [key]: value })[key];
  const row = settingsTable.find((one) => one.key === key);
  const usual =
    row === undefined
      ? jagsRows.find((one) => one.key === key)?.default
      : defaultFor(row, algorithm);
  if (
    sent === undefined ||
    sent === usual ||
    (typeof sent === 'number' && String(sent) === usual)
  ) {
    if (isMap(document.get('sampling'))) document.deleteIn(['sampling', key]);
  } else {
    if (!isMap(document.get('sampling'))) document.set('sampling', document.createNode({}));
    document.setIn(['sampling', key], sent);
  }
  const sampling = document.get('sampling');
  if (isMap(sampling) && sampling.items.length === 0) document.delete('sampling');
  return document.contents === null ||
    (isMap(document.contents) && document.contents.items.length === 0)
    ? ''
    : String(document);
}
