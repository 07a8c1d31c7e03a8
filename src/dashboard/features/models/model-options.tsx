/** What can be said of a new model beside its name and files: runtime, tags, how it is run. */
import { Checkbox, Select, TagsInput, TextInput } from '@mantine/core';
import { modelEnvs } from '../../../contract/model.ts';
import { runtimeWord } from './model-list-page.tsx';
import classes from './new-model.module.css';

export interface ModelOptions {
  /** Empty: by the suffix of the entrance file. */
  readonly env: string;
  readonly tags: readonly string[];
  readonly singleInstance: boolean;
  /** Empty: found among the files. */
  readonly entranceFile: string;
  readonly entranceFunc: string;
}

export const defaultOptions: ModelOptions = {
  env: '',
  tags: [],
  singleInstance: true,
  entranceFile: '',
  entranceFunc: '',
};

/** The members of a create payload that say so; what was left alone is the server's to choose. */
export function optionsPayload({ env, tags, singleInstance, entranceFile }: ModelOptions) {
  return {
    ...(env === '' ? {} : { env }),
    ...(tags.length === 0 ? {} : { tags: [...tags] }),
    ...(singleInstance ? {} : { single_instance: false }),
    ...(entranceFile === '' ? {} : { entrance_file: entranceFile }),
  };
}

/** How the files are run, as their `meta` says it; `found`: the entrance that the files suggest. */
export function entranceMeta({ entranceFile, entranceFunc }: ModelOptions, found: string | null) {
  const file = entranceFile || found;
  return {
    ...(file ? { entrance_file: file } : {}),
    ...(entranceFunc === '' ? {} : { entrance_func: entranceFunc }),
  };
}

export interface ModelOptionsFormProps {
  readonly options: ModelOptions;
  readonly onChange: (options: ModelOptions) => void;
}

export function ModelOptionsForm({ options, onChange }: ModelOptionsFormProps) {
  const set = (change: Partial<ModelOptions>) => onChange({ ...options, ...change });
  return (
    <details className={classes.options}>
      <summary>Runtime, tags and entrance</summary>
      <div className={classes.fields}>
        <Select
          label="Runtime"
          description="By itself: by the suffix of the entrance file."
          allowDeselect={false}
          value={options.env}
          onChange={(env) => set({ env: env ?? '' })}
          data={[
            { value: '', label: 'By itself' },
            ...modelEnvs.map((env) => ({ value: env, label: runtimeWord(env) })),
          ]}
        />
        <TagsInput
          label="Tags"
          description="Enter adds a tag."
          maxTags={32}
          value={[...options.tags]}
          onChange={(tags) => set({ tags })}
        />
        <TextInput
          label="Entrance file"
          description="Path of the file that is run; empty: found among the files."
          placeholder="src/main.stan"
          value={options.entranceFile}
          onChange={(event) => set({ entranceFile: event.currentTarget.value.trim() })}
        />
        <TextInput
          label="Entrance function"
          description="Only for files that you bring; a fetched project names its own."
          placeholder="main"
          value={options.entranceFunc}
          onChange={(event) => set({ entranceFunc: event.currentTarget.value.trim() })}
        />
        <Checkbox
          label="One process runs all chains"
          description="Otherwise each chain is a process of its own, where the runtime can do that."
          checked={options.singleInstance}
          onChange={(event) => set({ singleInstance: event.currentTarget.checked })}
        />
      </div>
    </details>
  );
}
