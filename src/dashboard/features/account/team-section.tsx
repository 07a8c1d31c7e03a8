/** The teams a user is in; for an administrator all of them, and their members. */
import { Button, TagsInput, TextInput } from '@mantine/core';
import { queryOptions } from '@tanstack/react-query';
import { useState } from 'react';
import type { Client } from '../../../client/create-client.ts';
import type { Team } from '../../../contract/team.ts';
import { accountKeys } from '../../objects/query-keys.ts';
import { useAction } from '../../objects/use-action.ts';
import { Card } from '../../ui/card.tsx';
import { Form } from '../../ui/form.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { Problem } from '../../ui/problem.tsx';
import classes from './account-page.module.css';

export function teamsQueryOptions(client: Client) {
  return queryOptions({
    queryKey: accountKeys.teams,
    queryFn: ({ signal }) => client.listTeams({ signal }),
  });
}

export interface TeamSectionProps {
  readonly teams: readonly Team[];
  readonly isAdministrator: boolean;
}

export function TeamSection({ teams, isAdministrator }: TeamSectionProps) {
  return (
    <Card padded>
      <h2>
        Teams <HelpLink topic="teams" of="teams" />
      </h2>
      <p className={classes.dim}>
        Every member can see and change what a team owns. Filter a list by team to see it; move an
        object to a team from its menu in the list.
      </p>
      {teams.length > 0 && (
        <ul className={classes.tokens} aria-label="Teams">
          {teams.map((team) => (
            <TeamRow key={team.id} team={team} canChange={isAdministrator && team.group === null} />
          ))}
        </ul>
      )}
      {isAdministrator && <NewTeam />}
    </Card>
  );
}

function TeamRow({ team, canChange }: { readonly team: Team; readonly canChange: boolean }) {
  const [members, setMembers] = useState<string[] | null>(null);
  const save = useAction(
    (client) =>
      client.updateTeam({
        params: { team_id: String(team.id) },
        body: { members: members ?? [] },
      }),
    { changes: [accountKeys.teams, accountKeys.user], onDone: () => setMembers(null) },
  );
  return (
    <li>
      <strong>{team.name}</strong>
      {team.group !== null && <span className={classes.dim}>the group {team.group}</span>}
      {members === null ? (
        <span className={classes.dim}>{team.members.join(', ') || 'no members'}</span>
      ) : (
        <MemberField members={members} onChange={setMembers} />
      )}
      {save.problem !== null && <Problem>{save.problem}</Problem>}
      {canChange && (
        <Button
          size="xs"
          ml="auto"
          loading={save.isBusy}
          onClick={() => (members === null ? setMembers([...team.members]) : void save.run())}
        >
          {members === null ? `Change members of ${team.name.split('(')[0]}` : 'Save'}
        </Button>
      )}
    </li>
  );
}

interface MemberFieldProps {
  readonly members: string[];
  /** Why they were refused. */
  readonly problem?: string | null;
  readonly onChange: (members: string[]) => void;
}

function MemberField({ members, problem = null, onChange }: MemberFieldProps) {
  return (
    <TagsInput
      label="Members"
      description="As shown on their Account page: name(@id). Enter adds one."
      value={members}
      error={problem}
      onChange={onChange}
    />
  );
}

function NewTeam() {
  const [name, setName] = useState('');
  const [members, setMembers] = useState<string[]>([]);
  const create = useAction(
    (client) => client.createTeam({ body: { name: name.trim(), members } }),
    {
      changes: [accountKeys.teams, accountKeys.user],
      onDone: () => {
        setName('');
        setMembers([]);
      },
    },
  );
  const isOfMembers = create.error?.details.field === 'members';
  return (
    <Form className={classes.form} onSubmit={create.run}>
      <TextInput
        label="Name of a new team"
        description="Letters, digits, dots, dashes."
        value={name}
        error={isOfMembers ? null : create.problem}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <MemberField
        members={members}
        problem={isOfMembers ? create.problem : null}
        onChange={setMembers}
      />
      <Button type="submit" disabled={name.trim() === ''}>
        Create team
      </Button>
    </Form>
  );
}
