import { describe, expect, it } from 'vitest';
import { checklistOf } from '../../../../src/bot/issues/checklist.ts';
import { actionIds } from '../../../../src/bot/render/action-ids.ts';
import { slackTs } from '../../../../src/bot/slack/timestamp.ts';
import { theIssue, uuidOf } from '../../../support/issues.ts';
import { command } from '../support/command.ts';
import { issuing } from '../support/issuing.ts';
import { talking } from '../support/talking.ts';

type Issuing = Awaited<ReturnType<typeof issuing>>;

/** Something that a person does, which Slack delivers some time after it. */
type Deed = (l: Issuing, second: number) => Promise<void>;

/** `/issue …` or `/gumshoe …`, which bears no time of Slack's: it counts when it came. */
function commanding(name: string, text: string, user = 'U1'): Deed {
  return async (l, second) => {
    const at = l.clock.now() + second;
    const body = command(name, text, { user_id: user, trigger_id: `t${second}`, response_url: l.url });
    await l.give(body, at - 10_000);
  };
}

/** A press of a button, by Slack's time of it. */
function pressing(name: keyof typeof actionIds, value: string, user = 'U1'): Deed {
  return async (l, second) => {
    const at = l.clock.now() - 10_000 + second;
    const pressed = {
      type: 'block_actions',
      team: { id: 'T1' },
      user: { id: user },
      channel: { id: 'C1' },
      trigger_id: `t${second}`,
      response_url: l.url,
      message: { type: 'message', ts: '2.0', thread_ts: '1.0' },
      actions: [{ type: 'button', action_id: actionIds[name], block_id: 'b', value, action_ts: slackTs(at) }],
    };
    await l.give(pressed, at);
  };
}

/** Two things one after the other, handled in that order or the other way round. */
async function both(l: Issuing, [first, second]: readonly [Deed, Deed], inOrder: boolean): Promise<void> {
  const deeds = [() => first(l, 1), () => second(l, 2)];
  for (const deed of inOrder ? deeds : deeds.toReversed()) await deed();
}

const ORDERS = [
  ['in their order', true],
  ['the other way round', false],
] as const;

describe.each(ORDERS)('two changes of a status that are handled %s', (_, inOrder) => {
  const resolve = pressing('resolve', 'issue-3');
  const reopen = pressing('reopen', 'issue-3');
  const mute = pressing('mute', 'issue-3');
  it.each([
    [
      'by command, resolve and reopen',
      [commanding('/issue', 'resolve 3'), commanding('/issue', 'reopen 3', 'U2')],
      'ready_to_fix',
    ],
    [
      'by command, reopen and resolve',
      [commanding('/issue', 'reopen 3'), commanding('/issue', 'resolve 3', 'U2')],
      'resolved',
    ],
    ['by button, resolve and reopen', [resolve, reopen], 'ready_to_fix'],
    ['by button, mute and resolve', [mute, resolve], 'resolved'],
    ['by button and command', [mute, commanding('/gumshoe', 'issue ready 3')], 'ready_to_fix'],
  ] as const)('%s: the later stands', async (_what, deeds, status) => {
    const l = await issuing();
    await l.filed(3, { status: 'ready_to_fix' });
    await both(l, deeds, inOrder);
    expect(l.service.issues.get(uuidOf(3))?.status).toBe(status);
    expect(await theIssue(l.store, 'issue-3')).toMatchObject({ status });
  });

  it('the later stands for an issue that was filed elsewhere, too', async () => {
    const l = await issuing();
    l.there(9, 'ready_to_fix');
    await both(l, [commanding('/issue', 'resolve 9'), commanding('/issue', 'reopen 9')], inOrder);
    expect(l.service.issues.get(uuidOf(9))?.status).toBe('ready_to_fix');
  });
});

describe('a change of a status that comes after a later one', () => {
  it('says so to whoever wanted it, and in the history', async () => {
    const l = await issuing();
    await l.filed(3, { status: 'ready_to_fix' });
    await both(l, [commanding('/issue', 'resolve 3'), commanding('/issue', 'mute 3', 'U2')], false);
    expect(l.newest()).toBe('<@U2> muted it after that, so I left it alone.');
    expect((await l.store.audit.of('issue-3')).map(({ who, what }) => `${who} ${what}`).toSorted()).toEqual([
      'U1 resolved it before that; it arrived too late and changed nothing',
      'U2 muted it',
    ]);
  });

  it('waits while the other is under way, and does not undo it', async () => {
    const l = await issuing();
    await l.filed(3, { status: 'ready_to_fix' });
    const release = l.service.hold('update 3 muted');
    const later = commanding('/issue', 'mute 3', 'U2')(l, 2);
    const earlier = commanding('/issue', 'resolve 3')(l, 1);
    release();
    await Promise.all([later, earlier]);
    expect(l.service.calls.filter((call) => call.startsWith('update'))).toEqual(['update 3 muted']);
  });

  it('is done where our clock was set back since: what came in the future is no later one', async () => {
    const l = await issuing();
    await l.filed(3, { status: 'ready_to_fix' });
    const body = (text: string) => command('/issue', text, { trigger_id: text, response_url: l.url });
    await l.give(body('mute 3'), l.clock.now() + 3_600_000);
    await l.give(body('resolve 3'), l.clock.now());
    expect(await theIssue(l.store, 'issue-3')).toMatchObject({ status: 'resolved' });
  });
});

describe.each(ORDERS)('pause and resume that are handled %s', (_, inOrder) => {
  it.each([
    ['pause, resume', ['pause', 'resume'], false],
    ['resume, pause', ['resume', 'pause'], true],
  ] as const)('%s: the later stands', async (_what, [first, second], isPaused) => {
    const l = await issuing();
    await both(
      l,
      [commanding('/gumshoe', first, 'U0ADMIN'), commanding('/gumshoe', second, 'U0ADMIN')],
      inOrder,
    );
    expect((await l.store.flags.paused()) !== null).toBe(isPaused);
  });
});

describe('on a checklist', () => {
  const RESULTS = { remediation: { actions: [{ title: 'Act', steps: [{ title: 'Restart it' }] }] } };
  const KEY = checklistOf(RESULTS, [])[0]?.[0]?.key ?? '';

  it.each(ORDERS)(
    '*Done* by a second person and *Undo* after it, handled %s, leave the step undone',
    async (_, inOrder) => {
      const l = await issuing();
      await l.filed(3);
      await l.store.results.save('issue-3', 1, JSON.stringify(RESULTS), 1);
      await pressing('tick', `1.${KEY}:issue-3`, 'U1')(l, 0);
      const at = (await l.store.checklistSteps.ofIssue('issue-3'))[0]?.at;
      const undo = pressing('untick', `1.${KEY}.${at}:issue-3`, 'U1');
      await both(l, [pressing('tick', `1.${KEY}:issue-3`, 'U2'), undo], inOrder);
      expect(await l.store.checklistSteps.ofIssue('issue-3')).toEqual([]);
    },
  );
});

describe('a vote', () => {
  it.each(ORDERS)('and another after it, handled %s: the later counts', async (_, inOrder) => {
    const l = await issuing();
    await l.filed(3);
    await l.store.results.save('issue-3', 1, '{}', 1);
    const subject = 'result:issue-3:1';
    await both(l, [pressing('voteUp', `up:${subject}`), pressing('voteDown', `down:${subject}`)], inOrder);
    expect(await l.store.votes.countIn('C1', 0, Number.MAX_SAFE_INTEGER)).toEqual({ up: 0, down: 1 });
  });
});

describe('“stop”', () => {
  const QUESTION = '<@U0BOT> what is slow?';

  /** So many seconds ago, and as many millionths of a second later. */
  function at(t: Awaited<ReturnType<typeof talking>>, ago: number, micros = 0): string {
    const [seconds = ''] = t.ts(ago).split('.');
    return `${seconds}.${String(micros).padStart(6, '0')}`;
  }

  it('never stops what was asked after it, be it a millionth of a second', async () => {
    const t = await talking();
    await t.begin();
    await t.store.questions.stop(`C1:${t.root}`, 'U1', 1);
    const ts = at(t, 60, 2);
    await t.mention('and now?', { ts, thread_ts: t.root, text: '<@U0BOT> and now?' });
    await t.reply('stop', { ts: at(t, 60, 1) });
    expect(await t.store.questions.get(`C1:${ts}`)).toMatchObject({ state: 'queued', stoppedBy: null });
    await t.reply('stop', { ts: at(t, 60, 3) });
    expect(await t.store.questions.get(`C1:${ts}`)).toMatchObject({ state: 'stopped', stoppedBy: 'U2' });
  });

  it.each([
    ['the thread’s first question', {}],
    ['a later one', { begun: true }],
  ])(
    'that is handled before %s, which was written before it, stops it when it comes',
    async (_, { begun = false }: { begun?: boolean }) => {
      const t = await talking();
      if (begun) {
        await t.begin();
        await t.store.questions.stop(`C1:${t.root}`, 'U1', 1);
      }
      const [question, stop, next] = [at(t, 60, 1), at(t, 60, 2), at(t, 60, 3)];
      await t.reply('stop', { ts: stop });
      await t.mention(QUESTION, { ts: question, thread_ts: t.root });
      expect(await t.store.questions.get(`C1:${question}`)).toMatchObject({
        state: 'stopped',
        stoppedBy: 'U2',
      });
      expect((await t.store.outbox.get(`answer:C1:${question}`))?.state).toBe('due');
      await t.mention(QUESTION, { ts: next, thread_ts: t.root });
      expect(await t.store.questions.get(`C1:${next}`)).toMatchObject({ state: 'queued', stoppedBy: null });
    },
  );

  it('of a guest stops nothing that comes after it either, and nobody is told', async () => {
    const t = await talking();
    await t.reply('stop', { ts: at(t, 60, 2), user: 'U0GUEST' });
    await t.mention(QUESTION, { ts: at(t, 60, 1), thread_ts: t.root });
    expect(await t.store.questions.get(`C1:${at(t, 60, 1)}`)).toMatchObject({ state: 'queued' });
    expect(t.ephemerals()).toEqual([]);
  });

  it('that ended one answer ends no other', async () => {
    const t = await talking();
    await t.begin();
    await t.reply('stop', { ts: at(t, 60, 2) });
    expect(await t.question(600)).toMatchObject({ state: 'stopped' });
    await t.mention(QUESTION, { ts: at(t, 60, 1), thread_ts: t.root });
    expect(await t.store.questions.get(`C1:${at(t, 60, 1)}`)).toMatchObject({ state: 'queued' });
  });
});

describe('*Stop listening*', () => {
  async function pressed(t: Awaited<ReturnType<typeof talking>>, ago: number): Promise<void> {
    await t.give({
      type: 'block_actions',
      team: { id: 'T1' },
      user: { id: 'U1' },
      channel: { id: 'C1' },
      trigger_id: 't',
      response_url: 'http://127.0.0.1:9/expired',
      message: { type: 'message', ts: '2.0', thread_ts: t.root },
      actions: [
        {
          type: 'button',
          action_id: actionIds.stopListening,
          block_id: 'b',
          value: `C1:${t.root}`,
          action_ts: t.ts(ago),
        },
      ],
    });
  }
  const listens = async (t: Awaited<ReturnType<typeof talking>>) =>
    (await t.store.conversations.byThread('C1', t.root))?.listening;

  it('does not take away a reply that was written before it, and listens no more all the same', async () => {
    const t = await talking();
    await t.begin();
    await pressed(t, 30);
    await t.reply('since when?', { ts: t.ts(60) });
    expect(await t.question(60)).toMatchObject({ state: 'queued' });
    expect(await listens(t)).toBe(false);
    await t.reply('so we are alone', { ts: t.ts(20) });
    expect(await t.question(20)).toBeNull();
  });

  it('that is handled after a later mention does not undo it', async () => {
    const t = await talking();
    await t.begin();
    await t.mention('<@U0BOT> go on', { ts: t.ts(20), thread_ts: t.root });
    await pressed(t, 30);
    expect(await listens(t)).toBe(true);
    await pressed(t, 10);
    expect(await listens(t)).toBe(false);
  });
});
