/** Adds models, data or runs to a project: an existing or a new one. */
import { Button, Modal, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCheck, IconFolders, IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../../client/api-error.ts';
import { expectKind } from '../../../../client/expect-kind.ts';
import type { Project } from '../../../../contract/project.ts';
import { objectListQueryOptions } from '../../../objects/object-queries.ts';
import { objectKeys } from '../../../objects/query-keys.ts';
import { runAction } from '../../../objects/use-action.ts';
import { useClient } from '../../../objects/use-client.ts';
import { formatCount } from '../../../ui/numbers.ts';
import { Problem } from '../../../ui/problem.tsx';
import { QueryProblem } from '../../../ui/query-problem.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { useReturnFocus } from '../../../ui/use-return-focus.ts';
import classes from './add-to-project.module.css';

export interface AddToProjectProps {
  readonly objects: readonly { readonly id: string; readonly name: string }[];
  readonly onClose: () => void;
}

export function AddToProject({ objects, onClose }: AddToProjectProps) {
  useReturnFocus();
  const client = useClient();
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text.trim(), 250);
  const projects = useQuery(
    objectListQueryOptions(client, 'project', { q: asked, sort: '-updated' }),
  );
  const [only] = objects;
  const isOne = objects.length === 1;
  const holding = useQuery({
    ...objectListQueryOptions(client, 'project', { member_id: [only?.id ?? ''] }),
    enabled: isOne,
  });
  const held = new Set(holding.data?.objects.map(({ short_id: id }) => id));
  const adding = useAdding(objects, onClose);
  const what = isOne ? only?.name : `${formatCount(objects.length)} objects`;
  const name = text.trim();
  return (
    <Modal opened onClose={onClose} size={420} title="Add to project">
      <p className={classes.what}>{what}</p>
      <TextInput
        aria-label="Find a project, or name a new one"
        placeholder="Find a project, or name a new one"
        data-autofocus
        maxLength={255}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {projects.isError && <QueryProblem query={projects} what="The list of projects" />}
      <ul className={classes.projects} aria-label="Projects">
        {(projects.data?.objects ?? []).map((project) => (
          <li key={project.short_id}>
            <UnstyledButton
              className={classes.project}
              disabled={adding.isBusy || held.has(project.short_id)}
              onClick={() => void adding.add(project)}
            >
              {held.has(project.short_id) ? (
                <IconCheck size={16} aria-hidden="true" />
              ) : (
                <IconFolders size={16} aria-hidden="true" />
              )}
              <span className={classes.name}>{project.name}</span>
              {held.has(project.short_id) && <span className={classes.held}>in it</span>}
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {adding.problem !== '' && <Problem gap="above">Not added: {adding.problem}</Problem>}
      <Button
        mt={12}
        leftSection={<IconPlus size={16} />}
        disabled={name === ''}
        loading={adding.isBusy}
        onClick={() => void adding.make(name)}
      >
        {name === '' ? 'New project' : `New project “${name.slice(0, 40)}”`}
      </Button>
    </Modal>
  );
}

/** Adds them to a project, and reports it with *Undo*. */
function useAdding(objects: AddToProjectProps['objects'], onDone: () => void) {
  const client = useClient();
  const queryClient = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const ids = objects.map(({ id }) => id);
  const changes = [objectKeys('project').all];
  const run = async (act: () => Promise<void>) => {
    setBusy(true);
    setProblem('');
    try {
      await runAction(queryClient, act, changes);
      onDone();
    } catch (error) {
      setProblem(ApiError.from(error).message);
    }
    setBusy(false);
  };
  const say = (project: string, undo: () => Promise<unknown>) =>
    showToast({
      message: `Added ${objects.length === 1 ? objects[0]?.name : `${formatCount(objects.length)} objects`} to ${project}.`,
      undo: () => runAction(queryClient, undo, changes),
    });
  return {
    isBusy,
    problem,
    add: ({ short_id: objid, name }: Project) =>
      run(async () => {
        const change = (key: 'add' | 'remove', some: readonly string[]) =>
          client.updateObject({
            params: { objid },
            body: { payload: { object_type: 'project', [key]: [...some] } },
          });
        // Undoing keeps what was already in the project.
        const before = expectKind(await client.viewObject({ params: { objid } }), 'project');
        const there = new Set(before.members?.map(({ object }) => object.short_id));
        await change('add', ids);
        say(name, () =>
          change(
            'remove',
            ids.filter((id) => !there.has(id)),
          ),
        );
      }),
    make: (name: string) =>
      run(async () => {
        const payload = { object_type: 'project', name, members: ids } as const;
        const made = expectKind(await client.createObject({ body: { payload } }), 'project');
        say(name, () => client.deleteObject({ params: { objid: made.short_id } }));
      }),
  };
}
