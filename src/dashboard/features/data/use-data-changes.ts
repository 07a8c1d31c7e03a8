/** Changes a data object: its name and description, a new version of its content, restoring an earlier one. */
import { useQueryClient } from '@tanstack/react-query';
import type { Data } from '../../../contract/data.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { runAction, useAction } from '../../objects/use-action.ts';
import { useClient } from '../../objects/use-client.ts';
import { showToast } from '../../ui/toasts.tsx';
import type { DataFacts } from './data-facts-form.tsx';
import { fetchBytes, viewVersion } from './queries.ts';
import { changeData, createData, type DataSource, type Sending, sendVersion } from './send-data.ts';

/** `facts` and the contents reject with the reason if nothing was changed. */
export function useDataChanges(data: Data) {
  const client = useClient();
  const queryClient = useQueryClient();
  const { short_id: id } = data;
  const { lists, detail } = objectKeys('data');
  const take = async (saved: Data) => {
    queryClient.setQueryData(detail(id), saved);
    await queryClient.invalidateQueries({ queryKey: lists });
    return saved;
  };
  const setFacts = async ({ name, description }: DataFacts) => {
    await take(await changeData(client, id, { name, description }));
  };
  const send = async (source: DataSource, baseVersion: number | undefined, sending?: Sending) =>
    take(await sendVersion(client, { id, baseVersion }, source, sending));
  const sayWhich = ({ version }: Data) =>
    showToast({ message: version === undefined ? 'Saved.' : `Saved as v${version}.` });
  const restore = useAction(
    async (_, version: number) => {
      const old = await viewVersion(client, id, { version });
      return send({ kind: 'bytes', bytes: await fetchBytes(old.path) }, data.version);
    },
    {
      failed: 'Not restored',
      onDone: (saved, version) =>
        showToast({ message: `v${version} was restored as v${saved.version ?? '?'}.` }),
    },
  );
  return {
    facts: async (facts: DataFacts) => {
      const before = { name: data.name, description: data.description };
      await setFacts(facts);
      const undo = () => runAction(queryClient, () => setFacts(before));
      showToast({ message: 'Name and description saved.', undo });
    },
    content: async (source: DataSource, sending: Sending) =>
      sayWhich(await send(source, data.version, sending)),
    /** On top of whatever is newest now. */
    contentOnTop: async (source: DataSource, sending: Sending) =>
      sayWhich(await send(source, undefined, sending)),
    restore: restore.run,
    /** Creates another object: the table stays as it is. */
    saveMapped: async (name: string, text: string) => {
      const made = await createData(client, name, { kind: 'text', text });
      await queryClient.invalidateQueries({ queryKey: lists });
      showToast({ message: `Saved as ${name}.` });
      return made;
    },
  };
}

export type DataChanges = ReturnType<typeof useDataChanges>;
