import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLogger, hideTokens } from '../../src/service/logging.ts';

function logged(write: (log: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  const destination = new Writable({
    write(chunk: Buffer, _, done) {
      text += chunk.toString();
      done();
    },
  });
  write(createLogger({ level: 'info', destination }));
  return text;
}

const token = 'erg_abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG';

describe('the log', () => {
  it('shows no token, password or address with a password', () => {
    const text = logged((log) => {
      log.info({ authorization: token, password: 'secret-1' });
      log.info({
        request: {
          headers: { authorization: token, 'x-share-password': 'secret-2', cookie: 'secret-3' },
        },
      });
      log.info({ body: { new_password: 'secret-4' } });
      log.info({ req: { method: 'GET', url: `/?token=${token}`, id: '1' } });
      log.error({ err: new Error(`at postgresql://me:secret-5@host/db with ${token}`) });
    });
    expect(text).not.toContain(token.slice(4));
    expect(text).not.toMatch(/secret-\d/);
    expect(text).toContain('"path":"/"');
    expect(text).toContain('postgresql://me:[hidden]@host/db');
  });

  it('shows no value that a database refused', () => {
    const refused = Object.assign(new Error('invalid input syntax for type bigint: "a secret"'), {
      severity: 'ERROR',
      code: '22P02',
    });
    const text = logged((log) => log.error({ err: refused }, 'failed'));
    expect(text).not.toContain('a secret');
    expect(text).toContain('invalid input syntax for type bigint: [value]');
    expect(text).toContain('logging.test');
  });

  it('leaves other text alone', () => {
    expect(hideTokens('an erg_ and postgres://host/db')).toBe('an erg_ and postgres://host/db');
  });
});
