/**
 * The data that a run conditions on, as far as one caller may see them. A share shows them, and plots of them, exactly
 * when its owner included the data.
 */
import { readDataText } from '../../formats/data-text.ts';
import { dataVariables } from '../../formats/data-variables.ts';
import type { DataVariable } from '../../posterior/predictive/pairing.ts';
import type { CoreContext } from '../context.ts';
import { hasSharedData } from '../policy/share-snapshot.ts';
import { findBlob } from '../repositories/blobs.ts';
import { findFrozen } from '../repositories/experiments.ts';
import type { ShareRow } from '../repositories/shares.ts';

/** The most bytes that are parsed: larger data would hold up other requests. */
const maxBytes = 2 * 2 ** 20;

export type ObservedData =
  | { readonly variables: readonly DataVariable[]; readonly reason?: undefined }
  /** Why there are none: the end of a sentence that begins with what is not possible. */
  | { readonly variables: null; readonly reason: string };

const none = (reason: string): ObservedData => ({ variables: null, reason });

/** Numeric variables of the frozen data. `share`: the share that the caller uses; null: the caller is the owner. */
export async function readObserved(
  { pool }: Pick<CoreContext, 'pool'>,
  { experimentId, share }: { readonly experimentId: number; readonly share: ShareRow | null },
): Promise<ObservedData> {
  if (share !== null && !hasSharedData(share)) return none('this share does not include the data');
  const frozen = await findFrozen(pool, experimentId);
  if (!frozen?.dataHash) return none('this run has no data on this server');
  const bytes = await findBlob(pool, frozen.dataHash);
  if (bytes === null) return none('this run has no data on this server');
  if (bytes.byteLength > maxBytes)
    return none(`the data are larger than ${maxBytes / 2 ** 20} MB; the page of the run shows it`);
  const read = readDataText(bytes.toString('utf8'));
  return read.ok
    ? { variables: dataVariables(read.value.values) }
    : none('the data are neither JSON nor an R dump');
}
