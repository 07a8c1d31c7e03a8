/** What the server offers; null: nothing beyond the documented API. */
import { useQuery } from '@tanstack/react-query';
import type { Capability, ServerConfig } from '../../contract/system.ts';
import { configQueryOptions, hasCapability } from './server.ts';
import { useClient } from './use-client.ts';

export function useConfig(): ServerConfig | null | undefined {
  return useQuery(configQueryOptions(useClient())).data;
}

export function useCapability(name: Capability): boolean {
  return hasCapability(useConfig(), name);
}
