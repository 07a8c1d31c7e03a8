/** What the forward and the reverse sweep of a statement share: which names hold values, and the lines written so far. */
import type { ViewPlace } from './addresses.ts';
import type { Node, View } from './node.ts';
import type { RegionScope } from './region-scope.ts';
import type { Lines, Step } from './step.ts';

export abstract class Sweep {
  protected known: Map<string, string> = new Map();
  /** Where the elements of a loop over vectors are, by the keys of their nodes. */
  readonly places = new Map<string, ViewPlace>();

  constructor(
    protected readonly scope: RegionScope,
    protected readonly step: Step,
    protected lines: Lines,
  ) {}

  /** A name or literal that holds the node's value. */
  abstract value(node: Node): string;
  abstract placeOf(view: View): ViewPlace;

  /** The node's value is in `name`. */
  know(node: Node, name: string): void {
    this.known.set(node.key, name);
  }

  local(text: string): string {
    const name = this.scope.temporary();
    this.scope.noteValue(name, text);
    this.lines.push(`const ${name} = ${text};`);
    return name;
  }

  /** The lines that `write` adds, in a branch: what it computes is unknown outside. */
  protected inBranch<T>(write: () => T): { readonly written: Lines; readonly result: T } {
    const outer = { lines: this.lines, known: this.known };
    this.lines = [];
    this.known = new Map(this.known);
    const result = write();
    const written = this.lines;
    this.lines = outer.lines;
    this.known = outer.known;
    return { written, result };
  }
}
