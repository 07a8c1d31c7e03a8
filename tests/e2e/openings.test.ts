/**
 * Every dialog, menu, picker and form, opened: axe finds nothing in either theme, and it fits a phone. Add a new one as
 * a step in `openings.ts`.
 */
import { expect, it } from 'vitest';
import { furnish, inspect, longTest, signedIn, things } from './furnished.ts';
import { goInside, settle } from './inspect-page.ts';
import { closeAll, hanging, openingsOf } from './openings.ts';
import { leave, setStage } from './story.ts';

const stage = setStage(furnish);

it('dialogs, menus and forms have no accessibility violation and fit the screen', {
  timeout: longTest,
}, async () => {
  const visitor = await signedIn(stage);
  const { page } = visitor;
  const found: string[] = [];
  for (const { path, title, steps } of openingsOf(things, stage.served)) {
    await goInside(page, path, title);
    for (const [what, open] of Object.entries(steps)) {
      if (!what.includes(',')) await closeAll(page);
      await open(page);
      await settle(page);
      const hangs = await page.locator(hanging).filter({ visible: true }).count();
      found.push(...(await inspect(page, what, hangs > 0 ? [] : ['phone'])));
      await settle(page);
    }
  }
  expect(found).toEqual([]);
  await leave(visitor);
});
