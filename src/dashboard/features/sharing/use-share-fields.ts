/** The choices made when sharing: who sees it, until when, and what is included. */
import { useState } from 'react';
import type { CreateShare } from '../../../contract/share.ts';
import { makePassword } from './make-password.ts';
import { endOf } from './share-ends.ts';

export type Way = 'public' | 'password' | 'person';

/** `canExpire`: the server accepts an end date and what to include. */
export function useShareFields(canExpire: boolean) {
  const [fields, setFields] = useState(() => ({
    way: 'password' as Way,
    password: makePassword(),
    person: '',
    end: '30',
    included: false,
    withNote: false,
  }));
  const { way, end, included, withNote } = fields;
  const password = way === 'password' ? fields.password : '';
  const person = way === 'person' ? fields.person.trim() : '';
  const missing =
    way === 'password' && password.trim() === ''
      ? 'Type a password, or choose another way.'
      : way === 'person' && person === ''
        ? 'Type the user name as that person’s Account page shows it.'
        : null;
  return {
    fields,
    change: (part: Partial<typeof fields>) => setFields((before) => ({ ...before, ...part })),
    /** What must be filled in first. */
    missing,
    /** Empty: none. */
    password,
    /** The options for creating a share of any object. */
    options: (): Omit<CreateShare, 'object_type' | 'objid'> => ({
      password,
      target_user: person,
      ...(canExpire ? { expires_at: endOf(end), include: includesOf(included, withNote) } : {}),
    }),
  };
}

function includesOf(included: boolean, withNote: boolean) {
  return [
    ...(included ? (['program', 'data'] as const) : []),
    ...(withNote ? (['note'] as const) : []),
  ];
}

export type ShareFields = ReturnType<typeof useShareFields>;
