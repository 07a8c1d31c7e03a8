import { describe, expect, it } from 'vitest';
import { endpoints } from '../../src/contract/endpoints.ts';
import { buildOpenApi } from '../../src/contract/openapi.ts';

interface Operation {
  operationId: string;
  parameters: { name: string; in: string; required: boolean }[];
  responses: Record<string, unknown>;
}
const description = buildOpenApi('1.2.3') as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: object };
};

describe('buildOpenApi', () => {
  it('has every endpoint once, with its path parameters', () => {
    const ids = Object.values(description.paths).flatMap((path) =>
      Object.values(path).map((operation) => operation.operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(Object.keys(endpoints)));
    const view = description.paths['/api/object/{objid}'].get;
    expect(view.parameters[0]).toEqual({
      name: 'objid',
      in: 'path',
      required: true,
      schema: { type: 'string' },
    });
    expect(view.parameters.map((parameter) => parameter.name)).toContain('view-analyzer');
    const list = description.paths['/api/object'].get.parameters;
    expect(
      list.filter((parameter) => parameter.required).map((parameter) => parameter.name),
    ).toEqual(['object_type']);
    expect(Object.keys(view.responses)).toEqual(['200', '400', '401', '413', '429', '500', '503']);
  });

  it('refers to every schema it defines and to no others', () => {
    const references = JSON.stringify(description).match(/"\$ref":"[^"]+"/g) ?? [];
    const names = new Set(references.map((text) => /schemas\/(\w+)"$/.exec(text)?.[1]));
    expect(names).toEqual(new Set(Object.keys(description.components.schemas)));
  });
});
