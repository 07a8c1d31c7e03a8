import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { createClient } from '../../../src/client/create-client.ts';
import { objectSharesQueryOptions } from '../../../src/dashboard/features/sharing/queries.ts';
import { createFakeShare } from '../../support/fake-objects.ts';
import { FakeServer } from '../../support/fake-server.ts';

it('the shares of an object are found among more shares than one page contains', async () => {
  const idOf = (i: number) => `S${String(i).padStart(7, '0')}`;
  const objects = Array.from({ length: 1002 }, (_, i) =>
    createFakeShare({
      short_id: idOf(i),
      experiment_id: i % 1001 === 0 ? 'X0000001' : 'X0000002',
    }),
  );
  const server = new FakeServer({ objects });
  const client = createClient({ token: server.token, fetch: server.fetch });
  const shares = await new QueryClient().fetchQuery(objectSharesQueryOptions(client, 'X0000001'));
  expect(shares.map((share) => share.short_id).sort()).toEqual([idOf(0), idOf(1001)]);
});
