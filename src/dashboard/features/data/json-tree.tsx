/** JSON as a tree: a branch is asked for when it is opened, and a long one a hundred members at a time. */
import { useEffect, useState } from 'react';
import classes from './json-tree.module.css';
import type { TreeNodeView } from './preview-document.ts';
import type { PreviewSource } from './preview-source.ts';

const shownAtOnce = 100;
const noPath: readonly string[] = [];

export function JsonTree({ source }: { source: PreviewSource }) {
  return (
    <section className={classes.tree} aria-label="Tree">
      <Branch source={source} path={noPath} />
    </section>
  );
}

function Branch({ source, path }: { source: PreviewSource; path: readonly string[] }) {
  const [nodes, setNodes] = useState<readonly TreeNodeView[]>([]);
  const [total, setTotal] = useState<number | null>(null);
  const [shown, setShown] = useState(shownAtOnce);
  useEffect(() => {
    let isGone = false;
    source.ask('branch', { path, from: 0, to: shown }).then(
      (branch) => {
        if (isGone) return;
        setNodes(branch.nodes);
        setTotal(branch.total);
      },
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [source, path, shown]);
  const left = (total ?? 0) - nodes.length;
  return (
    <ul>
      {nodes.map((node) => (
        <Node key={node.key} source={source} path={path} node={node} />
      ))}
      {total === 0 && <li className={classes.size}>empty</li>}
      {left > 0 && (
        <li>
          <button
            type="button"
            className={classes.more}
            onClick={() => setShown(shown + shownAtOnce)}
          >
            {Math.min(left, shownAtOnce)} of {left} more
          </button>
        </li>
      )}
    </ul>
  );
}

interface NodeProps {
  readonly source: PreviewSource;
  readonly path: readonly string[];
  readonly node: TreeNodeView;
}

function Node({ source, path, node: { key, type, text, size } }: NodeProps) {
  const [isOpen, setIsOpen] = useState(false);
  // One object, so that the branch is asked for once.
  const [own] = useState(() => [...path, key]);
  if (type !== 'object' && type !== 'array')
    return (
      <li className={classes.leaf}>
        <span className={classes.key}>{key}: </span>
        <span data-type={type}>{text}</span>
      </li>
    );
  return (
    <li>
      <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>
          <span className={classes.key}>{key}: </span>
          <span className={classes.size}>{type === 'array' ? `[${size}]` : `{${size}}`}</span>
        </summary>
        {isOpen && <Branch source={source} path={own} />}
      </details>
    </li>
  );
}
