import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumPath, picture } from 'local-slack/testing/browser';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed } from 'vitest';
import { type SimulatedService, startSimulatedService } from '../../src/demo/simulated-service.ts';
import { type Agent, startAgent } from '../support/agent.ts';
import { startTour, type Tour } from './support/walkthrough.ts';

const KEY = 'key-of-the-tour';

/** With a service of one's own beside the local workspace, whose answers grow as slowly as the test wants. */
describe.skipIf(chromiumPath() === null)('an answer that grows on the page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-tour-service-'));
  let service: SimulatedService;
  let agent: Agent;
  let tour: Tour;

  beforeAll(async () => {
    service = await startSimulatedService({
      file: join(folder, 'service.db'),
      keys: { [KEY]: 'local' },
      recurring: false,
    });
    agent = await startAgent(service.url);
    tour = await startTour({ words: [], env: { ISSUE_SERVICE_URL: agent.url, ISSUE_SERVICE_API_KEY: KEY } });
    await tour.press(tour.page.getByRole('navigation', { name: 'Channels' }), 'Gumshoe (private)');
  });
  afterAll(async () => {
    await tour.end();
    await agent.close();
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    onTestFailed(() => picture(tour.page, 'tour-stop-failed'));
  });

  /** In a thread of its own, which is opened. */
  async function ask(question: string) {
    // By its name: until the tab is open, the composer of the channel before stands in its place.
    const box = tour.channel.getByRole('textbox', { name: 'Message Gumshoe' });
    await box.fill(question);
    await box.press('Enter');
    const turn = await agent.asked(question);
    turn.say('The pool of payments is ');
    await tour.openThread(tour.channel.getByRole('article').filter({ hasText: question }));
    await tour.thread.getByText('The pool of payments is').waitFor();
    return turn;
  }

  it('is stopped by the button of Gumshoe’s: what is there stays, and says who stopped it', async () => {
    const turn = await ask('why does checkout fail?');
    await picture(tour.page, 'tour-growing');
    await tour.press(tour.thread.getByRole('article').last(), 'Stop');
    await tour.thread.getByText('Stopped by').waitFor();
    await expect.poll(() => turn.isLeft()).toBe(true);
    expect(await tour.thread.getByText('The pool of payments is').count()).toBe(1);
    await picture(tour.page, 'tour-stopped');
  });

  it('is stopped by Slack’s own button, beside which the session is no longer working', async () => {
    const turn = await ask('and since when?');
    const working = tour.thread.getByRole('status').filter({ hasText: 'Working…' });
    await tour.press(working, 'Stop');
    await tour.thread.getByText('Stopped by').waitFor();
    await expect.poll(() => turn.isLeft()).toBe(true);
    await working.waitFor({ state: 'detached' });
    await picture(tour.page, 'tour-stopped-by-slack');
  });
});
