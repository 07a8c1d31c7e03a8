/** Settings text as a form reads and writes it: YAML whose comments and other keys are kept. Loaded with its library. */
import { type Document, isMap, parseDocument } from 'yaml';
import { parseSettings } from '../../../engine/settings.ts';
import { algorithmOf, defaultFor, settingsTable } from '../../../engine/settings-table.ts';
import { settingsToSend } from '../launching/launch-settings.ts';
import type { SettingTexts } from '../launching/setting-field.ts';

export interface SettingsProblem {
  /** 1-based; null where no line is at fault. */
  readonly line: number | null;
  readonly message: string;
}

export interface ReadSettings {
  readonly problems: readonly SettingsProblem[];
  /** Null while the text is no YAML. */
  readonly texts: SettingTexts | null;
  /** Keys under `sampling` that are none of ours: kept, and named. */
  readonly unknown: readonly string[];
}

export function readSettings(text: string): ReadSettings {
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
  const texts = writtenTexts(sampling);
  if (parsed.ok) return { problems: [], texts, unknown: parsed.unknown };
  const { key, message } = parsed.error;
  return { problems: [{ line: lineOf(document, text, key), message }], texts, unknown: [] };
}

/** What is written, key by key; a field that is empty shows its default. */
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

/** The text with one setting changed; the default's own value is left out. */
export function withSetting(text: string, key: string, value: string): string {
  const document = parseDocument(text);
  const written = (document.toJS() as { sampling?: unknown } | null)?.sampling;
  const algorithm = algorithmOf({ ...(typeof written === 'object' ? written : {}) });
  const sent = settingsToSend({ algorithm, [key]: value })[key];
  const row = settingsTable.find((one) => one.key === key);
  const usual = row === undefined ? undefined : defaultFor(row, algorithm);
  if (sent === undefined || sent === usual) {
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
