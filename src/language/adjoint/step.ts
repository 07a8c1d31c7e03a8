/** What the two sweeps of one statement share: the numbers that the forward sweep keeps for the reverse sweep. */
import type { Node } from './node.ts';

/** Kept numbers whose count is known at run time. */
interface Area {
  readonly name: string;
  readonly count: string;
}

export class Step {
  private readonly areas = new Map<string, Area>();
  private readonly places = new Map<
    string,
    { readonly place: number; readonly node: Node | null }
  >();

  /** Where the node's value is among the kept numbers. */
  keep(node: Node): string {
    return this.placeOf(node.key, node);
  }

  /** The place of the value that an assignment overwrites. */
  keepOverwritten(): string {
    return this.placeOf('overwritten', null);
  }

  /** `count` separate numbers for `node`, which the forward sweep fills: the name of where they begin. */
  areaOf(node: Node, count: string, name: () => string): string {
    const known = this.areas.get(node.key);
    if (known) return known.name;
    const area = { name: name(), count };
    this.areas.set(node.key, area);
    return area.name;
  }

  knownArea(node: Node): string | null {
    return this.areas.get(node.key)?.name ?? null;
  }

  isKept(node: Node): boolean {
    return this.places.has(node.key);
  }

  get allAreas(): readonly Area[] {
    return [...this.areas.values()];
  }

  get keptNodes(): Node[] {
    return [...this.places.values()].flatMap(({ node }) => node ?? []);
  }

  get count(): number {
    return this.places.size;
  }

  private placeOf(key: string, node: Node | null): string {
    let found = this.places.get(key);
    if (found === undefined) {
      found = { place: this.places.size, node };
      this.places.set(key, found);
    }
    return keptText(found.place);
  }
}

export function keptText(place: number): string {
  return place === 0 ? 'K[sp]' : `K[sp + ${place}]`;
}

/** Lines of text, in nested lists. */
export type Lines = (string | Lines)[];

export function flatten(lines: Lines): string[] {
  return lines.flatMap((line) => (typeof line === 'string' ? line : flatten(line)));
}

export function namesIn(lines: Lines): Set<string> {
  return new Set(
    flatten(lines)
      .join('\n')
      .match(/[A-Za-z_$][\w$]*/g),
  );
}
