/** Identity: signing in with a password, token or link; account, tokens, space; notifications. */
import { describe, expect, it } from 'vitest';
import { recordShifts, shiftsOf, visit } from './browser.ts';
import { runGalleryModel } from './runs.ts';
import { leave, pickSegment, schemes, setStage, themeOf, tinyRun, undo } from './story.ts';

const stage = setStage();

/** The tokens that signing in with a password returns. */
async function signInAs(origin: string, username: string, password: string): Promise<string[]> {
  const response = await fetch(`${origin}/base/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  return ((await response.json()) as { data: { tokens: string[] } }).data.tokens;
}

it('the printed link signs in one browser once, and is refused in another', async () => {
  const link = `${stage.served.origin}/?token=${stage.served.linkToken}`;
  const first = await visit(stage.browser);
  await first.page.goto(link);
  await first.page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(first.page.url()).toBe(`${stage.served.origin}/`);
  expect(await first.page.evaluate(() => JSON.stringify(localStorage))).not.toContain(
    stage.served.linkToken,
  );
  // again in the same browser: the session stays
  await first.page.goto(link);
  await first.page.getByRole('heading', { name: 'Overview' }).waitFor();
  await first.context.close();

  const second = await visit(stage.browser);
  await second.page.goto(link);
  await second.page.getByRole('heading', { name: 'Sign in to Ergodic' }).waitFor();
  await second.page.getByText('has been used or has expired').waitFor();
  await second.context.close();
});

describe.each(schemes)('in %s', (scheme) => {
  const password = `correct horse of ${scheme}`;

  it('signing in leads to the requested page, and a changed password is accepted afterwards', async () => {
    const name = `ada-${scheme}`;
    await stage.addUser(name, password);
    const visitor = await visit(stage.browser, { scheme });
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/models?q=nothing`);
    await page.getByRole('heading', { name: 'Sign in to Ergodic' }).waitFor();
    expect(await themeOf(page)).toBe(scheme);
    await page.getByText('You will return to where you were.').waitFor();

    await page.getByLabel('User name').fill(name);
    await page.getByLabel('Password', { exact: true }).last().fill('not this one');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'Wrong user name or password.' }).waitFor();
    await page.getByLabel('Password', { exact: true }).last().fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(/\/models\?q=nothing/);
    await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor();

    await page.goto(`${stage.served.origin}/account`);
    await page.getByLabel('Current password').fill(password);
    await page.getByLabel('New password').fill(`${password}, longer`);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed. All other sessions were signed out.').waitFor();

    await page.getByRole('button', { name: new RegExp(`^Account of ${name}`) }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Ergodic' }).waitFor();
    await page.getByLabel('User name').fill(name);
    await page.getByLabel('Password', { exact: true }).last().fill(`${password}, longer`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await leave(visitor);
  });

  it('a pasted token signs in, a wrong one is rejected, and a redirect to another site is ignored', async () => {
    const visitor = await visit(stage.browser, { scheme });
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/sign-in?redirect=https%3A%2F%2Fevil.test%2F`);
    await pickSegment(page, 'Sign-in method', 'Token');
    await page.getByLabel('Token', { exact: true }).last().fill('no-such-token');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'does not know this token' }).waitFor();
    await page.getByLabel('Token', { exact: true }).last().fill(stage.served.token);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(page.url()).toBe(`${stage.served.origin}/`);
    await leave(visitor);
  });

  it('a link of another user asks before it replaces a session', async () => {
    const stranger = `mallory-${scheme}`;
    const account = await stage.addUser(stranger, password);
    const [token] = await signInAs(stage.served.origin, stranger, password);
    const link = `${stage.served.origin}/models?token=${token}`;
    const visitor = await stage.person(scheme);
    const { page, context } = visitor;
    const nameOf = (name: string) => page.getByRole('button', { name: `Account of ${name}` });

    // in a new tab, which has no session until it requests one
    const tab = await context.newPage();
    await tab.goto(link);
    await tab.getByRole('heading', { name: 'Change account?' }).waitFor();
    await tab.getByText(`This link signs you in as ${account}`).waitFor();
    await tab.getByRole('button', { name: 'Stay signed in as owner(@1)' }).click();
    await tab.getByRole('button', { name: 'Account of owner(@1)' }).waitFor();
    await tab.close();

    await page.goto(link);
    await page.getByRole('button', { name: `Sign in as ${account}` }).click();
    await nameOf(account).waitFor();
    expect(page.url()).toBe(`${stage.served.origin}/models`);
    await leave(visitor);
  });

  it('a server that cannot be reached and an invalid address get an error message', async () => {
    const { page, context } = await visit(stage.browser, { scheme });
    await page.goto(`${stage.served.origin}/sign-in`);
    await page.getByRole('button', { name: 'Another server' }).click();
    await page.getByLabel('Server').fill('http://127.0.0.1:9');
    await page.getByLabel('User name').fill('ada');
    await page.getByLabel('Password', { exact: true }).last().fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: 'cannot be reached, or it does not allow pages from this address' })
      .waitFor();
    await page.getByLabel('Server').fill('javascript:alert(1)');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: 'That is not the address of a server.' })
      .waitFor();
    await context.close();
  });

  it('a token is shown once, renamed, revoked, and restored', async () => {
    const visitor = await stage.person(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/account`);
    const name = `script ${scheme}`;
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Expires in').selectOption({ label: 'A week' });
    await page.getByRole('button', { name: 'Create token' }).click();
    const shown = page.getByRole('status').filter({ hasText: 'Copy it now' });
    await shown.waitFor();
    const token = /[A-Za-z0-9_.-]{20,}/.exec(await shown.innerText())?.[0] ?? '';
    const answer = await fetch(`${stage.served.origin}/base/user`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(200);

    await page.reload();
    await page.getByRole('button', { name: `Rename ${name}` }).click();
    expect(await page.getByText(token).count()).toBe(0);
    await page.getByLabel(`New name of ${name}`).fill(`${name}, laptop`);
    await page.keyboard.press('Enter');
    const row = page.getByRole('listitem').filter({ hasText: `${name}, laptop` });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await row.waitFor({ state: 'detached' });
    await undo(page, `${name}, laptop revoked.`);
    await row.waitFor();
    await leave(visitor);
  });

  it.each([
    ['en-US', 'Mar 4, 2030'],
    ['de-DE', '4. März 2030'],
    ['ja-JP', '2030年3月4日'],
  ])('a date is formatted for readers of %s', async (locale, day) => {
    const { served, browser } = stage;
    await served.call('POST', '/base/user/tokens', {
      name: `until ${locale} ${scheme}`,
      expire: '2030-03-04T12:00:00Z',
    });
    const visitor = await visit(browser, { scheme, locale });
    const { page } = visitor;
    await page.goto(`${served.origin}/?token=${served.token}`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goto(`${served.origin}/account`);
    await page
      .getByRole('listitem')
      .filter({ hasText: `until ${locale} ${scheme}` })
      .getByText(`until ${day}`, { exact: true })
      .waitFor();
    await leave(visitor);
  });

  it.each([
    [1440, 900],
    [360, 740],
  ])('nothing on the account page shifts while it loads, %i wide', async (width, height) => {
    const visitor = await stage.person(scheme, { width, height });
    const { page } = visitor;
    await recordShifts(page);
    await page.goto(`${stage.served.origin}/account`);
    await page.getByRole('row').filter({ hasText: 'Total' }).waitFor();
    await page.getByRole('button', { name: 'Create token' }).waitFor();
    await page.getByRole('heading', { name: 'Server' }).waitFor();
    await page.waitForLoadState('networkidle');
    const shifts = await shiftsOf(page);
    // A word in the code font may become a pixel wider once the font has loaded; browsers call 0.1 poor.
    const total = shifts.reduce((sum, { value }) => sum + value, 0);
    expect(total, JSON.stringify(shifts)).toBeLessThan(0.001);
    await leave(visitor);
  });

  it('the space used by objects is shown, and deleted objects can be removed for good', async () => {
    const id = await stage.create({ object_type: 'data', name: 'gone', data: '{"a": 1}' });
    await stage.served.call('DELETE', `/api/object/${id}`);
    const visitor = await stage.person(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/account`);
    await page.getByRole('row').filter({ hasText: 'Total' }).waitFor();
    await page.getByText(/can still be restored/).waitFor();
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByRole('button', { name: 'Yes, delete for good' }).click();
    await page.getByText('No deleted objects are kept for undo.').waitFor();
    await leave(visitor);
  });

  it('the bell counts ended runs, the list opens them, and entries are marked read and unread', async () => {
    const visitor = await stage.person(scheme);
    const { page } = visitor;
    await runGalleryModel(stage.served, 'eight-schools', tinyRun);
    const bell = page.getByRole('link', { name: /^Notifications, \d+ unread/ });
    await bell.waitFor();
    await bell.click();
    await page.getByRole('heading', { name: 'Notifications' }).waitFor();
    const first = page.getByRole('list', { name: 'Notifications' }).getByRole('listitem').first();
    await first.getByRole('button', { name: /as read$/ }).click();
    await first.getByRole('button', { name: /as unread$/ }).click();
    await first.getByRole('button', { name: /as read$/ }).waitFor();
    await page.getByRole('button', { name: 'Mark all read' }).click();
    await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor();
    await pickSegment(page, 'Which notifications', 'Unread');
    await page.getByText('No unread notifications.').waitFor();
    await pickSegment(page, 'Which notifications', 'All');
    await first.getByRole('link').click();
    await page.waitForURL(/\/experiments\/X/);
    await leave(visitor);
  });
});
