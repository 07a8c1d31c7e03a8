/** Sharing rows of a list: opens the dialog for them. */
import { useState } from 'react';
import { lazyPart } from '../../ui/lazy-part.ts';
import type { ShareRowsDialogProps } from './share-rows-dialog.tsx';

const ShareRowsDialog = lazyPart(() => import('./share-rows-dialog.tsx'), 'ShareRowsDialog');

export function useShareRows(kind: ShareRowsDialogProps['kind']) {
  const [rows, setRows] = useState<ShareRowsDialogProps['rows']>([]);
  return {
    onShare: setRows,
    dialog: rows.length > 0 && (
      <ShareRowsDialog kind={kind} rows={rows} onClose={() => setRows([])} />
    ),
  };
}
