/** Setting up a launch: data, settings, and opening the running experiment. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Client } from '../../../client/create-client.ts';
import type { Experiment } from '../../../contract/experiment.ts';
import { objectListQueryOptions } from '../../objects/object-queries.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { useAction } from '../../objects/use-action.ts';
import { useClient } from '../../objects/use-client.ts';
import { textsFor } from './jags-fields.ts';
import { launchOriginQueryOptions } from './launch-origin.ts';
import { launchRun, settingOfError } from './launch-run.ts';
import {
  defaultTexts,
  problemsOf,
  readingTexts,
  settingsToSend,
  textsOfSettings,
  withAlgorithm,
} from './launch-settings.ts';
import type { SettingTexts } from './setting-field.ts';

export interface Launch {
  readonly texts: SettingTexts;
  /** The form's initial settings are still loading: choices made now would be compared with others. */
  readonly isReading: boolean;
  /** They could not be read, so the form uses the defaults. */
  readonly isUnread: boolean;
  readonly setText: (key: string, text: string) => void;
  /** Errors by key; the server's message if it refused. */
  readonly problems: ReadonlyMap<string, string>;
  /** The data that the model was last set up to run on; empty: none. */
  readonly originDataId: string;
  /** The model has neither been set up to run nor run; false while that is unknown. */
  readonly isNew: boolean;
  /** The newest runs of the model. */
  readonly runs: readonly Experiment[];
  readonly numRuns: number;
  /** Inserts the settings of the newest run; null: there is none, or they are already set. */
  readonly useLast: (() => void) | null;
  readonly isStarting: boolean;
  /** Why the last start failed, in addition to errors shown at fields. */
  readonly failure: string | null;
  /** `before`: runs first, such as saving; false cancels. */
  readonly start: (order: LaunchOrder) => Promise<unknown>;
}

interface LaunchOrder {
  readonly dataId: string;
  /** Creates the data object just before the start; its id takes precedence over `dataId`. */
  readonly makeData?: (client: Client) => Promise<string>;
  readonly name: string;
  readonly before?: () => Promise<boolean>;
}

interface LaunchBeginning {
  /** The run that the form starts from, and whose workflow is reused. */
  readonly again?: Experiment | null;
  /** A finished run whose draws should be read, and its data (empty: none). */
  readonly reading?: { readonly from: string; readonly dataId: string } | null;
  /** Runtime of the model, which may have its own settings. */
  readonly env?: string | null | undefined;
}

export function useLaunch(
  modelId: string,
  onStarted: (experimentId: string) => void,
  { again = null, reading = null, env = '' }: LaunchBeginning = {},
): Launch {
  const client = useClient();
  const [typed, setTyped] = useState<SettingTexts | null>(null);
  const [refused, setRefused] = useState<{ key: string; message: string; text: string } | null>(
    null,
  );
  const runsQuery = useQuery({
    ...objectListQueryOptions(client, 'experiment', { model_ids: [modelId], page_size: 5 }),
    enabled: modelId !== '',
  });
  const originQuery = useQuery(launchOriginQueryOptions(client, modelId));
  const origin = originQuery.data ?? null;
  const asRun = again?.meta?.settings ? textsOfSettings(again.meta.settings) : null;
  const asRead = reading === null ? null : readingTexts(reading.from);
  const hasOwn = typed !== null || asRun !== null || asRead !== null || modelId === '';
  const texts = textsFor(env ?? '', typed ?? asRun ?? asRead ?? origin?.texts ?? defaultTexts);
  const runs = modelId === '' ? [] : (runsQuery.data?.objects ?? []);
  const last = runs.find((run) => run.meta?.settings)?.meta?.settings ?? null;
  const lastTexts = last === null ? null : textsOfSettings(last);
  const isLast =
    lastTexts !== null &&
    Object.entries(lastTexts).every(([key, text]) => (texts[key] ?? '') === text);

  const problems = new Map(problemsOf(texts));
  if (
    refused !== null &&
    (texts[refused.key] ?? '') === refused.text &&
    !problems.has(refused.key)
  ) {
    problems.set(refused.key, refused.message);
  }
  const start = useAction(
    async (sender, { dataId: given, makeData, name, before }: LaunchOrder) => {
      setRefused(null);
      if (before !== undefined && !(await before())) return;
      const settings = settingsToSend(texts);
      const dataId = makeData === undefined ? given : await makeData(sender);
      try {
        onStarted(await launchRun(sender, { modelId, dataId, name, settings, again }));
      } catch (error) {
        const setting = settingOfError(error);
        if (setting !== null) setRefused({ ...setting, text: texts[setting.key] ?? '' });
        throw error;
      }
    },
    {
      changes: [objectKeys('experiment').all, objectKeys('workflow').all, objectKeys('data').lists],
    },
  );
  return {
    texts,
    isReading: !hasOwn && originQuery.isPending,
    isUnread: !hasOwn && originQuery.isError,
    setText: (key, text) =>
      setTyped(key === 'algorithm' ? withAlgorithm(texts, text) : { ...texts, [key]: text }),
    originDataId: reading?.dataId || origin?.dataId || runs.find((run) => run.input)?.input || '',
    isNew:
      again === null &&
      reading === null &&
      originQuery.data === null &&
      runsQuery.data?.total === 0,
    problems,
    runs,
    numRuns: runsQuery.data?.total ?? 0,
    useLast: lastTexts === null || isLast ? null : () => setTyped(lastTexts),
    isStarting: start.isBusy,
    failure: start.error === null || settingOfError(start.error) !== null ? null : start.problem,
    start: start.run,
  };
}
