/** Adds an experiment to the comparison: one of the newest, or one found by name. */
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { objectListQueryOptions } from '../../objects/object-queries.ts';
import { useClient } from '../../objects/use-client.ts';
import { useCapability } from '../../objects/use-config.ts';
import { mostCompared } from './compare-search.ts';

export interface AddExperimentProps {
  /** Experiments already being compared. */
  readonly ids: readonly string[];
  readonly onAdd: (id: string) => void;
}

export function AddExperiment({ ids, onAdd }: AddExperimentProps) {
  const client = useClient();
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text, 250);
  const canSearch = useCapability('search');
  const list = useQuery({
    ...objectListQueryOptions(client, 'experiment', canSearch ? { q: asked.trim() } : {}),
    refetchInterval: false,
  });
  const choices = (list.data?.objects ?? [])
    .filter(({ short_id }) => !ids.includes(short_id))
    .map(({ short_id, name }) => ({ value: short_id, label: `${name || short_id}, ${short_id}` }));
  const isFull = ids.length >= mostCompared;
  return (
    <Select
      aria-label="Add an experiment"
      placeholder={isFull ? `Up to ${mostCompared}` : 'Add an experiment'}
      title={isFull ? `Compare up to ${mostCompared} experiments: remove one first.` : ''}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
      disabled={isFull}
      searchable
      data={choices}
      value={null}
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage={list.isPending ? 'Loading…' : 'No experiment has this name.'}
      onChange={(id) => {
        if (id === null) return;
        setText('');
        onAdd(id);
      }}
      w={{ base: '100%', sm: 250 }}
    />
  );
}
