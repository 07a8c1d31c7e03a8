/** Signing in through an identity provider in the browser, back to the requested page, and signing out. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OidcServer, startOidcServer } from '../support/oidc-server.ts';
import { launch, makeReadyFolder, type Served } from '../support/served.ts';
import { expectNoSidewaysScroll, leaveBrowser, takeBrowser, visit } from './browser.ts';
import { bothSchemes, leave, themeOf } from './story.ts';

let provider: OidcServer;
let served: Served;
let browser: Awaited<ReturnType<typeof takeBrowser>>;

beforeAll(async () => {
  provider = await startOidcServer();
  const env = {
    ERGODIC_OIDC_ISSUER: provider.issuer,
    ERGODIC_OIDC_CLIENT_ID: 'ergodic',
    ERGODIC_OIDC_CLIENT_SECRET: provider.clientSecret,
    ERGODIC_OIDC_NAME: 'Northern Institute',
    ERGODIC_OIDC_ALLOWED_GROUP: 'modellers,Data Science',
    ERGODIC_OIDC_ADMIN_GROUP: 'operators',
    ERGODIC_OIDC_TEAM_GROUP: '*',
  };
  const dataDir = await makeReadyFolder();
  [browser, served] = await Promise.all([takeBrowser(), launch({ dataDir, env }).ready]);
  provider.allow(served.origin);
});
afterAll(async () => {
  await leaveBrowser();
  served.process.kill('SIGTERM');
  await served.exited;
  await provider.close();
});

/** Saved if `PICTURES` names a folder. */
async function picture(page: Page, name: string): Promise<void> {
  await expectNoSidewaysScroll(page);
  const folder = process.env.PICTURES;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
}

const button = (page: Page) =>
  page.getByRole('button', { name: 'Sign in with Northern Institute' });

/** The provider's own pages load a font from another origin. */
const staysHere = (page: Page) =>
  page.route(
    ({ hostname }) => hostname !== '127.0.0.1' && hostname !== 'localhost',
    (route) => route.fulfill({ body: '' }),
  );

async function passProviderPage(page: Page, subject: string): Promise<void> {
  await page.getByLabel('Subject').fill(subject);
  await page.getByRole('button', { name: 'Continue' }).click();
}

describe.each(bothSchemes)('in %s', (scheme) => {
  it('a user is sent to the provider and back to the requested page, and signed out of both', async () => {
    const subject = `grace-${scheme}`;
    provider.accounts.set(subject, { preferred_username: subject, groups: ['Data Science'] });
    const visitor = await visit(browser, { scheme });
    const { page } = visitor;
    await staysHere(page);
    await page.goto(`${served.origin}/models?q=nothing`);
    await button(page).waitFor();
    expect(await themeOf(page)).toBe(scheme);
    await page.getByText('You will return to where you were.').waitFor();
    await picture(page, `sign-in-${scheme}`);
    await button(page).click();
    await passProviderPage(page, subject);

    await page.waitForURL(`${served.origin}/models?q=nothing`);
    await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor();
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('erg_');
    await page.goto(`${served.origin}/account`);
    await page.getByText(`Northern Institute signs you in as ${subject}.`).waitFor();
    expect(await page.getByLabel('New password').count()).toBe(0);
    await picture(page, `account-${scheme}`);

    await page.getByRole('button', { name: new RegExp(`^Account of ${subject}`) }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL((url) => url.origin === provider.issuer);
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.waitForURL(`${served.origin}/sign-in`);
    // the provider has ended its session too: it asks again
    await button(page).click();
    await page.getByLabel('Subject').waitFor();
    await leave(visitor);
  });
});

it('a phone shows which account was refused, and offers the other ways to sign in', async () => {
  provider.accounts.set('eve', { preferred_username: 'eve', groups: ['others'] });
  const visitor = await visit(browser, { scheme: 'dark', width: 360, height: 740 });
  const { page } = visitor;
  await page.goto(`${served.origin}/`);
  await picture(page, 'sign-in-phone');
  await button(page).click();
  await passProviderPage(page, 'eve');
  await page
    .getByRole('alert')
    .filter({ hasText: 'Northern Institute knows you as eve, who may not use this server.' })
    .waitFor();
  expect(new URL(page.url()).search).toBe('');
  await page.getByLabel('User name').waitFor();
  await picture(page, 'refused-phone');
  await leave(visitor);
});

it('a callback that another browser started signs nobody in', async () => {
  const visitor = await visit(browser);
  const { page } = visitor;
  await page.goto(`${served.origin}/sign-in/callback?code=theirs&state=theirs`);
  await page.getByRole('alert').filter({ hasText: 'was started in another tab' }).waitFor();
  expect(page.url()).toBe(`${served.origin}/sign-in`);
  await leave(visitor);
});

it('an account of this server is linked to the provider by its owner', async () => {
  provider.accounts.set('ops', { preferred_username: 'ops', groups: ['operators'] });
  const visitor = await visit(browser);
  const { page } = visitor;
  await page.goto(`${served.origin}/?token=${served.linkToken}`);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.goto(`${served.origin}/account`);
  await page.getByRole('button', { name: 'Link account of Northern Institute' }).click();
  await passProviderPage(page, 'ops');
  await page.waitForURL(`${served.origin}/account`);
  await page.getByText('Northern Institute signs you in as ops.').waitFor();
  await page
    .getByRole('heading', { name: 'Change password', exact: false })
    .or(page.getByRole('heading', { name: 'Set a password' }))
    .waitFor();
  await leave(visitor);
});

it('a provider that cannot be reached is reported, and signs in once it is back', async () => {
  provider.accounts.set('late', { preferred_username: 'late', groups: ['modellers'] });
  provider.setDown(true);
  const dataDir = await makeReadyFolder();
  const own = await launch({
    dataDir,
    env: {
      ERGODIC_OIDC_ISSUER: provider.issuer,
      ERGODIC_OIDC_CLIENT_ID: 'ergodic',
      ERGODIC_OIDC_CLIENT_SECRET: provider.clientSecret,
      ERGODIC_OIDC_NAME: 'Northern Institute',
    },
  }).ready;
  provider.allow(own.origin);
  const visitor = await visit(browser, { width: 360, height: 740 });
  const { page } = visitor;
  await staysHere(page);
  await page.goto(`${own.origin}/`);
  await page
    .getByRole('alert')
    .filter({ hasText: 'Northern Institute cannot be reached' })
    .waitFor();
  await picture(page, 'away-phone');
  provider.setDown(false);
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await button(page).click();
  await passProviderPage(page, 'late');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(own.stderr()).toContain('nobody can sign in through single sign-on');
  await leave(visitor);
  own.process.kill('SIGTERM');
  await own.exited;
});
