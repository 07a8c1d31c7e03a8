/** The only place where values and names become JavaScript text: everything from a program passes through here. */

/** A string literal: no quote, line break, line separator or closing tag of the text survives unescaped. */
export function quote(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff<>&]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A number literal, safe as an operand. */
export function numberLiteral(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (Object.is(value, -0)) return '(-0)';
  return value < 0 ? `(${value})` : String(value);
}

/**
 * Our identifier for a name of the program: its letters, digits and underscores, then `$` and a number that
 * makes it unique. No reserved word contains `$`, and our own names that end in `$` and a number contain `$$`.
 */
export function mangle(name: string, id: number | string): string {
  const letters = name.replace(/[^A-Za-z0-9_]/g, '_').slice(0, 40);
  return `${/^[0-9]/.test(letters) ? '_' : ''}${letters}$${id}`;
}

/** Lines of text. None is indented: spaces would be a sixth of a text that only machines read. */
export class Writer {
  private readonly lines: string[] = [];

  line(text: string): void {
    this.lines.push(text);
  }

  /** `head {`, the lines `body` writes, `}`. */
  block(head: string, body: () => void, tail = ''): void {
    this.line(head === '' ? '{' : `${head} {`);
    body();
    this.line(`}${tail}`);
  }

  /** Whether `text` is the last `at = …` of the straight line of statements being written. */
  alreadySays(text: string): boolean {
    for (let i = this.lines.length - 1; i >= 0; i--) {
      const line = this.lines[i];
      if (line.startsWith('at = ')) return line === text;
      // A brace may end or begin code that runs elsewhere or not at all; calls may change the place.
      if (/[{}]$/.test(line) || line.includes('$f')) return false;
    }
    return false;
  }

  /** Inserts finished lines. */
  append(text: string): void {
    for (const line of text.split('\n')) if (line !== '') this.line(line);
  }

  toString(): string {
    return this.lines.join('\n');
  }
}
