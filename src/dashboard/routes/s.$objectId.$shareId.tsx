/** A shared snapshot: no account needed. */
import { Button } from '@mantine/core';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import * as z from 'zod/mini';
import { ApiError } from '../../client/api-error.ts';
import { ExperimentPage } from '../features/experiment/page/experiment-page.tsx';
import { experimentSearchSchema } from '../features/experiment/run/experiment-search.ts';
import { PasswordGate } from '../features/sharing/password-gate.tsx';
import {
  forgetPassword,
  type Opening,
  openShare,
  rememberedPassword,
  rememberPassword,
} from '../features/sharing/shared-access.ts';
import { SnapshotFrame } from '../features/sharing/snapshot-frame.tsx';
import type { Services } from '../services.ts';
import { usePageTitle } from '../ui/breadcrumbs.tsx';
import { lazyPart } from '../ui/lazy-part.ts';
import { textSearch } from '../ui/list-search.ts';
import { MessagePage } from '../ui/message-page.tsx';
import { PageSkeleton } from '../ui/page-skeleton.tsx';
import { shortSearch } from '../ui/short-search.ts';

const SharedModel = lazyPart(() => import('../features/sharing/shared-model.tsx'), 'SharedModel');
const SharedWorkflow = lazyPart(
  () => import('../features/sharing/shared-workflow.tsx'),
  'SharedWorkflow',
);

export const Route = createFileRoute('/s/$objectId/$shareId')({
  // of a shared model only the file that is read
  ...shortSearch(z.extend(experimentSearchSchema('summary'), { file: textSearch })),
  component: Page,
});

type Shown =
  | Opening
  | { readonly state: 'opening' }
  | { readonly state: 'failed'; readonly error: ApiError };

function Page() {
  const { objectId, shareId } = Route.useParams();
  return <Door key={`${objectId}/${shareId}`} objectId={objectId} shareId={shareId} />;
}

function Door({ objectId, shareId }: { objectId: string; shareId: string }) {
  const { services } = Route.useRouteContext();
  const [shown, setShown] = useState<Shown>({ state: 'opening' });
  const [isTrying, setIsTrying] = useState(false);
  usePageTitle('Snapshot');

  const open = useCallback(
    (password: string | undefined, remember: boolean) =>
      openAnyhow(services, { objectId, shareId }, password).then(
        (opening): Shown => {
          if (opening.state === 'locked') forgetPassword(shareId);
          else if (remember && password !== undefined) rememberPassword(shareId, password);
          return opening;
        },
        (error: unknown): Shown => ({ state: 'failed', error: ApiError.from(error) }),
      ),
    [services, objectId, shareId],
  );
  useEffect(() => {
    let gone = false;
    void open(rememberedPassword(shareId), false).then((next) => gone || setShown(next));
    return () => {
      gone = true;
    };
  }, [open, shareId]);
  const tryAgain = async (password: string | undefined, remember: boolean) => {
    setIsTrying(true);
    setShown(await open(password, remember));
    setIsTrying(false);
  };

  return (
    <SnapshotFrame>
      {shown.state === 'opening' && <PageSkeleton />}
      {shown.state === 'locked' && (
        <PasswordGate
          refusal={shown.refusal}
          isTrying={isTrying}
          onSubmit={(password, remember) => void tryAgain(password, remember)}
        />
      )}
      {shown.state === 'gone' && (
        <MessagePage centred title="This snapshot is not here" words={shown.message} />
      )}
      {shown.state === 'failed' && (
        <MessagePage centred title="The snapshot could not be opened" words={shown.error.message}>
          <Button
            loading={isTrying}
            onClick={() => void tryAgain(rememberedPassword(shareId), false)}
          >
            Try again
          </Button>
        </MessagePage>
      )}
      {shown.state === 'open' && <Snapshot opening={shown} shareId={shareId} />}
    </SnapshotFrame>
  );
}

/** A token that has ended must not shut a door that is open to everybody: it is dropped, and the door tried again. */
async function openAnyhow(
  services: Services,
  ids: { objectId: string; shareId: string },
  password: string | undefined,
): Promise<Opening> {
  try {
    return await openShare(services.client, ids, password);
  } catch (error) {
    const isStale = ApiError.from(error).code === 'UNAUTHORIZED';
    if (!isStale || services.session.credentials() === null) throw error;
    services.session.expire();
    return openShare(services.client, ids, password);
  }
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
        onSearchChange={(change) =>
          void navigate({
            search: (before) => ({ ...before, ...change }),
            replace: true,
            resetScroll: false,
          })
        }
      />
    );
  }
  if (object.object_type === 'model') {
    return (
      <Suspense fallback={<PageSkeleton />}>
        <SharedModel
          model={object}
          file={search.file}
          onFile={(file) => void navigate({ search: (before) => ({ ...before, file }) })}
        />
      </Suspense>
    );
  }
  if (object.object_type === 'workflow') {
    return (
      <Suspense fallback={<PageSkeleton />}>
        <SharedWorkflow workflow={object} access={access} />
      </Suspense>
    );
  }
  return (
    <MessagePage title="Nothing to show" words="This kind of object has no page for viewers yet." />
  );
}
