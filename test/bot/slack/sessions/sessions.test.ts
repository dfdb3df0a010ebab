import { describe, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../../../../src/bot/shared/log.ts';
import { createMetrics } from '../../../../src/bot/shared/metrics.ts';
import { createPace } from '../../../../src/bot/slack/delivery/pace.ts';
import { createRefusals, createSessionKeeper, createSessions } from '../../../../src/bot/slack/sessions.ts';
import type { OutboxKey } from '../../../../src/bot/store/intents/keys.ts';
import { createWakeup } from '../../../../src/lib/worker-loop.ts';
import { anIntent } from '../../../support/intents.ts';
import { newIssue } from '../../../support/issues.ts';
import { openTestStore } from '../../../support/open-test-store.ts';
import { testSlack } from '../../../support/slack.ts';

const THREAD = { channel: 'D1', threadTs: '1.000000' };
const MINUTE = 60_000;

/** The sessions between a real store and a Slack that answers what the test says; the store knows one thread of Alice's. */
async function working({ step = async (_name: string) => {} } = {}) {
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { store, clock } = opened;
  const slack = testSlack(clock);
  const log = createLogger('silent');
  const told: string[] = [];
  log.info = (...args: unknown[]) => void told.push(String(args[1]));
  log.warn = (...args: unknown[]) => void told.push(String(args.at(-1)));
  slack.answers('agents.sessions.setStatus', ({ status, title = '' }) => ({ status, title }));
  slack.answers('agents.sessions.rename', {});
  /** As a process has it that has just been started. */
  const start = () => {
    const web = { client: slack.client, pace: createPace(), clock, log, metrics: createMetrics() };
    const sessions = createSessions({
      slack: web,
      store,
      refusals: createRefusals({ clock, log }),
      checkpoint: step,
    });
    const keeper = createSessionKeeper({ store, sessions, clock, log, wakeup: createWakeup() });
    return { sessions, keep: () => keeper.round(new AbortController().signal) };
  };
  const ask = async (id: string, more: { offer?: OutboxKey; text?: string } = {}) => {
    const at = clock.now();
    await store.conversations.start({ id: 'c1', ...THREAD, issueId: null, startedBy: 'U1', createdAt: at });
    await store.questions.add({
      id,
      conversation: 'c1',
      asker: 'U1',
      text: 'why is it slow?',
      createdAt: at,
      ...more,
    });
  };
  const ends = (id: string) => store.questions.update(id, { state: 'complete', answer: 'So.' }, clock.now());
  /** What Slack was told, in order. */
  const said = () =>
    slack.calls.map(({ method, args }) => args.status ?? `${method.split('.').at(-1)} ${args.title}`);
  return { store, clock, slack, told, start, ask, ends, said, ...start() };
}

describe('the session of a thread', () => {
  it('is processing while an answer is under way, called by its first question, and active after it', async () => {
    const w = await working();
    await w.ask('q1');
    await w.keep();
    await w.keep();
    expect(w.slack.calls.map(({ args }) => args)).toEqual([
      { channel_id: 'D1', thread_ts: '1.000000', status: 'processing', title: 'why is it slow?' },
    ]);
    await w.ends('q1');
    await w.keep();
    await w.keep();
    await w.ask('q2');
    await w.keep();
    expect(w.said()).toEqual(['processing', 'active', 'processing']);
    expect(w.slack.calls.at(-1)?.args).not.toHaveProperty('title');
  });

  it('stays processing until its answer has been posted', async () => {
    const w = await working();
    await w.ask('q1');
    await w.keep();
    await w.ends('q1');
    const answer = anIntent({
      key: 'answer:q1',
      kind: 'answer',
      questionId: 'q1',
      at: w.clock.now(),
      ...THREAD,
    });
    await w.store.outbox.want(answer);
    await w.keep();
    expect(w.said()).toEqual(['processing']);
    await w.store.outbox.delivered('answer:q1', 1, w.clock.now());
    await w.keep();
    expect(w.said()).toEqual(['processing', 'active']);
  });

  it('is closed once its issue is resolved, also where a question is asked after that', async () => {
    const w = await working();
    await w.store.issues.add(newIssue({ ...THREAD, title: 'Checkout answers 502' }));
    await w.ask('q1');
    await w.keep();
    await w.ends('q1');
    await w.keep();
    await w.store.issues.rewrite('issue-1', { status: 'resolved', isOpen: false });
    await w.keep();
    await w.keep();
    await w.ask('q2');
    await w.keep();
    await w.ends('q2');
    await w.keep();
    expect(w.said()).toEqual(['processing', 'active', 'closed', 'processing', 'closed']);
  });

  it('is told again that it is processing before Slack lets that lapse', async () => {
    const w = await working();
    await w.ask('q1');
    await w.keep();
    await w.clock.sleep(49 * MINUTE);
    await w.keep();
    expect(w.said()).toEqual(['processing']);
    await w.clock.sleep(MINUTE);
    await w.keep();
    expect(w.said()).toEqual(['processing', 'processing']);
  });

  it('is suspended while late questions wait for a press, and for no longer than a day', async () => {
    const w = await working();
    await w.ask('q1', { offer: 'late:q1' });
    await w.keep();
    expect(w.said()).toEqual(['suspended']);
    await w.clock.sleep(24 * 60 * MINUTE);
    await w.keep();
    expect(w.said()).toEqual(['suspended', 'active']);
  });

  it('is processing while an investigation runs that somebody asked for, and not for an alert’s', async () => {
    const w = await working();
    const at = { status: 'investigating', investigatingSince: w.clock.now(), channel: 'C1' };
    await w.store.issues.add(
      newIssue({ ...at, id: 'i1', threadTs: '1.1', requestedBy: 'U1', title: 'checkout is down' }),
    );
    await w.store.issues.add(newIssue({ ...at, id: 'i2', threadTs: '2.2', requestedBy: null }));
    await w.keep();
    expect(w.slack.calls.map(({ args }) => args)).toEqual([
      { channel_id: 'C1', thread_ts: '1.1', status: 'processing', title: 'checkout is down' },
    ]);
    await w.store.sessions.stopped({ channel: 'C1', threadTs: '1.1' }, w.clock.now());
    await w.keep();
    expect(w.said()).toEqual(['processing', 'active']);
  });

  it.each(['session: before send', 'session: answered'])(
    'is taken up at the next start where the process ended at “%s”',
    async (moment) => {
      let isAlive = true;
      const w = await working({
        step: async (name) => {
          if (name !== moment || !isAlive) return;
          isAlive = false;
          // What comes after it never happens in this process.
          await new Promise(() => undefined);
        },
      });
      await w.ask('q1');
      void w.keep();
      await expect.poll(() => isAlive).toBe(false);
      await w.ends('q1');
      const before = w.said().length;
      await w.start().keep();
      expect(w.said().slice(before)).toEqual(['active']);
    },
  );

  it('is told once more where Slack’s answer was lost', async () => {
    const w = await working();
    await w.ask('q1');
    w.slack.next('agents.sessions.setStatus', 'lost_answer');
    await w.keep();
    await w.keep();
    await w.keep();
    expect(w.said()).toEqual(['processing', 'processing']);
  });

  it('is named where it had begun without a title, and never where a person has named it', async () => {
    const w = await working();
    w.slack.answers('agents.sessions.setStatus', ({ status }) => ({ status }));
    await w.ask('q1');
    await w.keep();
    expect(w.said()).toEqual(['processing', 'rename why is it slow?']);
    const named = await working();
    named.slack.answers('agents.sessions.setStatus', ({ status }) => ({ status }));
    await named.store.sessions.named(THREAD, named.clock.now());
    await named.ask('q1');
    await named.keep();
    expect(named.said()).toEqual(['processing']);
  });

  it('keeps a title that Slack answers with', async () => {
    const w = await working();
    w.slack.answers('agents.sessions.setStatus', ({ status }) => ({ status, title: 'Checkout' }));
    await w.ask('q1');
    await w.keep();
    expect(w.said()).toEqual(['processing']);
  });
});

describe('an app that is no agent', () => {
  it.each([
    'not_authorized',
    'feature_disabled',
    'unknown_method',
    'missing_scope',
    'not_allowed_token_type',
    'method_not_supported_for_channel_type',
  ])('is asked for no session for an hour after %s, and the log says so once', async (error) => {
    const w = await working();
    w.slack.next('agents.sessions.setStatus', { error }, { error });
    expect(await w.sessions.show(THREAD, 'processing')).toBe('refused');
    expect(await w.sessions.show({ ...THREAD, threadTs: '2.000000' }, 'processing')).toBe('refused');
    await w.clock.sleep(59 * MINUTE);
    expect(await w.sessions.show(THREAD, 'processing')).toBe('refused');
    expect(w.said()).toEqual(['processing']);
    await w.clock.sleep(MINUTE);
    expect(await w.sessions.show(THREAD, 'processing')).toBe('refused');
    expect(await w.store.sessions.open()).toEqual([]);
    expect(w.told.filter((line) => line.includes('no agent sessions'))).toHaveLength(1);
  });

  it('in a channel that it is no member of is still one elsewhere', async () => {
    const w = await working();
    w.slack.next('agents.sessions.setStatus', { error: 'not_authorized' });
    expect(await w.sessions.show({ channel: 'C1', threadTs: '1.0' }, 'processing')).toBe('refused');
    expect(await w.sessions.show(THREAD, 'processing')).toBe('shown');
  });

  it('has no thread taken for all of them that Slack knows nothing of', async () => {
    const w = await working();
    w.slack.next('agents.sessions.setStatus', { error: 'thread_not_found' });
    expect(await w.sessions.show({ ...THREAD, threadTs: '2.000000' }, 'processing')).toBe('refused');
    expect(await w.sessions.show(THREAD, 'processing')).toBe('shown');
  });
});

describe('Slack’s rate', () => {
  it('is kept to: what does not fit into a minute waits, and comes then', async () => {
    const w = await working();
    const threads = Array.from({ length: 60 }, (_, n) => ({ channel: 'D1', threadTs: `${n}.0` }));
    for (const thread of threads) await w.sessions.show(thread, 'processing');
    expect(w.said()).toHaveLength(45);
    await w.clock.sleep(MINUTE);
    expect(await w.sessions.show({ channel: 'D1', threadTs: '59.0' }, 'processing')).toBe('shown');
  });

  it('that Slack states is waited for', async () => {
    const w = await working();
    w.slack.next('agents.sessions.setStatus', { status: 429, retryAfter: 30 });
    expect(await w.sessions.show(THREAD, 'processing')).toBe('later');
    expect(await w.sessions.show(THREAD, 'processing')).toBe('later');
    await w.clock.sleep(30_000);
    expect(await w.sessions.show(THREAD, 'processing')).toBe('shown');
  });
});

it('the log says once that people see no stop button', async () => {
  const w = await working();
  const warning = 'missing_agent_session_stopped_event_subscription';
  w.slack.answers('agents.sessions.setStatus', ({ status, title }) => ({
    status,
    title,
    warning,
    response_metadata: { warnings: [warning] },
  }));
  for (const threadTs of ['1.0', '2.0', '3.0'])
    await w.sessions.show({ channel: 'D1', threadTs }, 'processing');
  expect(w.told).toEqual([
    'Slack shows no stop button: subscribe the app to agent_session_stopped, as manifest.yml does',
  ]);
});
