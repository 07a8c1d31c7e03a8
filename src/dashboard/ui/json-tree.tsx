/** JSON as a tree: a branch is requested when it is opened, and a long one a hundred members at a time. */
import { useEffect, useState } from 'react';
import { Card } from './card.tsx';
import type { BranchQuestion, Branch as BranchView, TreeNodeView } from './json-branch.ts';
import classes from './json-tree.module.css';
import { TextButton } from './text-button.tsx';

const shownAtOnce = 100;
const noPath: readonly string[] = [];

export interface JsonTreeProps {
  /** One function per document: a new function reloads the tree. */
  readonly ask: (question: BranchQuestion) => Promise<BranchView>;
}

export function JsonTree({ ask }: JsonTreeProps) {
  return (
    // a scrolling region must be reachable by keyboard
    <Card className={classes.tree} aria-label="Tree" tabIndex={0}>
      <Branch ask={ask} path={noPath} />
    </Card>
  );
}

function Branch({ ask, path }: JsonTreeProps & { path: readonly string[] }) {
  const [nodes, setNodes] = useState<readonly TreeNodeView[]>([]);
  const [total, setTotal] = useState<number | null>(null);
  const [shown, setShown] = useState(shownAtOnce);
  useEffect(() => {
    let isGone = false;
    ask({ path, from: 0, to: shown }).then(
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
  }, [ask, path, shown]);
  const left = (total ?? 0) - nodes.length;
  return (
    <ul>
      {nodes.map((node) => (
        <Node key={node.key} ask={ask} path={path} node={node} />
      ))}
      {total === 0 && <li className={classes.size}>empty</li>}
      {left > 0 && (
        <li>
          <TextButton onClick={() => setShown(shown + shownAtOnce)}>
            {Math.min(left, shownAtOnce)} of {left} more
          </TextButton>
        </li>
      )}
    </ul>
  );
}

interface NodeProps extends JsonTreeProps {
  readonly path: readonly string[];
  readonly node: TreeNodeView;
}

function Node({ ask, path, node: { key, type, text, size } }: NodeProps) {
  const [isOpen, setIsOpen] = useState(false);
  // The same array each time, so that the branch is requested once.
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
        {isOpen && <Branch ask={ask} path={own} />}
      </details>
    </li>
  );
}
