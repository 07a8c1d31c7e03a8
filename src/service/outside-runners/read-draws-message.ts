/** Checks the `logs` of a `protobuf_message` and turns them into float64 columns; does not use the database. */

import { limits } from '../../contract/limits.ts';
import { isRecord, ownValue } from '../../shared/items.ts';
import { invalidField, invalidParameter, limitExceeded } from '../http/service-error.ts';
import type { BlockVariable, ChainBlock } from '../repositories/runner-draws.ts';

const maxNameLength = 1000;
const maxChainNameLength = 255;
/** The largest iteration number with which draws can be requested. */
const maxIteration = 2 ** 31 - 1;

/**
 * One block per chain with content, in the order sent. Value i of a variable belongs to iteration min + i. Throws
 * INVALID_PARAMETER naming chain and variable if lengths or numbers do not fit, LIMIT_EXCEEDED for too many names.
 */
export function readDrawsMessage(logs: Readonly<Record<string, unknown>>): ChainBlock[] {
  const vars = objectAt(logs, 'vars');
  const iteration = objectAt(logs, 'iteration');
  const chains = Object.keys(vars);
  checkCount('runner_chains', chains.length, 'chains');
  const blocks: ChainBlock[] = [];
  for (const chain of chains) {
    checkChainName(chain);
    const columns = objectAt(vars, chain, `payload.logs.vars.${quote(chain)}`);
    const names = Object.keys(columns);
    if (names.length === 0) continue;
    checkCount('runner_variables', names.length, 'variables');
    const range = readRange(chain, iteration[chain]);
    blocks.push(readBlock(chain, range, { names, columns }));
  }
  return blocks;
}

const quote = (name: string) => JSON.stringify(name.slice(0, 100));

function objectAt(
  parent: Readonly<Record<string, unknown>>,
  key: string,
  field = `payload.logs.${key}`,
): Record<string, unknown> {
  const value = parent[key];
  if (!isRecord(value))
    throw invalidField(field, `${value === undefined ? 'is missing' : 'must be an object'}.`);
  return value;
}

export function checkChainName(chain: string): void {
  if (chain.length === 0 || chain.length > maxChainNameLength || /\p{Cc}/u.test(chain))
    throw invalidParameter(
      `The chain name ${quote(chain)} must have 1 to ${maxChainNameLength} characters on one line.`,
      { field: 'payload.logs.vars' },
    );
}

/** Throws LIMIT_EXCEEDED naming the limit of `/sys/config`. */
export function checkCount(
  limit: 'runner_chains' | 'runner_variables' | 'runner_runs',
  count: number,
  what: string,
): void {
  const allowed = limits[limit];
  if (count <= allowed) return;
  throw limitExceeded(`This experiment would have ${count} ${what}; ${limit} allows ${allowed}.`, {
    limit,
    allowed,
    size: count,
  });
}

interface Range {
  readonly first: number;
  readonly count: number;
}

/** [min, max] or [min, max, sequence number]; servers that only append need the sequence, ours places draws by iteration. */
function readRange(chain: string, value: unknown): Range {
  const field = `payload.logs.iteration.${quote(chain)}`;
  if (!Array.isArray(value) || value.length < 2 || value.length > 3)
    throw invalidField(
      field,
      `${value === undefined ? 'is missing' : 'must be [min, max] or [min, max, seqno]'}.`,
    );
  const [first, last] = value as unknown[];
  if (!isIteration(first) || !isIteration(last) || last < first)
    throw invalidField(
      field,
      `must be two whole numbers from 1 to ${maxIteration}, the second not below the first.`,
    );
  return { first, count: last - first + 1 };
}

const isIteration = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maxIteration;

function readBlock(
  chain: string,
  { first, count }: Range,
  { names, columns }: { names: readonly string[]; columns: Readonly<Record<string, unknown>> },
): ChainBlock {
  // checked before memory is allocated: a range may claim more than was sent
  for (const name of names) checkColumn(chain, name, { column: columns[name], count });
  const values = new Float64Array(names.length * count);
  const variables = names.map((name, i) =>
    readColumn({ chain, name }, columns[name] as unknown[], values.subarray(i * count)),
  );
  return { chain, first, count, variables, values };
}

function checkColumn(
  chain: string,
  name: string,
  { column, count }: { column: unknown; count: number },
): void {
  const field = `payload.logs.vars.${quote(chain)}.${quote(name)}`;
  if (name.length === 0 || name.length > maxNameLength)
    throw invalidParameter(`${field}: a name must have 1 to ${maxNameLength} characters.`, {
      field,
    });
  if (!Array.isArray(column)) throw invalidField(field, 'must be an array.');
  if (column.length !== count)
    throw invalidField(
      field,
      `has ${column.length} values, but the iterations of its chain are ${count}.`,
    );
}

function readColumn(
  { chain, name }: { chain: string; name: string },
  column: readonly unknown[],
  into: Float64Array,
): BlockVariable {
  let isBool = true;
  for (let i = 0; i < column.length; i++) {
    const value = numberOf(column[i]);
    if (value === null) throw notANumber({ chain, name, position: i, value: column[i] });
    into[i] = value;
    isBool &&= typeof column[i] === 'boolean';
  }
  return { name, isBool };
}

/** Values that a column cannot hold are rejected: storing NaN would lose them silently. */
function notANumber(at: { chain: string; name: string; position: number; value: unknown }) {
  const field = `payload.logs.vars.${quote(at.chain)}.${quote(at.name)}`;
  const shown = typeof at.value === 'string' ? ` (${quote(at.value)})` : '';
  return invalidField(
    field,
    `has a value that is neither a number nor a boolean at position ${at.position}${shown}.`,
  );
}

/** Null: it is not a number. JSON from other languages writes null for NaN. */
function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === null) return Number.NaN;
  return typeof value === 'string' ? readText(value) : null;
}

const numberTexts: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  '+nan': Number.NaN,
  '-nan': Number.NaN,
  true: 1,
  false: 0,
  inf: Number.POSITIVE_INFINITY,
  '+inf': Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
  infinity: Number.POSITIVE_INFINITY,
  '-infinity': Number.NEGATIVE_INFINITY,
};

/** Numbers, booleans, NaN and infinities written as text; null for any other. */
function readText(value: string): number | null {
  const text = value.trim().toLowerCase();
  if (text === '') return null;
  const known = ownValue(numberTexts, text);
  if (known !== undefined) return known;
  const number = Number(text);
  return Number.isNaN(number) ? null : number;
}
