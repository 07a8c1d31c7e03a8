/** The starting point of a launch: the model's newest plain workflow, which a gallery model includes. */
import { queryOptions } from '@tanstack/react-query';
import type { Client } from '../../../client/create-client.ts';
import type { Workflow } from '../../../contract/workflow.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { textsOfSettings } from './launch-settings.ts';
import type { SettingTexts } from './setting-field.ts';

export interface LaunchOrigin {
  /** Empty: the workflow has no data. */
  readonly dataId: string;
  readonly texts: SettingTexts;
}

/** Null: the model has not been set up to run yet. */
export function launchOriginQueryOptions(client: Client, modelId: string) {
  return queryOptions({
    queryKey: objectKeys('workflow').list('origin', modelId),
    queryFn: async ({ signal }): Promise<LaunchOrigin | null> => {
      const page = await client.listObjects({
        query: { object_type: 'workflow', page_size: 200 },
        signal,
      });
      const found = page.objects.find(
        (object): object is Workflow =>
          object.object_type === 'workflow' && object.model_id === modelId,
      );
      if (found === undefined) return null;
      return { dataId: found.data_id ?? '', texts: await textsOf(found.settings ?? '') };
    },
    enabled: modelId !== '',
  });
}

async function textsOf(settings: string): Promise<SettingTexts> {
  const { parse } = await import('yaml');
  try {
    const document: unknown = parse(settings);
    const sampling = (document as { sampling?: unknown } | null)?.sampling;
    return textsOfSettings(
      typeof sampling === 'object' && sampling !== null ? { ...sampling } : {},
    );
  } catch {
    return textsOfSettings({});
  }
}
