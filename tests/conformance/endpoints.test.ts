import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '../../src/client/api-error.ts';
import { type EndpointName, endpoints } from '../../src/contract/endpoints.ts';
import { type ErrorCode, errorCodes } from '../../src/contract/errors.ts';
import { buildOpenApi } from '../../src/contract/openapi.ts';
import { cases } from './cases.ts';
import { DescriptionCheck } from './description-check.ts';
import { createPlainClient } from './plain-client.ts';
import { createWorld, type World } from './world.ts';

const names = Object.keys(endpoints) as EndpointName[];
const description = new DescriptionCheck(buildOpenApi('0.0.1'));
const ways = [
  { way: 'through the client', makeClient: undefined },
  {
    way: 'through plain HTTP, as /openapi.json describes it',
    makeClient: (port: () => number, token: string | null) =>
      createPlainClient(port, token, (call) => description.check(call)),
  },
];

describe.each(ways)('$way', ({ makeClient }) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ makeClient });
  });
  afterAll(() => world.service.close());

  describe.each(names.filter((name) => name in cases))('%s', (name) => {
    it('succeeds', () => cases[name].success(world));

    it.each(Object.keys(cases[name].errors) as ErrorCode[])('fails with %s', async (code) => {
      const error: unknown = await cases[name].errors[code]?.(world).catch(
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ kind: 'http', code, status: errorCodes[code].status });
      if (code === 'RATE_LIMITED') expect((error as ApiError).retryAfterSeconds).toBeGreaterThan(0);
    });
  });
});

describe('the description', () => {
  it('was compared with a success of each operation, and with every documented failure', () => {
    const successes = names.filter((name) => description.statusesOf(endpoints[name]).has(200));
    const refused = names.filter((name) => !successes.includes(name));
    // there is no code host to link; only the separate services in `cases-sign-in.ts` have an identity provider
    expect(refused).toEqual([
      'auth0Login',
      'exchangeCode',
      'beginSignIn',
      'finishSignIn',
      'beginLink',
      'signOutEverywhere',
    ]);
    for (const name of names)
      for (const code of Object.keys(cases[name].errors) as ErrorCode[])
        expect([name, ...description.statusesOf(endpoints[name])]).toContain(
          errorCodes[code].status,
        );
  });
});

describe('the table of cases', () => {
  it('has a row for each endpoint', () =>
    expect(Object.keys(cases).sort()).toEqual([...names].sort()));
  it('has UNAUTHORIZED for every endpoint that needs a bearer token', () => {
    for (const name of names)
      if (endpoints[name].policy === 'bearer')
        expect(cases[name].errors).toHaveProperty('UNAUTHORIZED');
  });
});
