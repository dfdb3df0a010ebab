import { describe, expect, it } from 'vitest';
import { issueIdOf } from '../../../../../src/bot/filing/reference.ts';
import { addCreated, theIssue } from '../../../../support/issues.ts';
import { BOT } from '../../support/deps.ts';
import { responseAddress } from '../../support/listening.ts';
import { pickingShortcuts, TOOLS_ALERT, valuesIn } from '../../support/shortcuts.ts';

const ID = issueIdOf('C1', '10.000000');
const LONG = Array.from({ length: 900 }, (_, n) => `word${n}`).join(' ');

async function picking(message: object = TOOLS_ALERT, more: Record<string, unknown> = {}) {
  const p = await pickingShortcuts();
  await p.pick('investigate_this', message, more);
  return { ...p, text: () => JSON.stringify(p.opened()) };
}

describe('Investigate this', () => {
  it('opens a form that holds what the message says, and files nothing yet', async () => {
    const p = await picking({
      ...TOOLS_ALERT,
      text: '[FIRING:1] HighErrorRate checkout-api (stg eu-west-1 critical)\nhost: web-1',
    });
    expect(p.acks).toEqual([null]);
    expect(valuesIn(p.opened()[0]?.blocks ?? [])).toMatchObject({
      title: expect.stringContaining('HighErrorRate'),
      description: expect.any(String),
      severity: expect.any(String),
      environment: expect.any(String),
      host: 'web-1',
      errorMessage: null,
    });
    expect(await p.store.issues.pending(p.clock.now(), 9)).toEqual([]);
    expect(p.woken).toEqual([]);
  });

  it('begins with the channel’s environment and severity where the message states none', async () => {
    const p = await pickingShortcuts();
    const { settings } = await p.store.channels.get('C1');
    await p.store.channels.watch('C1', { ...settings, environment: 'qa', defaultSeverity: 'low' }, '1.0');
    const words = { type: 'message', ts: '10.000000', user: 'U2', text: 'what a *strange* day\nreally' };
    await p.pick('investigate_this', words);
    expect(valuesIn(p.opened()[0]?.blocks ?? [])).toMatchObject({
      title: 'what a strange day',
      description: 'what a **strange** day\nreally',
      severity: 'low',
      environment: 'qa',
    });
  });

  it('files what was typed in the message’s thread, with 👀', async () => {
    const p = await picking();
    await p.submit({ title: 'Disk of the database', environment: 'stg', severity: 'high', service: 'db' });
    expect(p.acks).toEqual([null, null]);
    const issue = await theIssue(p.store, ID);
    expect(issue).toMatchObject({
      title: 'Disk of the database',
      environment: 'staging',
      severity: 'high',
      service: 'db',
      channel: 'C1',
      threadTs: '10.000000',
      requestedBy: 'U1',
    });
    expect(JSON.parse(issue.request).description).toContain('https://acme.slack.com/archives/C1/p10000000');
    expect(await p.store.outbox.get('reaction:C1:10.000000:eyes')).not.toBeNull();
    expect(await p.store.outbox.get(`card:${ID}`)).toMatchObject({ payload: '{"requester":"U1"}' });
    expect(p.woken).toEqual(['filed', 'outbox', 'sessions', 'timers']);
  });

  it('delivered twice is one issue, and closes the modal both times', async () => {
    const p = await picking();
    await p.submit();
    await p.submit();
    expect(p.acks).toEqual([null, null, null]);
    expect(await p.store.issues.pending(p.clock.now(), 9)).toHaveLength(1);
  });

  it.each([
    [{ title: '  ' }, { title: 'Say what is wrong in a few words.' }],
    [{ title: 'x'.repeat(501) }, { title: 'What is wrong: at most 500 characters.' }],
    [{ description: null }, { description: 'Describe it. A copy of the title will do.' }],
    [{ environment: '' }, { environment: 'Name the environment, for example production.' }],
    [{ severity: 'terrible' }, { severity: 'Choose one of the three.' }],
    [{ severity: null }, { severity: 'Choose one of the three.' }],
  ])('sent with %o says at the field what is wrong, and files nothing', async (typed, errors) => {
    const p = await picking();
    await p.submit(typed);
    expect(p.acks.at(-1)).toEqual({ response_action: 'errors', errors });
    expect(await p.store.issues.get(ID)).toBeNull();
  });

  it('files all of a text that is too long for its field, unless it was changed', async () => {
    const p = await pickingShortcuts();
    const text = `[FIRING:1] disk is full\n${LONG}`;
    await p.event({ ...TOOLS_ALERT, channel: 'C0WATCHED', text, subtype: 'bot_message' });
    const [filed] = await p.store.issues.pending(p.clock.now(), 9);
    await p.store.issues.rewrite(filed?.id ?? '', {
      isOpen: false,
      state: 'created',
      status: 'resolved',
      number: 3,
    });
    await p.pick('investigate_this', { ...TOOLS_ALERT, text }, { channel: { id: 'C0WATCHED', name: 'w' } });
    expect(valuesIn(p.opened()[0]?.blocks ?? []).description).toMatch(/^.{2900,2999}…$/su);
    expect(JSON.stringify(p.opened())).toContain('Filed before');
    await p.submit();
    const [anew] = (await p.store.issues.pending(p.clock.now(), 9)).filter(({ id }) => id !== filed?.id);
    expect(JSON.parse(anew?.request ?? '{}').description).toContain('word899');
  });

  it('remembers an alert of any length', async () => {
    const p = await picking({
      ...TOOLS_ALERT,
      text: `[FIRING:1] disk is full\nenvironment: ${LONG}\n${LONG}`,
    });
    const [view] = p.opened();
    expect(view?.private_metadata.length).toBeLessThanOrEqual(3000);
    await p.submit();
    expect(await theIssue(p.store, ID)).toMatchObject({ requestedBy: 'U1' });
  });

  it('of an alert that an open issue has says so with its link, and counts the message there, once', async () => {
    const p = await pickingShortcuts();
    await p.event({ ...TOOLS_ALERT, channel: 'C0WATCHED', ts: '9.000000', subtype: 'bot_message' });
    const [issue] = await p.store.issues.pending(p.clock.now(), 9);
    await p.store.issues.rewrite(issue?.id ?? '', { state: 'created', number: 12 });
    const here = { channel: { id: 'C0WATCHED', name: 'w' } };
    await p.pick('investigate_this', TOOLS_ALERT, here);
    await p.pick('investigate_this', TOOLS_ALERT, here);
    expect(await theIssue(p.store, issue?.id)).toMatchObject({ repeats: 1 });
    expect(p.opened().map(({ submit }) => submit)).toEqual([undefined, undefined]);
    expect(JSON.stringify(p.opened()[0])).toContain(
      '<https://acme.slack.com/archives/C0WATCHED/p9000000|#12> ',
    );
  });

  it('sent after somebody else had the same alert filed gives back what was typed', async () => {
    const p = await picking();
    await p.pick('investigate_this', TOOLS_ALERT, { user: { id: 'U2', name: 'bob' } });
    await p.submit({}, { user: { id: 'U2', name: 'bob' } });
    await p.submit({ description: 'my own findings' });
    const last = p.acks.at(-1);
    expect(last).toMatchObject({ response_action: 'update' });
    expect(JSON.stringify(last)).toContain('my own findings');
    expect(await p.store.issues.pending(p.clock.now(), 9)).toHaveLength(1);
  });

  it('of a modal that remembers nothing asks for the shortcut once more', async () => {
    const p = await picking();
    const view = {
      id: 'V1',
      type: 'modal',
      callback_id: 'message:investigate',
      private_metadata: '{"old":1}',
    };
    const values = { severity: { value: { selected_option: { value: 'low' } } } };
    const words = Object.fromEntries(
      ['title', 'description', 'environment'].map((n) => [n, { value: { value: 'x' } }]),
    );
    await p.submit({}, { view: { ...view, state: { values: { ...values, ...words } } } });
    expect(p.acks.at(-1)).toMatchObject({ response_action: 'update' });
    expect(JSON.stringify(p.acks.at(-1))).toContain('Run the shortcut again');
  });

  it('whose trigger has expired is answered in words', async () => {
    const p = await pickingShortcuts();
    const { url, sent } = await responseAddress();
    p.slack.next('views.open', { error: 'expired_trigger_id' });
    await p.pick('investigate_this', TOOLS_ALERT, { response_url: url });
    expect(sent).toEqual([{ text: expect.stringMatching(/timed out/), response_type: 'ephemeral' }]);
  });

  it('on a message of ours says that it is ours', async () => {
    const p = await pickingShortcuts();
    const { url, sent } = await responseAddress();
    await p.pick('investigate_this', { ...TOOLS_ALERT, bot_id: BOT.botId }, { response_url: url });
    expect(sent.map(({ text }) => text)).toEqual([expect.stringMatching(/^That is one of my own messages/)]);
    expect(p.opened()).toEqual([]);
  });

  it('says nothing of the title of an issue that lives in a private channel elsewhere', async () => {
    const p = await picking();
    await p.submit();
    const { identity } = await theIssue(p.store, ID);
    await p.store.issues.rewrite(ID, { isOpen: false, identity: null, state: 'gone' });
    await addCreated(p.store, p.clock.now(), { identity, channel: 'C0SECRET', number: 7, title: 'Merger' });
    await p.pick('investigate_this');
    const shown = JSON.stringify(p.opened().at(-1));
    expect(shown).toContain('#7 · 🔍 Investigating');
    expect(shown).not.toMatch(/Merger|C0SECRET/);
  });
});
