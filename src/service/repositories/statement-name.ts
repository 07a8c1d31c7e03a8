/** The name of a statement in traces: its verb and the first table, never a value. */

/** `SELECT objects`; `COMMIT`. `text`: as sent, with `$1` for values. */
export function nameStatement(text: string): string {
  const statement = behindCommonTables(text.trimStart());
  const verb = /^[a-z]+/i.exec(statement)?.[0].toUpperCase() ?? '';
  const table = /\b(?:from|into|update)\s+(?:only\s+)?([a-z_][\w.]*)/i.exec(statement)?.[1];
  return table === undefined ? verb : `${verb} ${table}`;
}

/** From the verb after `with a as (…), b as (…)`. */
function behindCommonTables(text: string): string {
  if (!/^with\b/i.test(text)) return text;
  let depth = 0;
  for (const { 0: word, index } of text.matchAll(/[()]|[a-z_]+/gi)) {
    if (word === '(') depth += 1;
    else if (word === ')') depth -= 1;
    else if (depth === 0 && /^(select|insert|update|delete)$/i.test(word)) return text.slice(index);
  }
  return text;
}
