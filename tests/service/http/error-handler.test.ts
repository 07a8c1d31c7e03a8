import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, errorCodes } from '../../../src/contract/errors.ts';
import { handleError } from '../../../src/service/http/error-handler.ts';
import { ServiceError } from '../../../src/service/http/service-error.ts';

async function answerTo(error: unknown) {
  const app = Fastify();
  app.setErrorHandler(handleError);
  app.get('/', () => {
    throw error;
  });
  return app.inject({ method: 'GET', url: '/' });
}
const withCode = (code: string) => Object.assign(new Error('secret details'), { code });

describe('the error handler', () => {
  it.each(Object.keys(errorCodes) as ErrorCode[])(
    'sends %s with its status in the contract',
    async (code) => {
      const response = await answerTo(
        new ServiceError(code, 'Why.', { details: { a: 1 }, retryAfterSeconds: 1.2 }),
      );
      expect(response.statusCode).toBe(errorCodes[code].status);
      expect(response.json()).toEqual({
        status: 'error',
        code,
        message: 'Why.',
        details: { a: 1 },
      });
      expect(response.headers['retry-after']).toBe('2');
    },
  );

  it.each(['ECONNREFUSED', 'ECONNRESET', '57P01', '57P03', '08006', '53300'])(
    'reports an unreachable database (%s) as UNAVAILABLE',
    async (code) => {
      const response = await answerTo(withCode(code));
      expect([response.statusCode, response.json().code]).toEqual([503, 'UNAVAILABLE']);
      expect(response.headers['retry-after']).toBe('2');
    },
  );

  it.each(['40001', '40P01'])('asks for a retry after a conflict (%s)', async (code) => {
    const response = await answerTo(withCode(code));
    expect([response.statusCode, response.json().code]).toEqual([503, 'UNAVAILABLE']);
    expect(response.headers['retry-after']).toBe('1');
  });

  it.each(['22021', '22P05'])(
    'reports text that cannot be stored (%s) as INVALID_PARAMETER',
    async (code) => expect((await answerTo(withCode(code))).json().code).toBe('INVALID_PARAMETER'),
  );

  it.each([
    withCode('42P01'),
    new Error('secret details'),
    'secret details',
    null,
    new TypeError('secret details'),
  ])('reveals nothing about other errors: %s', async (error) => {
    const response = await answerTo(error);
    expect([response.statusCode, response.json().code]).toEqual([500, 'INTERNAL']);
    expect(response.body).not.toContain('secret');
  });
});
