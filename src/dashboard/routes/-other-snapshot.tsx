/** A shared snapshot of anything but a run. */
import { Suspense } from 'react';
import type { View } from '../../contract/objects.ts';
import { barePart } from '../ui/lazy-part.ts';
import { MessagePage } from '../ui/message-page.tsx';
import { PageSkeleton } from '../ui/page-skeleton.tsx';

const SharedModel = barePart(() => import('../features/sharing/shared-model.tsx'), 'SharedModel');
const SharedWorkflow = barePart(
  () => import('../features/sharing/shared-workflow.tsx'),
  'SharedWorkflow',
);
const SharedProject = barePart(
  () => import('../features/projects/shared-project.tsx'),
  'SharedProject',
);
const SharedData = barePart(() => import('../features/projects/shared-data.tsx'), 'SharedData');

export interface OtherSnapshotProps {
  readonly object: View;
  readonly access: { readonly shareId: string; readonly password: string | undefined };
  /** Of a model: the open file. */
  readonly file: string;
  readonly onFile: (file: string) => void;
}

export function OtherSnapshot(props: OtherSnapshotProps) {
  return (
    <Suspense fallback={<PageSkeleton />}>
      <Kind {...props} />
    </Suspense>
  );
}

function Kind({ object, access, file, onFile }: OtherSnapshotProps) {
  switch (object.object_type) {
    case 'model':
      return <SharedModel model={object} file={file} onFile={onFile} />;
    case 'workflow':
      return <SharedWorkflow workflow={object} access={access} />;
    case 'project':
      return <SharedProject project={object} />;
    case 'data':
      return <SharedData data={object} shareId={access.shareId} />;
    default:
      return (
        <MessagePage title="Nothing to show" message="Objects of this kind cannot be shown here." />
      );
  }
}
