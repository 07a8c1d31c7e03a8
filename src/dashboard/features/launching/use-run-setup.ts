/** What a run is set up from and why it cannot start: the same beside a model's files and on the launch page. */
import { useQuery } from '@tanstack/react-query';
import type { Model } from '../../../contract/model.ts';
import { runtimeOfFile } from '../../../formats/entrance-file.ts';
import type { StanFiles } from '../../editor/stan-service.ts';
import { type Stan, useDataCheck } from '../../editor/use-stan.ts';
import { choicesQueryOptions } from '../../objects/object-queries.ts';
import { useClient } from '../../objects/use-client.ts';
import { dataTextQueryOptions } from './data-content.ts';
import { runReason } from './run-reason.ts';
import type { Launch } from './use-launch.ts';

export interface RunSetupOptions {
  /** Undefined until one is chosen and loaded. */
  readonly model: Model | undefined;
  readonly entrance: string | null;
  readonly stan: Stan;
  readonly stanFiles: StanFiles | null;
  readonly launch: Launch;
  /** What the server can run, if it says so. */
  readonly runtimes: Readonly<Record<string, boolean>> | undefined;
  /** The data chosen here, empty for none; null: what the model was run on last. */
  readonly chosenId: string | null;
}

export type RunSetupState = ReturnType<typeof useRunSetup>;

export function useRunSetup(options: RunSetupOptions) {
  const { model, entrance, stan, stanFiles, launch, runtimes, chosenId } = options;
  const client = useClient();
  const datas = useQuery(choicesQueryOptions(client, 'data'));
  const isThere = (id: string) => datas.data?.some((data) => data.short_id === id) ?? false;
  const dataId = chosenId ?? (isThere(launch.originDataId) ? launch.originDataId : '');
  const data = datas.data?.find((candidate) => candidate.short_id === dataId);
  const content = useQuery({
    ...dataTextQueryOptions(client, dataId, data?.version),
    enabled: dataId !== '',
  });
  // A table of columns is read by the server; here only JSON is compared.
  const isTable = dataId !== '' && content.data?.data.fmt === 'csv';
  const text = dataId === '' ? '' : (content.data?.text ?? null);
  const check = useDataCheck(stan, stanFiles, isTable ? null : text);
  const reason =
    model === undefined
      ? null
      : runReason({
          entrance,
          env: entrance === null ? '' : model.env || runtimeOfFile(entrance),
          dataId,
          runtimes,
          checked: stan.checked,
          dataCheck: check,
          settingProblems: launch.problems,
        });
  return { datas: datas.data ?? [], dataId, content, isTable, check, reason };
}
