/** The parts of a workflow that are chosen or written here: data with their script, and the analyzer. */
import { Select, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Model } from '../../../contract/model.ts';
import type { ServerConfig } from '../../../contract/system.ts';
import { objectListQueryOptions } from '../../objects/object-queries.ts';
import { useClient } from '../../objects/use-client.ts';
import { TextButton } from '../../ui/text-button.tsx';
import classes from './workflows.module.css';

/** How many are offered to choose from, newest first. */
const offered = 200;

export interface ScriptFieldProps {
  readonly label: string;
  readonly help: string;
  readonly text: string;
  /** Inserted with a click while the field is empty; absent: there is no template. */
  readonly example?: string;
  readonly onChange: (text: string) => void;
}

export function ScriptField({ label, help, text, example, onChange }: ScriptFieldProps) {
  return (
    <div className={classes.script}>
      <Textarea
        label={label}
        description={help}
        autosize
        minRows={4}
        maxRows={24}
        spellCheck={false}
        classNames={{ input: classes.code }}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {text === '' && example !== undefined && example !== '' && (
        <TextButton onClick={() => onChange(example)}>Start from the standard script</TextButton>
      )}
    </div>
  );
}

export interface DataPanelProps {
  readonly config: ServerConfig | null | undefined;
  readonly dataId: string;
  readonly dataName: string;
  readonly script: string;
  readonly onData: (id: string) => void;
  readonly onScript: (text: string) => void;
}

export function DataSelect({
  dataId,
  dataName,
  onData,
}: Pick<DataPanelProps, 'dataId' | 'dataName' | 'onData'>) {
  const client = useClient();
  const datas = useQuery(objectListQueryOptions(client, 'data', { page_size: offered })).data;
  return (
    <Select
      label="Data"
      placeholder="None"
      searchable
      clearable
      nothingFoundMessage="No data with this name"
      data={withCurrent(datas?.objects ?? [], dataId, dataName)}
      value={dataId || null}
      onChange={(value) => onData(value ?? '')}
    />
  );
}

export function DataPanel({ config, script, onScript, ...data }: DataPanelProps) {
  return (
    <>
      <DataSelect {...data} />
      <ScriptField
        label="Data script"
        help="Runs before sampling and prepares the data for the model. Leave empty to use the data unchanged."
        text={script}
        example={config?.default_data_script}
        onChange={onScript}
      />
    </>
  );
}

export interface AnalyzerPanelProps {
  readonly analyzerId: string;
  readonly analyzerName: string;
  readonly onAnalyzer: (id: string) => void;
}

export function AnalyzerPanel({ analyzerId, analyzerName, onAnalyzer }: AnalyzerPanelProps) {
  const client = useClient();
  const functions = useQuery(
    objectListQueryOptions(client, 'model', { tags: ['code'], page_size: offered }),
  ).data;
  const own = functions?.objects.filter((model: Model) => !model.tags.includes('builtin')) ?? [];
  return (
    <>
      <Select
        label="Analyzer"
        description="One of your functions that turns the draws into a page. Leave empty for the standard report."
        placeholder="The standard report"
        searchable
        clearable
        nothingFoundMessage="No function with this name"
        data={withCurrent(own, analyzerId, analyzerName)}
        value={analyzerId || null}
        onChange={(value) => onAnalyzer(value ?? '')}
      />
      {functions?.total === 0 && (
        <p className={classes.dim}>You have no functions yet. Tag a model “code” to make it one.</p>
      )}
    </>
  );
}

/** The current choice remains available, even if it is not among the newest. */
function withCurrent(
  objects: readonly { readonly short_id: string; readonly name: string }[],
  id: string,
  name: string,
) {
  const items = objects.map(({ short_id, name: label }) => ({
    value: short_id,
    label: label || short_id,
  }));
  return id === '' || items.some(({ value }) => value === id)
    ? items
    : [{ value: id, label: name || id }, ...items];
}
