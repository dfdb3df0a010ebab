import { describe, expect, it } from 'vitest';
import { checklistOf } from '../../../../../src/bot/issues/checklist.ts';
import type { Content } from '../../../../../src/bot/slack/delivery/content.ts';
import { resultIntent } from '../../../../../src/bot/store/intents/issue-intents.ts';
import { resultKey } from '../../../../../src/bot/store/intents/keys.ts';
import { addCreated } from '../../../../support/issues.ts';
import { listening, responseAddress } from '../../support/listening.ts';
import { messagesOf } from '../../support/messages-of.ts';

type Listening = Awaited<ReturnType<typeof listening>>;

const RESULTS = {
  rootCause: { rootCauseSummary: 'The pool is full.' },
  remediation: {
    actions: [
      {
        title: 'Roll back',
        markdownPrompt: `Please <roll> back & look.\n${'All of it. '.repeat(600)}END`,
        steps: [
          { title: 'Undo the rollout', required: true, content: 'kubectl rollout undo' },
          { title: 'Watch' },
        ],
      },
    ],
  },
};
const [FIRST, SECOND] = checklistOf(RESULTS, [])
  .flat()
  .map(({ key }) => key);
const ID = 'a1b2c3';

/** Issue 1 in #C1 with its results posted. */
async function posted() {
  const l = await listening();
  l.slack.answers('views.open', {});
  await l.store.channels.learn('C1', false);
  await addCreated(l.store, l.clock.now(), { id: ID, status: 'ready_to_fix' });
  await l.store.results.save(ID, 1, JSON.stringify(RESULTS), 0);
  await l.store.outbox.recordSent(`card:${ID}`, JSON.stringify([{ ts: '1.1', hash: '' }]));
  const key = resultKey(ID, 1);
  await l.store.outbox.want(resultIntent({ id: ID, channel: 'C1', threadTs: '1.0' }, 1, 0));
  await l.store.outbox.delivered(key, 1, 1);
  return l;
}

let n = 0;
function press(
  action_id: string,
  value: string,
  more: { user?: string; channel?: string; url?: string; menu?: boolean } = {},
) {
  n += 1;
  const choice = more.menu
    ? { type: 'static_select', selected_option: { value } }
    : { type: 'button', value };
  return {
    type: 'block_actions',
    team: { id: 'T1', domain: 'acme' },
    user: { id: more.user ?? 'U1', name: 'somebody' },
    channel: { id: more.channel ?? 'C1', name: 'alerts' },
    trigger_id: `${n}.2.3`,
    response_url: more.url ?? 'http://127.0.0.1:9/expired',
    actions: [{ action_id, block_id: 'b', action_ts: `${n}.0`, ...choice }],
  };
}

/** The results as they would be sent now. */
async function content(l: Listening, version = 1): Promise<Content | null> {
  const { store, clock } = l;
  const permalink = (channel: string, ts: string) => `https://acme.slack.com/archives/${channel}/p${ts}`;
  const of = messagesOf({
    store,
    clock,
    permalink,
  });
  const row = await store.outbox.get(resultKey(ID, version));
  return row && of(row);
}

/** The blocks of the results as they would be sent now. */
async function shown(l: Listening, version = 1): Promise<string> {
  return JSON.stringify(await content(l, version));
}

describe('Done at a step', () => {
  it('of an earlier version is kept in a newer one, which mentions nobody until it is edited', async () => {
    const l = await posted();
    await l.give(press('step:tick', `1.${FIRST}:${ID}`));
    await l.store.results.save(ID, 2, JSON.stringify(RESULTS), 0);
    const key = resultKey(ID, 2);
    await l.store.outbox.want(resultIntent({ id: ID, channel: 'C1', threadTs: '1.0' }, 2, 0));
    const first = await shown(l, 2);
    expect(first).toContain('✅ Undo the rollout');
    expect(first).not.toContain('<@U1>');
    expect(await content(l, 2)).toMatchObject({ editFollows: true });
    await l.store.outbox.delivered(key, 1, 1);
    expect(await shown(l, 2)).toContain('_Done by <@U1>_');
    expect(await content(l, 2)).toMatchObject({ editFollows: false });
  });

  it('pressed twice, or by two people, changes nothing more; Undo takes it back', async () => {
    const l = await posted();
    const first = press('step:tick', `1.${FIRST}:${ID}`);
    await Promise.all([l.give(first), l.give(press('step:tick', `1.${SECOND}:${ID}`, { user: 'U2' }))]);
    await l.give(first);
    const ticks = await l.store.checklistSteps.ofIssue(ID);
    expect(ticks.map(({ step, who }) => [step, who]).sort()).toEqual(
      [
        [FIRST, 'U1'],
        [SECOND, 'U2'],
      ].sort(),
    );
    await l.give(press('step:untick', `1.${FIRST}.${l.clock.now()}:${ID}`, { user: 'U2' }));
    expect((await l.store.checklistSteps.ofIssue(ID)).map(({ who }) => who)).toEqual(['U2']);
  });

  it('says so where there is no such step', async () => {
    const l = await posted();
    const member = await responseAddress();
    for (const value of [`9.${FIRST}:${ID}`, `1.nothing:${ID}`, `:${ID}`, ID]) {
      await l.give(press('step:tick', value, { url: member.url }));
    }
    expect(member.said.map(({ text }) => text)).toEqual(
      Array.from({ length: 4 }, () => 'This step no longer exists. See the latest results of the issue.'),
    );
    expect(await l.store.checklistSteps.ofIssue(ID)).toEqual([]);
  });
});

describe('Ask about this step', () => {
  it('is a question of the presser in the thread of the issue, once, and the answer says what it is about', async () => {
    const l = await posted();
    const pressed = press('step:ask', `1.${FIRST}:${ID}`, { menu: true, user: 'U2' });
    await l.give(pressed);
    await l.give(pressed);
    const [question, ...others] = await l.store.questions.next(5);
    expect(others).toEqual([]);
    expect(question).toMatchObject({ asker: 'U2', state: 'queued' });
    expect(question?.text).toContain('the step “Undo the rollout” of “Roll back”');
    expect(question?.text).toContain('kubectl rollout undo');
    expect(await l.store.conversations.get(question?.conversation ?? '')).toMatchObject({
      channel: 'C1',
      threadTs: '1.0',
      issueId: ID,
    });
    expect(await l.store.outbox.get(`answer:${question?.id}`)).toMatchObject({
      threadTs: '1.0',
      payload: JSON.stringify({ requester: 'U2', shown: 'About the step “Undo the rollout”' }),
    });
  });
});

describe('Copy prompt', () => {
  it('opens a modal with the whole prompt, in parts', async () => {
    const l = await posted();
    await l.give(press('step:prompt', `1.0:${ID}`));
    const [call] = l.slack.calls.filter(({ method }) => method === 'views.open');
    const { blocks } = JSON.parse(call?.args.view ?? '{}');
    const parts = blocks.slice(2).map((block: { text: { type: string; text: string } }) => block.text);
    expect(parts.length).toBeGreaterThan(2);
    expect(
      parts.every(
        (part: { type: string; text: string }) => part.type === 'plain_text' && part.text.length <= 3000,
      ),
    ).toBe(true);
    const whole = parts.map((part: { text: string }) => part.text).join('');
    expect(whole.replace(/\s/gu, '')).toBe(
      RESULTS.remediation.actions[0]?.markdownPrompt.replace(/\s/gu, ''),
    );
  });

  it('of an action that has none says so', async () => {
    const l = await posted();
    const address = await responseAddress();
    await l.give(press('step:prompt', `1.7:${ID}`, { url: address.url }));
    expect(address.said).toHaveLength(1);
  });
});
