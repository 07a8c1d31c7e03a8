/** The choices made in the share dialog, and creating the share. */
import { useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import type { Share } from '../../../contract/share.ts';
import { useCreateShare } from './queries.ts';
import type { SharedObject } from './shared-object.ts';
import { useShareFields } from './use-share-fields.ts';

/** `canExpire`: the server accepts an end date and what to include. */
export function useShareForm(
  { id: objid, shownVariables = [] }: Pick<SharedObject, 'id' | 'shownVariables'>,
  canExpire: boolean,
) {
  const { options, password, ...form } = useShareFields(canExpire);
  const [made, setMade] = useState<Share | null>(null);
  const create = useCreateShare();
  const submit = () => {
    if (form.missing !== null) return;
    const shown =
      canExpire && shownVariables.length > 0 ? { shown_variables: [...shownVariables] } : {};
    create.mutate({ objid, ...options(), ...shown }, { onSuccess: setMade });
  };
  return {
    ...form,
    submit,
    isBusy: create.isPending,
    problem: create.error === null ? null : ApiError.from(create.error).message,
    /** The share and its password, once it is created. */
    made: made === null ? null : { share: made, password },
  };
}
