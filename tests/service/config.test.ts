import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { environmentName, readConfig, serviceOptions } from '../../src/service/config.ts';
import { isLoopback } from '../../src/service/loopback.ts';

describe('the configuration', () => {
  it('has defaults that need neither options nor environment', () => {
    const config = readConfig({}, {});
    expect(config).toMatchObject({
      port: 8650,
      host: '127.0.0.1',
      databaseUrl: '',
      open: false,
      allowFetch: [],
    });
    expect(config.dataDir).toBe(path.resolve('ergodic-data'));
    expect(config.workers).toBeGreaterThan(0);
  });

  it('prefers options to the environment, and the environment to defaults', () => {
    expect(readConfig({ port: '1' }, { ERGODIC_PORT: '2' }).port).toBe(1);
    expect(readConfig({}, { ERGODIC_PORT: '2' }).port).toBe(2);
    expect(readConfig({}, {}).userChains).toBe(0);
    expect(readConfig({}, { ERGODIC_USER_CHAINS: '3' }).userChains).toBe(3);
    expect(readConfig({}, { DATABASE_URL: 'postgres://a/b' }).databaseUrl).toBe('postgres://a/b');
    expect(
      readConfig({ 'database-url': 'postgresql://c/d' }, { DATABASE_URL: 'postgres://a/b' })
        .databaseUrl,
    ).toBe('postgresql://c/d');
    expect(readConfig({}, { ERGODIC_TRUST_PROXY: 'yes', ERGODIC_OPEN: '0' })).toMatchObject({
      trustProxy: true,
      open: false,
    });
    expect(readConfig({}, { ERGODIC_ALLOWED_HOST: 'a.org, b.org' }).allowedHosts).toEqual([
      'a.org',
      'b.org',
    ]);
    expect(
      readConfig({ 'allow-origin': ['https://a.org/', 'http://b.org:81'] }, {}).allowedOrigins,
    ).toEqual(['https://a.org', 'http://b.org:81']);
  });

  it('reads an environment variable for every option', () => {
    expect(serviceOptions.map((row) => environmentName(row.name))).toContain(
      'ERGODIC_DATABASE_URL',
    );
    const environment = Object.fromEntries(
      serviceOptions.map((row) => [environmentName(row.name), 'nonsense here!']),
    );
    expect(() => readConfig({}, environment)).toThrow('ERGODIC_PORT must be a whole number');
  });

  it('names the invalid option', () => {
    for (const [option, value] of [
      ['port', '70000'],
      ['port', '-1'],
      ['workers', '1.5'],
      ['open', 'maybe'],
      ['public-url', 'ftp://a.org'],
      ['public-url', 'https://a.org/path'],
      ['connect', ['nonsense']],
      ['database-url', 'mysql://a'],
    ] as const) {
      expect(() => readConfig({ [option]: value }, {}), `${option} ${String(value)}`).toThrow(
        /--|DATABASE_URL/,
      );
    }
  });

  it('distinguishes this machine from others', () => {
    for (const host of ['127.0.0.1', '127.9.9.9', '::1', 'localhost'])
      expect(isLoopback(host)).toBe(true);
    for (const host of ['0.0.0.0', '::', '10.0.0.1', '127.evil.com', 'localhost.evil.com'])
      expect(isLoopback(host)).toBe(false);
  });
});
