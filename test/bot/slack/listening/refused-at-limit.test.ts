import { expect, it } from 'vitest';
import { command } from '../support/command.ts';
import { listening, responseAddress } from '../support/listening.ts';

const SENTENCE =
  'You have filed 1 issue in the last hour, the limit per person (FILE_PER_USER_HOUR). You can file the next one in 60 minutes. Alerts are still filed automatically.';

it('`/investigate` beyond the limit files nothing, and tells the person alone when they may again', async () => {
  const l = await listening({ filePerUserHour: 1 });
  const { url, sent } = await responseAddress();
  await l.give(command('/investigate', 'checkout is slow', { response_url: url, trigger_id: '1.1' }));
  await l.give(command('/investigate', 'disk is full', { response_url: url, trigger_id: '2.2' }));
  expect(await l.store.issues.pending(l.clock.now(), 10)).toHaveLength(1);
  expect(sent).toMatchObject([{ text: SENTENCE, response_type: 'ephemeral' }]);
  expect(await l.metrics.text()).toContain('gumshoe_refused_people_total{reason="filed_enough"} 1');
});

it('🔍 beyond the limit is answered in the thread, seen by that person only', async () => {
  const l = await listening({ filePerUserHour: 1 });
  await l.give(command('/investigate', 'checkout is slow'));
  const message = {
    type: 'message',
    ts: '10.000000',
    username: 'Tool',
    bot_id: 'B0TOOL',
    text: 'disk is full',
  };
  l.slack.answers('conversations.history', { messages: [message] });
  l.slack.answers('conversations.replies', { messages: [] });
  const item = { type: 'message', channel: 'C0OTHER', ts: '10.000000' };
  await l.event({ type: 'reaction_added', user: 'U1', reaction: 'mag', item, event_ts: '11.0' });
  expect(await l.store.issues.pending(l.clock.now(), 10)).toHaveLength(1);
  expect(l.slack.calls.filter(({ method }) => method === 'chat.postEphemeral')).toMatchObject([
    { args: { user: 'U1', text: SENTENCE } },
  ]);
});
