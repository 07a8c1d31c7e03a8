/** A shared snapshot: no account needed. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import * as z from 'zod/mini';
import { ApiError } from '../../client/api-error.ts';
import { ExperimentPage } from '../features/experiment/experiment-page.tsx';
import { experimentTabs } from '../features/experiment/experiment-search.ts';
import { PasswordGate } from '../features/sharing/password-gate.tsx';
import {
  type Opening,
  openShare,
  rememberedPassword,
  rememberPassword,
} from '../features/sharing/shared-access.ts';
import { SharedModel } from '../features/sharing/shared-model.tsx';
import { SnapshotFrame } from '../features/sharing/snapshot-frame.tsx';
import { usePageTitle } from '../ui/breadcrumbs.tsx';
import { MessagePage } from '../ui/message-page.tsx';
import { PageSkeleton } from '../ui/page-skeleton.tsx';

const searchSchema = z.object({
  tab: z.catch(z._default(z.enum(experimentTabs), 'summary'), 'summary'),
  q: z.catch(z._default(z.string(), ''), ''),
  order: z.catch(z._default(z.enum(['worst', 'model']), 'worst'), 'worst'),
  sort: z.catch(z._default(z.string(), 'model'), 'model'),
  selected: z.catch(z._default(z.string(), ''), ''),
});

export const Route = createFileRoute('/s/$objectId/$shareId')({
  validateSearch: searchSchema,
  component: Page,
});

type Shown =
  | Opening
  | { readonly state: 'opening' }
  | { readonly state: 'failed'; readonly error: ApiError };

function Page() {
  const { services } = Route.useRouteContext();
  const { objectId, shareId } = Route.useParams();
  const [shown, setShown] = useState<Shown>({ state: 'opening' });
  const [isTrying, setIsTrying] = useState(false);

  const open = async (password: string | undefined) => {
    setIsTrying(true);
    try {
      setShown(await openShare(services.client, { objectId, shareId }, password));
    } catch (error) {
      setShown({ state: 'failed', error: ApiError.from(error) });
    } finally {
      setIsTrying(false);
    }
  };
  useEffect(() => {
    let gone = false;
    setShown({ state: 'opening' });
    openShare(services.client, { objectId, shareId }, rememberedPassword(shareId)).then(
      (opening) => gone || setShown(opening),
      (error: unknown) => gone || setShown({ state: 'failed', error: ApiError.from(error) }),
    );
    return () => {
      gone = true;
    };
  }, [services, objectId, shareId]);

  return (
    <SnapshotFrame>
      {shown.state === 'opening' && <PageSkeleton />}
      {shown.state === 'locked' && (
        <PasswordGate
          refusal={shown.refusal}
          isTrying={isTrying}
          onSubmit={(password, remember) => {
            void open(password);
            if (remember) rememberPassword(shareId, password);
          }}
        />
      )}
      {shown.state === 'gone' && (
        <MessagePage title="This snapshot is not here" words={shown.message} />
      )}
      {shown.state === 'failed' && (
        <MessagePage title="The snapshot could not be opened" words={shown.error.message}>
          <button type="button" onClick={() => void open(undefined)}>
            Try again
          </button>
        </MessagePage>
      )}
      {shown.state === 'open' && <Snapshot opening={shown} shareId={shareId} />}
    </SnapshotFrame>
  );
}

function Snapshot({
  opening,
  shareId,
}: {
  opening: Extract<Opening, { state: 'open' }>;
  shareId: string;
}) {
  const { services } = Route.useRouteContext();
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
        client={services.client}
        experiment={object}
        access={access}
        search={search as never}
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
  if (object.object_type === 'model') return <SharedModel model={object} />;
  return (
    <MessagePage title="Nothing to show" words="This kind of object has no page for viewers yet." />
  );
}
