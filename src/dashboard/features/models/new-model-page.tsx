/** A new model: from the gallery with its data, from the user's files, or blank. */
import { Button, TextInput } from '@mantine/core';
import { IconFileCode, IconFolderOpen, IconPlayerPlay, IconUpload } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useRef, useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import type { Model, ModelContent } from '../../../contract/model.ts';
import type { GalleryEntry } from '../../../contract/system.ts';
import { entranceOf, fromContent, listFiles, putFile, toContent } from '../../editor/file-tree.ts';
import { galleryQueryOptions } from '../../objects/gallery.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { useAction } from '../../objects/use-action.ts';
import { useClient } from '../../objects/use-client.ts';
import { useConfig } from '../../objects/use-config.ts';
import { FileInput } from '../../ui/file-input.tsx';
import { Form } from '../../ui/form.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { createFromGallery } from './create-from-gallery.ts';
import { FetchModel } from './fetch-model.tsx';
import { firstFile } from './first-files.ts';
import { filesOfList, type ImportedFiles, importDrop } from './import-files.ts';
import {
  defaultOptions,
  entranceMeta,
  type ModelOptions,
  ModelOptionsForm,
  optionsPayload,
} from './model-options.tsx';
import classes from './new-model.module.css';

export interface NewModelPageProps {
  readonly onOpen: (modelId: string) => void;
  readonly onOpenExperiment: (experimentId: string) => void;
}

export function NewModelPage({ onOpen, onOpenExperiment }: NewModelPageProps) {
  const queryClient = useQueryClient();
  const [options, setOptions] = useState(defaultOptions);
  const opened = async (model: Model) => {
    queryClient.setQueryData(objectKeys('model').detail(model.short_id), model);
    await queryClient.invalidateQueries({ queryKey: objectKeys('model').lists });
    onOpen(model.short_id);
  };
  return (
    <div className={classes.page}>
      <PageHead title="New model" />
      <div className={classes.own}>
        <BlankModel options={options} onMade={opened} />
        <ImportModel options={options} onMade={opened} />
        <FetchModel options={options} onMade={opened} />
      </div>
      <ModelOptionsForm options={options} onChange={setOptions} />
      <Gallery onOpen={onOpen} onOpenExperiment={onOpenExperiment} />
    </div>
  );
}

async function createModel(
  client: Client,
  { name, content, options }: { name: string; content: ModelContent; options: ModelOptions },
): Promise<Model> {
  const meta = entranceMeta(options, content.meta?.entrance_file ?? null);
  const answer = await client.createObject({
    body: {
      payload: {
        object_type: 'model',
        name,
        content: { ...content, meta },
        ...optionsPayload(options),
      },
    },
  });
  return expectKind(answer, 'model');
}

function blankContent(options: ModelOptions): ModelContent {
  const [name, text] = firstFile(options.env);
  const path = options.entranceFile || name;
  const put = putFile(fromContent({ tree: [] }), path, new TextEncoder().encode(text));
  if (!put.ok) throw new ApiError('schema', put.error);
  return { ...toContent(put.value.tree), meta: { entrance_file: path } };
}

interface MakeProps {
  readonly options: ModelOptions;
  readonly onMade: (model: Model) => Promise<void>;
}

function BlankModel({ options, onMade }: MakeProps) {
  const [name, setName] = useState('');
  const [isAsked, setAsked] = useState(false);
  const { run, isBusy, problem } = useAction(
    (client) => createModel(client, { name: name.trim(), content: blankContent(options), options }),
    { onDone: onMade },
  );
  const isMissing = name.trim() === '';
  return (
    <section className={classes.card} aria-labelledby="blank-title">
      <h2 id="blank-title">
        <IconFileCode size={16} aria-hidden="true" />
        Start blank
      </h2>
      <p>Starts with a few lines to edit: a Stan program, or one for the runtime chosen below.</p>
      <Form
        className={classes.form}
        onSubmit={() => {
          setAsked(true);
          if (!isMissing) void run();
        }}
      >
        <TextInput
          aria-label="Name of the model"
          placeholder="Name"
          maxLength={255}
          value={name}
          error={isAsked && isMissing ? 'Type a name first.' : problem}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button variant="filled" type="submit" loading={isBusy}>
          Create
        </Button>
      </Form>
    </section>
  );
}

function ImportModel({ options, onMade }: MakeProps) {
  const [isOver, setIsOver] = useState(false);
  const [working, setWorking] = useState('');
  const [refused, setRefused] = useState<readonly string[]>([]);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const { run, isBusy, error } = useAction(async (client, given: Promise<ImportedFiles>) => {
    setWorking('Reading the files…');
    setRefused([]);
    const imported = await readFiles(given);
    const { content, name, numFiles, problems: found } = buildContent(imported);
    setRefused(found);
    if (content === null) return;
    setWorking(`Uploading ${numFiles} ${numFiles === 1 ? 'file' : 'files'}…`);
    await onMade(await createModel(client, { name: imported.name || name, content, options }));
  });
  const problems = error === null ? refused : [failureOf(error)];
  const take = (given: Promise<ImportedFiles>) => void run(given);
  const onPicked = (picked: readonly File[]) => take(filesOfList(picked));
  return (
    <section
      className={classes.card}
      aria-labelledby="import-title"
      data-over={isOver || undefined}
      onDragOver={(event: DragEvent) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        setIsOver(false);
        take(importDrop(event.dataTransfer));
      }}
    >
      <h2 id="import-title">
        <IconUpload size={16} aria-hidden="true" />
        Bring your own
      </h2>
      <p>
        Drop a folder, a zip or files here. Stan, JAGS, Julia, Python and R sources, data and
        scripts are stored unchanged.
      </p>
      <div className={classes.buttons}>
        <Button leftSection={<IconFolderOpen size={16} />} onClick={() => folder.current?.click()}>
          Folder
        </Button>
        <Button leftSection={<IconUpload size={16} />} onClick={() => files.current?.click()}>
          Files or zip
        </Button>
        {isBusy && <span role="status">{working}</span>}
      </div>
      <FileInput label="Files or a zip" inputRef={files} what="files" onPick={onPicked} />
      <FileInput label="A folder" inputRef={folder} what="folder" onPick={onPicked} />
      {problems.length > 0 && (
        <ul className={classes.problems} role="alert">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** A browser refuses to read a file that was moved or changed after it was chosen. */
async function readFiles(given: Promise<ImportedFiles>): Promise<ImportedFiles> {
  try {
    return await given;
  } catch (error) {
    if (error instanceof DOMException) throw new ApiError('schema', unreadable, { cause: error });
    throw error;
  }
}

const unreadable = 'The files could not be read.';

const failureOf = ({ message }: ApiError) =>
  message === unreadable ? message : `Not created: ${message}`;

interface BuiltContent {
  readonly content: ModelContent | null;
  readonly name: string;
  readonly numFiles: number;
  readonly problems: readonly string[];
}

/** The content of a model with these files; its name is the entrance file's unless another is given. */
export function buildContent({ files, problems }: ImportedFiles): BuiltContent {
  let tree = fromContent({ tree: [] });
  const refused = [...problems];
  for (const { path, bytes } of files) {
    const put = putFile(tree, path, bytes);
    if (put.ok) tree = put.value.tree;
    else refused.push(`${path} was left out: ${put.error}`);
  }
  const numFiles = listFiles(tree).length;
  if (numFiles === 0)
    return {
      content: null,
      name: '',
      numFiles,
      problems: refused.length > 0 ? refused : ['No files were found.'],
    };
  const entrance = entranceOf(tree);
  const content = {
    ...toContent(tree),
    ...(entrance === null ? {} : { meta: { entrance_file: entrance } }),
  };
  const first = entrance ?? listFiles(tree)[0]?.path ?? '';
  const name = first.slice(first.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
  return { content, name, numFiles, problems: refused };
}

function Gallery({ onOpen, onOpenExperiment }: NewModelPageProps) {
  const client = useClient();
  const config = useConfig();
  // A server that does not describe itself has no gallery.
  const gallery = useQuery({ ...galleryQueryOptions(client), enabled: Boolean(config) });
  const { run, isBusy, input, problem } = useAction(
    (sender, { url, isRun }: Making) => createFromGallery(sender, url, isRun),
    {
      changes: (['model', 'data', 'workflow', 'experiment'] as const).map(
        (kind) => objectKeys(kind).all,
      ),
      onDone: ({ modelId, experimentId }) =>
        experimentId === null ? onOpen(modelId) : onOpenExperiment(experimentId),
    },
  );
  if (config === null || gallery.data === null) return null;
  const make = ({ url: [url] }: GalleryEntry, isRun: boolean) => {
    if (url !== undefined) void run({ url, isRun });
  };
  const busy =
    isBusy && input !== undefined ? `${input.isRun ? 'run' : 'open'} ${input.url}` : null;
  return (
    <section aria-labelledby="gallery-title">
      <h2 id="gallery-title" className={classes.title}>
        From the gallery
      </h2>
      <p className={classes.about}>
        Each comes with its data and settings, so that it can be run at once.
      </p>
      {gallery.isPending && <PageSkeleton />}
      {gallery.isError && <QueryProblem query={gallery} what="The gallery" />}
      {gallery.data?.length === 0 && (
        <p className={classes.about}>The gallery of this server is empty.</p>
      )}
      <ul className={classes.gallery}>
        {gallery.data?.map((entry) => {
          const [url] = entry.url;
          return (
            <li key={url} className={classes.entry}>
              <h3>{entry.name}</h3>
              {entry.summary !== undefined && <p>{entry.summary}</p>}
              {entry.origin !== undefined && <p className={classes.origin}>{entry.origin}</p>}
              {problem !== null && input?.url === url && (
                <p role="alert" className={classes.problem}>
                  Not created: {problem}
                </p>
              )}
              <div className={classes.buttons}>
                <Button
                  size="xs"
                  aria-label={`Open ${entry.name}`}
                  loading={busy === `open ${url}`}
                  disabled={busy !== null}
                  onClick={() => make(entry, false)}
                >
                  Open
                </Button>
                <Button
                  size="xs"
                  variant="subtle"
                  aria-label={`Run ${entry.name} now`}
                  leftSection={<IconPlayerPlay size={14} />}
                  loading={busy === `run ${url}`}
                  disabled={busy !== null}
                  onClick={() => make(entry, true)}
                >
                  Run now
                </Button>
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface Making {
  readonly url: string;
  readonly isRun: boolean;
}
