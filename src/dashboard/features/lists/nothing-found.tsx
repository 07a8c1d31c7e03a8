/** Says in one sentence how an empty list was filtered. */
import { FilteredEmpty } from '../../ui/filtered-empty.tsx';
import type { FieldValues, ListField } from './list-fields.ts';
import { valueName } from './value-name.ts';

export interface NothingFoundProps {
  /** "experiment" */
  readonly noun: string;
  /** Text before and after the noun. */
  readonly around: readonly [string, string];
  /** The filters that are set. */
  readonly fields: readonly ListField[];
  readonly search: FieldValues & { readonly q: string };
  /** The server does not search: only this page was searched. */
  readonly isPageOnly: boolean;
  readonly onClear: () => void;
}

export function NothingFound(props: NothingFoundProps) {
  const { noun, fields, search, isPageOnly, onClear } = props;
  const [before, after] = props.around;
  const narrowed = fields
    .filter(({ isShownByPage }) => !isShownByPage)
    .map((field) => ` ${field.phrase(valueName(field, search[field.key] ?? '', []))}`);
  return (
    <FilteredEmpty onClear={onClear}>
      There is no {before}
      {noun}
      {after}
      {narrowed.join('')}
      {search.q === '' ? '' : ` called “${search.q}”`}
      {isPageOnly ? ' on this page' : ''}.
    </FilteredEmpty>
  );
}
