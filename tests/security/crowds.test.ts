/** Many requests at once from one place: everyone else, and known users, still get in. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '../../src/service/auth/passwords.ts';
import { createTestService, type TestService } from '../support/service.ts';

let service: TestService;
const password = 'correct horse';
beforeAll(async () => {
  service = await createTestService();
  await service.addPerson('ada', { passwordHash: await hashPassword(password) });
  await service.addPerson('bob', { passwordHash: await hashPassword(password) });
});
afterAll(() => service.close());

async function signIn(username: string, remoteAddress: string, given = password) {
  const response = await service.inject({
    method: 'POST',
    url: '/base/login',
    remoteAddress,
    payload: JSON.stringify({ username, password: given }),
  });
  return { status: response.statusCode, code: response.json().code };
}

describe('three hundred sign-ins at once from one network', () => {
  it('block neither users elsewhere nor a user who signed in from there before', {
    timeout: 120_000,
  }, async () => {
    expect((await signIn('bob', '10.0.0.1')).status).toBe(200);
    const crowd = Promise.all(
      Array.from({ length: 300 }, (_, i) => signIn(`nobody ${i}`, '10.0.0.1', 'wrong')),
    );
    const people = await Promise.all([
      signIn('ada', '10.0.0.2'),
      signIn('ada', '10.9.9.9'),
      signIn('bob', '10.0.0.1'),
      signIn('ada', '2001:db8:1:2::9'),
    ]);
    expect(people.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const answers = await crowd;
    const codes = new Set(answers.map(({ code }) => code));
    expect(codes).toEqual(new Set(['PERMISSION_DENIED', 'RATE_LIMITED']));
    // and the next one from that network, once the crowd is gone
    expect((await signIn('ada', '10.0.0.1')).status).toBe(200);
  });

  it('for one name leave its owner a way in from a network used before', async () => {
    expect((await signIn('ada', '10.1.0.1')).status).toBe(200);
    for (let i = 0; i < 60; i++) await signIn('ada', `10.2.0.${i}`, 'wrong');
    expect((await signIn('ada', '10.3.0.1')).code).toBe('RATE_LIMITED');
    expect((await signIn('ada', '10.1.0.1')).status).toBe(200);
    // guessing passwords from there is limited as before
    for (let i = 0; i < 5; i++) await signIn('ada', '10.1.0.1', 'wrong');
    expect((await signIn('ada', '10.1.0.1')).code).toBe('RATE_LIMITED');
  });
});
