/**
 * Anything at any endpoint. Long because the input is one grammar, from scalars to entire calls, whose parts build on
 * each other and are understood together.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { objectKinds } from '../../src/contract/common.ts';
import { type Endpoint, type EndpointName, endpoints } from '../../src/contract/endpoints.ts';
import { seedOfRuns } from '../support/fuzz-runs.ts';
import { addFinishedExperiment, addProject, addShare, addWorkflow } from '../support/objects.ts';
import { createTestService, type Person, type TestService } from '../support/service.ts';

/** CI tries 500 calls; `npm run fuzz` sets 10 000. */
const numRuns = Number(process.env.FUZZ_RUNS ?? 500);
const seed = seedOfRuns(42);

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
  const [event, outside] = await Promise.all([
    ada.client.createObject({ body: { payload: { object_type: 'event', name: 'e' } } }),
    ada.client.createObject({ body: { payload: { object_type: 'experiment' } } }),
  ]);
  const project = await addProject(ada.client, { members: [experiment.short_id] });
  ids = [
    experiment.short_id,
    workflow.short_id,
    workflow.model_id as string,
    workflow.data_id as string,
    share.short_id,
    (event as { short_id: string }).short_id,
    (outside as { short_id: string }).short_id,
    project.short_id,
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

/** Names that the contract knows, so that random values land in fields that are read. */
const fields = (
  'object_type name description content tree meta tags env lang entrance_file source_url ' +
  'uri data base64_encoded data_uri model_id data_id workflow_id input_id experiment_id ' +
  'run_on objid password target_user include expires_at action status n_chains n_samples ' +
  'sample_update_time settings startup_script base_version version username new_password ' +
  'note members add remove entry_id text deleted base_note expire target children encoding type __proto__ constructor toString'
).split(' ');
/** Query keys and typical values; the key alone is enough to try it with anything. */
const queries: Record<string, readonly string[]> = {
  page_no: ['1', '2', '99999'],
  page_size: ['1', '1000'],
  status: ['FIN', 'new', ''],
  run_on: ['local'],
  q: ['a', '%', "'"],
  sort: ['name', '-updated', 'status'],
  tags: ['model', 'builtin'],
  has_model: ['true'],
  shared_with_me: ['true'],
  with_share_info: ['True'],
  sampledata: ['true'],
  fmt: ['csv', 'arviz'],
  n_iteration: ['3', '2147483648'],
  stdlog: ['true'],
  cloudwatch_log: ['true'],
  batch_id: ['b'],
  run_id: ['r'],
  'view-analyzer': ['true'],
  version: ['1', '2'],
  variable: ['mu', 'nothing'],
  chain: ['chain#1'],
  phase: ['warmup', 'sampling'],
  from: ['5', '-5', '1e3'],
  to: ['7'],
  max_points: ['1', '4'],
  stream: ['platform'],
  owner: ['ada', 'owner(@1)'],
  share_id: ['S0000000'],
  model_ids: ['M0000000'],
  workflow_id: ['F0000000'],
  member_id: ['M0000000'],
  objids: ['M0000000,'],
  tokens: ['1'],
  deleted_key: ['x'],
};

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
const pairOf = () =>
  fc
    .constantFrom(...Object.keys(queries))
    .chain((key) =>
      fc
        .oneof(
          { weight: 12, arbitrary: fc.constantFrom<unknown>(...queries[key]) },
          { weight: 1, arbitrary: scalar() },
        )
        .map(
          (value) =>
            `${encodeURIComponent(key)}=${encodeURIComponent(String(value).replace(/\p{Surrogate}/gu, ''))}`,
        ),
    );
/** Lists require a kind, and views accept one. */
const queryOf = () =>
  fc
    .tuple(fc.constantFrom(...objectKinds), fc.array(pairOf(), { maxLength: 4 }))
    .map(([kind, pairs]) => ({ kind, pairs: pairs.join('&') }));

/** Mostly valid values for a field, sometimes anything. */
const field = <T>(plausible: fc.Arbitrary<T>) =>
  fc.oneof(
    { weight: 24, arbitrary: plausible },
    { weight: 1, arbitrary: bodyOf() },
    { weight: 1, arbitrary: scalar() },
  );
const text = () => field(fc.string({ unit: 'grapheme', maxLength: 20 }));
/** One of the first ids; generated lazily, once they are known. */
const id = (...places: number[]) => field(fc.constantFrom(...places).map((place) => ids[place]));
const node = fc.letrec((tie) => ({
  node: fc.record(
    {
      name: fc.oneof(fc.stringMatching(/^[\w.]{1,8}$/), fc.string({ maxLength: 8 })),
      type: fc.constantFrom('file', 'folder'),
      content: fc.oneof(fc.base64String({ maxLength: 20 }), fc.string({ maxLength: 20 })),
      encoding: fc.constantFrom('base64', 'text'),
      children: fc.array(tie('node'), { maxLength: 2, depthIdentifier: 'tree' }),
    },
    { requiredKeys: ['name'] },
  ),
})).node;

/** What a runner broadcasts, and its draws: mostly in order. */
const messageOf = () =>
  fc.record({
    group: fc.constant('object_X0000000'),
    type: fc.constant('object_broadcast'),
    message: fc.oneof(
      fc.record({
        action: fc.constantFrom('start', 'experiment:output', 'experiment:error', 'other'),
        data: fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), fc.integer()),
      }),
      bodyOf(),
    ),
  });
const chainNames = ['chain#1', 'chain#2', 'chain#', '__proto__', ''];
const logsOf = () =>
  fc
    .tuple(fc.constantFrom(...chainNames), fc.integer({ min: -1, max: 50 }), fc.nat({ max: 4 }))
    .chain(([chain, first, more]) =>
      fc.record({
        iteration: fc.constant({ [chain]: [first, first + more, 2 ** 64] }),
        vars: fc
          .dictionary(
            fc.oneof(fc.constantFrom('mu/val', 'extras/lp/val'), fc.string({ maxLength: 6 })),
            fc.array(fc.oneof(fc.double(), fc.boolean(), fc.string({ maxLength: 4 })), {
              minLength: more + 1,
              maxLength: more + 1,
            }),
            { maxKeys: 3 },
          )
          .map((vars) => ({ [chain]: vars })),
      }),
    );
/** Draws files, intact and broken. */
const fileOf = () =>
  fc.oneof(
    fc.constantFrom(
      'lp__,mu\n-1,2\n-1,3\n',
      'iteration,chain,mu\n1,1,0.5\n2,1,0.25\n',
      'lp__,mu\n1\n',
      '# comment only\n',
      'iVBORw0KGgo=',
      'Q0RGAQ==',
    ),
    fc.string({ unit: 'binary', maxLength: 60 }),
  );

/** Payloads that get past the first check: fields of all kinds, each plausible for its kind. */
const payloadOf = (types: readonly string[]) =>
  fc
    .record(
      {
        object_type: fc.constantFrom(...types),
        name: text(),
        description: text(),
        content: field(
          fc.record({
            tree: fc.array(node, { maxLength: 3 }),
            meta: fc.record({ entrance_file: fc.string({ maxLength: 8 }) }),
          }),
        ),
        tags: field(fc.array(fc.constantFrom('model', 'code', 'anonymous', 'x'), { maxLength: 2 })),
        data: text(),
        base64_encoded: field(fc.boolean()),
        data_uri: field(fc.constantFrom('', 'ergodic-gallery:rats', 'https://example.org')),
        uri: field(fc.constantFrom('', 'ergodic-gallery:rats', 'ergodic-gallery:')),
        objid: id(0, 1, 2),
        model_id: id(2),
        data_id: id(3),
        workflow_id: id(1),
        password: text(),
        include: field(fc.subarray(['program', 'data'])),
        expires_at: field(
          fc.constantFrom('2999-01-01', '+275760-09-13T00:00:00Z', '2030-13-45', null),
        ),
        meta: bodyOf(),
        action: field(fc.constantFrom('pause', 'resume', 'extend', 'words')),
        n_samples: field(fc.integer()),
        settings: field(
          fc.constantFrom(
            '',
            'sampling: {num_chains: 1}',
            'a: [',
            '- 1',
            '&a [*a]',
            'sampling: {inits: {mu: .nan}}',
          ),
        ),
        base_version: field(fc.integer({ min: -1, max: 3 })),
        datas: field(fc.array(messageOf(), { maxLength: 3 })),
        batch_id: text(),
        run_id: text(),
        logs: field(logsOf()),
        chain_name: text(),
        n_sample: field(fc.integer()),
        stat: field(
          fc.dictionary(
            fc.string({ maxLength: 8 }),
            fc.tuple(fc.constantFrom('avg', ''), fc.double()),
            { maxKeys: 3 },
          ),
        ),
        return_code: field(fc.integer()),
        errlines: field(fc.array(fc.string({ maxLength: 20 }), { maxLength: 3 })),
        result: field(fc.constantFrom('', 'H4sIAAAAAAAAA8tIzcnJBwCGphA2BQAAAA==', 'AAAA', '%')),
        lang: field(fc.constantFrom('javascript', 'python', 'julia')),
        code: field(
          fc.constantFrom('export default () => 1', 'gist:abc:main.py', 'repo:a/b:c.jl', ''),
        ),
        object1_id: id(5, 6, 0),
        object2_id: id(6, 2, 5),
        params: field(fc.constantFrom('', '{"a": 1}', '{', 'null')),
        lock_key: text(),
        data_files: field(fc.array(fileOf(), { maxLength: 2 })),
        data_file_type: field(fc.constantFrom('stan csv', 'turing csv', 'arviz netcdf', null)),
        data_script: field(fc.constantFrom('', 'export default () => ({ N: 1 })', 'while')),
        analyzer_id: id(2, 0),
      },
      { requiredKeys: ['object_type'] },
    )
    .map((payload) => ({ payload }));

const updateTypes: Record<string, readonly string[]> = {
  X: [
    'experiment',
    'experiment.text_message',
    'experiment.nsample_stat',
    'experiment.protobuf_message',
  ],
  F: ['workflow', 'workflow.run', 'workflow.run_analyzer', 'workflow.analyzer_result'],
  E: ['event'],
  M: ['model', 'model.run_script'],
  D: ['data'],
  S: ['share'],
  P: ['project', 'project.entry'],
};

interface AnyCall {
  readonly name: EndpointName;
  readonly id: string;
  readonly query: string;
  readonly body: unknown;
  readonly isSignedIn: boolean;
  readonly password: string | null;
}

/** Names of all endpoints, with the complex ones more often. */
const names = Object.keys(endpoints) as EndpointName[];
const busy: readonly EndpointName[] = [
  'createObject',
  'updateObject',
  'viewObject',
  'listObjects',
  'invoke',
  'viewDraws',
];

const callOf = (): fc.Arbitrary<AnyCall> =>
  fc
    .record({
      name: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...busy) },
        { weight: 1, arbitrary: fc.constantFrom(...names) },
      ),
      index: fc.oneof(
        { weight: 6, arbitrary: fc.nat({ max: 6 }) },
        { weight: 1, arbitrary: fc.nat({ max: ids.length - 1 }) },
      ),
      isSignedIn: fc.oneof(
        { weight: 5, arbitrary: fc.constant(true) },
        { weight: 1, arbitrary: fc.constant(false) },
      ),
      password: fc.constantFrom(null, 'p', 'wrong', ''),
      query: queryOf(),
    })
    .chain(({ name, index, isSignedIn, ...rest }) => {
      // these would remove what the others act on
      const isSigningOut = name === 'logout' || name === 'signOutEverywhere';
      const isEnding = isSigningOut || name.startsWith('delete');
      const objid = ids[isEnding ? ids.length - 1 : index];
      const body =
        name === 'createObject'
          ? payloadOf([
              'model',
              'experiment',
              'data',
              'workflow',
              'share',
              'event',
              'callback',
              'relation',
            ])
          : name === 'updateObject'
            ? payloadOf(updateTypes[objid[0]] ?? objectKinds)
            : name === 'invoke'
              ? fc.record({
                  target: id(1, 1, 2),
                  action: fc.constantFrom('run_sample', 'run_sample', 'run_analyze', 'run', ''),
                })
              : bodyOf();
      const { kind, pairs } = rest.query;
      const query = name === 'listObjects' ? `object_type=${kind}&${pairs}` : pairs;
      const { password } = rest;
      const call = {
        name,
        id: objid,
        isSignedIn: isSignedIn && !isSigningOut,
        password,
        query,
      };
      return fc
        .oneof(
          { weight: 6, arbitrary: body as fc.Arbitrary<unknown> },
          { weight: 1, arbitrary: bodyOf() as fc.Arbitrary<unknown> },
        )
        .map((sent) => ({ ...call, body: sent }));
    });

function send({ name, id: objid, query, body, isSignedIn, password }: AnyCall) {
  const endpoint: Endpoint = endpoints[name];
  const path = endpoint.path.replace(/\{\w+\}/g, encodeURIComponent(objid));
  return service.inject(
    {
      method: endpoint.method,
      url: `${path}?${query}`,
      headers: password === null ? {} : { 'x-share-password': password },
      payload: endpoint.body === undefined ? undefined : JSON.stringify(body),
    },
    isSignedIn ? ada.token : null,
  );
}

describe('any request', () => {
  it('is answered in the envelope, and never with a status of 500 or above', async () => {
    const reached = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(callOf(), async (call) => {
        const { name } = call;
        const response = await send(call);
        expect(response.statusCode).toBeLessThan(500);
        const key = `${name} ${response.statusCode}`;
        reached.set(key, (reached.get(key) ?? 0) + 1);
        // files are sent as they are; everything else, and every error, is in the envelope
        const isJson = String(response.headers['content-type']).startsWith('application/json');
        if (response.statusCode === 200 && !isJson) return;
        expect(response.json()).toMatchObject(
          response.statusCode === 200 ? { status: 'ok' } : { status: 'error' },
        );
      }),
      { seed, numRuns },
    );
    // if all calls were rejected, the test would show little (an early update may break the workflow that is invoked)
    for (const name of busy.filter((one) => one !== 'invoke'))
      expect([name, (reached.get(`${name} 200`) ?? 0) > 3]).toEqual([name, true]);
  });

  it('is answered without a 5xx status when many act on the same objects at once', async () => {
    const bunch = fc.array(callOf(), { minLength: 12, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(bunch, async (calls) => {
        const responses = await Promise.all(calls.map(send));
        const answers = responses.map(({ statusCode, body: answer }, i) => ({
          statusCode,
          answer,
          ...calls[i],
        }));
        expect(answers.filter(({ statusCode }) => statusCode >= 500)).toEqual([]);
      }),
      { seed: seed + 2, numRuns: Math.ceil(numRuns / 12) },
    );
  });

  it('is answered without a 5xx status when its body is not JSON', async () => {
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
      { seed: seed + 1, numRuns: Math.ceil(numRuns / 3) },
    );
  });

  it('with a hostile name stores it unchanged, finds it, and sends a safe file name', async () => {
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
