/** All models of this user. */
import { Button, UnstyledButton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Model } from '../../../contract/model.ts';
import { FilterChip } from '../../ui/chip.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { ListColumn } from '../../ui/list-table.tsx';
import { missing } from '../../ui/numbers.ts';
import {
  createdColumn,
  idColumn,
  nameColumn,
  textColumn,
  updatedColumn,
} from '../lists/list-columns.tsx';
import type { ListPageProps, ObjectListSearch } from '../lists/list-props.ts';
import { ObjectListPage } from '../lists/object-list-page.tsx';
import classes from './model-list.module.css';

export interface ModelListSearch extends ObjectListSearch {
  readonly tag: string;
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

/** "Stan" for `stan`; a dash when the server does not say. */
export function runtimeWord(env: string | null | undefined): string {
  return env ? (runtimes[env] ?? env) : missing;
}

/** Tags that every model of its kind has carry no information. */
const kindTags = ['model', 'function'];

function columnsOf(onTag: (tag: string) => void): readonly ListColumn<Model>[] {
  return [
    nameColumn('/models'),
    {
      key: 'env',
      title: 'Runtime',
      phone: 'below',
      sortKey: 'runtime',
      sortsUp: true,
      cell: (row) => runtimeWord(row.env),
    },
    {
      key: 'version',
      title: 'Version',
      sortKey: 'version',
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
    textColumn({
      key: 'description',
      title: 'Description',
      grow: 'brief',
      isExtra: true,
      sortKey: 'description',
      sortsUp: true,
      text: (row) => row.description,
    }),
    idColumn,
    createdColumn,
    updatedColumn,
  ];
}

export interface ModelListPageProps extends ListPageProps<ModelListSearch> {
  /** Opens the dialog for sharing models. */
  readonly onShare: (models: readonly Model[]) => void;
}

export function ModelListPage(props: ModelListPageProps) {
  const { onSearchChange } = props;
  const { tag } = props.search;
  return (
    <ObjectListPage
      {...props}
      kind="model"
      title="Models"
      noun={['model', 'models']}
      columns={columnsOf((next) => onSearchChange({ tag: next, page: 1 }))}
      filters={{ tags: tag === '' ? undefined : [tag] }}
      filterText={tag === '' ? undefined : ['', ` tagged ${tag}`]}
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
          leftSection={<IconPlus size={16} />}
          data-floating
        >
          New model
        </Button>
      )}
      empty={
        <EmptyState
          title="No models yet"
          action={
            <Button variant="filled" component={Link} to="/models/new">
              Open the gallery
            </Button>
          }
        >
          A model is a folder of files around a Stan program. The gallery has examples with data.
        </EmptyState>
      }
    />
  );
}
