/** The parameters of a call as named fields, for functions that declare theirs; written as JSON all the same. */
import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { FunctionParameter } from '../../../contract/model.ts';
import { choicesQueryOptions, nameOfEntry } from '../../objects/object-queries.ts';
import { useClient } from '../../objects/use-client.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './functions.module.css';

export interface ParameterFieldsProps {
  readonly parameters: readonly FunctionParameter[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly onChange: (values: Readonly<Record<string, unknown>>) => void;
}

export function ParameterFields({ parameters, values, onChange }: ParameterFieldsProps) {
  return (
    <div className={classes.fields}>
      {parameters.map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          text={fieldText(values[parameter.name])}
          onChange={(text) => onChange(withValue(values, parameter, text))}
        />
      ))}
    </div>
  );
}

/** A value as text of a field, lists with commas as the functions read them. */
function fieldText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(fieldText).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** An empty field sends nothing, so that the function uses its default. */
function withValue(
  values: Readonly<Record<string, unknown>>,
  { name, kind }: FunctionParameter,
  text: string,
): Readonly<Record<string, unknown>> {
  const { [name]: _, ...others } = values;
  if (text === '') return others;
  const number = Number(text);
  const isNumber = kind === 'number' && text.trim() !== '' && Number.isFinite(number);
  return { ...others, [name]: isNumber ? number : text };
}

interface ParameterFieldProps {
  readonly parameter: FunctionParameter;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

function ParameterField({ parameter, text, onChange }: ParameterFieldProps) {
  const { label, help, kind, choices = [], default: usual, required } = parameter;
  const shared = { label, description: help, placeholder: usual, required };
  switch (kind) {
    case 'experiment':
      return <ExperimentField {...shared} text={text} onChange={onChange} />;
    case 'choice':
      return (
        <Select
          {...shared}
          clearable
          searchable
          nothingFoundMessage="No such choice"
          data={text === '' || choices.includes(text) ? choices : [text, ...choices]}
          value={text || null}
          onChange={(value) => onChange(value ?? '')}
        />
      );
    case 'text':
    case 'number':
      return (
        <TextInput
          {...shared}
          inputMode={kind === 'number' ? 'numeric' : undefined}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}

interface ExperimentFieldProps {
  readonly label: string;
  readonly required?: boolean;
  readonly text: string;
  readonly onChange: (id: string) => void;
}

/** Runs by name; their ids distinguish two of the same name. */
function ExperimentField({ label, required, text, onChange }: ExperimentFieldProps) {
  const client = useClient();
  const runs = useQuery(choicesQueryOptions(client, 'experiment')).data ?? [];
  const chosen = runs.find(({ short_id }) => short_id === text);
  const items = runs.map((run) => ({
    value: run.short_id,
    label: `${nameOfEntry(run)} (${run.short_id})`,
  }));
  return (
    <Select
      label={label}
      required={required}
      description={
        chosen !== undefined && (
          <>
            {chosen.model_name}, started <RelativeTime date={chosen.created_at} />
          </>
        )
      }
      placeholder="Choose an experiment"
      searchable
      clearable
      nothingFoundMessage="No experiment with this name"
      data={text === '' || chosen !== undefined ? items : [{ value: text, label: text }, ...items]}
      value={text || null}
      onChange={(value) => onChange(value ?? '')}
    />
  );
}
