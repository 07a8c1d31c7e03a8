/** Reads the settings of a run with the table in `settings-table.ts`. */
import { isRecord } from '../shared/items.ts';
import {
  algorithmOf,
  defaultFor,
  isPathfinderInits,
  isUsedBy,
  type SettingProperty,
  type SettingRange,
  type Settings,
  settingsTable,
} from './settings-table.ts';

/** Names the invalid key and its allowed values. */
export interface SettingError {
  readonly key: string;
  readonly message: string;
  readonly allowed: string;
}

export type ParsedSettings =
  | { readonly ok: true; readonly settings: Settings; readonly unknown: readonly string[] }
  | { readonly ok: false; readonly error: SettingError };

/**
 * Reads keys as users write them (`num_chains`, …). Absent, null and empty values take the algorithm's default; numbers
 * may come as text; keys that are unknown, or that the algorithm does not read, are returned in `unknown`, for a log.
 */
export function parseSettings(input: unknown): ParsedSettings {
  if (input === undefined || input === null) return parseSettings({});
  if (typeof input !== 'object' || Array.isArray(input)) {
    const allowed = 'an object of settings';
    return {
      ok: false,
      error: { key: 'sampling', message: `sampling must be ${allowed}`, allowed },
    };
  }
  const given = new Map(Object.entries(input));
  const algorithm = algorithmOf(input as Record<string, unknown>);
  const settings: Partial<Record<SettingProperty, unknown>> = {};
  for (const row of settingsTable) {
    const name = isEmpty(given.get(row.key)) ? (row.alias ?? row.key) : row.key;
    const raw = given.get(name);
    settings[row.property] = defaultFor(row, algorithm);
    if (!isUsedBy(row, algorithm) && !isEmpty(raw)) continue;
    given.delete(row.key);
    given.delete(row.alias ?? row.key);
    if (isEmpty(raw)) continue;
    const value = readValue(row.range, raw);
    if (value === undefined) {
      const message = `${name} must be ${row.allowed}, not ${describe(raw)}`;
      return { ok: false, error: { key: name, message, allowed: row.allowed } };
    }
    settings[row.property] = value;
  }
  if (isPathfinderInits(settings.inits) && algorithm !== 'nuts') {
    const allowed = 'values or a data id: pathfinder finds starting points for nuts only';
    return { ok: false, error: { key: 'inits', message: `inits must be ${allowed}`, allowed } };
  }
  // Stan's windows find no low-rank metric
  if (settings.adaptation === 'stan' && isEmpty((input as { metric?: unknown }).metric))
    settings.metric = 'diag';
  // one chain per simulation
  if (algorithm === 'calibration') settings.numChains = settings.numSimulations;
  // every property has a row in the table (a test checks it), so the record is complete
  return { ok: true, settings: settings as unknown as Settings, unknown: [...given.keys()] };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** The value converted to its type, or undefined if it has another type or is out of range. */
function readValue(range: SettingRange, raw: unknown): unknown {
  switch (range.type) {
    case 'integer':
    case 'number': {
      const value = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw;
      if (typeof value !== 'number' || !(value >= range.min && value <= range.max))
        return undefined;
      return range.type === 'integer' && !Number.isInteger(value) ? undefined : value;
    }
    case 'boolean':
      if (raw === 'true' || raw === 'false') return raw === 'true';
      return typeof raw === 'boolean' ? raw : undefined;
    case 'choice':
      return typeof raw === 'string' && range.choices.includes(raw) ? raw : undefined;
    case 'inits':
      return typeof raw === 'string' || areInits(raw) ? raw : undefined;
    case 'name':
      return typeof raw === 'string' && isName(raw.trim()) ? raw.trim() : undefined;
    case 'pairs':
      return readPairs(raw);
    case 'run':
      return typeof raw === 'string' && raw.trim() !== '' ? raw.trim() : undefined;
  }
}

const isName = (text: string): boolean => /^[A-Za-z]\w*$/.test(text);

function readPairs(raw: unknown): Record<string, string> | undefined {
  const entries: unknown[][] =
    typeof raw === 'string'
      ? raw
          .replace(/^\s*\{|\}\s*$/g, '')
          .split(/[,;\n]/)
          .filter((part) => part.trim() !== '')
          .map((part) => part.split(/[:=]/))
      : // a list has numbers for names, which are none, and other values have nothing
        Object.entries(raw as object);
  const pairs = entries.map((pair) =>
    pair.map((name) => (typeof name === 'string' ? name.replaceAll(/["'\s]/g, '') : '')),
  );
  const isGood = pairs.length > 0 && pairs.every((pair) => pair.length === 2 && pair.every(isName));
  return isGood ? (Object.fromEntries(pairs) as Record<string, string>) : undefined;
}

function areInits(raw: unknown): boolean {
  return Array.isArray(raw) ? raw.length > 0 && raw.every(isRecord) : isRecord(raw);
}

function describe(value: unknown): string {
  const text = typeof value === 'string' ? `"${value}"` : shown(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** As JSON, except for values that JSON cannot represent. */
function shown(value: unknown): string {
  if (typeof value === 'number') return String(value);
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return 'an object that contains itself';
  }
}

export const defaultSettings: Settings = (() => {
  const parsed = parseSettings({});
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.settings;
})();
