/** Cases for draws as files, in and out: an import over HTTP, and the archive that ArviZ users download. */
import { expect } from 'vitest';
import { expectKind } from '../../src/client/expect-kind.ts';
import { unpackTar } from '../../src/formats/tar.ts';
import type { Case } from './cases.ts';
import { unknown } from './world.ts';

const stanFile = (chain: number): string =>
  [
    '# method = sample (Default)',
    `# id = ${chain}`,
    'lp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,divergent__,energy__,mu',
    ...Array.from({ length: 10 }, (_, i) => `-${i},0.9,0.5,2,3,0,${i},${chain + i / 10}`),
    '',
  ].join('\n');

export const formatCases: { readonly viewArvizData: Case } = {
  viewArvizData: {
    async success({ ada }) {
      const made = expectKind(
        await ada.client.createObject({
          body: {
            payload: {
              object_type: 'experiment',
              name: 'imported',
              data_files: [stanFile(1), stanFile(2)],
              data_file_type: 'stan csv',
            },
          },
        }),
        'experiment',
      );
      expect(made).toMatchObject({ status: 'FIN', n_chains: 2, n_samples: 10, n_variables: 1 });
      const tar = await ada.client.viewArvizData({ query: { experiment_id: made.short_id } });
      const read = unpackTar(new Uint8Array(tar));
      expect(read.ok && read.value.files.map((file) => file.path)).toEqual([
        'chain#1.nc',
        'chain#2.nc',
      ]);
    },
    errors: {
      INVALID_PARAMETER: ({ ada }) => ada.client.viewArvizData(),
      NOT_FOUND: ({ ada }) =>
        ada.client.viewArvizData({ query: { experiment_id: unknown.experiment } }),
      PERMISSION_DENIED: ({ bob, experiment }) =>
        bob.client.viewArvizData({ query: { experiment_id: experiment.short_id } }),
      UNAUTHORIZED: ({ service, experiment }) =>
        service
          .clientOf('erg_unknown')
          .viewArvizData({ query: { experiment_id: experiment.short_id } }),
    },
  },
};
