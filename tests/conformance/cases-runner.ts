/** The run proxy: starting a run with its command, the end of an outside runner's sampling, and who may report it. */
import { expect } from 'vitest';
import { expectKind } from '../../src/client/expect-kind.ts';
import type { EndpointName } from '../../src/contract/endpoints.ts';
import { stanProgram } from '../support/objects.ts';
import type { Case } from './cases.ts';
import { unknown, type World } from './world.ts';

const objid = (id: string) => ({ params: { objid: id } });

/** An experiment as a runner makes it. */
async function makeOutside({ ada }: World): Promise<string> {
  const payload = {
    object_type: 'experiment',
    name: 'outside',
    meta: { status: 'RUN' },
    run_on: 'local',
  } as const;
  return expectKind(await ada.client.createObject({ body: { payload } }), 'experiment').short_id;
}

const inline = {
  meta: {
    entrance_file: 'model.stan',
    experiment_name: 'by command',
    sample_args: [
      { type: 'stable-rng', params: [7] },
      { type: 'model-placeholder' },
      { type: 'sampler-placeholder' },
      { type: 'ensemble-placeholder', params: ['MCMCSerial'] },
      30,
      3,
    ],
  },
  tree: [
    {
      name: 'model.stan',
      content: Buffer.from('parameters { real x; } model { x ~ normal(0, 1); }').toString('base64'),
    },
  ],
};

export const runnerCases: Record<Extract<EndpointName, 'runProxy'>, Case> = {
  runProxy: {
    async success(world) {
      const { ada, service, model } = world;
      const config = await service.anonymous.viewConfig();
      expect(config.run_model_url).toMatch(/^http:\/\/[^/]+\/run$/);
      const started = await service.anonymous.runProxy({
        body: {
          cmd: 'run_in_fargate',
          ergodic_auth_token: ada.token,
          model: inline,
          save_model: true,
        },
      });
      const run = expectKind(
        await ada.client.viewObject(objid(started.experiment_id)),
        'experiment',
      );
      expect(run).toMatchObject({
        name: 'by command',
        model_id: started.model_id,
        run_on: 'fargate',
        n_chains: 3,
        meta: { settings: { seed: 7, num_samples: 30 } },
      });
      expect(await ada.client.viewObject(objid(started.model_id))).toMatchObject({
        tags: ['model'],
        name: 'by command',
      });

      const outside = await makeOutside(world);
      const payload = {
        object_type: 'experiment.protobuf_message' as const,
        batch_id: 'b',
        run_id: 'r',
        logs: { vars: { 'chain#1': { x: [1, 2] } }, iteration: { 'chain#1': [1, 2] } },
      };
      expect(await ada.client.updateObject({ ...objid(outside), body: { payload } })).toBeNull();
      const after = { cmd: 'after_sample', batch_id: 'b', run_id: 'r' } as const;
      expect(
        await service.anonymous.runProxy({
          body: { ...after, experiment_id: outside, wd_auth_token: ada.token },
        }),
      ).toEqual({ experiment_id: outside, model_id: '' });
      expect(await ada.client.viewObject(objid(outside))).toMatchObject({
        status: 'RUN',
        n_samples: 2,
        meta: { run_info: { status: 'SAMPLE_FIN' } },
      });
      expect(model).toMatch(/^M/);
    },
    errors: {
      UNAUTHORIZED: ({ service, model }) =>
        service.anonymous.runProxy({ body: { cmd: 'run_in_lambda', model_id: model } }),
      INVALID_PARAMETER: ({ ada, service }) =>
        service.anonymous.runProxy({
          body: { cmd: 'run_in_lambda', ergodic_auth_token: ada.token },
        }),
      NOT_FOUND: ({ ada, service }) =>
        service.anonymous.runProxy({
          body: { cmd: 'run_in_lambda', ergodic_auth_token: ada.token, model_id: unknown.model },
        }),
      PERMISSION_DENIED: ({ bob, service, model }) =>
        service.anonymous.runProxy({
          body: { cmd: 'run_in_lambda', ergodic_auth_token: bob.token, model_id: model },
        }),
      CONFLICT: ({ ada, service, experiment }) =>
        service.anonymous.runProxy({
          body: {
            cmd: 'after_sample',
            wd_auth_token: ada.token,
            experiment_id: experiment.short_id,
          },
        }),
      NOT_SUPPORTED: ({ ada, service }) =>
        service.anonymous.runProxy({
          body: {
            cmd: 'run_in_lambda',
            ergodic_auth_token: ada.token,
            model: {
              tree: [{ name: 'main.f90', content: 'end' }],
              meta: { entrance_file: 'main.f90' },
            },
          },
        }),
      TOO_LARGE: ({ ada, service }) => {
        const tree = Array.from({ length: 2001 }, (_, i) => ({
          name: `f${i}`,
          content: stanProgram,
        }));
        return service.anonymous.runProxy({
          body: { cmd: 'run_in_lambda', ergodic_auth_token: ada.token, model: { tree } },
        });
      },
      async RATE_LIMITED({ service, model }) {
        const wrong = () =>
          service.anonymous.runProxy({
            body: { cmd: 'run_in_lambda', ergodic_auth_token: 'erg_wrong', model_id: model },
          });
        for (let i = 0; i < 5; i++) await wrong().catch(() => {});
        return wrong();
      },
    },
  },
};
