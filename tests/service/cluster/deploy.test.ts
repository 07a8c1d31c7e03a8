/** What operators apply, in `src/deploy`: valid under the schemas of Kubernetes and KEDA, and true of this program. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ScaledObject, TriggerAuthentication } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { Job } from 'kubernetes-models/batch/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Service, ServiceAccount } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { environmentName, readConfig, serviceOptions } from '../../../src/service/config.ts';
import { createMetrics } from '../../../src/service/metrics/metrics.ts';
import { countCluster } from '../../../src/service/repositories/cluster-counts.ts';
import { startExperiment } from '../../support/objects.ts';
import { createTestService } from '../../support/service.ts';

const folder = path.resolve(import.meta.dirname, '../../../src/deploy');
const textOf = (file: string) => readFileSync(path.join(folder, file), 'utf8');

interface Container {
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string }[];
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
}
interface PodTemplate {
  readonly spec: {
    readonly securityContext: Readonly<Record<string, unknown>>;
    readonly containers: readonly Container[];
  };
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: Readonly<Record<string, unknown>> & { readonly template?: PodTemplate };
}

const manifests = readdirSync(path.join(folder, 'kubernetes')).flatMap((file) =>
  parseAllDocuments(textOf(`kubernetes/${file}`)).map((document) => document.toJS() as Manifest),
);
const find = (kind: string, name: string) =>
  manifests.find((one) => one.kind === kind && one.metadata.name === name) as Manifest;
const pods = manifests.flatMap(({ spec }) => spec?.template ?? []);

const kinds = {
  ConfigMap,
  Deployment,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
  ScaledObject,
  Service,
  ServiceAccount,
  TriggerAuthentication,
};
type Kind = keyof typeof kinds;

describe('the manifests', () => {
  it('are valid against the schemas of their kinds', () => {
    expect(manifests).toHaveLength(11);
    for (const manifest of manifests) {
      const Model = kinds[manifest.kind as Kind] as unknown as new (
        data: unknown,
      ) => {
        validate(): void;
      };
      expect(() => new Model(manifest).validate(), manifest.metadata.name).not.toThrow();
    }
    const broken = { ...find('Deployment', 'ergodic'), spec: { replicas: 'two' } };
    expect(() => new Deployment(broken as never).validate()).toThrow();
  });

  it('run as an unprivileged user on a read-only file system', () => {
    expect(pods).toHaveLength(3);
    for (const { spec } of pods) {
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
      for (const { securityContext } of spec.containers)
        expect(securityContext).toMatchObject({
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        });
    }
  });

  it('name only existing options, commands, ports and deployments', () => {
    const known = new Set([
      ...serviceOptions.map(({ name }) => environmentName(name)),
      'ERGODIC_LOG_LEVEL',
    ]);
    const settings = find('ConfigMap', 'ergodic').data ?? {};
    const named = [
      ...Object.keys(settings),
      ...pods.flatMap(({ spec }) =>
        spec.containers.flatMap(({ env }) => env.map(({ name }) => name)),
      ),
      ...[...textOf('compose.yaml').matchAll(/^ +(ERGODIC_\w+):/gm)].map(([, name]) => name),
      ...[...textOf('Dockerfile').matchAll(/(ERGODIC_\w+)=/g)].map(([, name]) => name),
    ];
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !known.has(name as string))).toEqual([]);
    expect(readConfig({}, settings)).toMatchObject({ workers: 0, trustProxy: true });
    const commands = pods.map(({ spec }) => spec.containers[0]?.args[0]);
    expect(commands.toSorted()).toEqual(['migrate', 'serve', 'worker']);
    const { scaleTargetRef } = find('ScaledObject', 'ergodic-worker').spec as {
      scaleTargetRef: { name: string };
    };
    expect(find('Deployment', scaleTargetRef.name)).toBeDefined();
  });

  it('query the database for as many workers as there is work', async () => {
    const service = await createTestService();
    const { pool } = service.database;
    const { triggers } = find('ScaledObject', 'ergodic-worker').spec as unknown as {
      triggers: readonly { readonly metadata: { readonly query: string } }[];
    };
    const query = triggers[0]?.metadata.query ?? '';
    const load = async () =>
      Number(Object.values((await pool.query<object>(query)).rows[0] ?? {})[0]);
    expect(await load()).toBe(0);
    const { short_id: id } = await startExperiment(service.owner.client, 'run');
    await pool.query('delete from experiment_chains');
    await pool.query('delete from tasks');
    await pool.query(
      `insert into experiment_chains (experiment_id, chain, name, state, desired_state)
       select id, n, 'c' || n, (array['queued', 'queued', 'running', 'done', 'paused'])[n], (array['run', 'stop', 'run', 'run', 'pause'])[n]
       from experiments, generate_series(1, 5) n`,
    );
    await pool.query(
      "insert into tasks (kind, subject_id, max_attempts) values ('import', 1, 3), ('export', 1, 3)",
    );
    expect(await load()).toBe(3);
    expect(await countCluster(pool)).toMatchObject({ waiting: 1, running: 1, paused: 1 });
    // a deleted run does not wait
    await service.owner.client.deleteObject({ params: { objid: id } });
    expect(await load()).toBe(1);
    await service.close();
  });
});

describe('the dashboard for Grafana', () => {
  it('uses only metrics that exist', async () => {
    const service = await createTestService();
    const metrics = createMetrics({
      pool: service.database.pool,
      version: '1',
      engine: 4,
      schema: 18,
    });
    const watched = await createTestService({ database: service.database, metrics });
    await watched.inject({ method: 'GET', url: '/sys/config' });
    const { text } = await metrics.read();
    const { panels } = JSON.parse(textOf('grafana-dashboard.json')) as {
      panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
    };
    const names = panels.flatMap(({ targets }) =>
      targets.flatMap(({ expr }) => expr.match(/\b(ergodic|nodejs|process)_\w+/g) ?? []),
    );
    expect(names.length).toBeGreaterThan(9);
    // a metric without current values is named only by its type
    const there = new Set([...text.matchAll(/^(?:# TYPE )?(\w+)/gm)].map(([, name]) => name));
    expect(names.filter((name) => !there.has(name))).toEqual([]);
    await watched.app.close();
    await service.close();
  });
});

it('compose: services name existing services and volumes, on read-only images', () => {
  const { services, volumes } = parse(textOf('compose.yaml'), { merge: true }) as {
    services: Readonly<
      Record<string, { depends_on?: object; volumes?: readonly string[]; read_only?: boolean }>
    >;
    volumes: object;
  };
  expect(Object.keys(services)).toEqual(['postgres', 'files', 'service', 'worker', 'proxy']);
  for (const { depends_on: needed = {}, volumes: mounted = [] } of Object.values(services)) {
    for (const name of Object.keys(needed)) expect(services).toHaveProperty(name);
    for (const mount of mounted) expect(volumes).toHaveProperty(mount.split(':')[0] as string);
  }
  expect([services.service?.read_only, services.worker?.read_only]).toEqual([true, true]);
});
