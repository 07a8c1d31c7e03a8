/** JSON as a tree that opens level by level; long lists show their first items until asked for more. */
import { useState } from 'react';
import classes from './functions.module.css';

const shownAtOnce = 100;

export function JsonTree({ value, name }: { value: unknown; name?: string }) {
  return (
    <div className={classes.tree}>
      <Node value={value} name={name} depth={0} />
    </div>
  );
}

function Node({ value, name, depth }: { value: unknown; name?: string; depth: number }) {
  const [isOpen, setIsOpen] = useState(depth < 1);
  const [shown, setShown] = useState(shownAtOnce);
  const label = name === undefined ? null : <span className={classes.key}>{name}: </span>;
  if (value === null || typeof value !== 'object') {
    return (
      <div>
        {label}
        <span data-type={value === null ? 'null' : typeof value}>
          {JSON.stringify(value) ?? 'nothing'}
        </span>
      </div>
    );
  }
  const entries = Object.entries(value);
  const size = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        {label}
        <span className={classes.size}>{size}</span>
      </summary>
      {isOpen && (
        <div className={classes.children}>
          {entries.slice(0, shown).map(([key, child]) => (
            <Node key={key} name={key} value={child} depth={depth + 1} />
          ))}
          {entries.length > shown && (
            <button
              type="button"
              className={classes.more}
              onClick={() => setShown(shown + shownAtOnce)}
            >
              {entries.length - shown} more
            </button>
          )}
        </div>
      )}
    </details>
  );
}
