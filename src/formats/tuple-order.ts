/**
 * CmdStan writes the elements of an array of tuples one after the other, each with all of its members: `x.1:1`, `x.1:2`,
 * `x.2:1`, …. Readers of its files go by that order; everywhere in our draws a member's elements stand together.
 */

/** Places of the names in CmdStan's order; `names` as `x[1]:2[3]`. */
export function cmdStanOrder(names: readonly string[]): number[] {
  const places = names.map((_, place) => place);
  for (let from = 0; from < names.length; ) {
    const root = rootOf(names[from]);
    let to = from + 1;
    while (to < names.length && root !== null && rootOf(names[to]) === root) to++;
    const keys = new Map(places.slice(from, to).map((place) => [place, keyOf(names[place])]));
    const sorted = [...keys.keys()].sort((a, b) => compare(keys.get(a) ?? [], keys.get(b) ?? []));
    places.splice(from, to - from, ...sorted);
    from = to;
  }
  return places;
}

/** The variable of a member of a tuple, null for other names. */
function rootOf(name: string): string | null {
  return name.includes(':') ? name.replace(/[[:].*$/s, '') : null;
}

/** Indexes, the last first since the first runs fastest, then the member, and so on. */
function keyOf(name: string): number[] {
  return name.split(':').flatMap((part) => {
    const [head, inside] = part.split('[');
    const index = inside === undefined ? [] : inside.slice(0, -1).split(',').map(Number);
    return [...(/^\d+$/.test(head) ? [Number(head)] : []), ...index.reverse()];
  });
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at < 0 ? 0 : a[at] - (b[at] ?? 0);
}
