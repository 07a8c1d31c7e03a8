/** Data from a file, pasted text or an address: for a new object, or for the next version of one. */
import { Button, Modal, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { itemAt } from '../../../shared/items.ts';
import { useAction } from '../../objects/use-action.ts';
import { Form } from '../../ui/form.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { Note } from '../../ui/note.tsx';
import { formatBytes } from '../../ui/numbers.ts';
import { Problem } from '../../ui/problem.tsx';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import classes from './data.module.css';
import type { DataSource, Sending } from './send-data.ts';
import { Sent } from './sent.tsx';

export type SourceKind = 'file' | 'text' | 'address';

export interface SourceDialogProps {
  readonly title: string;
  /** The possible sources; the first is shown. */
  readonly kinds: readonly SourceKind[];
  /** Required for a new object. */
  readonly hasName: boolean;
  /** Shown above the fields. */
  readonly note?: string | undefined;
  readonly saveText: string;
  /** Rejects with the reason if it was not saved. */
  readonly onSave: (name: string, source: DataSource, sending: Sending) => Promise<void>;
  readonly onClose: () => void;
  /** Offered next to the message of a CONFLICT: saves anyway, on top of the current version. */
  readonly onSaveAnyway?: Send;
}

type Send = (source: DataSource, sending: Sending) => Promise<void>;

const kindLabels = { file: 'File', text: 'Paste text', address: 'From an address' };

export function SourceDialog(props: SourceDialogProps) {
  const { title, kinds, hasName, note, saveText, onSave, onSaveAnyway, onClose } = props;
  useReturnFocus();
  const { fields, change, isReady, sent, save, stop } = useSource(itemAt(kinds, 0), hasName);
  const { kind, name, file } = fields;
  const close = () => {
    stop();
    onClose();
  };
  return (
    <Modal opened onClose={close} title={title} size={560}>
      <Form
        onSubmit={() =>
          save.run((source, sending) => onSave(name.trim() || (file?.name ?? ''), source, sending))
        }
      >
        {note !== undefined && <Note gap="below">{note}</Note>}
        {kinds.length > 1 && (
          <SegmentedControl
            mb={12}
            aria-label="From"
            value={kind}
            onChange={(value) => change({ kind: value as SourceKind })}
            data={kinds.map((value) => ({ value, label: kindLabels[value] }))}
          />
        )}
        {hasName && (
          <TextInput
            mb={12}
            label="Name"
            placeholder="schools.json"
            required={kind !== 'file'}
            maxLength={255}
            value={name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
        )}
        <SourceField fields={fields} onChange={change} />
        {save.isBusy && <Sent progress={sent} />}
        {save.problem !== null && <Problem gap="around">Not saved: {save.problem}</Problem>}
        <FormActions end tight>
          <Button onClick={close}>Cancel</Button>
          {save.error?.code === 'CONFLICT' && onSaveAnyway !== undefined && (
            <Button onClick={() => void save.run(onSaveAnyway)}>Save anyway</Button>
          )}
          <Button variant="filled" type="submit" disabled={!isReady} loading={save.isBusy}>
            {saveText}
          </Button>
        </FormActions>
      </Form>
    </Modal>
  );
}

interface Fields {
  readonly kind: SourceKind;
  readonly name: string;
  readonly text: string;
  readonly address: string;
  readonly file: File | null;
}

/** The chosen source, and sending it. */
function useSource(kind: SourceKind, hasName: boolean) {
  const [fields, setFields] = useState<Fields>({
    kind,
    name: '',
    text: '',
    address: '',
    file: null,
  });
  const [sent, setSent] = useState<{ sent: number; total: number } | null>(null);
  const abort = useRef<AbortController | null>(null);
  const save = useAction(async (_, send: Send) => {
    abort.current = new AbortController();
    const { signal } = abort.current;
    setSent(null);
    await send(await sourceOf(fields), {
      signal,
      onUpload: (done, total) => setSent({ sent: done, total }),
    });
  });
  return {
    fields,
    change: (part: Partial<Fields>) => setFields((before) => ({ ...before, ...part })),
    isReady: isGiven(fields) && (!hasName || fields.name.trim() !== '' || fields.kind === 'file'),
    sent,
    save,
    stop: () => abort.current?.abort(),
  };
}

function isGiven({ kind, file, text, address }: Fields): boolean {
  if (kind === 'file') return file !== null;
  return (kind === 'text' ? text : address.trim()) !== '';
}

async function sourceOf({ kind, text, address, file }: Fields): Promise<DataSource> {
  if (kind === 'text') return { kind, text };
  if (kind === 'address') return { kind, address: address.trim() };
  return { kind: 'bytes', bytes: new Uint8Array(await (file as File).arrayBuffer()) };
}

interface SourceFieldProps {
  readonly fields: Fields;
  readonly onChange: (part: Partial<Fields>) => void;
}

function SourceField({ fields: { kind, text, address, file }, onChange }: SourceFieldProps) {
  switch (kind) {
    case 'file':
      return <FileField file={file} onPick={(picked) => onChange({ file: picked })} />;
    case 'text':
      return (
        <Textarea
          label="Text"
          description="JSON as Stan reads it, an R dump, or cells copied from a spreadsheet."
          required
          autosize
          minRows={8}
          maxRows={18}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={text}
          onChange={(event) => onChange({ text: event.currentTarget.value })}
        />
      );
    case 'address':
      return (
        <TextInput
          label="Address"
          type="url"
          placeholder="https://example.org/schools.json"
          description="The server fetches it once and keeps a copy; later changes at the source have no effect here."
          required
          value={address}
          onChange={(event) => onChange({ address: event.currentTarget.value })}
        />
      );
  }
}

interface FileFieldProps {
  readonly file: File | null;
  readonly onPick: (file: File | null) => void;
}

function FileField({ file, onPick }: FileFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={classes.pick}>
      <Button onClick={() => input.current?.click()}>Choose a file</Button>
      <span>{file === null ? 'No file chosen' : `${file.name}, ${formatBytes(file.size)}`}</span>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Data file"
        onChange={(event) => onPick(event.currentTarget.files?.[0] ?? null)}
      />
    </div>
  );
}
