/** What the server offers; null: nothing beyond the documented API. */
import { useQuery } from '@tanstack/react-query';
import type { ServerConfig } from '../../contract/system.ts';
import { configQueryOptions } from './server.ts';
import { useClient } from './use-client.ts';

export function useConfig(): ServerConfig | null | undefined {
  return useQuery(configQueryOptions(useClient())).data;
}
