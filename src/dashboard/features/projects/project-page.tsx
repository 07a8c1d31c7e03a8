/** One project: its note, its notebook, and what it gathers. */
import { useState } from 'react';
import type { Experiment } from '../../../contract/experiment.ts';
import type { Project } from '../../../contract/project.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { useDelete } from '../../objects/use-delete.ts';
import { usePageTitle } from '../../ui/breadcrumbs.tsx';
import { NameField } from '../../ui/name-field.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { AddMember } from './add-member.tsx';
import { MemberLists } from './member-lists.tsx';
import { Notebook } from './notebook.tsx';
import classes from './project.module.css';
import { ProjectActions } from './project-actions.tsx';
import { ProjectNote } from './project-note.tsx';
import { useProject, useProjectWriting } from './use-project.ts';

export interface ProjectPageProps {
  readonly project: Project;
  readonly onShare: (hasNotes: boolean) => void;
  readonly onGone: () => void;
}

export function ProjectPage({ project: loaded, onShare, onGone }: ProjectPageProps) {
  const project = useProject(loaded);
  const writing = useProjectWriting(project.short_id);
  const remove = useDelete();
  const [isRenaming, setRenaming] = useState(false);
  const [isNoting, setNoting] = useState(false);
  usePageTitle(project.name);
  const { short_id: id, name, members = [] } = project;
  const runs = runsOf(project);
  const deleteIt = () =>
    void remove({
      ids: [id],
      message: `Deleted ${name}.`,
      changes: [objectKeys('project').all],
      onDone: onGone,
    });
  return (
    <>
      <PageHead
        narrow
        title={
          isRenaming ? (
            <NameField
              label="Name of the project"
              name={name}
              onRename={writing.rename}
              onDone={() => setRenaming(false)}
            />
          ) : (
            name
          )
        }
        id={id}
        facts={[
          ...(project.tags.length > 0 ? [project.tags.join(', ')] : []),
          <span key="when">
            updated <RelativeTime date={project.updated_at} />
          </span>,
        ]}
        actions={
          <ProjectActions
            project={project}
            onShare={() => onShare(runs.some(({ meta }) => Boolean(meta?.note)))}
            onRename={() => setRenaming(true)}
            onNote={() => setNoting(true)}
            onDelete={deleteIt}
          />
        }
      />
      <div className={classes.page}>
        <div className={classes.story}>
          <ProjectNote
            project={project}
            isEdited={isNoting}
            onEdit={setNoting}
            onSave={(text, base) => writing.saveNote(project.note, text, base)}
          />
          <Notebook runs={runs} entries={project.entries ?? []} writing={writing} />
        </div>
        <aside className={classes.members} aria-label="Members">
          <AddMember
            ids={members.map(({ object }) => object.short_id)}
            onAdd={writing.addMembers}
          />
          <MemberLists members={members} onRemove={writing.removeMember} />
        </aside>
      </div>
    </>
  );
}

export function runsOf({ members = [] }: Project): readonly Experiment[] {
  return members.flatMap(({ object }) => (object.object_type === 'experiment' ? [object] : []));
}
