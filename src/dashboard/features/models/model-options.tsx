/** Options of a new model besides its name and files: runtime, tags, how it is run. */
import { TagsInput, TextInput } from '@mantine/core';
import classes from './new-model.module.css';
import { ProcessesBox, type RuntimeChoice, RuntimeSelect } from './runtime-fields.tsx';

export interface ModelOptions extends RuntimeChoice {
  readonly tags: readonly string[];
  /** Empty: determined from the files. */
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

/** The corresponding members of a create payload; the server chooses what was left unset. */
export function optionsPayload({ env, tags, singleInstance, entranceFile }: ModelOptions) {
  return {
    ...(env === '' ? {} : { env }),
    ...(tags.length === 0 ? {} : { tags: [...tags] }),
    ...(singleInstance ? {} : { single_instance: false }),
    ...(entranceFile === '' ? {} : { entrance_file: entranceFile }),
  };
}

/** How the files are run, in the form of their `meta`; `found`: the entrance file that the files suggest. */
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
        <RuntimeSelect choice={options} onChange={set} />
        <TagsInput
          label="Tags"
          description="Enter adds a tag."
          maxTags={32}
          value={[...options.tags]}
          onChange={(tags) => set({ tags })}
        />
        <TextInput
          label="Entrance file"
          description="Path of the file that is run. Leave empty to detect it."
          placeholder="src/main.stan"
          value={options.entranceFile}
          onChange={(event) => set({ entranceFile: event.currentTarget.value.trim() })}
        />
        <TextInput
          label="Entrance function"
          description="Only for files you upload; a fetched project defines its own."
          placeholder="main"
          value={options.entranceFunc}
          onChange={(event) => set({ entranceFunc: event.currentTarget.value.trim() })}
        />
        <ProcessesBox choice={options} onChange={set} />
      </div>
    </details>
  );
}
