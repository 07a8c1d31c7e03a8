import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { objectKinds } from '../../src/contract/common.ts';
import { type Endpoint, type EndpointName, endpoints } from '../../src/contract/endpoints.ts';
import { addFinishedExperiment, addShare, addWorkflow } from '../support/objects.ts';
import { createTestService, type Person, type TestService } from '../support/service.ts';

let service: TestService;
let ada: Person;
/** Ids that exist, and some that do not. */
let ids: string[];
beforeAll(async () => {
  service = await createTestService();
  ada = await service.addPerson('ada');
  const experiment = await addFinishedExperiment(service, ada.client);
  const workflow = await addWorkflow(ada.client);
  const share = await addShare(ada.client, { objid: experiment.short_id, password: 'p' });
  ids = [
    experiment.short_id,
    workflow.short_id,
    workflow.model_id as string,
    workflow.data_id as string,
    share.short_id,
  ];
  ids.push(
    'M0000000',
    'X1234567',
    'nonsense',
    '..',
    "'; drop table objects; --",
    'M'.repeat(300),
    '%00',
    '\u0000',
  );
});
afterAll(() => service.close());

/** Names that the contract knows, so that random values land where something reads them. */
const fields = (
  'object_type name description content tree meta tags env lang entrance_file source_url ' +
  'uri data base64_encoded data_uri model_id data_id workflow_id input_id experiment_id ' +
  'run_on objid password target_user include expires_at action status n_chains n_samples ' +
  'sample_update_time settings startup_script base_version version username new_password ' +
  'expire target children encoding type __proto__ constructor toString'
).split(' ');
const queries = (
  'object_type page_no page_size status run_on q sort owner tags model_ids workflow_id ' +
  'has_model share_id sampledata fmt n_iteration stdlog cloudwatch_log batch_id run_id ' +
  'version view-analyzer variable chain phase from to max_points stream objids tokens ' +
  'deleted_key shared_with_me'
).split(' ');

const scalar = () =>
  fc.oneof(
    fc.constantFrom(
      ...ids,
      ...objectKinds,
      'workflow.run',
      'experiment.text_message',
      'sampling: {num_chains: 1}',
      'stop',
      'extend',
    ),
    fc.constantFrom(
      null,
      true,
      false,
      0,
      -1,
      1e308,
      2 ** 53,
      -0.5,
      '',
      '\u0000',
      '\ud800',
      'run_sample',
      '2030-01-01',
      '1e400',
      '[[[',
    ),
    fc.string({ unit: 'binary', maxLength: 30 }),
  );
const bodyOf = () =>
  fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      scalar(),
      tie('object'),
      fc.array(tie('value'), { maxLength: 3 }),
    ),
    object: fc.dictionary(
      fc.oneof(fc.constantFrom(...fields), fc.string({ maxLength: 8 })),
      tie('value'),
      { maxKeys: 6 },
    ),
  })).object;
const queryOf = () =>
  fc
    .array(fc.tuple(fc.constantFrom(...queries), scalar()), { maxLength: 4 })
    .map((pairs) =>
      pairs
        .map(
          ([key, value]) =>
            `${encodeURIComponent(key)}=${encodeURIComponent(String(value).replace(/\p{Surrogate}/gu, ''))}`,
        )
        .join('&'),
    );

/** Ends the token in use, so it is called without one. */
const withoutToken: readonly EndpointName[] = ['logout'];

const callOf = () =>
  fc.record({
    name: fc.constantFrom(...(Object.keys(endpoints) as EndpointName[])),
    id: fc.constantFrom(...ids),
    query: queryOf(),
    body: bodyOf(),
    type: fc.constantFrom(...objectKinds, null),
    isSignedIn: fc.boolean(),
    password: fc.constantFrom(null, 'p', 'wrong', ''),
  });

describe('whatever is sent', () => {
  it('is answered in the envelope, and never with a fault of ours', async () => {
    await fc.assert(
      fc.asyncProperty(callOf(), async ({ name, id, query, body, type, isSignedIn, password }) => {
        const endpoint: Endpoint = endpoints[name];
        const path = endpoint.path.replace(/\{\w+\}/g, encodeURIComponent(id));
        // half of the bodies have the shape that gets past the first check
        const payload =
          type === null ? body : { payload: { name: 'n', ...(body as object), object_type: type } };
        const response = await service.inject(
          {
            method: endpoint.method,
            url: `${path}?${query}`,
            headers: password === null ? {} : { 'x-share-password': password },
            payload: endpoint.body === undefined ? undefined : JSON.stringify(payload),
          },
          isSignedIn && !withoutToken.includes(name) ? ada.token : null,
        );
        expect(response.statusCode).toBeLessThan(500);
        if (response.headers['content-type'] === 'application/octet-stream') return;
        expect(response.json()).toMatchObject(
          response.statusCode === 200 ? { status: 'ok' } : { status: 'error' },
        );
      }),
      { seed: 42, numRuns: 500 },
    );
  });

  it('even when it is not JSON at all', async () => {
    const text = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.json().map((json) => Buffer.from(json.slice(0, -1))),
      fc
        .constantFrom('{', '[[[[', '"', 'NaN', '{"payload": NaN}', '\ufeff{}', '{"a":1}{"b":2}')
        .map((words) => Buffer.from(words)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('/api/object', '/invoke', '/base/login', '/base/user/tokens'),
        text,
        async (url, payload) => {
          const response = await service.inject({ method: 'POST', url, payload }, ada.token);
          expect(response.statusCode).toBeLessThan(500);
          expect(response.json()).toHaveProperty('status');
        },
      ),
      { seed: 43, numRuns: 150 },
    );
  });

  it('hostile names are kept as they are, found, and harm nothing', async () => {
    const names = [
      '<script>alert(1)</script>',
      '%',
      '_',
      "'; drop table objects; --",
      '../x',
      '\u202Egnp.exe',
      '💥'.repeat(60),
      '=1+1',
      '{{7*7}}',
      '__proto__',
    ];
    for (const name of names) {
      const made = await service.inject(
        {
          method: 'POST',
          url: '/api/object',
          payload: JSON.stringify({ payload: { object_type: 'data', name } }),
        },
        ada.token,
      );
      const id = made.json().data.short_id;
      const found = await service.inject(
        { method: 'GET', url: `/api/object?object_type=data&q=${encodeURIComponent(name)}` },
        ada.token,
      );
      expect(
        found.json().data.objects.map((entry: { short_id: string }) => entry.short_id),
      ).toEqual([id]);
      const seen = (
        await service.inject({ method: 'GET', url: `/api/object/${id}` }, ada.token)
      ).json().data;
      expect(seen.name).toBe(name);
      const file = await service.inject({ method: 'GET', url: new URL(seen.path).pathname });
      expect(file.headers['content-disposition']).toMatch(
        /^attachment; filename="[^"\r\n]+"; filename\*=UTF-8''[^\r\n"]+$/,
      );
    }
  });
});
