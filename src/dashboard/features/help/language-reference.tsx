/** The Stan library as the engine knows it: every function and distribution, searched by name and meaning. */
import { TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import {
  languageReference,
  libraryCoverage,
  type ReferenceEntry,
  type ReferenceGroup,
  typeClasses,
} from '../../../language/editor/reference.ts';
import { CodeText } from '../../ui/code-text.tsx';
import { formatCount } from '../../ui/numbers.ts';
import classes from './help.module.css';

export function LanguageReference() {
  const groups = useMemo(() => languageReference(), []);
  const [text, setText] = useState('');
  const found = useMemo(() => search(groups, text), [groups, text]);
  const total = found.reduce((sum, { entries }) => sum + entries.length, 0);
  return (
    <div>
      <div className={classes.tools}>
        <TextInput
          aria-label="Search the reference"
          placeholder="Name or meaning: normal, cholesky, sum…"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          w={320}
        />
        <span className={classes.count} role="status" data-numeric>
          {total === 1 ? '1 entry' : `${formatCount(total)} entries`}
        </span>
      </div>
      <CoverageLine />
      <p className={classes.legend}>
        {typeClasses.map(({ name, types }) => (
          <span key={name}>
            <code>{name}</code> {types}
          </span>
        ))}
      </p>
      {total === 0 && <p className={classes.none}>No function or distribution matches “{text}”.</p>}
      {found.map((group) => (
        <section key={group.id} aria-label={group.title}>
          <h2 className={classes.groupTitle}>{group.title}</h2>
          <dl className={classes.entries}>
            {group.entries.map((entry) => (
              <Entry key={entry.name} entry={entry} />
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

function CoverageLine() {
  const { version, total, missing } = useMemo(() => libraryCoverage(), []);
  const supported = total - missing.length;
  return (
    <p className={classes.legend}>
      <span>
        Supported: {formatCount(supported)} of the {formatCount(total)} functions that Stan{' '}
        {version} lists. Not yet: {missing.length === 0 ? 'none' : missing.join(', ')}.
      </span>
    </p>
  );
}

function Entry({ entry }: { entry: ReferenceEntry }) {
  const { name, call, meaning, signatures, replacement } = entry;
  return (
    <div className={classes.entry}>
      <dt>
        <code>{call ?? name}</code>
        {replacement !== null && <span className={classes.old}>now {replacement}</span>}
      </dt>
      <dd>
        <p>
          <CodeText>{meaning ?? ''}</CodeText>
        </p>
        <ul>
          {signatures.map((signature) => (
            <li key={signature}>
              <code>{signature}</code>
            </li>
          ))}
        </ul>
      </dd>
    </div>
  );
}

/** Entries whose name or meaning contains every word, those whose name begins with the text first. */
function search(groups: readonly ReferenceGroup[], text: string): readonly ReferenceGroup[] {
  const parts = text.trim().toLowerCase().split(/\s+/);
  const wanted = parts.join(' ');
  if (wanted === '') return groups;
  const beginsWith = ({ name }: ReferenceEntry) => name.toLowerCase().startsWith(wanted);
  return groups.flatMap((group) => {
    const entries = group.entries.filter(({ name, meaning }) => {
      const searched = `${name} ${meaning ?? ''}`.toLowerCase();
      return parts.every((part) => searched.includes(part));
    });
    if (entries.length === 0) return [];
    const ordered = entries.toSorted((a, b) => Number(beginsWith(b)) - Number(beginsWith(a)));
    return [{ ...group, entries: ordered }];
  });
}
