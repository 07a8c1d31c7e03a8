/** Sharing on the pages of a user's own objects: who sees it, and the dialog that shares it. */
import { useCapability } from '../../objects/use-config.ts';
import { barePart, lazyPart } from '../../ui/lazy-part.ts';
import { useRevoke } from './revoke.tsx';
import type { SharedObject } from './shared-object.ts';

const ShareDialog = lazyPart(() => import('./share-dialog.tsx'), 'ShareDialog');

const ObjectShares = barePart(() => import('./object-shares.tsx'), 'ObjectShares');

export interface OwnShareDialogProps {
  readonly object: SharedObject;
  readonly onClose: () => void;
}

export function OwnShareDialog({ object, onClose }: OwnShareDialogProps) {
  return (
    <ShareDialog
      object={object}
      onClose={onClose}
      onRevoke={useRevoke()}
      canExpire={useCapability('share_options')}
    />
  );
}

export interface OwnSharesProps {
  readonly objectId: string;
  readonly onShare: () => void;
}

/** Rendered inside a tab, which waits for it. */
export function OwnShares(props: OwnSharesProps) {
  return <ObjectShares {...props} onRevoke={useRevoke()} />;
}
