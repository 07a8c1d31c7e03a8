/** JSON read one branch at a time. No DOM, so that a worker can answer. */

export interface TreeNodeView {
  readonly key: string;
  readonly type: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';
  /** The value of a leaf, cut when it is long. */
  readonly text: string;
  /** Members of a branch. */
  readonly size: number;
}

export interface Branch {
  readonly total: number;
  readonly nodes: readonly TreeNodeView[];
}

export interface BranchQuestion {
  /** Keys from the root. */
  readonly path: readonly string[];
  /** Members `[from, to)`. */
  readonly from: number;
  readonly to: number;
}

/** Characters of a leaf that are shown. */
const shownLeaf = 500;

/** Empty when there is no branch. */
export function branchOf(root: unknown, { path, from, to }: BranchQuestion): Branch {
  let value = root;
  for (const key of path) value = (value as Record<string, unknown> | null)?.[key];
  if (typeof value !== 'object' || value === null) return { total: 0, nodes: [] };
  if (Array.isArray(value)) {
    const list = value as unknown[];
    const nodes = list.slice(from, to).map((item, i) => viewOf(String(from + i), item));
    return { total: list.length, nodes };
  }
  const members = Object.entries(value);
  const nodes = members.slice(from, to).map(([key, item]) => viewOf(key, item));
  return { total: members.length, nodes };
}

function viewOf(key: string, value: unknown): TreeNodeView {
  if (value === null) return { key, type: 'null', text: 'null', size: 0 };
  if (Array.isArray(value)) return { key, type: 'array', text: '', size: value.length };
  if (typeof value === 'object')
    return { key, type: 'object', text: '', size: Object.keys(value).length };
  const type = typeof value as 'string' | 'number' | 'boolean';
  const text = type === 'string' ? JSON.stringify(value) : String(value as number);
  return {
    key,
    type,
    text: text.length > shownLeaf ? `${text.slice(0, shownLeaf)}…` : text,
    size: 0,
  };
}
