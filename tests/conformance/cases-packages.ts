/** Cases for packages: a model as an archive that runs elsewhere. */
import { expect } from 'vitest';
import { readZip } from '../../src/formats/archive.ts';
import { unpackTar } from '../../src/formats/tar.ts';
import type { Case } from './cases.ts';
import { unknown } from './world.ts';

const objid = (id: string) => ({ params: { objid: id } });

export const packageCases: { readonly download: Case } = {
  download: {
    async success({ ada, model, workflow, experiment }) {
      const zip = readZip(new Uint8Array(await ada.client.download(objid(model))));
      const paths = zip.ok ? zip.value.files.map((file) => file.path) : [];
      expect(paths).toEqual(
        expect.arrayContaining(['workflow.yaml', 'model/model.stan', 'model/.metadata', 'run.sh']),
      );
      for (const id of [workflow, experiment.short_id]) {
        const query = { fmt: 'tar.gz', is_cloud: 'True' } as const;
        const tar = unpackTar(new Uint8Array(await ada.client.download({ ...objid(id), query })));
        const packed = tar.ok ? tar.value.files.map((file) => file.path) : [];
        expect(packed).toEqual(expect.arrayContaining(['data', 'model/model.stan', 'run.sh']));
      }
    },
    errors: {
      UNAUTHORIZED: ({ service, model }) => service.anonymous.download(objid(model)),
      INVALID_PARAMETER: ({ ada, data }) => ada.client.download(objid(data)),
      NOT_FOUND: ({ ada }) => ada.client.download(objid(unknown.workflow)),
      PERMISSION_DENIED: ({ bob, model }) => bob.client.download(objid(model)),
    },
  },
};
