/** Finding variables by typed text. */

/** `/…/` is a regular expression, otherwise every word must occur. An unfinished expression matches as plain words. */
export function matcher(search: string): (name: string) => boolean {
  const text = search.trim();
  if (text === '') return () => true;
  if (text.length > 2 && text.startsWith('/') && text.endsWith('/')) {
    try {
      const expression = new RegExp(text.slice(1, -1));
      return (name) => expression.test(name);
    } catch {
      // Still being typed.
    }
  }
  const words = text.toLowerCase().split(/\s+/);
  return (name) => words.every((word) => name.toLowerCase().includes(word));
}

interface FilterInput<Entry> {
  readonly options: Entry[];
  readonly search: string;
  readonly limit: number;
}

/** For `filter` of a select: entries whose name or label has every word, at most `limit` over all groups. */
export function findChoices<Entry extends object>({
  options,
  search,
  limit,
}: FilterInput<Entry>): Entry[] {
  const matches = matcher(search);
  let left = limit;
  const isFound = (entry: object) => {
    const { value = '', label = '' } = entry as { value?: string; label?: string };
    if (left <= 0 || !(matches(value) || matches(label))) return false;
    left -= 1;
    return true;
  };
  return options.flatMap((entry) => {
    if (!('items' in entry) || !Array.isArray(entry.items)) return isFound(entry) ? [entry] : [];
    const items = entry.items.filter(isFound);
    return items.length === 0 ? [] : [{ ...entry, items }];
  });
}
