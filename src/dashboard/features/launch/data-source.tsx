/** Which data a run takes: one that is there, pasted JSON, or a file. */
import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { expectKind } from '../../../client/expect-kind.ts';
import type { Data } from '../../../contract/data.ts';
import { toBase64 } from '../../../formats/base64.ts';
import { parseDataJson } from '../../../formats/data-json.ts';
import { useAction } from '../../objects/use-action.ts';
import { FileInput } from '../../ui/file-input.tsx';
import { TextButton } from '../../ui/text-button.tsx';
import classes from './launch.module.css';

export interface DataSourceProps {
  readonly datas: readonly Data[];
  readonly dataId: string;
  readonly isWrong: boolean;
  /** Empty: no data. */
  readonly onChange: (id: string) => void;
  readonly onMade: (id: string) => Promise<void>;
}

export function DataSource({ datas, dataId, isWrong, onChange, onMade }: DataSourceProps) {
  const [isPasting, setIsPasting] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const {
    run,
    isBusy: isSending,
    problem,
  } = useAction(
    async (client, { name, bytes }: { name: string; bytes: Uint8Array }) => {
      const data = toBase64(bytes);
      const payload = { object_type: 'data' as const, name, data, base64_encoded: true };
      const made = expectKind(await client.createObject({ body: { payload } }), 'data');
      setIsPasting(false);
      return made;
    },
    { onDone: (made) => onMade(made.short_id) },
  );
  const create = (name: string, bytes: Uint8Array) => void run({ name, bytes });
  return (
    <div>
      <Select
        label="Data"
        placeholder="None"
        searchable
        clearable
        nothingFoundMessage="No data with this name"
        data={datas.map((item) => ({ value: item.short_id, label: item.name || item.short_id }))}
        value={dataId === '' ? null : dataId}
        onChange={(value) => onChange(value ?? '')}
        error={isWrong}
        errorProps={{ hidden: true }}
        description={
          <>
            Or <TextButton onClick={() => setIsPasting(!isPasting)}>paste JSON</TextButton>, or{' '}
            <TextButton onClick={() => file.current?.click()}>upload a file</TextButton>
          </>
        }
      />
      <FileInput
        label="Data file"
        inputRef={file}
        what="file"
        onPick={([picked]) =>
          void picked?.arrayBuffer().then((buffer) => create(picked.name, new Uint8Array(buffer)))
        }
      />
      {isSending && !isPasting && <p className={classes.note}>Uploading…</p>}
      {isPasting && (
        <PasteForm
          isSending={isSending}
          onSave={(name, text) => create(name, new TextEncoder().encode(text))}
        />
      )}
      {problem !== null && (
        <p role="alert" className={classes.problem}>
          Not saved: {problem}
        </p>
      )}
    </div>
  );
}

function PasteForm({
  isSending,
  onSave,
}: {
  isSending: boolean;
  onSave: (name: string, text: string) => void;
}) {
  const [name, setName] = useState('pasted.json');
  const [text, setText] = useState('');
  const parsed = text.trim() === '' ? null : parseDataJson(text);
  const problem =
    parsed?.ok === false
      ? `Line ${parsed.error.line}, column ${parsed.error.column}: ${parsed.error.message}`
      : null;
  return (
    <form
      className={classes.paste}
      onSubmit={(event) => {
        event.preventDefault();
        onSave(name.trim(), text);
      }}
    >
      <Textarea
        label="JSON"
        description="One object with an entry for each variable of the data block."
        placeholder='{"N": 3, "y": [1.2, 0.4, 2.2]}'
        autosize
        minRows={5}
        maxRows={14}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={text}
        error={problem}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <TextInput
        label="Name"
        maxLength={255}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button
        type="submit"
        variant="default"
        loading={isSending}
        disabled={parsed?.ok !== true || name.trim() === ''}
      >
        Save as data
      </Button>
    </form>
  );
}
