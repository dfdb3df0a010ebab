import { checkModal } from 'local-slack';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { actionIds } from '../../../../../src/bot/render/action-ids.ts';
import { viewIds } from '../../../../../src/bot/render/view-ids.ts';
import { IssueCreate } from '../../../../../src/contract/schema.ts';
import { newIssue } from '../../../../support/issues.ts';
import { command } from '../../support/command.ts';
import { listening, responseAddress } from '../../support/listening.ts';

const View = z.looseObject({
  callback_id: z.string(),
  private_metadata: z.string(),
  blocks: z.array(z.looseObject({ type: z.string(), block_id: z.string().optional() })),
});

/** The fields of the create request that the form has at first, and those behind *More context*. */
const AT_FIRST = ['title', 'description', 'environment', 'severity', 'service', 'triggeredAt', 'channel'];
const BEHIND = [
  ...['alertUrl', 'host', 'region', 'version', 'errorType', 'errorMessage', 'traceId', 'spanId', 'tags'],
  'metadata',
];

type State = Record<string, Record<string, unknown>>;

const text = (value: string | null) => ({ a: { type: 'plain_text_input', value } });
const option = (value: string) => ({ a: { type: 'static_select', selected_option: { value } } });

/** What a person has put in who filled in what must be. */
const TYPED: State = {
  title: text('Checkout is slow'),
  description: text('Since lunch, for everybody.'),
  environment: option('env:production'),
  severity: option('high'),
};

async function opening(options: Parameters<typeof listening>[0] = {}) {
  const l = await listening(options);
  l.slack.answers('views.open', {});
  l.slack.answers('views.update', {});
  l.slack.answers('conversations.open', ({ users }) => ({ channel: { id: `D${users}` } }));
  const shown = () =>
    View.parse(
      JSON.parse(l.slack.calls.findLast(({ method }) => method.startsWith('views.'))?.args.view ?? '{}'),
    );
  const fields = () => shown().blocks.flatMap(({ type, block_id }) => (type === 'input' ? [block_id] : []));
  const user = { id: 'U1', name: 'alice' };
  const view = (values: State) => ({
    id: 'V1',
    type: 'modal',
    callback_id: viewIds.newIssue,
    private_metadata: shown().private_metadata,
    state: { values },
  });
  const press = (name: 'moreContext' | 'chooseEnvironment', values: State) =>
    l.give({
      type: 'block_actions',
      team: { id: 'T1' },
      user,
      trigger_id: '1.2.4',
      container: { type: 'view', view_id: 'V1' },
      view: view(values),
      actions: [{ type: 'button', action_id: actionIds[name], block_id: 'b', action_ts: '1.0' }],
    });
  const submit = (values: State, more: Record<string, unknown> = {}) => {
    const body = { type: 'view_submission', team: { id: 'T1' }, user, trigger_id: '1.2.5' };
    return l.give({ ...body, view: view(values), response_urls: [], ...more });
  };
  const shortcut = (more: Record<string, unknown> = {}) =>
    l.give({
      type: 'shortcut',
      callback_id: 'new_issue',
      team: { id: 'T1' },
      user,
      trigger_id: '1.2.3',
      ...more,
    });
  const pending = () => l.store.issues.pending(l.clock.now(), 10);
  return { ...l, shown, fields, press, submit, shortcut, pending };
}

describe('/investigate without words', () => {
  it('opens a form that Slack takes, with the channel, the environment and a default severity', async () => {
    const l = await opening();
    await l.give(command('/investigate', '  '));
    expect(() => checkModal(l.shown())).not.toThrow();
    expect(l.fields()).toEqual(AT_FIRST);
    const whole = JSON.stringify(l.shown());
    expect(whole).toContain('"initial_conversation":"C1"');
    expect(whole).toContain(
      '"initial_option":{"text":{"type":"plain_text","text":"production","emoji":true}',
    );
    expect(await l.pending()).toEqual([]);
  });

  it('keeps what was said beside them', async () => {
    const l = await opening();
    await l.give(command('/investigate', 'severity:high env:stg service:search'));
    const whole = JSON.stringify(l.shown());
    for (const value of ['"value":"high"', '"env:staging"', '"initial_value":"search"'])
      expect(whole).toContain(value);
  });

  it('offers the environments that were used before, the newest first', async () => {
    const l = await opening();
    await l.store.issues.add(newIssue({ id: 'a', identity: 'a', environment: 'qa', createdAt: 1 }));
    await l.store.issues.add(newIssue({ id: 'b', identity: 'b', environment: 'staging', createdAt: 2 }));
    await l.store.issues.add(newIssue({ id: 'c', identity: 'c', environment: 'qa', createdAt: 3 }));
    await l.give(command('/investigate', ''));
    const offered = [...JSON.stringify(l.shown()).matchAll(/"value":"(env:[^"]*|another)"/gu)].map(
      ([, value]) => value,
    );
    expect(offered).toEqual([
      ...['env:production', 'env:qa', 'env:staging', 'another'],
      // What is chosen at first, once more.
      'env:production',
    ]);
  });

  it('says how to write it at once where Slack opens no modal any more', async () => {
    const l = await opening();
    const { url, said, blocks } = await responseAddress();
    l.slack.next('views.open', { error: 'expired_trigger_id' });
    await l.give(command('/investigate', 'env:qa service:"card vault"', { response_url: url }));
    expect(said[0]?.text).toMatch(
      /timed out before I could open the form[^`]*`\/investigate checkout answers 500/u,
    );
    // Slack has cleared the field that it was typed in.
    expect(blocks[0]).toContain('/investigate env:qa service:');
  });
});

describe('a severity that there is not', () => {
  it('is said, with everything that was typed, and files nothing', async () => {
    const l = await opening();
    const { url, blocks } = await responseAddress();
    await l.give(command('/investigate', 'slow *search* severity:terrible', { response_url: url }));
    expect(blocks[0]).toContain('“terrible” is not a severity; use low, medium or high.');
    expect(blocks[0]).toContain('`/investigate slow *search* severity:terrible`');
    expect(await l.pending()).toEqual([]);
  });
});

describe('the form of a new issue', () => {
  it('unfolds by More context, with all that was typed, and folds no more', async () => {
    const l = await opening();
    await l.give(command('/investigate', ''));
    await l.press('moreContext', { ...TYPED, channel: { a: { selected_conversation: 'C9' } } });
    expect(() => checkModal(l.shown())).not.toThrow();
    expect(l.fields()).toEqual([...AT_FIRST, ...BEHIND]);
    const whole = JSON.stringify(l.shown());
    for (const kept of ['Checkout is slow', 'Since lunch, for everybody.', '"initial_conversation":"C9"'])
      expect(whole).toContain(kept);
    await l.press('chooseEnvironment', { ...TYPED, environment: option('another'), host: text('web-1') });
    expect(l.fields()).toEqual([...AT_FIRST.toSpliced(3, 0, 'otherEnvironment'), ...BEHIND]);
    expect(JSON.stringify(l.shown())).toContain('"initial_value":"web-1"');
    await l.press('chooseEnvironment', TYPED);
    expect(l.fields()).toEqual([...AT_FIRST, ...BEHIND]);
  });

  it('files what was typed, once, in the channel that was chosen', async () => {
    const l = await opening();
    await l.give(command('/investigate', ''));
    const values = { ...TYPED, channel: { a: { selected_conversation: 'C9' } } };
    await l.submit(values);
    expect(l.woken).toEqual(['filed', 'outbox', 'sessions', 'timers']);
    await l.submit(values);
    expect(l.acks).toEqual([null, null, null]);
    const issues = await l.pending();
    expect(issues).toMatchObject([
      {
        title: 'Checkout is slow',
        severity: 'high',
        environment: 'production',
        channel: 'C9',
        requestedBy: 'U1',
      },
    ]);
    expect(await l.store.audit.of(issues[0]?.id ?? '')).toMatchObject([{ who: 'U1', what: 'filed it' }]);
  });

  it('sends every field of the create request', async () => {
    const l = await opening();
    await l.give(command('/investigate', ''));
    const began = l.clock.now() / 1000 - 3600;
    await l.submit({
      ...TYPED,
      environment: option('another'),
      otherEnvironment: text(' stg '),
      service: text('checkout'),
      triggeredAt: { a: { type: 'datetimepicker', selected_date_time: began } },
      ...Object.fromEntries(BEHIND.map((name) => [name, text(`the ${name}`)])),
      tags: text('a, b\nb,, '),
      metadata: text('runbook: https://wiki.example/a\nteam=payments\n'),
    });
    const request = IssueCreate.parse(JSON.parse((await l.pending())[0]?.request ?? ''));
    expect(request).toEqual({
      title: 'Checkout is slow',
      description: expect.stringMatching(/^Since lunch, for everybody\.\n\n---\nReference: gumshoe-\w+$/u),
      environment: 'staging',
      severity: 'high',
      triggeredAt: new Date(began * 1000).toISOString(),
      context: {
        alertUrl: 'the alertUrl',
        service: 'checkout',
        traceId: 'the traceId',
        spanId: 'the spanId',
        errorType: 'the errorType',
        errorMessage: 'the errorMessage',
        host: 'the host',
        region: 'the region',
        version: 'the version',
        tags: ['a', 'b'],
        metadata: { source: 'slack', channel: 'C1', runbook: 'https://wiki.example/a', team: 'payments' },
      },
    });
  });

  it.each<[string, State, Record<string, RegExp>]>([
    ['no title', { title: text('  ') }, { title: /what is wrong/u }],
    ['a title that is too long', { title: text('x'.repeat(501)) }, { title: /at most 500/u }],
    [
      'another environment without a name',
      { environment: option('another'), otherEnvironment: text('') },
      { otherEnvironment: /Name the environment/u },
    ],
    ['the future', { triggeredAt: { a: { selected_date_time: 4_000_000_000 } } }, { triggeredAt: /future/u }],
    ['long ago', { triggeredAt: { a: { selected_date_time: 1 } } }, { triggeredAt: /after the year 2000/u }],
    [
      'a fact without a key',
      { metadata: text('team: a\njust words') },
      { metadata: /key: value, not “just words”/u },
    ],
    ['a fact twice', { metadata: text('team: a\nteam: b') }, { metadata: /“team” appears twice/u }],
    [
      'two things',
      { title: text(''), triggeredAt: { a: { selected_date_time: 1 } } },
      { title: /wrong/u, triggeredAt: /2000/u },
    ],
  ])('says at its field what is wrong with %s, and files nothing', async (_, wrong, errors) => {
    const l = await opening();
    await l.give(command('/investigate', ''));
    await l.submit({ ...TYPED, ...wrong });
    expect(l.acks.at(-1)).toEqual({
      response_action: 'errors',
      errors: Object.fromEntries(
        Object.entries(errors).map(([name, words]) => [name, expect.stringMatching(words)]),
      ),
    });
    expect(await l.pending()).toEqual([]);
  });

  it('asks for the name of another environment where that field never came', async () => {
    const l = await opening();
    await l.give(command('/investigate', ''));
    await l.submit({ ...TYPED, environment: option('another') });
    expect(JSON.stringify(l.acks.at(-1))).toMatch(/"response_action":"update".*"otherEnvironment".*/u);
    expect(JSON.stringify(l.acks.at(-1))).toContain('Checkout is slow');
    expect(await l.pending()).toEqual([]);
  });

  it('is refused at its title to who has filed as many as they may within the hour, and stays open', async () => {
    const l = await opening({ filePerUserHour: 1 });
    await l.give(command('/investigate', 'disk is full'));
    await l.give(command('/investigate', ''));
    await l.submit(TYPED);
    const refusal = /^You have filed 1 issue in the last hour, the limit per person/u;
    expect(l.acks.at(-1)).toMatchObject({
      response_action: 'errors',
      errors: { title: expect.stringMatching(refusal) },
    });
    expect(await l.pending()).toHaveLength(1);
    expect(await l.metrics.text()).toContain('gumshoe_refused_people_total{reason="filed_enough"} 1');
  });

  it('that was opened in a direct message, of whoever it is, comes back in the person’s own with us', async () => {
    const l = await opening();
    await l.give(command('/investigate', '', { channel_id: 'D7' }));
    expect(JSON.stringify(l.shown())).not.toContain('initial_conversation');
    await l.submit(TYPED);
    expect(await l.pending()).toMatchObject([{ channel: 'DU1' }]);
  });
});

describe('the shortcut New issue', () => {
  it('asks for a channel where there can be no direct message', async () => {
    const l = await opening();
    await l.shortcut();
    l.slack.next('conversations.open', { error: 'user_disabled' });
    await l.submit(TYPED);
    expect(l.acks.at(-1)).toMatchObject({ errors: { channel: expect.stringMatching(/Choose a channel/u) } });
    expect(await l.pending()).toEqual([]);
  });

  it('says in a direct message that it came too late', async () => {
    const l = await opening();
    l.slack.next('views.open', { error: 'expired_trigger_id' });
    await l.shortcut();
    expect(l.slack.calls.at(-1)).toMatchObject({
      method: 'chat.postEphemeral',
      args: { channel: 'DU1', user: 'U1' },
    });
  });
});
