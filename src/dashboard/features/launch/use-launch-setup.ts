/** The launch page's state: the chosen model with its program, what it runs on, and why it cannot run. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Experiment } from '../../../contract/experiment.ts';
import type { ServerConfig } from '../../../contract/system.ts';
import { entranceOf, fromContent } from '../../editor/file-tree.ts';
import { stanFilesOf, useStan } from '../../editor/use-stan.ts';
import { isGone } from '../../objects/gone.ts';
import { choicesQueryOptions, objectQueryOptions } from '../../objects/object-queries.ts';
import { useClient } from '../../objects/use-client.ts';
import type { RunReason } from '../launching/run-reason.ts';
import { useLaunch } from '../launching/use-launch.ts';
import { useRunSetup } from '../launching/use-run-setup.ts';
import { programAbsence } from '../status/program-absence.ts';

export interface LaunchSetupOptions {
  readonly config: ServerConfig | null;
  /** Empty: none chosen yet. */
  readonly modelId: string;
  /** Empty: none wanted; null: what the model last ran on. */
  readonly chosenDataId: string | null;
  /** The run whose settings initialise the form. */
  readonly again: Experiment | null;
  readonly onStarted: (experimentId: string) => void;
}

export type LaunchSetup = ReturnType<typeof useLaunchSetup>;

export function useLaunchSetup(options: LaunchSetupOptions) {
  const { config, modelId, chosenDataId, again, onStarted } = options;
  const client = useClient();
  const models = useQuery(choicesQueryOptions(client, 'model'));
  const modelQuery = useQuery({
    ...objectQueryOptions(client, 'model', modelId),
    enabled: modelId !== '',
  });
  const model = modelId === '' ? undefined : modelQuery.data;
  const launch = useLaunch(modelId, onStarted, { again, env: model?.env });
  const tree = useMemo(() => (model?.content ? fromContent(model.content) : null), [model]);
  const stanFiles = useMemo(() => (tree === null ? null : stanFilesOf(tree)), [tree]);
  const stan = useStan(stanFiles);
  const run = useRunSetup({
    model,
    entrance: tree === null ? null : entranceOf(tree),
    stan,
    stanFiles,
    launch,
    runtimes: config?.runtimes,
    chosenId: chosenDataId,
  });
  const isModelDeleted =
    modelId === ''
      ? again !== null && programAbsence(again) === 'deleted'
      : isGone(modelQuery.error);
  const reason: RunReason | null = isModelDeleted
    ? { message: 'the model of this run was deleted. Choose another model.' }
    : modelId === ''
      ? { message: 'choose a model first.' }
      : run.reason;
  return { models, modelQuery, model, isModelDeleted, stan, launch, run, reason };
}
