/** Cases for uploads: files that arrive in pieces. */
import { expect } from 'vitest';
import { limits } from '../../src/contract/limits.ts';
import type { Case } from './cases.ts';
import type { World } from './world.ts';

const begin = ({ ada }: World, size = 8) =>
  ada.client.createUpload({ body: { name: 'chain.csv', size, fingerprint: 'f' } });
const append = (
  person: World['ada'],
  id: string,
  { offset = 0, text = 'abcd' }: { offset?: number; text?: string } = {},
) =>
  person.client.appendUpload({
    params: { upload_id: id },
    query: { offset },
    body: new Blob([text]),
  });

export const uploadCases: Readonly<
  Record<'listUploads' | 'createUpload' | 'appendUpload' | 'deleteUpload', Case>
> = {
  listUploads: {
    async success(world) {
      const { upload_id: id } = await begin(world);
      const uploads = await world.ada.client.listUploads();
      expect(uploads.find((upload) => upload.upload_id === id)).toMatchObject({ offset: 0 });
      expect(await world.bob.client.listUploads()).toEqual([]);
    },
    errors: { UNAUTHORIZED: ({ service }) => service.anonymous.listUploads() },
  },
  createUpload: {
    async success(world) {
      expect(await begin(world, 8)).toMatchObject({ name: 'chain.csv', size: 8, offset: 0 });
    },
    errors: {
      UNAUTHORIZED: ({ service }) =>
        service.anonymous.createUpload({ body: { name: 'a', size: 1 } }),
      INVALID_PARAMETER: (world) => begin(world, 0),
      LIMIT_EXCEEDED: (world) => begin(world, 1e15),
    },
  },
  appendUpload: {
    async success(world) {
      const { upload_id: id } = await begin(world);
      expect(await append(world.ada, id)).toMatchObject({ offset: 4, size: 8 });
      expect(await append(world.ada, id, { offset: 4 })).toMatchObject({ offset: 8 });
    },
    errors: {
      UNAUTHORIZED: ({ service }) =>
        service.anonymous.appendUpload({
          params: { upload_id: 'x' },
          query: { offset: 0 },
          body: new Blob(['a']),
        }),
      NOT_FOUND: async (world) => append(world.bob, (await begin(world)).upload_id),
      CONFLICT: async (world) => append(world.ada, (await begin(world)).upload_id, { offset: 2 }),
      INVALID_PARAMETER: async (world) =>
        append(world.ada, (await begin(world)).upload_id, { text: 'longer than said' }),
      TOO_LARGE: async (world) => {
        const { upload_id: id } = await begin(world, 2 * limits.upload_piece_bytes);
        return append(world.ada, id, { text: 'x'.repeat(limits.upload_piece_bytes + 1) });
      },
    },
  },
  deleteUpload: {
    async success(world) {
      const { upload_id: id } = await begin(world);
      await world.ada.client.deleteUpload({ params: { upload_id: id } });
      const left = await world.ada.client.listUploads();
      expect(left.some((upload) => upload.upload_id === id)).toBe(false);
    },
    errors: {
      UNAUTHORIZED: ({ service }) => service.anonymous.deleteUpload({ params: { upload_id: 'x' } }),
      NOT_FOUND: async (world) =>
        world.bob.client.deleteUpload({ params: { upload_id: (await begin(world)).upload_id } }),
    },
  },
};
