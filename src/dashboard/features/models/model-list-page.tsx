/** All models of this person. */
import { Button, UnstyledButton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Client } from '../../../client/create-client.ts';
import type { Model } from '../../../contract/model.ts';
import { FilterChip } from '../../ui/chip.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { ListColumn } from '../../ui/list-table.tsx';
import { missing } from '../../ui/numbers.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ObjectListPage, type ObjectListSearch } from '../live/object-list-page.tsx';
import classes from './model-list.module.css';

export interface ModelListSearch extends ObjectListSearch {
  readonly tag: string;
}

export interface ModelListPageProps {
  readonly client: Client;
  readonly search: ModelListSearch;
  readonly onSearchChange: (change: Partial<ModelListSearch>) => void;
  readonly onOpen: (modelId: string) => void;
}

const runtimes: Readonly<Record<string, string>> = {
  stan: 'Stan',
  cmdstan: 'CmdStan',
  jags: 'JAGS',
  javascript: 'JavaScript',
  julia: 'Julia',
  python: 'Python',
  r: 'R',
};

/** "Stan" for `stan`; a dash when the server does not tell. */
export function runtimeWord(env: string | null | undefined): string {
  return env ? (runtimes[env] ?? env) : missing;
}

/** What every model of its kind is tagged says nothing. */
const kindTags = ['model', 'function'];

function columnsOf(onTag: (tag: string) => void): readonly ListColumn<Model>[] {
  return [
    {
      key: 'name',
      title: 'Name',
      phone: 'title',
      grow: true,
      sortKey: 'name',
      cell: (row) => (
        <Link to="/models/$modelId" params={{ modelId: row.short_id }} title={row.name}>
          {row.name || row.short_id}
        </Link>
      ),
    },
    { key: 'env', title: 'Runtime', phone: 'below', cell: (row) => runtimeWord(row.env) },
    {
      key: 'version',
      title: 'Version',
      phone: 'below',
      cell: (row) =>
        row.version === undefined ? missing : <span className={classes.tag}>v{row.version}</span>,
    },
    {
      key: 'tags',
      title: 'Tags',
      phone: 'hidden',
      cell: (row) =>
        row.tags
          .filter((tag) => !kindTags.includes(tag))
          .map((tag) => (
            <UnstyledButton
              key={tag}
              className={classes.tag}
              title={`Only models tagged ${tag}`}
              onClick={() => onTag(tag)}
            >
              {tag}
            </UnstyledButton>
          )),
    },
    {
      key: 'id',
      title: 'Id',
      phone: 'hidden',
      wideOnly: true,
      cell: (row) => <code>{row.short_id}</code>,
    },
    {
      key: 'updated',
      title: 'Updated',
      phone: 'aside',
      align: 'right',
      sortKey: 'updated',
      cell: (row) => <RelativeTime date={row.updated_at} />,
    },
  ];
}

export function ModelListPage({ client, search, onSearchChange, onOpen }: ModelListPageProps) {
  const { tag } = search;
  return (
    <ObjectListPage
      client={client}
      kind="model"
      title="Models"
      noun={['model', 'models']}
      columns={columnsOf((next) => onSearchChange({ tag: next, page: 1 }))}
      search={search}
      onSearchChange={onSearchChange}
      onOpen={onOpen}
      filters={{ tags: tag === '' ? undefined : [tag] }}
      filterWords={tag === '' ? undefined : ['', ` tagged ${tag}`]}
      onClear={() => onSearchChange({ tag: '', q: '', page: 1 })}
      tools={() =>
        tag !== '' && (
          <FilterChip onRemove={() => onSearchChange({ tag: '', page: 1 })}>Tag {tag}</FilterChip>
        )
      }
      actions={(total) => (
        <Button
          variant={total === 0 ? 'default' : 'filled'}
          component={Link}
          to="/models/new"
          leftSection={<IconPlus size={16} stroke={1.6} />}
          data-floating
        >
          New model
        </Button>
      )}
      empty={
        <EmptyState
          title="No models yet"
          action={
            <Button component={Link} to="/models/new">
              Open the gallery
            </Button>
          }
        >
          A model is a folder of files with a Stan program as its entrance. The gallery has some
          with their data.
        </EmptyState>
      }
    />
  );
}
