/** The OpenAPI 3.1 description of the service, derived from the endpoint table. */
import * as z from 'zod/mini';
import { invariant } from '../shared/invariant.ts';
import { describedAs } from './common.ts';
import { endpointSummaries } from './endpoint-summaries.ts';
import { type Endpoint, type EndpointName, endpoints, fullViewType } from './endpoints.ts';
import { errorCodes, errorEnvelopeSchema, okEnvelopeSchema } from './errors.ts';
import { limits } from './limits.ts';
import { treeNodeSchema } from './model.ts';

type Json = Record<string, unknown>;

/** `version`: `0.0.<unix seconds>+<7 hex>` or a release number; `servers` stays empty = the address it was read from. */
export function buildOpenApi(version: string): Json {
  const paths: Record<string, Json> = {};
  for (const [name, row] of Object.entries(endpoints)) {
    const endpoint: Endpoint = row;
    for (const [index, path] of [endpoint.path, ...(endpoint.aliases ?? [])].entries()) {
      paths[path] ??= {};
      paths[path][endpoint.method.toLowerCase()] = describe(name, endpoint, { isAlias: index > 0 });
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Ergodic', version, description: 'Models, sampling runs, draws and shares.' },
    tags: tags.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        share_password: { type: 'apiKey', in: 'header', name: 'X-Share-Password' },
      },
      schemas: {
        Error: toJson(errorEnvelopeSchema, 'output'),
        TreeNode: treeNode(),
      },
    },
  };
}

function describe(name: string, endpoint: Endpoint, { isAlias }: { isAlias: boolean }): Json {
  const note = endpoint.capability === undefined ? {} : { 'x-capability': endpoint.capability };
  return {
    operationId: isAlias ? `${name}Alias` : name,
    // Markdown belongs in descriptions: a summary is plain text.
    summary: endpointSummaries[name as EndpointName].replaceAll('`', ''),
    tags: [tagOf(endpoint)],
    security: security[endpoint.policy],
    parameters: parametersOf(endpoint),
    ...(endpoint.body === undefined
      ? {}
      : { requestBody: requestBody(endpoint.body, endpoint.bodyLimit) }),
    responses: responsesOf(endpoint),
    ...(isAlias ? { deprecated: true } : {}),
    ...note,
  };
}

/** Groups of the document, and ours; the first whose prefix matches the path. */
const tags: readonly { name: string; description: string; paths: readonly string[] }[] = [
  { name: 'Object', description: 'Stored objects', paths: ['/api/object', '/api/versions'] },
  { name: 'Invoke', description: 'Runs of workflows and functions', paths: ['/invoke', '/run'] },
  { name: 'Notification', description: 'Notifications', paths: ['/api/notification'] },
  { name: 'Authorization', description: 'Signing in, the user, tokens', paths: ['/base'] },
  { name: 'Upload', description: 'Uploads in pieces', paths: ['/api/upload'] },
  { name: 'Results', description: 'Results of runs', paths: ['/api', '/sys/get-arviz-data'] },
  { name: 'System', description: 'This server', paths: ['/sys'] },
  { name: 'Packages', description: 'Packages that run elsewhere', paths: ['/download'] },
];

function tagOf({ path }: Endpoint): string {
  const tag = tags.find(({ paths }) => paths.some((start) => path.startsWith(start)));
  invariant(tag !== undefined, `the path ${path} belongs to a group of the description`);
  return tag.name;
}

const security: Record<Endpoint['policy'], Json[]> = {
  public: [],
  bearer: [{ bearer: [] }],
  viewer: [{ bearer: [] }, { share_password: [] }, {}],
};

function parametersOf(endpoint: Endpoint): Json[] {
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => ({
    name: match[1],
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  if (endpoint.query === undefined) return inPath;
  const query = toJson(endpoint.query, 'input') as { properties?: Json; required?: string[] };
  const inQuery = Object.entries(query.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: query.required?.includes(name) ?? false,
    schema,
  }));
  return [...inPath, ...inQuery];
}

function requestBody(
  body: NonNullable<Endpoint['body']>,
  limit: NonNullable<Endpoint['bodyLimit']> = 'small_body_bytes',
): Json {
  const description = `At most ${limits[limit]} bytes (${limit}).`;
  if (body === 'binary') {
    const schema = { type: 'string', format: 'binary' };
    return { required: true, description, content: { 'application/octet-stream': { schema } } };
  }
  return {
    // a body whose members are all optional is optional itself
    required: !body.safeParse({}).success,
    description,
    content: { 'application/json': { schema: toJson(body, 'input') } },
  };
}

function responsesOf(endpoint: Endpoint): Json {
  const success = successOf(endpoint);
  const failures = new Map<number, string[]>();
  for (const [code, { status }] of Object.entries(errorCodes))
    failures.set(status, [...(failures.get(status) ?? []), code]);
  const errors = [...failures].map(([status, codes]) => [
    String(status),
    {
      description: codes.join(', '),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ]);
  return { 200: success, ...Object.fromEntries(errors) };
}

function successOf({ response, plainResponse, mediaTypes }: Endpoint): Json {
  const description = 'Success';
  if (response === 'binary') {
    const schema = { type: 'string', format: 'binary' };
    const types = mediaTypes ?? ['application/octet-stream'];
    return { description, content: Object.fromEntries(types.map((type) => [type, { schema }])) };
  }
  const ofData = (data: z.ZodMiniType) => toJson(okEnvelopeSchema(data), 'output');
  const content = { 'application/json': { schema: ofData(plainResponse ?? response) } };
  if (plainResponse === undefined) return { description, content };
  return {
    description: `Success. With "Accept: ${fullViewType}", the answer contains the view of any kind (x-full-view).`,
    content,
    'x-full-view': ofData(response),
  };
}

/** The one recursive schema: its definition refers to itself by name. */
function treeNode(): Json {
  const whole = z.toJSONSchema(z.array(treeNodeSchema), { metadata: named }) as unknown as {
    $defs: { TreeNode: Json };
  };
  const text = JSON.stringify(whole.$defs.TreeNode);
  return JSON.parse(text.replaceAll('#/$defs/', '#/components/schemas/')) as Json;
}

const named = z.registry<{ id: string }>();
named.add(treeNodeSchema, { id: 'TreeNode' });

/** What JSON Schema cannot express (a transformed value) becomes "anything". */
function toJson(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const json = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    metadata: named,
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      if (def.type === 'default') jsonSchema.default = def.defaultValue as never;
      const own = describedAs.get(zodSchema as unknown as z.ZodMiniType)?.json;
      if (own === undefined) return;
      for (const key of ['anyOf', 'type'] as const) delete jsonSchema[key];
      Object.assign(jsonSchema, own);
    },
  }) as Json;
  delete json.$schema;
  delete json.$defs;
  return JSON.parse(JSON.stringify(json).replaceAll('#/$defs/', '#/components/schemas/')) as Json;
}
