/** All projects of this person. */
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { MemberKind, Project } from '../../../contract/project.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import type { ListColumn } from '../../ui/list-table.tsx';
import { formatCount } from '../../ui/numbers.ts';
import {
  createdColumn,
  idColumn,
  nameColumn,
  tagsColumn,
  updatedColumn,
} from '../lists/list-columns.tsx';
import type { ListPageProps } from '../lists/list-props.ts';
import { ObjectListPage } from '../lists/object-list-page.tsx';

const NewProject = lazyPart(() => import('./new-project.tsx'), 'NewProject');

function countColumn(kind: MemberKind, title: string): ListColumn<Project> {
  return {
    key: kind,
    title,
    phone: 'numbers',
    align: 'right',
    cell: (row) => formatCount(row.counts?.[kind] ?? 0),
  };
}

const columns: readonly ListColumn<Project>[] = [
  nameColumn('/projects'),
  countColumn('experiment', 'Runs'),
  countColumn('model', 'Models'),
  countColumn('data', 'Data'),
  { ...tagsColumn<Project>((row) => row.tags), isExtra: false },
  idColumn,
  createdColumn,
  updatedColumn,
];

export interface ProjectListPageProps extends ListPageProps {
  /** Opens the dialog for sharing projects. */
  readonly onShare: (projects: readonly Project[]) => void;
}

export function ProjectListPage(props: ProjectListPageProps) {
  const [isMaking, setMaking] = useState(false);
  const make = (
    <Button variant="filled" leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)}>
      New project
    </Button>
  );
  return (
    <>
      <ObjectListPage
        {...props}
        kind="project"
        title="Projects"
        noun={['project', 'projects']}
        columns={columns}
        actions={(total) =>
          total > 0 && (
            <Button
              variant="filled"
              leftSection={<IconPlus size={16} />}
              onClick={() => setMaking(true)}
              data-floating
            >
              New project
            </Button>
          )
        }
        empty={
          <EmptyState title="No projects yet" action={make}>
            A project gathers the models, data and runs for one question, keeps a notebook of what
            was decided and why, and can be shared as a whole under one password.
          </EmptyState>
        }
      />
      {isMaking && <NewProject onMade={props.onOpen} onClose={() => setMaking(false)} />}
    </>
  );
}
