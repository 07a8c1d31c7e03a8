/** Data to choose from: distinguished by version, size and id if names are the same. */
import type { Data } from '../../../contract/data.ts';
import { formatBytes } from '../../ui/numbers.ts';
import classes from './data-source.module.css';
import { choiceOfFile, type TreeFile } from './tree-data.ts';

export interface DataOption {
  readonly value: string;
  /** A distinct label, shown by the closed select. */
  readonly label: string;
  /** "v2, 138 B": shown next to the name in the list. */
  readonly facts: string;
}

function factsOf({ version, size }: Data): string {
  const parts = [
    ...(version === undefined ? [] : [`v${version}`]),
    ...(size === undefined ? [] : [formatBytes(size)]),
  ];
  return parts.join(', ');
}

export function dataOptions(datas: readonly Data[]): DataOption[] {
  const named = countBy(datas, nameOf);
  const described = countBy(datas, (data) => `${nameOf(data)}\n${factsOf(data)}`);
  return datas.map((data) => {
    const [name, facts] = [nameOf(data), factsOf(data)];
    const isAlone = named.get(name) === 1;
    const isClear = facts !== '' && described.get(`${name}\n${facts}`) === 1;
    const shown = isAlone || isClear ? facts : [facts, data.short_id].filter(Boolean).join(', ');
    return { value: data.short_id, label: isAlone ? name : `${name} (${shown})`, facts: shown };
  });
}

export const fileOptions = (files: readonly TreeFile[]): DataOption[] =>
  files.map((file) => ({
    value: choiceOfFile(file),
    label: `${file.path} (in this model)`,
    facts: file.isTable ? 'table' : '',
  }));

const nameOf = ({ name, short_id: id }: Data) => name || id;

function countBy(datas: readonly Data[], key: (data: Data) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const data of datas) counts.set(key(data), (counts.get(key(data)) ?? 0) + 1);
  return counts;
}

/** One line of the list. Facts are read aloud if the name does not distinguish the data. */
export function DataOptionLine({ label, facts }: { label: string; facts: string }) {
  const isInLabel = label.endsWith(`(${facts})`);
  const name = isInLabel ? label.slice(0, -facts.length - 3) : label;
  return (
    <span className={classes.option}>
      <span>{name}</span>
      <span className={classes.facts} aria-hidden={!isInLabel}>
        {facts}
      </span>
    </span>
  );
}
