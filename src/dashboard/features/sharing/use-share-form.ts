/** What is chosen in the share dialog, and creating the share. */
import { useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import type { Share } from '../../../contract/share.ts';
import { makePassword } from './make-password.ts';
import { useCreateShare } from './queries.ts';
import { endOf } from './share-ends.ts';

export type Way = 'public' | 'password' | 'person';

/** `canExpire`: the server takes an end date and what to include. */
export function useShareForm(objectId: string, canExpire: boolean) {
  const [fields, setFields] = useState(() => ({
    way: 'password' as Way,
    password: makePassword(),
    person: '',
    end: '30',
    included: false,
  }));
  const [made, setMade] = useState<Share | null>(null);
  const create = useCreateShare();
  const { way, end, included } = fields;
  const password = way === 'password' ? fields.password : '';
  const person = way === 'person' ? fields.person.trim() : '';
  const missing =
    way === 'password' && password.trim() === ''
      ? 'Type a password, or choose another way.'
      : way === 'person' && person === ''
        ? 'Type the user name as that person’s Account page shows it.'
        : null;
  const submit = () => {
    if (missing !== null) return;
    const options = canExpire
      ? { expires_at: endOf(end), include: included ? ['program' as const, 'data' as const] : [] }
      : {};
    create.mutate(
      { objid: objectId, password, target_user: person, ...options },
      { onSuccess: setMade },
    );
  };
  return {
    fields,
    change: (part: Partial<typeof fields>) => setFields((before) => ({ ...before, ...part })),
    /** What has to be filled in first. */
    missing,
    submit,
    isBusy: create.isPending,
    problem: create.error === null ? null : ApiError.from(create.error).message,
    /** The share and its password, once it is created. */
    made: made === null ? null : { share: made, password },
  };
}

export type ShareFormState = ReturnType<typeof useShareForm>;
