/** Theme, cache and router around the pages. */
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { createAppRouter } from './router.tsx';
import type { Services } from './services.ts';
import { cssVariablesResolver, theme } from './theme.ts';
import { Toasts } from './ui/toasts.tsx';

export function App({ services }: { services: Services }) {
  const [router] = useState(() => createAppRouter(services));
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={services.queryClient}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </MantineProvider>
  );
}
