/** A project as shared: its note, its notebook and what it gathers, each with its snapshot. */
import { Button } from '@mantine/core';
import { IconMarkdown } from '@tabler/icons-react';
import type { Experiment } from '../../../contract/experiment.ts';
import type { Project } from '../../../contract/project.ts';
import { formatDay } from '../../ui/dates.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { MemberLists, pathOf } from './member-lists.tsx';
import { Notebook } from './notebook.tsx';
import classes from './project.module.css';
import { ProjectNote } from './project-note.tsx';
import { runsOf } from './project-page.tsx';
import { saveNotebook } from './save-notebook.ts';

export function SharedProject({ project }: { readonly project: Project }) {
  const { members = [] } = project;
  const pathOfRun = (run: Experiment) => {
    const member = members.find(({ object }) => object === run);
    return member === undefined ? null : pathOf(member);
  };
  return (
    <>
      <PageHead
        narrow
        title={project.name}
        facts={[`last changed ${formatDay(new Date(project.updated_at))}`, 'frozen']}
        actions={
          <Button leftSection={<IconMarkdown size={16} />} onClick={() => saveNotebook(project)}>
            Export
          </Button>
        }
      />
      <div className={classes.page}>
        <div className={classes.story}>
          <ProjectNote project={project} />
          <Notebook
            runs={runsOf(project)}
            entries={project.entries ?? []}
            writing={null}
            pathOf={pathOfRun}
          />
        </div>
        <aside className={classes.members} aria-label="Members">
          <MemberLists members={members} />
        </aside>
      </div>
    </>
  );
}
