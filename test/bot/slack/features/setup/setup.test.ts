import { describe, expect, it } from 'vitest';
import { transitions } from '../../../../../src/bot/store/issue-transitions.ts';
import { addCreated } from '../../../../support/issues.ts';
import { listening, responseAddress } from '../../support/listening.ts';

const DAY_MS = 86_400_000;

type Listening = Awaited<ReturnType<typeof listening>>;

const open = (l: Listening) =>
  l.event({ type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'home', event_ts: '1.0' });

async function home(l: Listening): Promise<string> {
  l.slack.answers('views.publish', () => ({ view: { id: 'V1', hash: `${l.slack.calls.length}` } }));
  await open(l);
  const published = l.slack.calls.filter(({ method }) => method === 'views.publish');
  return String(published.at(-1)?.args.view);
}

/** Everything that is to be done in the first hour, but the question. */
async function allButTheQuestion(l: Listening): Promise<void> {
  await addCreated(l.store, l.clock.now(), { id: 'one', identity: null, number: 1 });
  await l.store.issues.apply('one', transitions.announceEnd(1));
}

describe('the Home of a new installation', () => {
  it('leads to the next step', async () => {
    const l = await listening();
    expect(await home(l)).toContain('👉 *Connect the investigation service*');
    await addCreated(l.store, l.clock.now(), { id: 'one', identity: null, number: 1 });
    const view = await home(l);
    for (const done of [
      'Connect the investigation service',
      'Watch an alert channel',
      'File the first issue',
    ]) {
      expect(view).toContain(`✅ ${done}`);
    }
    expect(view).toContain('👉 *Read the first verdict*');
  });

  it('shows no steps once all are done, and none again when retention has removed their traces', async () => {
    const l = await listening();
    await allButTheQuestion(l);
    expect(await home(l)).toContain('👉 *Ask a follow-up question*');
    await l.store.setup.endIfOver(l.clock.now());
    expect(await home(l)).toContain('Getting started');
    await l.clock.sleep(15 * DAY_MS);
    expect(await home(l)).not.toContain('Getting started');
    await l.store.setup.endIfOver(l.clock.now());
    // As if the first issue were a new one: the old one was deleted.
    expect(await l.store.setup.progress(l.clock.now() - 15 * DAY_MS)).toBeNull();
  });
});

it('the help of a new installation leads to the next step, too', async () => {
  const l = await listening();
  const address = await responseAddress();
  const help = () =>
    l.give({
      command: '/gumshoe',
      text: 'help',
      team_id: 'T1',
      channel_id: 'C1',
      user_id: 'U1',
      trigger_id: '1.2.3',
      response_url: address.url,
    });
  await help();
  expect(address.blocks.at(-1)).toContain('👉 *Connect the investigation service*');
  await l.clock.sleep(DAY_MS);
  await allButTheQuestion(l);
  await l.clock.sleep(15 * DAY_MS);
  await help();
  expect(address.blocks.at(-1)).not.toContain('Getting started');
});
