/** Cases for runs (starting, draws, summary, log): rows of the table in `cases.ts`. */
import { expect } from 'vitest';
import { expectKind } from '../../src/client/expect-kind.ts';
import { decodeDraws } from '../../src/contract/draws.ts';
import type { Case } from './cases.ts';
import { analyseNothing, analyseWorkflow, drawPlot } from './cases-analysis.ts';
import { callAbroad, callEndlessly, callFunctions } from './cases-functions.ts';
import { unknown } from './world.ts';

const objid = (id: string) => ({ params: { objid: id } });

type Rows = 'invoke' | 'viewDraws' | 'viewSummary' | 'viewLog' | 'computeLogDensity';

export const runCases: Readonly<Record<Rows, Case>> = {
  invoke: {
    async success(world) {
      await analyseWorkflow(world);
      await drawPlot(world);
      await callFunctions(world);
      const { ada, workflow } = world;
      const started = await ada.client.invoke({
        body: { target: workflow, action: 'run_sample', get_response: false },
      });
      const experiment = expectKind(
        await ada.client.viewObject(objid(started.experiment_id as string)),
        'experiment',
      );
      expect(experiment).toMatchObject({
        name: started.experiment_name,
        status: 'NEW',
        workflow_id: workflow,
        n_chains: 2,
      });
      expect(experiment.meta).toMatchObject({
        settings: { seed: 4, num_samples: 10 },
        iteration_count: 10,
      });
      expect(await ada.client.viewObject(objid(workflow))).toMatchObject({
        experiment_id: started.experiment_id,
      });
    },
    errors: {
      UNAUTHORIZED: ({ service, workflow }) =>
        service.anonymous.invoke({ body: { target: workflow, action: 'run_sample' } }),
      NOT_FOUND: ({ ada }) =>
        ada.client.invoke({ body: { target: unknown.workflow, action: 'run_sample' } }),
      PERMISSION_DENIED: ({ bob, workflow }) =>
        bob.client.invoke({ body: { target: workflow, action: 'run_sample' } }),
      async INVALID_PARAMETER({ ada, workflow }) {
        const payload = {
          object_type: 'workflow',
          settings: 'sampling: {num_chains: many}',
        } as const;
        await ada.client.updateObject({ ...objid(workflow), body: { payload } });
        await expect(
          ada.client.invoke({ body: { target: workflow, action: 'run_sample' } }),
        ).rejects.toThrow(/num_chains/);
        return ada.client.invoke({ body: { target: workflow, action: 'run' } });
      },
      CONFLICT: analyseNothing,
      LIMIT_EXCEEDED: callEndlessly,
      NOT_SUPPORTED: callAbroad,
    },
  },
  computeLogDensity: {
    async success({ ada, experiment }) {
      const unconstrained = [0.1];
      const body = { unconstrained };
      const found = await ada.client.computeLogDensity({ ...objid(experiment.short_id), body });
      expect(found.names).toHaveLength(1);
      expect(found.unconstrained).toEqual(unconstrained);
      expect(found.with_jacobian.gradient).toHaveLength(1);
    },
    errors: {
      UNAUTHORIZED: ({ service, experiment }) =>
        service.anonymous.computeLogDensity({ ...objid(experiment.short_id), body: {} }),
      NOT_FOUND: ({ ada }) =>
        ada.client.computeLogDensity({ ...objid(unknown.experiment), body: { point: {} } }),
      PERMISSION_DENIED: ({ bob, experiment }) =>
        bob.client.computeLogDensity({ ...objid(experiment.short_id), body: { point: {} } }),
      INVALID_PARAMETER: ({ ada, experiment }) =>
        ada.client.computeLogDensity({ ...objid(experiment.short_id), body: {} }),
      async CONFLICT({ ada }) {
        const payload = { object_type: 'experiment', name: 'outside', meta: {} } as const;
        const { short_id } = await ada.client.createObject({ body: { payload } });
        return ada.client.computeLogDensity({ ...objid(short_id), body: { point: {} } });
      },
    },
  },
  viewDraws: {
    async success({ ada, experiment }) {
      const query = { variable: ['mu'], chain: ['chain#2'], from: 3, to: 5 };
      const { header, values } = decodeDraws(
        await ada.client.viewDraws({ ...objid(experiment.short_id), query }),
      );
      expect(header.columns).toEqual([
        {
          chain: 'chain#2',
          variable: 'mu',
          phase: 'sampling',
          first_iteration: 3,
          step: 1,
          count: 3,
          offset: 0,
        },
      ]);
      expect([...values]).toEqual([2.003, 2.004, 2.005]);
    },
    errors: {
      NOT_FOUND: ({ ada }) => ada.client.viewDraws(objid(unknown.experiment)),
      PERMISSION_DENIED: ({ bob, experiment }) => bob.client.viewDraws(objid(experiment.short_id)),
      UNAUTHORIZED: ({ service, experiment }) =>
        service.clientOf('erg_unknown').viewDraws(objid(experiment.short_id)),
      INVALID_PARAMETER: ({ ada, experiment }) =>
        ada.client.viewDraws({ ...objid(experiment.short_id), query: { from: -1 } }),
    },
  },
  viewSummary: {
    async success({ ada, experiment }) {
      const summary = await ada.client.viewSummary(objid(experiment.short_id));
      expect(summary).toMatchObject({ n_chains: 2, n_samples: 20, verdict: { state: 'unknown' } });
      const mu = summary.variables.find((row) => row.variable === 'mu');
      expect(mu?.mean).toBeCloseTo(1.5105, 10);
      // Draws of an outside runner: the bounds of its program are unknown.
      expect(mu).not.toHaveProperty('lower');
    },
    errors: {
      NOT_FOUND: ({ ada }) => ada.client.viewSummary(objid(unknown.experiment)),
      PERMISSION_DENIED: ({ bob, experiment }) =>
        bob.client.viewSummary(objid(experiment.short_id)),
      UNAUTHORIZED: ({ service, experiment }) =>
        service.clientOf('erg_unknown').viewSummary(objid(experiment.short_id)),
    },
  },
  viewLog: {
    async success({ ada, experiment }) {
      const query = { stream: 'platform', q: 'program' } as const;
      const log = await ada.client.viewLog({ ...objid(experiment.short_id), query });
      expect(log.text).toMatch(/^Program model\.stan of M/);
      expect(log).toMatchObject({ from: 0, to: log.size, matches: [0] });
      const end = await ada.client.viewLog({
        ...objid(experiment.short_id),
        query: { stream: 'platform', from: -5 },
      });
      expect(end.text).toBe(log.text.slice(-5));
    },
    errors: {
      UNAUTHORIZED: ({ service, experiment }) =>
        service.anonymous.viewLog(objid(experiment.short_id)),
      NOT_FOUND: ({ ada }) => ada.client.viewLog(objid(unknown.experiment)),
      PERMISSION_DENIED: ({ bob, experiment }) => bob.client.viewLog(objid(experiment.short_id)),
      INVALID_PARAMETER: ({ ada, experiment }) =>
        ada.client.viewLog({ ...objid(experiment.short_id), query: { from: 0.5 } }),
    },
  },
};
