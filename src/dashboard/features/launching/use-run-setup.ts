/** The inputs of a run and why it cannot start: the same next to a model's files and on the launch page. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Client } from '../../../client/create-client.ts';
import type { Model } from '../../../contract/model.ts';
import { runtimeOfFile } from '../../../formats/entrance-file.ts';
import type { StanFiles } from '../../editor/stan-service.ts';
import { type Stan, useDataCheck } from '../../editor/use-stan.ts';
import { isGone } from '../../objects/gone.ts';
import { choicesQueryOptions } from '../../objects/object-queries.ts';
import { useClient } from '../../objects/use-client.ts';
import { dataTextQueryOptions } from './data-content.ts';
import { runReason } from './run-reason.ts';
import {
  choiceOfFile,
  chosenFile,
  dataFileOf,
  dataOfFile,
  isFileChoice,
  type TreeFile,
  treeFilesOf,
} from './tree-data.ts';
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
  /**
   * The data chosen here, or a file of the model (`choiceOfFile`); empty: none; null: the model's last data, or the
   * file that a model without runs contains for its program.
   */
  readonly chosenId: string | null;
}

export type RunSetupState = ReturnType<typeof useRunSetup>;

export function useRunSetup(options: RunSetupOptions) {
  const { model, entrance, stan, stanFiles, launch, runtimes, chosenId } = options;
  const client = useClient();
  const datas = useQuery(choicesQueryOptions(client, 'data'));
  const isThere = (id: string) => datas.data?.some((data) => data.short_id === id) ?? false;
  const files = useMemo(() => treeFilesOf(stanFiles?.texts ?? new Map()), [stanFiles]);
  const usual = isThere(launch.originDataId) ? launch.originDataId : ownChoice(files, options);
  const choice = chosenId ?? usual;
  const file = chosenFile(files, choice);
  const isFileGone = isFileChoice(choice) && file === undefined;
  const dataId = isFileGone ? '' : choice;
  const data = datas.data?.find((candidate) => candidate.short_id === dataId);
  const content = useQuery({
    ...dataTextQueryOptions(client, dataId, data?.version),
    enabled: dataId !== '' && file === undefined,
  });
  const isDataDeleted = dataId !== '' && file === undefined && isGone(content.error);
  const fmt = file === undefined && dataId !== '' ? (content.data?.data.fmt ?? '') : '';
  const form = file === undefined && dataId !== '' ? (content.data?.form ?? null) : null;
  const isTable = form !== null && form !== 'bytes';
  const text = dataId === '' ? '' : (file?.text ?? content.data?.text ?? null);
  const check = useDataCheck(stan, stanFiles, text, fmt);
  const reason =
    model === undefined
      ? null
      : runReason({
          entrance,
          env: entrance === null ? '' : model.env || runtimeOfFile(entrance),
          dataId,
          form,
          runtimes,
          checked: stan.checked,
          dataCheck: check,
          isDataDeleted,
          isReading: launch.isReading,
          settingProblems: launch.problems,
        });
  return {
    datas: datas.data ?? [],
    files,
    file,
    dataId,
    entrance,
    content,
    isTable,
    isDataDeleted,
    check,
    reason,
    /** The data of `launch.start`. */
    order: {
      dataId,
      makeData: file && ((sender: Client) => dataOfFile(sender, datas.data ?? [], file)),
    },
  };
}

function ownChoice(files: readonly TreeFile[], { entrance, launch }: RunSetupOptions): string {
  const file = launch.isNew ? dataFileOf(files, entrance) : undefined;
  return file === undefined ? '' : choiceOfFile(file);
}
