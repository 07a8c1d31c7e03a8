/** Splits text that arrives in pieces into lines, for readers that never hold the entire file. */

export interface LineSplitter {
  /** Passes on every complete line, without its end (`\n`, `\r\n`). */
  push(text: string): void;
  /** Passes on the rest, if any: a last line without a line end. */
  end(): void;
}

/** `isLast` says that the line had no end, so it may be cut short. */
export type OnLine = (line: string, isLast: boolean) => void;

/** Maximum characters per line: 20 000 columns of long numbers have half a million. */
const LONGEST_LINE = 2 ** 24;

/** A line of a file that does not fit the rest. */
export class LineError extends Error {
  readonly line: number;
  constructor(message: string, line: number) {
    super(`line ${line}: ${message}`);
    this.line = line;
  }
}

/** Text that is not a table: a line does not end. */
export class LongLineError extends Error {
  override readonly name = 'LongLineError';
}

/** A byte order mark at the very start is dropped. */
export function createLineSplitter(onLine: OnLine): LineSplitter {
  let rest = '';
  let isFirst = true;
  let lines = 0;
  return {
    push(text) {
      if (text === '') return;
      let from = 0;
      if (isFirst && text.charCodeAt(0) === 0xfeff) from = 1;
      isFirst = false;
      for (let end = text.indexOf('\n', from); end !== -1; end = text.indexOf('\n', from)) {
        const line = rest + text.slice(from, end);
        rest = '';
        onLine(line.endsWith('\r') ? line.slice(0, -1) : line, false);
        from = end + 1;
        lines++;
      }
      rest += text.slice(from);
      if (rest.length > LONGEST_LINE)
        throw new LongLineError(`line ${lines + 1} has more than ${LONGEST_LINE} characters`);
    },
    end() {
      if (rest !== '') onLine(rest.endsWith('\r') ? rest.slice(0, -1) : rest, true);
      rest = '';
    },
  };
}
