/** A model's metadata: name, description, tags, how it is run, where it comes from. */
import { Button, Select, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Model, ModelContent } from '../../../contract/model.ts';
import { entranceOf, type FileTree, listFiles, setMeta } from '../../editor/file-tree.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { runAction, useAction } from '../../objects/use-action.ts';
import { useClient } from '../../objects/use-client.ts';
import { Form } from '../../ui/form.tsx';
import { Problem } from '../../ui/problem.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { DuplicateForm } from './duplicate-form.tsx';
import type { EditSession, EditState } from './edit-session.ts';
import { runtimeWord } from './model-list-page.tsx';
import classes from './model-page.module.css';
import { updateModel } from './update-model.ts';

export interface InfoTabProps {
  readonly model: Model;
  readonly session: EditSession;
  readonly state: EditState;
  readonly onOpenModel: (modelId: string) => void;
}

export default function InfoTab(props: InfoTabProps) {
  const { model, session, state, onOpenModel } = props;
  return (
    <div className={classes.info}>
      <AboutForm
        // A save from elsewhere, or an undo, resets the form.
        key={JSON.stringify(aboutOf(model))}
        model={model}
      />
      <RunForm session={session} state={state} />
      <Facts model={model} />
      <DuplicateForm model={model} tree={state.tree} onOpenModel={onOpenModel} />
    </div>
  );
}

interface About {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
}

const aboutOf = ({ name, description, tags }: Model): About => ({
  name,
  description: description ?? '',
  tags,
});

function AboutForm({ model }: { model: Model }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const [about, setAbout] = useState(() => aboutOf(model));
  const before = aboutOf(model);
  const isChanged = JSON.stringify(about) !== JSON.stringify(before);
  const set = (change: Partial<About>) => setAbout({ ...about, ...change });
  const changes = [objectKeys('model').lists];
  const send = ({ name, description, tags }: About) =>
    updateModel({ client, queryClient }, model.short_id, {
      name: name.trim(),
      description,
      tags: [...tags],
    });
  const { run, isBusy, problem } = useAction(() => send(about), {
    changes,
    onDone: () =>
      showToast({
        message: 'Name, description and tags saved.',
        undo: () => runAction(queryClient, () => send(before), changes),
      }),
  });
  return (
    <Form className={classes.infoPart} aria-label="Name, description and tags" onSubmit={run}>
      <TextInput
        label="Name"
        maxLength={255}
        value={about.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <Textarea
        label="Description"
        autosize
        minRows={3}
        maxLength={2048}
        value={about.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <TagsInput
        label="Tags"
        description="Enter adds a tag."
        maxTags={32}
        value={[...about.tags]}
        onChange={(tags) => set({ tags })}
      />
      {problem !== null && <Problem>Not saved: {problem}</Problem>}
      <div className={classes.infoButtons}>
        <Button type="submit" disabled={!isChanged || about.name.trim() === ''} loading={isBusy}>
          Save name, description and tags
        </Button>
        {isChanged && (
          <Button variant="subtle" color="gray" onClick={() => setAbout(before)}>
            Discard changes
          </Button>
        )}
      </div>
    </Form>
  );
}

type Meta = NonNullable<ModelContent['meta']>;

/** Edits of the files' own `meta`: part of the draft, saved as the next version with the files. */
function RunForm({ session, state }: { session: EditSession; state: EditState }) {
  const { tree } = state;
  const change = (meta: Meta) => session.edit((before) => setMeta(before, meta));
  const field = (key: keyof Meta, label: string, description: string) => (
    <TextInput
      label={label}
      description={description}
      value={tree.meta?.[key] ?? ''}
      onChange={(event) => change({ [key]: event.currentTarget.value })}
    />
  );
  return (
    <section className={classes.infoPart} aria-label="How it runs">
      <h2>How it runs</h2>
      <EntranceSelect tree={tree} onChange={(path) => change({ entrance_file: path })} />
      {field(
        'entrance_func',
        'Entrance function',
        'The function called in the entrance file; not used by Stan.',
      )}
      {field('project_file', 'Project file', 'Lists the packages that a Julia project uses.')}
      {field('manifest', 'Manifest', 'Pins the versions of these packages.')}
      <div className={classes.infoButtons}>
        <Button
          disabled={!session.isDirty}
          loading={state.saving}
          onClick={() => void session.save()}
        >
          Save with the files
        </Button>
      </div>
    </section>
  );
}

function EntranceSelect({ tree, onChange }: { tree: FileTree; onChange: (path: string) => void }) {
  return (
    <Select
      label="Entrance file"
      description="The file that is run."
      searchable
      allowDeselect={false}
      data={listFiles(tree).map(({ path }) => path)}
      value={entranceOf(tree)}
      onChange={(path) => path !== null && onChange(path)}
    />
  );
}

function Facts({ model }: { model: Model }) {
  const {
    github,
    commit_id: commit,
    origin_url: origin,
    fixed_version_url: fixed,
  } = model.meta ?? {};
  const rows: readonly (readonly [string, React.ReactNode])[] = [
    ['Runtime', runtimeWord(model.env)],
    ['Language', model.lang],
    [
      'Processes',
      model.single_instance === undefined
        ? null
        : model.single_instance
          ? 'One for all chains'
          : 'One per chain',
    ],
    ['Version', model.version],
    ['Id', <code key="id">{model.short_id}</code>],
    ['Number', model.id],
    ['Owner', model.owner],
    ['From', origin || github ? <Place key="from" address={origin || github || ''} /> : null],
    ['Commit', commit ? <code key="commit">{commit}</code> : null],
    ['Original version', fixed ? <Place key="fixed" address={fixed} /> : null],
    ['Created', <RelativeTime key="created" date={model.created_at} />],
    ['Updated', <RelativeTime key="updated" date={model.updated_at} />],
  ];
  return (
    <section className={classes.infoPart} aria-label="Facts">
      <h2>Facts</h2>
      <dl className={classes.facts}>
        {rows
          .filter(([, value]) => value !== null && value !== undefined && value !== '')
          .map(([word, value]) => (
            <div key={word}>
              <dt>{word}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}

/** A link if it is one; other text unchanged. */
function Place({ address }: { address: string }) {
  if (!/^https?:\/\//.test(address)) return address;
  return (
    <a href={address} target="_blank" rel="noreferrer">
      {address}
    </a>
  );
}
