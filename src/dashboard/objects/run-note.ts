/** Saves the note of a run without losing a concurrent change. */
import { ApiError } from '../../client/api-error.ts';
import type { Client } from '../../client/create-client.ts';

/** How saving a text ended; the next attempt is based on `base`. */
export type Saving<Base> =
  | { readonly kind: 'saved' }
  | { readonly kind: 'failed'; readonly message: string }
  /** Somebody else changed it in the meantime: their text. */
  | { readonly kind: 'changed'; readonly text: string; readonly base: Base };

/** `base`: the note that the text is based on. Never rejects. */
export async function saveRunNote(
  client: Client,
  id: string,
  { text, base }: { readonly text: string; readonly base: string },
): Promise<Saving<string>> {
  const payload = { object_type: 'experiment', meta: { note: text }, base_note: base } as const;
  try {
    await client.updateObject({ params: { objid: id }, body: { payload } });
    return { kind: 'saved' };
  } catch (error) {
    const { code, details, message } = ApiError.from(error);
    if (code === 'CONFLICT' && typeof details.note === 'string')
      return { kind: 'changed', text: details.note, base: details.note };
    return { kind: 'failed', message };
  }
}
