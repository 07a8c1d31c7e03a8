/** Jump anywhere: pages, actions, and objects by name. */
import { Modal, TextInput, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useMemo, useState } from 'react';
import type { ObjectKind } from '../../../contract/common.ts';
import type { Services } from '../../services.ts';
import { statusOf } from '../status/status-badge.tsx';
import classes from './palette.module.css';

interface Target {
  readonly group: string;
  readonly label: string;
  readonly detail: string;
  readonly to: string;
}

const pages: readonly Target[] = [
  ['Overview', '/'],
  ['Models', '/models'],
  ['Data', '/data'],
  ['Workflows', '/workflows'],
  ['Experiments', '/experiments'],
  ['Shares', '/shares'],
  ['Account', '/account'],
].map(([label, to]) => ({ group: 'Pages', label, detail: '', to }));

const actions: readonly Target[] = [
  { group: 'Actions', label: 'New model', detail: '', to: '/models/new' },
  { group: 'Actions', label: 'New experiment', detail: '', to: '/experiments/new' },
];

const kinds = [
  { kind: 'experiment', group: 'Experiments', path: '/experiments/' },
  { kind: 'model', group: 'Models', path: '/models/' },
  { kind: 'data', group: 'Data', path: '/data/' },
] as const satisfies readonly { kind: ObjectKind; group: string; path: string }[];

export function Palette({ services, onClose }: { services: Services; onClose: () => void }) {
  const router = useRouter();
  const [text, setText] = useState('');
  const [place, setPlace] = useState(0);
  const lists = useQueries({
    queries: kinds.map(({ kind }) => ({
      queryKey: ['palette', kind],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        services.client.listObjects({ query: { object_type: kind, page_size: 200 }, signal }),
    })),
  });
  const objects = useMemo(
    () =>
      lists.flatMap((list, i) =>
        (list.data?.objects ?? []).map((object): Target => {
          const id = 'short_id' in object ? object.short_id : '';
          const name = 'name' in object && object.name !== '' ? object.name : id;
          const detail = object.object_type === 'experiment' ? statusOf(object).word : id;
          return { group: kinds[i].group, label: name, detail, to: kinds[i].path + id };
        }),
      ),
    [lists],
  );
  const words = text.trim().toLowerCase().split(/\s+/);
  const matches = (target: Target) =>
    words.every((word) => `${target.label} ${target.to}`.toLowerCase().includes(word));
  const found = [...objects.filter(matches), ...actions.filter(matches), ...pages.filter(matches)];
  const shown = kinds
    .flatMap(({ group }) => found.filter((target) => target.group === group).slice(0, 6))
    .concat(found.filter((target) => target.group === 'Actions' || target.group === 'Pages'));
  const current = Math.min(place, shown.length - 1);
  const go = (target: Target) => {
    onClose();
    void router.navigate({ href: target.to });
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setPlace(Math.min(current + 1, shown.length - 1));
    else if (event.key === 'ArrowUp') setPlace(Math.max(0, current - 1));
    else if (event.key === 'Enter' && shown[current] !== undefined) go(shown[current]);
    else return;
    event.preventDefault();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      size={600}
      yOffset={112}
      padding={0}
      title={null}
      aria-label="Search or jump to"
    >
      <TextInput
        data-autofocus
        variant="unstyled"
        className={classes.input}
        leftSection={<IconSearch size={16} stroke={1.6} />}
        placeholder="Search or jump to"
        aria-label="Search or jump to"
        aria-controls="palette-list"
        aria-activedescendant={shown[current] === undefined ? undefined : `palette-${current}`}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setPlace(0);
        }}
        onKeyDown={onKey}
      />
      <div id="palette-list" role="listbox" aria-label="Found" className={classes.list}>
        {shown.length === 0 && <p className={classes.none}>Nothing is called “{text}”.</p>}
        {shown.map((target, index) => (
          <div key={target.group + target.to}>
            {target.group !== shown[index - 1]?.group && (
              <p className={classes.group}>{target.group}</p>
            )}
            <UnstyledButton
              id={`palette-${index}`}
              role="option"
              aria-selected={index === current}
              className={classes.option}
              onMouseMove={() => setPlace(index)}
              onClick={() => go(target)}
            >
              <span>{target.label}</span>
              <span className={classes.detail}>{target.detail}</span>
            </UnstyledButton>
          </div>
        ))}
      </div>
    </Modal>
  );
}
