/** Which data a run uses: an object, a file of the model, pasted text, or a file; tables go through the mapper. */
import { Select } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import { toBase64 } from '../../../formats/base64.ts';
import type { StanService } from '../../editor/stan-service.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { useAction } from '../../objects/use-action.ts';
import { useClient } from '../../objects/use-client.ts';
import { FileInput } from '../../ui/file-input.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { TextButton } from '../../ui/text-button.tsx';
import { type GivenFile, identify } from '../mapper/mapping-call.ts';
import { DataOptionLine, dataOptions, fileOptions } from './data-options.tsx';
import classes from './data-source.module.css';
import { chosenFile, jsonName, type TreeFile } from './tree-data.ts';
import type { RunSetupState } from './use-run-setup.ts';

const MapperDialog = lazyPart(() => import('../mapper/mapper-dialog.tsx'), 'MapperDialog');
const PasteForm = lazyPart(() => import('./paste-form.tsx'), 'PasteForm');

export interface DataSourceProps {
  readonly setup: RunSetupState;
  /** Knows the program's data block. */
  readonly service: StanService;
  /** Empty: no data. */
  readonly onChange: (id: string) => void;
  /** A file of the model that is not a table was chosen; absent: it immediately becomes a data object. */
  readonly onFile?: (choice: string) => void;
}

export function DataSource({ setup, service, onChange, onFile }: DataSourceProps) {
  const { datas, dataId, files, reason, content, isTable } = setup;
  const [isPasting, setIsPasting] = useState(false);
  const upload = useRef<HTMLInputElement>(null);
  const given = useGiven(setup, (id) => {
    setIsPasting(false);
    onChange(id);
  });
  const choose = (value: string) => {
    const file = chosenFile(files, value);
    if (file === undefined) onChange(value);
    else if (file.isTable || onFile === undefined) given.take(givenOf(file));
    else onFile(value);
  };
  const options = dataOptions(datas);
  const offered = fileOptions(files);
  const facts = new Map([...offered, ...options].map((one) => [one.value, one.facts]));
  const chosen = content.data ?? null;
  const mapChosen =
    chosen === null || chosen.bytes === null
      ? null
      : () => given.map({ name: chosen.data.name, bytes: chosen.bytes ?? new Uint8Array() });
  return (
    <div>
      <Select
        label="Data"
        placeholder="None"
        searchable
        clearable
        nothingFoundMessage="No data with this name"
        data={
          offered.length === 0
            ? options
            : [
                { group: 'Files of this model', items: offered },
                { group: 'Data', items: options },
              ]
        }
        renderOption={({ option }) => (
          <DataOptionLine label={option.label} facts={facts.get(option.value) ?? ''} />
        )}
        value={dataId === '' ? null : dataId}
        onChange={(value) => choose(value ?? '')}
        error={reason?.place === 'data'}
        errorProps={{ hidden: true }}
        description={
          <Ways
            onPaste={() => setIsPasting(!isPasting)}
            onUpload={() => upload.current?.click()}
            onMap={isTable && given.canMap ? mapChosen : null}
          />
        }
      />
      <FileInput
        label="Data file"
        inputRef={upload}
        what="file"
        onPick={([picked]) => picked !== undefined && void given.pick(picked)}
      />
      {given.isBusy && !isPasting && <p className={classes.note}>Uploading…</p>}
      {isPasting && <PasteForm isSending={given.isBusy} onSave={given.take} />}
      {given.problem !== null && (
        <p role="alert" className={classes.problem}>
          Not saved: {given.problem}
        </p>
      )}
      <OpenMapper given={given} service={service} />
    </div>
  );
}

function OpenMapper({ given, service }: { given: Given; service: StanService }) {
  const { mapping } = given;
  if (mapping === null) return null;
  return (
    <MapperDialog
      {...mapping}
      service={service}
      suggestedName={mapping.name.replace(/\.[^.]*$/, '') || 'data'}
      saveText="Save as data"
      onSave={given.saveMapped}
      onClose={given.endMapping}
    />
  );
}

interface WaysProps {
  readonly onPaste: () => void;
  readonly onUpload: () => void;
  /** Null: the chosen data are not a table, or are already mapped. */
  readonly onMap: (() => void) | null;
}

function Ways({ onPaste, onUpload, onMap }: WaysProps) {
  return (
    <>
      Or <TextButton onClick={onPaste}>paste data</TextButton>, or{' '}
      <TextButton onClick={onUpload}>upload a file</TextButton>
      {onMap !== null && (
        <>
          , or <TextButton onClick={onMap}>map the columns</TextButton>
        </>
      )}
    </>
  );
}

const givenOf = ({ path, text }: Pick<TreeFile, 'path' | 'text'>): GivenFile => ({
  name: path.slice(path.lastIndexOf('/') + 1),
  bytes: new TextEncoder().encode(text),
});

interface OpenMapping extends GivenFile {
  /** Text of the chosen data, whose mapping, if any, is applied again. */
  readonly earlierText: string | null;
}

type Given = ReturnType<typeof useGiven>;

/** Incoming data: what a file is decides whether it is saved, mapped or refused. */
function useGiven({ entrance, content }: RunSetupState, onMade: (id: string) => void) {
  const client = useClient();
  const queryClient = useQueryClient();
  const [mapping, setMapping] = useState<OpenMapping | null>(null);
  const canMap = entrance?.endsWith('.stan') ?? false;
  const create = async (name: string, text: string | Uint8Array) => {
    const payload = {
      object_type: 'data' as const,
      name,
      ...(typeof text === 'string'
        ? { data: text }
        : { data: toBase64(text), base64_encoded: true }),
    };
    const made = expectKind(await client.createObject({ body: { payload } }), 'data');
    await queryClient.invalidateQueries({ queryKey: objectKeys('data').lists });
    return made.short_id;
  };
  const map = (given: GivenFile) =>
    setMapping({ ...given, earlierText: content.data?.text ?? null });
  const action = useAction(
    async (_, given: GivenFile): Promise<string | null> => {
      const { name, bytes } = given;
      const found = await identify(given);
      if (found.kind === 'broken') throw new ApiError('schema', `${name}: ${found.message}`);
      if (found.kind === 'values') return create(jsonName(name), found.text);
      if (!canMap) return create(name, bytes);
      if (found.kind === 'other')
        throw new ApiError(
          'schema',
          `${name} is neither JSON, nor an R dump, nor a table such as CSV.`,
        );
      map(given);
      return null;
    },
    { onDone: (id) => id !== null && onMade(id) },
  );
  return {
    canMap,
    mapping,
    map,
    take: (given: GivenFile) => void action.run(given),
    pick: async (file: File) =>
      action.run({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }),
    isBusy: action.isBusy,
    problem: action.problem,
    saveMapped: async (name: string, text: string) => {
      onMade(await create(name, text));
      setMapping(null);
    },
    endMapping: () => setMapping(null),
  };
}
