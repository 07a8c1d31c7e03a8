/** How similar the names of a column and of a variable are. */

const squashed = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const singular = (name: string) => squashed(name).replace(/s$/, '');

/** Parts of `log_radon`, `groupId`, `county.idx`, without parts that only mark an index. */
function words(name: string): string[] {
  return name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !['id', 'idx', 'index', 'ix', 'n', 'num'].includes(word));
}

/** 100 for the same name, 0 for no similarity. */
export function likeness(variable: string, column: string): number {
  if (variable === column) return 100;
  if (variable.toLowerCase() === column.toLowerCase()) return 90;
  if (squashed(variable) === squashed(column)) return 80;
  if (singular(variable) === singular(column)) return 70;
  const [ours, theirs] = [words(variable), words(column)];
  if (ours.length > 0 && ours.join(' ') === theirs.join(' ')) return 60;
  const isShared = ours.some((word) => word.length >= 3 && theirs.includes(word));
  return isShared ? 40 : 0;
}

/** "X.3", "X[3]", "x_3", "X3" as one of the columns of X; null: the name does not end in a number. */
export function numbered(column: string): { stem: string; number: number } | null {
  const found = /^(.*?\D)[._[\s]?(\d{1,6})\]?$/u.exec(column);
  if (found === null) return null;
  const stem = found[1].replace(/[._[\s]+$/, '');
  return { stem, number: Number(found[2]) };
}
