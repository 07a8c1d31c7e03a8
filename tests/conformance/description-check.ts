/** Compares calls with the OpenAPI description, using a JSON Schema validator that knows nothing about our schemas. */

import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Endpoint } from '../../src/contract/endpoints.ts';
import type { PlainCall } from './plain-client.ts';

const root = 'description';

export class DescriptionCheck {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly seen = new Map<string, Set<number>>();

  constructor(private readonly description: object) {
    addFormats.default(this.ajv);
    this.ajv.addSchema(description, root);
  }

  /** Throws if the description does not allow what was sent or answered. */
  check({ endpoint, input, status, mediaType, answer }: PlainCall): void {
    const operation = pointer('paths', endpoint.path, endpoint.method.toLowerCase());
    if (status === 200) this.checkRequest(operation, input);
    this.statusesOf(endpoint).add(status);
    const response = `${operation}${pointer('responses', String(status))}`;
    const isJson = status !== 200 || endpoint.response !== 'binary';
    if (isJson !== (mediaType === 'application/json'))
      throw new Error(`${response}: the answer is ${mediaType}`);
    if (!isJson) {
      this.find(`${response}${pointer('content', mediaType)}`);
      return;
    }
    const isFull = status === 200 && endpoint.plainResponse !== undefined;
    const schema = isFull ? '/x-full-view' : `${pointer('content', mediaType)}/schema`;
    this.validate(`${response}${schema}`, answer);
  }

  /** The statuses of the answers so far. */
  statusesOf({ method, path }: Endpoint): Set<number> {
    const key = `${method} ${path}`;
    const statuses = this.seen.get(key) ?? new Set();
    this.seen.set(key, statuses);
    return statuses;
  }

  /** Why `value` is not allowed at a place in the description; empty if it is. */
  faultsOf(place: string, value: unknown): readonly string[] {
    const validate = this.ajv.getSchema(`${root}#${place}`) as ValidateFunction | undefined;
    if (validate === undefined) throw new Error(`The description has nothing at ${place}`);
    if (validate(value) === true) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      [instancePath, message, JSON.stringify(params)].join(' '),
    );
  }

  private validate(place: string, value: unknown): void {
    const faults = this.faultsOf(place, value);
    if (faults.length === 0) return;
    const sent = JSON.stringify(value).slice(0, 2000);
    throw new Error(`${place}\n${faults.slice(0, 12).join('\n')}\n${sent}`);
  }

  /** What was accepted must be allowed. */
  private checkRequest(operation: string, { body, query = {} }: PlainCall['input']): void {
    if (body instanceof Blob)
      this.find(`${operation}${pointer('requestBody', 'content', 'application/octet-stream')}`);
    else if (body !== undefined)
      this.validate(
        `${operation}${pointer('requestBody', 'content', 'application/json', 'schema')}`,
        body,
      );
    const parameters = this.find(`${operation}/parameters`) as readonly { name: string }[];
    for (const [name, value] of Object.entries(query)) {
      const at = parameters.findIndex((parameter) => parameter.name === name);
      if (at < 0) throw new Error(`${operation}: no parameter ${name}`);
      // a public client sends `True`, which is accepted though not described
      const isFlag = typeof value === 'string' && /^(true|false)$/i.test(value);
      const meant = isFlag ? value.toLowerCase() === 'true' : value;
      if (meant !== undefined) this.validate(`${operation}/parameters/${at}/schema`, meant);
    }
  }

  private find(place: string): unknown {
    let found: unknown = this.description;
    for (const part of place.slice(1).split('/'))
      found = (found as Record<string, unknown> | undefined)?.[
        decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
      ];
    if (found === undefined) throw new Error(`The description has nothing at ${place}`);
    return found;
  }
}

/** A JSON pointer, as part of a URL. */
export const pointer = (...parts: readonly string[]) =>
  parts
    .map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('');
