import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { RouteOptions } from 'fastify';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { type EndpointName, endpoints } from '../../../src/contract/endpoints.ts';
import type { Handlers } from '../../../src/service/http/call.ts';
import { registerEndpoints } from '../../../src/service/http/register-endpoints.ts';
import { createTestService } from '../../support/service.ts';

/** What may be reached without a policy. */
const openRoutes = new Set(['/openapi.json', '/*']);

describe('routes', () => {
  it('all have a policy', async () => {
    const routes: RouteOptions[] = [];
    const webDir = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-web-'));
    fs.writeFileSync(path.join(webDir, 'index.html'), '');
    const service = await createTestService({ webDir, onRoute: (route) => routes.push(route) });
    await service.close();
    fs.rmSync(webDir, { recursive: true });
    expect(routes.length).toBeGreaterThan(Object.keys(endpoints).length);
    const without = routes.filter(
      (route) => route.config?.policy === undefined && route.method !== 'OPTIONS',
    );
    expect(without.map((route) => `${String(route.method)} ${route.url}`)).toEqual([]);
    const open = routes.filter(
      (route) => route.config?.policy === 'public' && route.config.endpoint === undefined,
    );
    expect(open.filter((route) => !openRoutes.has(route.url)).map((route) => route.url)).toEqual(
      [],
    );
  });

  it('that accept upgrades declare who may connect', async () => {
    const routes: RouteOptions[] = [];
    const service = await createTestService({ onRoute: (route) => routes.push(route) });
    await service.close();
    const sockets = routes.filter((route) => route.wsHandler !== undefined || route.websocket);
    expect([...new Set(sockets.map((route) => route.url))].sort()).toEqual([
      '/api/notification',
      '/mcmc/ws/sub/object/:experiment_id',
    ]);
    for (const { url, config } of sockets)
      expect([url, config?.socketPolicy]).toEqual([url, 'first_message']);
  });

  it('are refused at start if an endpoint has no handler', () => {
    const all = Object.fromEntries(
      Object.keys(endpoints).map((name) => [name, () => Promise.resolve(null)]),
    );
    const { login, ...rest } = all as unknown as Handlers;
    expect(login).toBeTypeOf('function');
    const register = (handlers: unknown) =>
      registerEndpoints(Fastify(), { handlers: handlers as Handlers, baseUrlOf: () => '' });
    expect(() => register(rest)).toThrow('The endpoint login has no handler.');
    expect(() => register(all)).not.toThrow();
  });

  it('return UNAUTHORIZED without a token wherever one is required', async () => {
    const service = await createTestService();
    for (const name of Object.keys(endpoints) as EndpointName[]) {
      const { method, path, policy } = endpoints[name];
      if (policy !== 'bearer') continue;
      const response = await service.inject({ method, url: path.replace(/\{\w+\}/g, 'M1234567') });
      expect([name, response.statusCode, response.json().code]).toEqual([
        name,
        401,
        'UNAUTHORIZED',
      ]);
    }
    await service.close();
  });
});
