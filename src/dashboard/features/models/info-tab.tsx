/** What is known of a model: description, tags, entrance, where it is from. */
import { Button, Select, TagsInput, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import type { Model } from '../../../contract/model.ts';
import { type FileTree, listFiles, setEntrance } from '../../editor/file-tree.ts';
import { entranceOf } from '../../editor/use-stan.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import type { EditSession } from './edit-session.ts';
import { runtimeWord } from './model-list-page.tsx';
import classes from './model-page.module.css';
import { modelKeys } from './queries.ts';

export interface InfoTabProps {
  readonly client: Client;
  readonly model: Model;
  readonly session: EditSession;
  readonly tree: FileTree;
}

export function InfoTab({ client, model, session, tree }: InfoTabProps) {
  const queryClient = useQueryClient();
  const [description, setDescription] = useState(model.description ?? '');
  const [tags, setTags] = useState<string[]>(model.tags);
  const [isSaving, setIsSaving] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isChanged =
    description !== (model.description ?? '') || tags.join('\n') !== model.tags.join('\n');
  const save = async () => {
    setIsSaving(true);
    setProblem(null);
    try {
      const payload = { object_type: 'model' as const, description, tags };
      const answer = await client.updateObject({
        params: { objid: model.short_id },
        body: { payload },
      });
      queryClient.setQueryData(modelKeys.detail(model.short_id), expectKind(answer, 'model'));
      showToast({ message: 'Description and tags saved.' });
    } catch (error) {
      setProblem(ApiError.from(error).message);
    }
    setIsSaving(false);
  };
  const origin = model.meta?.github || model.meta?.origin_url;
  return (
    <div className={classes.info}>
      <Textarea
        label="Description"
        autosize
        minRows={3}
        maxLength={2048}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <TagsInput
        label="Tags"
        description="Enter adds a tag."
        maxTags={32}
        value={tags}
        onChange={setTags}
      />
      {problem !== null && (
        <p role="alert" className={classes.problem}>
          Not saved: {problem}
        </p>
      )}
      <Button
        variant="default"
        disabled={!isChanged}
        loading={isSaving}
        onClick={() => void save()}
      >
        Save description and tags
      </Button>
      <Select
        label="Entrance file"
        description="The file that is run. A change is saved with the files."
        searchable
        allowDeselect={false}
        data={listFiles(tree).map(({ path }) => path)}
        value={entranceOf(tree)}
        onChange={(path) => path !== null && session.edit((before) => setEntrance(before, path))}
      />
      <dl className={classes.facts}>
        <dt>Runtime</dt>
        <dd>{runtimeWord(model.env)}</dd>
        {model.version !== undefined && (
          <>
            <dt>Version</dt>
            <dd>{model.version}</dd>
          </>
        )}
        <dt>Id</dt>
        <dd>
          <code>{model.short_id}</code>
        </dd>
        {model.owner !== undefined && (
          <>
            <dt>Owner</dt>
            <dd>{model.owner}</dd>
          </>
        )}
        {origin && (
          <>
            <dt>From</dt>
            <dd>{origin}</dd>
          </>
        )}
        <dt>Created</dt>
        <dd>
          <RelativeTime date={model.created_at} />
        </dd>
        <dt>Updated</dt>
        <dd>
          <RelativeTime date={model.updated_at} />
        </dd>
      </dl>
    </div>
  );
}
