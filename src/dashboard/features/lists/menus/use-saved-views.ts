/** The saved views of a list: in the account if the server stores them, otherwise in this browser. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { accountKeys } from '../../../objects/query-keys.ts';
import { useAction } from '../../../objects/use-action.ts';
import { useClient } from '../../../objects/use-client.ts';
import { useCapability } from '../../../objects/use-config.ts';
import { showToast } from '../../../ui/toasts.tsx';
import { useFirstQuiet } from '../../../ui/use-first-quiet.ts';
import { readViews, type SavedView, withView, writeViews } from './saved-views.ts';

type Change = (views: readonly SavedView[]) => readonly SavedView[];

interface ViewStore {
  readonly isOfAccount: boolean;
  readonly views: readonly SavedView[];
  /** Applied to the views stored at that time: some may have been saved elsewhere. */
  readonly change: (change: Change) => Promise<unknown>;
}

const none: readonly SavedView[] = [];

function useViewStore(list: string): ViewStore {
  const client = useClient();
  const queryClient = useQueryClient();
  const isOfAccount = useCapability('saved_views');
  const isQuiet = useFirstQuiet();
  const params = { list: list.toLowerCase() };
  const queryKey = accountKeys.views(list);
  const stored = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.viewSavedViews({ params, signal }),
    // the list itself has priority
    enabled: isOfAccount && isQuiet,
  });
  const [kept, setKept] = useState(() => readViews(list));
  const save = useAction(
    async (_, change: Change) => {
      const { views } = await client.viewSavedViews({ params });
      const body = { views: [...change(views)] };
      queryClient.setQueryData(queryKey, await client.updateSavedViews({ params, body }));
    },
    { failed: 'The view was not saved' },
  );
  if (isOfAccount)
    return { isOfAccount, views: stored.data?.views ?? none, change: (change) => save.run(change) };
  return {
    isOfAccount,
    views: kept,
    change: async (change) => {
      const next = change(readViews(list));
      writeViews(list, next);
      setKept(next);
    },
  };
}

export function useSavedViews(list: string) {
  const { isOfAccount, views, change } = useViewStore(list);
  const without =
    (name: string): Change =>
    (all) =>
      all.filter((one) => one.name !== name);
  return {
    isOfAccount,
    views,
    /** Saves under this name; a renamed view loses its old name. */
    save: (title: string, view: SavedView) =>
      void change((all) => withView(without(view.name)(all), { name: title, search: view.search })),
    remove: (view: SavedView) => {
      void change(without(view.name)).then(() =>
        showToast({
          message: `Deleted the view ${view.name}.`,
          undo: () => change((all) => withView(all, view)),
        }),
      );
    },
  };
}
