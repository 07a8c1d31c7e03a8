/** The variables that the program needs: the source of each, and whether it fits. */
import { MultiSelect, Select, TextInput } from '@mantine/core';
import { IconAlertCircle, IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { parseDataJson } from '../../../formats/data-json.ts';
import type { VariableSource } from '../../../formats/data-meta.ts';
import type { WantedVariable } from '../../../mapping/wanted.ts';
import { TableHead } from '../../ui/table-head.tsx';
import classes from './mapper.module.css';
import { choiceOfSource, choicesOf, sourceOfChoice } from './source-choices.ts';
import type { Mapper } from './use-mapper.ts';

export function VariableRows({ mapper, hasProgram }: { mapper: Mapper; hasProgram: boolean }) {
  const { opened } = mapper;
  if (opened === null) return null;
  if (opened.wanted.length === 0) return <p className={classes.note}>The program reads no data.</p>;
  return (
    <table className={classes.variables}>
      <TableHead titles={[hasProgram ? 'Data block' : 'Variable', 'From', 'Found']} />
      <tbody>
        {opened.wanted.map((variable) => (
          <tr key={variable.name}>
            <th scope="row">
              <code>{variable.name}</code>
              <span className={classes.kind}>{variable.text}</span>
            </th>
            <td>
              <SourceField mapper={mapper} variable={variable} />
            </td>
            <td>
              <Found mapper={mapper} name={variable.name} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface SourceFieldProps {
  readonly mapper: Mapper;
  readonly variable: WantedVariable;
}

function SourceField({ mapper, variable }: SourceFieldProps) {
  const { opened, mapping, setSource } = mapper;
  if (opened === null || mapping === null) return null;
  const { name, dims } = variable;
  const source = mapping.variables[name];
  const label = `Source of ${name}`;
  if (dims.length === 2 && source?.from !== 'value') {
    const numbers = opened.table.info.filter(({ kind }) => kind !== 'text' && kind !== 'empty');
    const isTransposed = source?.from === 'columns' && source.transposed;
    return (
      <MultiSelect
        aria-label={label}
        placeholder={source?.from === 'columns' ? '' : 'Columns'}
        searchable
        hidePickedOptions
        data={numbers.map((column) => column.name)}
        value={source?.from === 'columns' ? [...source.columns] : []}
        onChange={(columns) =>
          setSource(
            name,
            columns.length === 0 ? null : { from: 'columns', columns, transposed: isTransposed },
          )
        }
      />
    );
  }
  const choices = choicesOf(variable, opened.table.info, mapping.variables);
  return (
    <>
      <Select
        aria-label={label}
        placeholder="Choose"
        searchable
        clearable
        nothingFoundMessage="No column with this name"
        data={choices.map(({ group, items }) => ({ group, items: [...items] }))}
        value={choiceOfSource(source)}
        onChange={(value) =>
          setSource(name, value === null ? null : sourceOfChoice(value, variable))
        }
      />
      {source?.from === 'value' && (
        <ValueField name={name} source={source} onChange={(made) => setSource(name, made)} />
      )}
    </>
  );
}

interface ValueFieldProps {
  readonly name: string;
  readonly source: Extract<VariableSource, { from: 'value' }>;
  readonly onChange: (source: VariableSource) => void;
}

/** A number, or a list as JSON. */
function ValueField({ name, source, onChange }: ValueFieldProps) {
  const [text, setText] = useState(() => JSON.stringify(source.value));
  const parsed = parseDataJson(text);
  return (
    <TextInput
      mt={4}
      aria-label={`Value of ${name}`}
      placeholder="2.5 or [1, 2, 3]"
      error={parsed.ok ? null : 'A number, or a list such as [1, 2, 3]'}
      value={text}
      onChange={(event) => {
        const next = event.currentTarget.value;
        setText(next);
        const read = parseDataJson(next);
        if (read.ok) onChange({ from: 'value', value: read.value.value });
      }}
    />
  );
}

function Found({ mapper: { outcome, mapping }, name }: { mapper: Mapper; name: string }) {
  if (outcome === null || mapping === null) return null;
  const problem = outcome.mapped.problems.find(({ variable }) => variable === name);
  const checked = outcome.check?.state === 'checked' ? outcome.check : null;
  const row = checked?.rows.find((one) => one.name === name);
  const numLabels = outcome.mapped.labels[name];
  const labels = numLabels === undefined ? '' : ', labelled';
  const isMapped = Object.hasOwn(mapping.variables, name);
  if (problem === undefined && (row === undefined || (!isMapped && !row.isGood)))
    return <span className={classes.note}>{isMapped ? labels.slice(2) || '' : 'Not chosen'}</span>;
  const isGood = problem === undefined && row?.isGood === true;
  return (
    <span className={classes.found} data-good={isGood || undefined}>
      {isGood ? (
        <IconCheck size={16} role="img" aria-label="fits" />
      ) : (
        <IconAlertCircle size={16} role="img" aria-label="does not fit" />
      )}
      <span>
        {problem?.message ?? row?.found}
        {isGood && labels}
      </span>
    </span>
  );
}
