/** A shared snapshot: no account needed. */
import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import * as z from 'zod/mini';
import { ApiError } from '../../client/api-error.ts';
import { ExperimentPage } from '../features/experiment/page/experiment-page.tsx';
import { experimentSearchSchema } from '../features/experiment/run/experiment-search.ts';
import type { Opening } from '../features/sharing/shared-access.ts';
import { useShare } from '../features/sharing/use-share.ts';
import { usePageTitle } from '../ui/breadcrumbs.tsx';
import { lazyPart } from '../ui/lazy-part.ts';
import { textSearch } from '../ui/list-search.ts';
import { MessagePage } from '../ui/message-page.tsx';
import { PageSkeleton } from '../ui/page-skeleton.tsx';
import { PublicFrame } from '../ui/public-frame.tsx';
import { shortSearch } from '../ui/short-search.ts';
import { useSearchChange } from '../ui/use-search-change.ts';

const PasswordGate = lazyPart(
  () => import('../features/sharing/password-gate.tsx'),
  'PasswordGate',
  <PageSkeleton />,
);
// Most links are to runs, whose page needs nothing else first.
const OtherSnapshot = lazyPart(
  () => import('./-other-snapshot.tsx'),
  'OtherSnapshot',
  <PageSkeleton />,
);

export const Route = createFileRoute('/s/$objectId/$shareId')({
  // of a shared model only the open file
  ...shortSearch(z.extend(experimentSearchSchema('summary'), { file: textSearch })),
  component: Page,
});

const snapshotMark = (
  <>
    <IconLock size={14} aria-hidden="true" /> Snapshot
  </>
);

function Page() {
  const { session } = Route.useRouteContext().services;
  const subscribe = useCallback((listener: () => void) => session.onChange(listener), [session]);
  const isSignedIn = useSyncExternalStore(subscribe, () => session.credentials() !== null);
  const ids = Route.useParams();
  const { query, tryPassword } = useShare(ids, isSignedIn);
  usePageTitle('Snapshot');
  const { data: opening, error, isFetching } = query;
  return (
    <PublicFrame mark={snapshotMark}>
      {query.isPending && <PageSkeleton />}
      {query.isError && (
        <MessagePage
          centred
          title="The snapshot could not be opened"
          message={ApiError.from(error).message}
        >
          <Button variant="filled" loading={isFetching} onClick={() => void query.refetch()}>
            Try again
          </Button>
        </MessagePage>
      )}
      {query.isSuccess && opening?.state === 'locked' && (
        <PasswordGate
          key={ids.shareId}
          refusal={opening.refusal}
          isTrying={isFetching}
          onSubmit={(password, remember) => void tryPassword(password, remember)}
        />
      )}
      {query.isSuccess && opening?.state === 'gone' && (
        <MessagePage centred title="Snapshot not found" message={opening.message} />
      )}
      {query.isSuccess && opening?.state === 'open' && (
        <Snapshot key={ids.shareId} opening={opening} shareId={ids.shareId} />
      )}
    </PublicFrame>
  );
}

function Snapshot({
  opening,
  shareId,
}: {
  opening: Extract<Opening, { state: 'open' }>;
  shareId: string;
}) {
  const search = Route.useSearch();
  const navigate = useNavigate({ from: Route.fullPath });
  const access = useMemo(
    () => ({ shareId, password: opening.password }),
    [shareId, opening.password],
  );
  const { object } = opening;
  usePageTitle('name' in object ? object.name : 'Snapshot');
  if (object.object_type === 'experiment') {
    return (
      <ExperimentPage
        experiment={object}
        access={access}
        search={search}
        onSearchChange={useSearchChange({ inPlace: true })}
      />
    );
  }
  return (
    <OtherSnapshot
      object={object}
      access={access}
      file={search.file}
      onFile={(file) => void navigate({ search: (before) => ({ ...before, file }) })}
    />
  );
}
