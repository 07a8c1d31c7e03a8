/** Creates an experiment from draws that were sampled elsewhere. */
import { Button, Textarea, TextInput } from '@mantine/core';
import { Link, useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import type { ServerConfig } from '../../../contract/system.ts';
import { Card } from '../../ui/card.tsx';
import { Form } from '../../ui/form.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { Note } from '../../ui/note.tsx';
import { Problem } from '../../ui/problem.tsx';
import { FileDrop } from './file-drop.tsx';
import classes from './import-draws.module.css';
import {
  boundsOf,
  boundsText,
  fileOfMessage,
  type PickedFile,
  pickedProblem,
  pickFile,
  uploadLimits,
} from './picked-files.ts';
import { PickedList } from './picked-list.tsx';
import { SendState } from './send-state.tsx';
import { UnfinishedUploads } from './unfinished-uploads.tsx';
import { type Importing, type ImportState, useImport } from './use-import.ts';

export interface ImportPageProps {
  readonly config: ServerConfig | null;
  readonly onImported: (experimentId: string) => void;
}

export function ImportPage({ config, onImported }: ImportPageProps) {
  const [files, setFiles] = useState<readonly PickedFile[]>([]);
  const [addressText, setAddressText] = useState('');
  const [name, setName] = useState('');
  const importing = useImport(config, onImported);
  const { state, start, forget } = importing;
  useLeavingGuard(state);
  const bounds = boundsOf(config);
  const addresses = addressText.split(/\s+/).filter((address) => address !== '');
  const problem = pickedProblem(files, addresses.length, bounds);
  const isBusy = state.step !== 'idle' && state.step !== 'failed';
  const failure = state.step === 'failed' ? state.message : null;
  const names = files.map((file) => file.name);
  const culprit = failure === null ? -1 : fileOfMessage(failure, names);
  const suggested = nameOf(names[0] ?? '');
  const change = (next: (before: readonly PickedFile[]) => readonly PickedFile[]) => {
    setFiles(next);
    forget();
  };
  return (
    <Form
      className={classes.form}
      onSubmit={() => start({ name: name.trim() || suggested, files, addresses })}
    >
      <WatchNote />
      <Card className={classes.card} aria-labelledby="import-files">
        <h2 id="import-files">Files</h2>
        <div className={classes.body}>
          <FileDrop
            suffixes={bounds.suffixes}
            isDisabled={isBusy}
            onPick={(list) =>
              void Promise.all(list.map(pickFile)).then((more) =>
                change((before) => [...before, ...more]),
              )
            }
          >
            Stan CSV as CmdStan writes it, Turing CSV, ArviZ netCDF, or a CSV with a column for each
            variable, optionally gzipped. One file may hold several chains, and each chain may have
            its own file. {boundsText(bounds)}
          </FileDrop>
          <PickedList
            files={files}
            isDisabled={isBusy}
            sent={sentOf(state)}
            problem={{ index: culprit, message: failure ?? '' }}
            onRemove={(key) => change((before) => before.filter((file) => file.key !== key))}
          />
          <SourceFields
            addresses={addressText}
            name={name}
            suggested={suggested}
            isDisabled={isBusy}
            onAddresses={(text) => {
              setAddressText(text);
              forget();
            }}
            onName={setName}
          />
        </div>
      </Card>
      {failure !== null && culprit === -1 && <Problem>Not imported: {failure}</Problem>}
      {!isBusy && uploadLimits(config) !== null && <UnfinishedUploads />}
      <SendState state={state} files={files} />
      <ImportActions importing={importing} problem={problem} />
    </Form>
  );
}

/** Bytes by file, while they are sent piece by piece. */
const sentOf = (state: ImportState): ReadonlyMap<number, number> | null =>
  state.step === 'uploading' || state.step === 'paused'
    ? (state.progress?.sent ?? new Map())
    : null;

/** What was sent is stored, but leaving the page stops sending. */
function useLeavingGuard({ step }: ImportState): void {
  const isSending = step === 'uploading' || step === 'sending';
  useBlocker({
    shouldBlockFn: () =>
      isSending && !window.confirm('Files are being uploaded. Leave, and stop the upload?'),
    enableBeforeUnload: () => isSending,
  });
}

function ImportActions({
  importing,
  problem,
}: {
  readonly importing: Importing;
  /** Why these files cannot be sent. */
  readonly problem: string | null;
}) {
  const { step } = importing.state;
  const isPaused = step === 'paused';
  const isBusy = step !== 'idle' && step !== 'failed';
  return (
    <FormActions>
      <Button
        variant="filled"
        type="submit"
        disabled={problem !== null}
        loading={isBusy && !isPaused}
      >
        {isPaused ? 'Continue' : 'Import'}
      </Button>
      {step === 'uploading' && <Button onClick={importing.pause}>Pause</Button>}
      {isBusy && <Button onClick={importing.cancel}>Cancel</Button>}
      {!isBusy && problem !== null && <span className={classes.dim}>{problem}</span>}
    </FormActions>
  );
}

function WatchNote() {
  return (
    <Note>
      A run that is still sampling elsewhere (CmdStan, PyMC, any sampler) can be{' '}
      <Link to="/help/$page" params={{ page: 'elsewhere' }}>
        shown here while it runs
      </Link>
      .
    </Note>
  );
}

interface SourceFieldsProps {
  readonly addresses: string;
  readonly name: string;
  /** The default name of the experiment. */
  readonly suggested: string;
  readonly isDisabled: boolean;
  readonly onAddresses: (text: string) => void;
  readonly onName: (name: string) => void;
}

function SourceFields(props: SourceFieldsProps) {
  const { addresses, name, suggested, isDisabled, onAddresses, onName } = props;
  return (
    <>
      <Textarea
        label="Addresses"
        description="Addresses of files on the web, one per line; the server fetches them."
        placeholder="https://example.org/chain_1.csv"
        rows={2}
        spellCheck={false}
        disabled={isDisabled}
        value={addresses}
        onChange={(event) => onAddresses(event.currentTarget.value)}
      />
      <TextInput
        label="Name"
        maxLength={255}
        placeholder={suggested || 'Imported draws'}
        disabled={isDisabled}
        value={name}
        onChange={(event) => onName(event.currentTarget.value)}
      />
    </>
  );
}

/** `chain_1.csv` → `chain`: chains of one run differ by their number. */
function nameOf(fileName: string): string {
  return fileName.replace(/\.[^.]+$/, '').replace(/[._-]?\d+$/, '') || fileName;
}
