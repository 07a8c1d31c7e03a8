/** Which variables are compared: names and entire groups. */
import { MultiSelect } from '@mantine/core';
import { findChoices } from '../status/find-variables.ts';
import { choosable, type RowsByName } from './compared-variables.ts';

export interface VariablePickerProps {
  readonly variables: readonly string[];
  readonly runs: readonly RowsByName[];
  /** As in the address; empty = the default ones. */
  readonly chosen: readonly string[];
  /** How many of all are shown now. */
  readonly numShown: number;
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Maximum number of list entries; typing finds the others. */
const mostEntries = 100;

export function VariablePicker(props: VariablePickerProps) {
  const { variables, runs, chosen, numShown, onChange } = props;
  return (
    <MultiSelect
      aria-label="Variables"
      placeholder={chosen.length > 0 ? undefined : `${numShown} of ${variables.length} variables`}
      data={choosable(variables, runs)}
      filter={findChoices}
      value={[...chosen]}
      onChange={onChange}
      searchable
      clearable
      hidePickedOptions
      limit={mostEntries}
      nothingFoundMessage="No variable has this name."
    />
  );
}
