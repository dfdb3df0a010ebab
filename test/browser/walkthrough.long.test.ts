import { bringIntoView, chromiumPath, picture } from 'local-slack/testing/browser';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed } from 'vitest';
import { startTour, type Tour } from './support/walkthrough.ts';

/** `npm start -- --scenario slow-orders-db`, and everything that a person does with Gumshoe itself. */
describe.skipIf(chromiumPath() === null)('a tour of Gumshoe in the local workspace', () => {
  let tour: Tour;
  beforeAll(async () => {
    tour = await startTour({ words: ['--scenario', 'slow-orders-db'] });
  });
  afterAll(() => tour.end());
  beforeEach(() => {
    onTestFailed(() => picture(tour.page, 'tour-failed'));
  });

  const shot = (name: string) => picture(tour.page, `tour-${name}`);
  const dialog = (name: string) => tour.page.getByRole('dialog', { name });

  const says = (place: Locator, what: RegExp) => expect.poll(() => place.innerText()).toMatch(what);

  async function fromMenu(message: Locator, name: string): Promise<void> {
    await message.hover();
    await tour.press(message, 'More actions');
    await tour.page.getByRole('menuitem', { name }).click();
  }

  it('an alert of the scenario that was named leads to its result, in the thread beside the channel', async () => {
    const { thread, channel } = tour;
    await thread.getByText('Slow query on orders-db').first().waitFor();
    await thread.getByText('Ready to fix').first().waitFor();
    await channel.getByRole('img', { name: ':eyes:' }).waitFor();
    await shot('result');
  });

  it('a checklist is ticked by two people, and says who did what', async () => {
    const { thread, press } = tour;
    const undo = thread.getByRole('button', { name: 'Undo', exact: true });
    await press(thread, 'Done');
    await undo.first().waitFor();
    await tour.actAs('Bob Builder');
    await press(thread, 'Done');
    await undo.nth(1).waitFor();
    await says(thread, /Done by @alice[\s\S]*Done by @bob/iu);
    await bringIntoView(undo.first());
    await shot('checklist');
    await tour.actAs('Alice Admin');
  });

  it('an issue’s thread answers who mentions Gumshoe', async () => {
    const box = tour.thread.getByRole('textbox', { name: 'Reply in thread' });
    await box.fill('@gumshoe what should I do?');
    await box.press('Enter');
    await tour.thread.getByRole('button', { name: 'Stop listening' }).waitFor();
    // The thread was read further up before.
    const newest = tour.thread.getByRole('article').last();
    const height = tour.page.viewportSize()?.height ?? 0;
    await expect.poll(async () => (await newest.boundingBox())?.y).toBeLessThan(height);
    await shot('mention');
  });

  it('the message’s menu says why it was filed', async () => {
    await fromMenu(tour.messageOf('Alertmanager'), 'Why was this');
    const why = dialog('Why (not) filed');
    await why.getByText('Filed', { exact: true }).waitFor();
    await shot('why');
    await tour.press(why, 'Close');
  });

  it('/investigate files what is written behind it', async () => {
    await tour.write('/investigate carts are empty after login severity:low service:cart');
    const card = tour.messageOf('Gumshoe').filter({ hasText: 'carts are empty after login' });
    await card.waitFor();
    await tour.openThread(card);
    await tour.thread.getByText('Results of').waitFor();
    await shot('investigate');
  });

  it('/investigate alone opens a form, which says what is wrong and takes it corrected', async () => {
    await tour.write('/investigate');
    const form = dialog('New issue');
    await form.getByRole('textbox', { name: 'What is wrong' }).fill('Search finds nothing');
    await form.getByRole('textbox', { name: 'Description' }).fill('Since this morning, for every word.');
    await tour.press(form, 'More context');
    const facts = form.getByRole('textbox', { name: 'More details' });
    await facts.fill('the runbook');
    await tour.press(form, 'Investigate');
    await form.getByText('Use key: value, not “the runbook”.').waitFor();
    await shot('form-refused');
    await facts.fill('runbook: https://runbooks.shop.example/search');
    await tour.press(form, 'Investigate');
    await form.waitFor({ state: 'detached' });
    await tour.messageOf('Gumshoe').filter({ hasText: 'Search finds nothing' }).waitFor();
    await shot('form-taken');
  });

  it('/issue shows, lists and steers issues; /gumshoe says how alerts are filed', async () => {
    const { whisper } = tour;
    await tour.write('/issue 1');
    await whisper.filter({ hasText: 'inventory' }).waitFor();
    await tour.write('/issue list');
    await whisper.filter({ hasText: 'carts are empty after login' }).waitFor();
    await shot('issue-list');
    await tour.write('/issue resolve 2');
    await whisper.filter({ hasText: /resolved/iu }).waitFor();
    await tour.write('/gumshoe');
    await whisper.filter({ hasText: 'new alerts are filed and investigated' }).waitFor();
    await shot('gumshoe');
    await tour.write('/gumshoe nonsense');
    await whisper.filter({ hasText: 'nonsense' }).waitFor();
    await shot('gumshoe-misunderstood');
  });

  it('/ask is answered, and a reply goes on with it', async () => {
    await tour.write('/ask which issues are open?');
    const answer = tour.messageOf('Gumshoe').filter({ hasText: 'which issues are open?' });
    await answer.getByRole('button', { name: 'Stop listening' }).waitFor();
    await answer.hover();
    await tour.press(answer, 'Reply in thread');
    await tour.thread.getByRole('textbox', { name: 'Reply in thread' }).fill('and which is the oldest?');
    await tour.page.keyboard.press('Enter');
    await expect
      .poll(() => tour.thread.getByRole('button', { name: 'Helpful', exact: true }).count())
      .toBe(2);
    expect(await tour.thread.getByRole('button', { name: 'Stop listening' }).count()).toBe(1);
    await shot('ask');
  });

  it('Home lists what is open, and resolves it', async () => {
    const places = tour.page.getByRole('navigation', { name: 'Channels' });
    await places.getByRole('button', { name: /Gumshoe is online/u }).click();
    const home = tour.page.getByRole('region', { name: 'Home of Gumshoe' });
    await home.getByText('For admins').waitFor();
    await home.getByText('Search finds nothing').waitFor();
    await shot('home');
    await home.getByRole('button', { name: 'More options' }).first().click();
    await tour.page.getByRole('menuitem', { name: 'Resolve' }).click();
    await expect.poll(() => home.getByRole('button', { name: 'More options' }).count()).toBe(1);
    await shot('home-resolved');
    await places.getByRole('button', { name: /^alerts/u }).click();
  });

  it('the Messages tab suggests what to ask, and answers', async () => {
    const places = tour.page.getByRole('navigation', { name: 'Channels' });
    await tour.press(places, 'Gumshoe (private)');
    const prompts = tour.page.getByRole('region', { name: 'Suggested prompts' });
    await prompts.getByRole('heading', { name: 'Ask me about open issues' }).waitFor();
    await shot('messages-tab-prompts');
    await prompts.getByRole('button').first().click();
    await tour.thread.getByRole('button', { name: 'Stop listening' }).waitFor();
    await shot('messages-tab-answer');
    await places.getByRole('button', { name: /^alerts/u }).click();
  });

  it('a guest and somebody from outside are refused, seen by them alone', async () => {
    await tour.actAs('Gina Guest');
    await tour.write('/ask which issues are open?');
    await tour.whisper.filter({ hasText: 'Guests cannot use Gumshoe here.' }).waitFor();
    await shot('guest');
    await tour.actAs('Eve External');
    expect(await tour.page.getByText('Guests cannot use Gumshoe here.').count()).toBe(0);
    await tour.write('/investigate the shop is closed');
    await tour.whisper
      .filter({ hasText: 'People from other organizations cannot use Gumshoe here.' })
      .waitFor();
    await tour.actAs('Alice Admin');
  });
});
