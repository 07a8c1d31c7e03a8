import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageSegments } from '../../../src/service/http/static-web.ts';
import { createTestService, type TestService } from '../../support/service.ts';

const page = '<!doctype html><title>Ergodic</title>';
const script = 'export const x = 1;';
let folder: string;
let service: TestService;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-web-'));
  fs.mkdirSync(path.join(folder, 'web', 'assets'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'web', 'index.html'), page);
  fs.writeFileSync(path.join(folder, 'web', 'favicon.svg'), '<svg/>');
  fs.writeFileSync(path.join(folder, 'web', 'assets', 'index-abc123.js'), script);
  fs.writeFileSync(path.join(folder, 'web', 'assets', 'index-abc123.js.gz'), gzipSync(script));
  fs.writeFileSync(path.join(folder, 'secret.txt'), 'not for you');
  service = await createTestService({ webDir: path.join(folder, 'web') });
});
afterAll(async () => {
  await service.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const get = (url: string, headers = {}) => service.inject({ method: 'GET', url, headers });

describe('the dashboard', () => {
  it.each(['/', '/models', '/s/X1234567/S1234567', '/models/M1234567?tab=files'])(
    'serves the page at %s, to be revalidated each time',
    async (url) => {
      const response = await get(url);
      expect(response.statusCode).toBe(200);
      expect(response.body).toBe(page);
      expect(response.headers['content-type']).toMatch('text/html');
      expect(response.headers['cache-control']).toBe('no-cache');
    },
  );

  it('lets hashed files be cached forever, compressed if a compressed file exists', async () => {
    const response = await get('/assets/index-abc123.js', { 'accept-encoding': 'gzip' });
    expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(response.headers['content-encoding']).toBe('gzip');
    expect((await get('/assets/index-abc123.js')).body).toBe(script);
  });

  it('serves the page at an unknown address only if HTML is requested', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    expect((await get('/modles', { accept })).body).toBe(page);
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
      const response = await get('/modles', headers);
      expect([headers, response.statusCode]).toEqual([headers, 404]);
      expect(response.json()).toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  it('serves the page at the addresses of all its routes', () => {
    const routes = path.resolve(import.meta.dirname, '../../../src/dashboard/routes');
    const segments = fs
      .readdirSync(routes)
      // a leading dash: next to the routes, but not a route
      .filter((file) => !file.startsWith('-'))
      .map((file) => file.replace(/^_app\.(?!tsx)/, '').split('.')[0])
      // the last: every other address
      .filter((segment) => !/^(_|index$|\$)/.test(segment));
    expect([...new Set(segments)].sort()).toEqual([...pageSegments].sort());
  });

  it.each([
    '/assets/index-old.js',
    '/nothing.css',
    '/api/nothing',
    '/base/nothing',
    '/files/x',
    '/download/F1/x',
  ])('answers %s with an error, not with the page', async (url) => {
    const response = await get(url);
    expect(response.statusCode).toBe(404);
    expect(response.json()).toEqual({
      status: 'error',
      code: 'NOT_FOUND',
      message: 'There is no such endpoint.',
    });
  });

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/%252e%252e%252fsecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/%00',
  ])('never leaves its folder: %s', async (url) => {
    const response = await get(url);
    expect(response.body).not.toContain('not for you');
    expect(response.statusCode).toBeLessThan(500);
  });

  it('has security headers against other pages', async () => {
    const { headers } = await get('/');
    expect(headers['content-security-policy']).toBe(
      "default-src 'self';script-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data: blob:;" +
        "font-src 'self' data:;worker-src 'self';connect-src 'self' https: wss: http://127.0.0.1:* http://localhost:* " +
        "ws://127.0.0.1:* ws://localhost:*;frame-src 'self';object-src 'none';frame-ancestors 'none';" +
        "base-uri 'self';form-action 'self'",
    );
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    expect(headers['strict-transport-security']).toBeUndefined();
  });
});
