/**
 * Lines of limited width from texts, nested boxes and the places where a line may break: Oppen's algorithm
 * ("Prettyprinting", ACM TOPLAS 2, 1980) with the kinds of boxes and the limits of OCaml's `Format`, which Stan's
 * compiler uses to write programs. Texts wait in a queue until what follows a possible break is known to fit, or not.
 */

/** How the breaks of a box that does not fit on one line are written. */
export type BoxKind =
  | 'never' // none of them
  | 'always' // all of them
  | 'all-or-none' // all of them, unless the box fits
  | 'fill' // those after which the next piece would not fit
  | 'structure'; // like `fill`, and those that return to a smaller indentation

type Token =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'open';
      readonly box: BoxKind;
      readonly indent: number;
      readonly stays: boolean;
    }
  | { readonly kind: 'close' }
  | { readonly kind: 'break'; readonly spaces: number }
  | { readonly kind: 'newline' };

/** A token that waits. A negative size is not known yet: minus the total when it was queued. */
interface Waiting {
  size: number;
  readonly length: number;
  readonly token: Token;
}

interface OpenBox {
  /** `fits` when all of it fits on the line. */
  readonly kind: BoxKind | 'fits';
  /** Columns between the start of its lines and the margin. */
  readonly width: number;
}

const unlimited = 1e9;
/** Lines start no further right than this, unless the margin itself is smaller. */
const usualMaxIndent = 68;
const minSpaceLeft = 10;

export class BoxLayout {
  private readonly lines: string[] = [];
  private line = '';
  private spaceLeft: number;
  private indent = 0;
  /** Whether this line contains only its indentation so far. */
  private isNewLine = true;
  private readonly maxIndent: number;
  private readonly boxes: OpenBox[];
  private queue: Waiting[] = [];
  private head = 0;
  /** Lengths of everything written, and of everything queued. */
  private leftTotal = 1;
  private rightTotal = 1;
  /** Breaks and boxes of unknown size, with the total after them. */
  private unsized: { readonly total: number; readonly waiting: Waiting }[] = [];

  constructor(readonly margin: number) {
    this.spaceLeft = margin;
    this.maxIndent =
      usualMaxIndent <= margin
        ? usualMaxIndent
        : Math.max(margin - minSpaceLeft, Math.floor(margin / 2), 1);
    this.boxes = [{ kind: 'fill', width: margin }];
  }

  text(text: string): void {
    this.enqueue({ size: text.length, length: text.length, token: { kind: 'text', text } });
    this.advance();
  }

  /**
   * Opens a box whose further lines start `indent` columns after its beginning. `stays`: the line does not break
   * before it, however far right: otherwise a comment would grow by a line each time.
   */
  open(box: BoxKind, indent = 0, stays = false): void {
    const size = -this.rightTotal;
    this.await({ size, length: 0, token: { kind: 'open', box, indent, stays } });
  }

  close(): void {
    this.enqueue({ size: 0, length: 0, token: { kind: 'close' } });
    this.measure('break');
    this.measure('open');
  }

  /** A place for a line break; replaced by `spaces` if the line continues. */
  break(spaces: number): void {
    const waiting: Waiting = {
      size: -this.rightTotal,
      length: spaces,
      token: { kind: 'break', spaces },
    };
    this.await(waiting, true);
  }

  /** A line break whatever the box. */
  newline(): void {
    this.enqueue({ size: 0, length: 0, token: { kind: 'newline' } });
    this.advance();
  }

  /** Everything written. */
  finish(): string {
    this.rightTotal = unlimited * 2;
    this.advance();
    return [...this.lines, this.line].join('\n');
  }

  private enqueue(waiting: Waiting): void {
    this.rightTotal += waiting.length;
    this.queue.push(waiting);
  }

  private await(waiting: Waiting, endsBreak = false): void {
    this.enqueue(waiting);
    if (endsBreak) this.measure('break');
    this.unsized.push({ total: this.rightTotal, waiting });
  }

  /** Gives the latest token of unknown size its size, if it is of this kind. */
  private measure(kind: 'break' | 'open'): void {
    const latest = this.unsized.at(-1);
    if (!latest) return;
    // Already written, as too long for its line.
    if (latest.total < this.leftTotal) this.unsized = [];
    else if (latest.waiting.token.kind === kind) {
      latest.waiting.size += this.rightTotal;
      this.unsized.pop();
    }
  }

  /** Writes what waits, up to the first token that may still turn out to fit. */
  private advance(): void {
    while (this.head < this.queue.length) {
      const { size, length, token } = this.queue[this.head];
      if (size < 0 && this.rightTotal - this.leftTotal < this.spaceLeft) break;
      this.head++;
      this.write(token, size < 0 ? unlimited : size);
      this.leftTotal += length;
    }
    if (this.head > 1000) {
      this.queue = this.queue.slice(this.head);
      this.head = 0;
    }
  }

  private write(token: Token, size: number): void {
    switch (token.kind) {
      case 'text':
        this.spaceLeft -= size;
        this.line += token.text;
        this.isNewLine = false;
        return;
      case 'open': {
        if (this.margin - this.spaceLeft > this.maxIndent && !token.stays) this.breakBeforeBox();
        const kind = token.box === 'always' || size > this.spaceLeft ? token.box : 'fits';
        this.boxes.push({ kind, width: this.spaceLeft - token.indent });
        return;
      }
      case 'close':
        if (this.boxes.length > 1) this.boxes.pop();
        return;
      case 'newline':
        this.breakLine(this.boxes[this.boxes.length - 1].width);
        return;
      case 'break':
        this.writeBreak(token.spaces, size);
    }
  }

  private breakBeforeBox(): void {
    const { kind, width } = this.boxes[this.boxes.length - 1];
    if (width > this.spaceLeft && kind !== 'fits' && kind !== 'never') this.breakLine(width);
  }

  private writeBreak(spaces: number, size: number): void {
    const { kind, width } = this.boxes[this.boxes.length - 1];
    if (this.breaksAt(kind, width, size)) {
      this.breakLine(width);
      return;
    }
    this.spaceLeft -= spaces;
    this.line += ' '.repeat(spaces);
  }

  private breaksAt(kind: OpenBox['kind'], width: number, size: number): boolean {
    switch (kind) {
      case 'fits':
      case 'never':
        return false;
      case 'always':
      case 'all-or-none':
        return true;
      case 'fill':
        return size > this.spaceLeft;
      case 'structure':
        if (this.isNewLine) return false;
        return size > this.spaceLeft || this.indent > this.margin - width;
    }
  }

  private breakLine(width: number): void {
    this.lines.push(this.line);
    this.isNewLine = true;
    this.indent = Math.min(this.maxIndent, this.margin - width);
    this.spaceLeft = this.margin - this.indent;
    this.line = ' '.repeat(this.indent);
  }
}
