/** Adds a model, data or a run to a project: the newest, or those found by name. */
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { MemberKind } from '../../../contract/project.ts';
import { nameOfEntry, objectListQueryOptions } from '../../objects/object-queries.ts';
import { useClient } from '../../objects/use-client.ts';
import { useCapability } from '../../objects/use-config.ts';

export interface AddMemberProps {
  /** Those already in the project. */
  readonly ids: readonly string[];
  readonly onAdd: (ids: readonly string[]) => Promise<void>;
}

const groups: readonly (readonly [MemberKind, string])[] = [
  ['experiment', 'Runs'],
  ['model', 'Models'],
  ['data', 'Data'],
];

export function AddMember({ ids, onAdd }: AddMemberProps) {
  const client = useClient();
  const [text, setText] = useState('');
  const [isUsed, setUsed] = useState(false);
  const [asked] = useDebouncedValue(text.trim(), 250);
  const canSearch = useCapability('search');
  const lists = useQueries({
    queries: groups.map(([kind]) => ({
      ...objectListQueryOptions(client, kind, {
        page_size: 20,
        ...(canSearch ? { q: asked } : {}),
      }),
      // A read-only page fetches no list.
      enabled: isUsed,
      refetchInterval: false as const,
    })),
  });
  const data = groups.map(([, group], index) => ({
    group,
    items: (lists[index]?.data?.objects ?? [])
      .filter(({ short_id: id }) => !ids.includes(id))
      .map((row) => ({ value: row.short_id, label: `${nameOfEntry(row)}, ${row.short_id}` })),
  }));
  return (
    <Select
      aria-label="Add a model, data or a run"
      placeholder="Add a model, data or a run"
      leftSection={<IconPlus size={16} aria-hidden="true" />}
      searchable
      data={data.filter(({ items }) => items.length > 0)}
      value={null}
      searchValue={text}
      onSearchChange={setText}
      onFocus={() => setUsed(true)}
      nothingFoundMessage={
        lists.some(({ isPending }) => isPending) ? 'Loading…' : 'Nothing else has this name.'
      }
      onChange={(id) => {
        if (id === null) return;
        setText('');
        void onAdd([id]);
      }}
      data-print="no"
    />
  );
}
