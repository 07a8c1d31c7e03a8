/** The API of this server, from its own description. */
import 'openapi-explorer';
import { useComputedColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createElement, useCallback } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import { systemKeys } from '../../objects/query-keys.ts';
import { tokens } from '../../tokens.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import classes from './help.module.css';

interface Explorer extends HTMLElement {
  loadSpec(description: unknown): Promise<void>;
}

/** `server`: its address; empty for the page's own origin. */
export function ApiReference({ server }: { server: string }) {
  const query = useQuery({
    queryKey: systemKeys.openApi,
    queryFn: ({ signal }) => fetchDescription(server, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (query.isError) return <QueryProblem query={query} what="The description of the API" />;
  if (query.data === undefined) return <PageSkeleton />;
  return <Description description={query.data} server={server} />;
}

/** Only our service describes itself; for other servers only the published document exists. */
async function fetchDescription(server: string, signal: AbortSignal): Promise<object> {
  const response = await fetch(`${server}/openapi.json`, { signal }).catch((error: unknown) => {
    throw new ApiError('network', 'The server cannot be reached.', { cause: error });
  });
  if (!response.ok) {
    const message = `This server does not describe its API (status ${response.status}).`;
    throw new ApiError('http', message, { status: response.status });
  }
  return (await response.json()) as object;
}

function Description({ description, server }: { description: object; server: string }) {
  const scheme = useComputedColorScheme('light');
  const colour = tokens[scheme];
  const load = useCallback(
    (element: Explorer | null) => {
      // it modifies its input
      void element?.loadSpec(structuredClone(description));
    },
    [description],
  );
  return createElement('openapi-explorer', {
    ref: load,
    class: classes.explorer,
    'server-url': server === '' ? window.location.origin : server,
    'hide-server-selection': 'true',
    'hide-authentication': 'true',
    'hide-console': 'true',
    'bg-color': colour.page,
    'text-color': colour.text,
    'header-color': colour.accent,
    'primary-color': colour['accent-text'],
    'secondary-color': colour['accent-text'],
    'nav-bg-color': colour.sunken,
    'nav-text-color': colour.text,
    'nav-hover-bg-color': colour.hover,
    'nav-hover-text-color': colour.text,
  });
}
