/** Inputs that grow: a few parts, some of them repeated, mutated at random. */

export interface Shape {
  readonly head: string;
  /** Repeated; `#` in it becomes the number of the repetition. */
  readonly unit: string;
  readonly middle: string;
  /** Repeated as often as `unit`, after the middle: closing brackets. */
  readonly close: string;
  readonly end: string;
}

export const shapeOf = (unit: string, parts: Partial<Shape> = {}): Shape => ({
  head: '',
  middle: '',
  close: '',
  end: '',
  ...parts,
  unit,
});

/** About `bytes` characters, never more. */
export function grow({ head, unit, middle, close, end }: Shape, bytes: number): string {
  const each = Math.max(1, unit.length + close.length);
  const count = Math.max(1, Math.floor((bytes - head.length - middle.length - end.length) / each));
  const whole = head + repeat(unit, count) + middle + repeat(close, count) + end;
  // numbers are longer than the `#` they replace
  return whole.slice(0, bytes);
}

function repeat(unit: string, count: number): string {
  if (!unit.includes('#')) return unit.repeat(count);
  return Array.from({ length: count }, (_, i) => unit.replaceAll('#', String(i))).join('');
}

const parts = ['head', 'unit', 'middle', 'close', 'end'] as const;

/** `random`: as `Math.random`. */
export function mutate(shape: Shape, words: readonly string[], random: () => number): Shape {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const part = random() < 0.6 ? 'unit' : pick(parts);
  const word = pick(words);
  const old = shape[part];
  const at = Math.floor(random() * (old.length + 1));
  const ways = [
    word,
    old + word,
    old.slice(0, at) + word + old.slice(at),
    old.slice(0, at) + old.slice(at + 1 + Math.floor(random() * 4)),
    pick(words) + word,
  ];
  const made = { ...shape, [part]: pick(ways).slice(0, 200) };
  return made.unit === '' ? { ...made, unit: word } : made;
}

/** On one line, for reports. */
export const describeShape = (shape: Shape): string =>
  parts
    .filter((part) => shape[part] !== '')
    .map((part) => `${part} ${JSON.stringify(shape[part]).slice(0, 60)}`)
    .join(', ');
