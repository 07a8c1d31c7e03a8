/** Runs, models and data of a project, each kind in a compact list. */
import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { MemberKind, ProjectMember } from '../../../contract/project.ts';
import { Card } from '../../ui/card.tsx';
import { formatBytes, formatCount } from '../../ui/numbers.ts';
import { usePrinting } from '../../ui/printing.ts';
import { TextButton } from '../../ui/text-button.tsx';
import { StatusBadge } from '../status/status-badge.tsx';
import { VerdictMark } from '../status/verdict-mark.tsx';
import classes from './project.module.css';

export interface MemberListsProps {
  readonly members: readonly ProjectMember[];
  /** Absent for users who can only read. */
  readonly onRemove?: (id: string, name: string) => Promise<void>;
}

const sections: readonly (readonly [MemberKind, title: string, none: string])[] = [
  ['experiment', 'Runs', 'No runs yet.'],
  ['model', 'Models', 'No models yet.'],
  ['data', 'Data', 'No data yet.'],
];

export function MemberLists({ members, onRemove }: MemberListsProps) {
  return sections.map(([kind, title, none]) => (
    <MemberList
      key={kind}
      title={title}
      none={none}
      members={members.filter(({ object }) => object.object_type === kind)}
      onRemove={onRemove}
    />
  ));
}

interface MemberListProps extends MemberListsProps {
  readonly title: string;
  readonly none: string;
}

/** More are shown on request. */
const fewMembers = 8;

function MemberList({ title, none, members, onRemove }: MemberListProps) {
  const [isWhole, setWhole] = useState(false);
  const newest = members.toReversed();
  const isPrinting = usePrinting();
  const shown = isWhole || isPrinting ? newest : newest.slice(0, fewMembers);
  return (
    <Card className={classes.memberCard} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span className={classes.dim}>{formatCount(members.length)}</span>
      </header>
      {members.length === 0 && <p className={classes.none}>{none}</p>}
      <ul>
        {shown.map((member, index) => (
          <li key={member.object.short_id || index}>
            <Member member={member} />
            {onRemove !== undefined && (
              <ActionIcon
                size={24}
                aria-label={`Remove ${nameOf(member)} from the project`}
                title="Remove from the project"
                onClick={() => void onRemove(member.object.short_id, nameOf(member))}
              >
                <IconX size={14} />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
      {members.length > shown.length && (
        <p className={classes.none}>
          <TextButton onClick={() => setWhole(true)}>
            Show all {formatCount(members.length)}
          </TextButton>
        </p>
      )}
    </Card>
  );
}

function nameOf({ object }: ProjectMember): string {
  return object.name || object.short_id;
}

/** Its page, or its snapshot in a frozen project; null: only its name is shown. */
export function pathOf({ object, share_id: shareId }: ProjectMember): string | null {
  const { object_type: kind, short_id: id } = object;
  if (shareId) return `/s/${id}/${shareId}`;
  if (shareId === null) return null;
  return kind === 'data' ? `/data/${id}` : `/${kind}s/${id}`;
}

function Member({ member }: { readonly member: ProjectMember }) {
  const { object } = member;
  const path = pathOf(member);
  const name = nameOf(member);
  return (
    <div className={classes.member}>
      {path === null ? (
        <span className={classes.name} title={name}>
          {name}
        </span>
      ) : (
        <Link to={path} className={classes.name} title={name}>
          {name}
        </Link>
      )}
      <span className={classes.facts}>{path === null ? 'not shared' : factsOf(object)}</span>
    </div>
  );
}

function factsOf(object: ProjectMember['object']): ReactNode {
  switch (object.object_type) {
    case 'experiment':
      return object.status === 'FIN' ? (
        <VerdictMark experiment={object} />
      ) : (
        <StatusBadge experiment={object} />
      );
    case 'model':
      return object.version === undefined ? '' : `v${object.version}`;
    default: {
      const size = object.size === undefined ? [] : [formatBytes(object.size)];
      return [object.fmt, ...size].join(', ');
    }
  }
}
