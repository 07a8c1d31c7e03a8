/** List of experiments. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { ExperimentListPage } from '../features/experiments-list/experiment-list-page.tsx';
import { useShareRows } from '../features/sharing/use-share-rows.tsx';
import { eitherSearch, listSearchShape, textSearch } from '../ui/list-search.ts';
import { shortSearch } from '../ui/short-search.ts';
import { useSearchChange } from '../ui/use-search-change.ts';

const searchSchema = z.object({
  ...listSearchShape,
  status: textSearch,
  model: textSearch,
  workflow: textSearch,
  run_on: textSearch,
  has_model: eitherSearch,
  tag: textSearch,
  finished: textSearch,
  owner: textSearch,
});

export const Route = createFileRoute('/_app/experiments/')({
  ...shortSearch(searchSchema),
  staticData: { title: 'Experiments' },
  component: Page,
});

function Page() {
  const navigate = useNavigate();
  const { onShare, dialog } = useShareRows('experiment');
  return (
    <>
      <ExperimentListPage
        search={Route.useSearch()}
        onSearchChange={useSearchChange()}
        onOpen={(experimentId) =>
          void navigate({ to: '/experiments/$experimentId', params: { experimentId } })
        }
        onShare={onShare}
      />
      {dialog}
    </>
  );
}
