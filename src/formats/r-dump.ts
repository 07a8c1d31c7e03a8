/** Data as written by R's `dump` and `stan_rdump`: assignments of numbers, `c(…)`, `a:b` and `structure(…)`. */
import { err, ok, type Result } from '../shared/result.ts';
import type { DataJsonProblem } from './data-json.ts';
import { metaName } from './data-meta.ts';

/**
 * Values by name: numbers, and nested lists with the first dimension outermost. Labels of factors are in `meta__`.
 * Missing values are an error, since Stan has none, and so are vectors of more than `longest` entries.
 */
export function readRDump(
  text: string,
  longest = mostEntries,
): Result<Record<string, unknown>, DataJsonProblem> {
  try {
    return ok(new Reader(text, longest).assignments());
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const before = text.slice(0, error.at).split(/\r\n|\n|\r/);
    const column = before[before.length - 1].length + 1;
    return err({ message: error.message, line: before.length, column });
  }
}

class Fault extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

/** A vector in R: numbers or texts, and its attributes from `structure`. */
interface Vector {
  readonly items: readonly (number | string)[];
  readonly isScalar: boolean;
  readonly dim: readonly number[] | null;
  readonly levels: readonly string[] | null;
}

const mostEntries = 20_000_000;
const deepest = 50;

const token =
  /\s+|#[^\n]*|(<-|<<-|[(),:;=]|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`\n]*`|[-+]|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?L?|[A-Za-z._][\w.]*)/sy;

const constants = new Map<string, number>([
  ['Inf', Number.POSITIVE_INFINITY],
  ['NaN', Number.NaN],
  ['TRUE', 1],
  ['T', 1],
  ['FALSE', 0],
  ['F', 0],
]);

/** `.5` is a number. */
const isName = (word: string) => /^(?:[A-Za-z_]|\.(?!\d))/.test(word);

class Reader {
  private at = 0;
  /** The token ahead; empty at the end. */
  private next = '';
  private nextAt = 0;
  /** The variable being read, for messages. */
  private variable = '';

  constructor(
    private readonly text: string,
    private readonly longest: number,
  ) {
    this.advance();
  }

  assignments(): Record<string, unknown> {
    const values = new Map<string, unknown>();
    const labels = new Map<string, readonly string[]>();
    while (this.next !== '') {
      if (this.take(';')) continue;
      const name = this.name();
      this.variable = name;
      if (!this.take('<-') && !this.take('=')) throw this.expected('`<-`');
      const start = this.nextAt;
      const vector = this.vector(0);
      values.set(name, this.valueOf(vector, start));
      if (vector.levels !== null) labels.set(name, vector.levels);
    }
    if (labels.size > 0)
      values.set(metaName, { labels: Object.fromEntries(labels), mapping: null });
    return Object.fromEntries(values);
  }

  private name(): string {
    const { next } = this;
    if (!isName(next) && !/["'`]/.test(next)) throw this.expected('the name of a variable');
    this.advance();
    return /["'`]/.test(next) ? next.slice(1, -1) : next;
  }

  private vector(depth: number): Vector {
    if (depth > deepest) throw this.fault('is nested too deeply');
    if (this.take('(')) {
      const inner = this.vector(depth + 1);
      this.need(')');
      return inner;
    }
    if (/["']/.test(this.next)) {
      const text = this.next;
      this.advance();
      return scalar(text.slice(1, -1).replace(/\\(.)/gs, '$1'));
    }
    if (isName(this.next) && !constants.has(this.next)) return this.call(depth);
    const from = this.number();
    if (!this.take(':')) return scalar(from);
    return this.range(from);
  }

  private range(from: number): Vector {
    const at = this.nextAt;
    const to = this.number();
    const length = Math.floor(Math.abs(to - from) + 1e-10) + 1;
    if (!(length <= this.longest)) throw new Fault(`the range in ${this.variable} is too long`, at);
    const step = to < from ? -1 : 1;
    const items = Array.from({ length }, (_, i) => from + step * i);
    return { items, isScalar: false, dim: null, levels: null };
  }

  private number(): number {
    let sign = 1;
    while (this.next === '-' || this.next === '+') {
      if (this.next === '-') sign = -sign;
      this.advance();
    }
    const { next } = this;
    const constant = constants.get(next);
    if (constant === undefined && !/^[.\d]/.test(next)) throw this.notNumber();
    this.advance();
    return sign * (constant ?? Number(next.replace('L', '')));
  }

  private call(depth: number): Vector {
    const { next: name, nextAt } = this;
    if (name === 'NA' || name.startsWith('NA_')) throw this.notNumber();
    this.advance();
    const empty: boolean = ['integer', 'numeric', 'double', 'logical'].includes(name);
    const opener = this.next;
    if (opener !== '(' || !(empty || name === 'c' || name === 'structure')) {
      const message = `cannot read \`${name}\` in ${this.variable}: write numbers, c(…), a:b or structure(…)`;
      throw new Fault(message, nextAt);
    }
    this.need('(');
    if (name === 'c') return this.combine(depth);
    if (name === 'structure') return this.structure(depth);
    const size = this.next === ')' ? 0 : this.number();
    this.need(')');
    if (!(size <= this.longest)) throw new Fault(`${this.variable} is too long`, nextAt);
    return {
      items: Array.from({ length: size }, () => 0),
      isScalar: false,
      dim: null,
      levels: null,
    };
  }

  private combine(depth: number): Vector {
    const items: (number | string)[] = [];
    if (!this.take(')')) {
      do {
        this.entry = items.length + 1;
        this.skipName();
        const vector = this.vector(depth + 1);
        for (const item of vector.items) items.push(item);
        if (items.length > this.longest) throw this.fault('is too long');
      } while (this.take(','));
      this.need(')');
    }
    this.entry = 0;
    return { items, isScalar: false, dim: null, levels: null };
  }

  private structure(depth: number): Vector {
    let vector = this.vector(depth + 1);
    let isFactor = false;
    while (this.take(',')) {
      const name = this.name();
      this.need('=');
      const value = this.vector(depth + 1);
      if (name === '.Dim' || name === 'dim') {
        const dim = value.items.map(Number);
        vector = { ...vector, dim };
      } else if (name === 'class') isFactor = value.items.includes('factor');
      else if (name === 'levels' || name === '.Label')
        vector = { ...vector, levels: value.items.map(String) };
    }
    this.need(')');
    return isFactor ? vector : { ...vector, levels: null };
  }

  /** `c(a = 1)`: names of entries mean nothing to Stan. */
  private skipName(): void {
    if (!isName(this.next) && !/["'`]/.test(this.next)) return;
    const rest = /\s*=(?!=)/y;
    rest.lastIndex = this.at;
    if (!rest.test(this.text)) return;
    this.advance();
    this.need('=');
  }

  private valueOf({ items, isScalar, dim }: Vector, at: number): unknown {
    const text = items.find((item) => typeof item === 'string');
    if (text !== undefined)
      throw new Fault(`${this.variable} has the text ${JSON.stringify(text)}: must be numbers`, at);
    const numbers = items.map(jsonNumber);
    if (dim === null) return isScalar ? numbers[0] : numbers;
    const size = dim.reduce((product, n) => product * n, 1);
    if (!dim.every((n) => Number.isInteger(n) && n >= 0) || size !== numbers.length) {
      const says = `.Dim of ${this.variable} is ${dim.join(' × ')}`;
      throw new Fault(`${says}, but there are ${numbers.length} numbers`, at);
    }
    return nested(numbers, dim);
  }

  /** Position in the innermost `c(…)`, from 1; 0: outside. */
  private entry = 0;

  private notNumber(): Fault {
    const place = this.entry > 0 ? `entry ${this.entry} of ${this.variable}` : this.variable;
    if (/^NA(_|$)/.test(this.next))
      return new Fault(`${place} is NA: Stan has no missing values`, this.nextAt);
    return this.expected(`a number for ${place}`);
  }

  private expected(what: string): Fault {
    const found = this.next === '' ? 'the end' : JSON.stringify(this.next.slice(0, 20));
    return new Fault(`expected ${what}, found ${found}`, this.nextAt);
  }

  private fault(message: string): Fault {
    return new Fault(`${this.variable} ${message}`, this.nextAt);
  }

  private take(sign: string): boolean {
    if (this.next !== sign) return false;
    this.advance();
    return true;
  }

  private need(sign: string): void {
    if (!this.take(sign)) throw this.expected(`"${sign}"`);
  }

  private advance(): void {
    for (;;) {
      this.nextAt = this.at;
      if (this.at >= this.text.length) {
        this.next = '';
        return;
      }
      token.lastIndex = this.at;
      const found = token.exec(this.text);
      if (found === null) {
        const char = JSON.stringify(this.text.slice(this.at, this.at + 1));
        throw new Fault(`did not expect ${char}`, this.at);
      }
      this.at = token.lastIndex;
      if (found[1] !== undefined) {
        this.next = found[1];
        return;
      }
    }
  }
}

const scalar = (item: number | string): Vector => ({
  items: [item],
  isScalar: true,
  dim: null,
  levels: null,
});

/** JSON has no infinity: texts that every reader of Stan data accepts represent it. */
function jsonNumber(item: number | string): number | string {
  if (item === Number.POSITIVE_INFINITY) return 'Inf';
  if (item === Number.NEGATIVE_INFINITY) return '-Inf';
  return Number.isNaN(item) ? 'NaN' : item;
}

/** R stores the first index fastest. */
function nested(items: readonly unknown[], dim: readonly number[]): unknown {
  const build = (depth: number, offset: number, stride: number): unknown => {
    if (depth === dim.length) return items[offset];
    return Array.from({ length: dim[depth] }, (_, i) =>
      build(depth + 1, offset + i * stride, stride * dim[depth]),
    );
  };
  return build(0, 0, 1);
}
