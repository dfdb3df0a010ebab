import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/compose.ts';
import type { PageMessage } from '../../src/sandbox/workspace/page-api.ts';
import { alertmanagerAlert, wordsOf } from '../support/alerts.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

const ALICE = 'U0ALICE001';
const BOB = 'U0BOB00001';

type Where = keyof Surroundings['workspace']['channels'];

let around: Surroundings;
let bot: Bot;

beforeEach(async () => {
  around = await startSurroundings('socket');
  const { alerts, incidents, secrets } = around.workspace.channels;
  bot = await startBotOn(around, { env: { ALERT_CHANNELS: [alerts, incidents, secrets].join(',') } });
});

afterEach(async () => {
  await bot.stop();
  await around.close();
});

function thread(where: Where, ts: string): PageMessage[] {
  return around.workspace.messages(around.workspace.channels[where], ts).slice(1);
}

function seen(pattern: RegExp, where: Where, ts: string): Promise<PageMessage> {
  return until(`somebody in #${where} sees ${pattern}`, () =>
    thread(where, ts).find((message) => pattern.test(wordsOf(message))),
  );
}

async function press(where: Where, message: PageMessage, actionId: string, as = BOB): Promise<void> {
  const block = (message.blocks ?? []).map(Object).find((b) => b.type === 'actions');
  const element = block?.elements.map(Object).find((e: { action_id: string }) => e.action_id === actionId);
  const outcome = await around.workspace.action({
    as,
    channel: around.workspace.channels[where],
    message_ts: message.ts,
    block_id: block?.block_id,
    action_id: actionId,
    value: element?.value,
  });
  expect(outcome).toEqual({ ok: true });
}

/** Everything that the app has said in a channel and under a message there, as it stands. */
function everythingIn(where: Where, ts: string): string {
  const channel = around.workspace.channels[where];
  return JSON.stringify([around.workspace.messages(channel), thread(where, ts)]);
}

describe('the same alert in a second channel', () => {
  it('gets a short card that is kept current and leads to the issue, and the verdict', async () => {
    const first = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    await seen(/#1 HighErrorRate/, 'alerts', first.ts);
    const second = await around.workspace.post({
      ...alertmanagerAlert('HighErrorRate'),
      channel: 'incidents',
    });
    const card = await seen(/belongs to issue #1 in/, 'incidents', second.ts);
    expect(wordsOf(card)).toContain(`<#${around.workspace.channels.alerts}>`);
    expect(wordsOf(card)).toContain('Open its thread');
    const verdict = await seen(/Verdict on \*#1\*/, 'incidents', second.ts);
    expect(wordsOf(verdict)).toMatch(/Root cause|Nothing found/);
    expect(wordsOf(verdict)).toContain('Everything is in its thread');
    await around.workspace.post({ ...alertmanagerAlert('HighErrorRate'), channel: 'incidents' });
    await seen(/Fired here 2 times/, 'incidents', second.ts);
    await seen(/Fired again 2 times/, 'alerts', first.ts);

    const ready = await seen(/Ready to fix/, 'incidents', second.ts);
    await press('incidents', ready, 'issue:resolve');
    await seen(/✅ Resolved/, 'alerts', first.ts);
    await seen(/✅ Resolved/, 'incidents', second.ts);
    // The card, and the verdict: one each.
    expect(thread('incidents', second.ts)).toHaveLength(2);
  });

  it('posted in both at the same moment makes one issue', async () => {
    const alert = alertmanagerAlert('HighErrorRate');
    const [a, b] = await Promise.all([
      around.workspace.post(alert),
      around.workspace.post({ ...alert, channel: 'incidents' }),
      around.workspace.post(alert),
    ]);
    await until('both threads have a card of the one issue', () => {
      const words = [...thread('alerts', a.ts), ...thread('incidents', b.ts)].map(wordsOf);
      return words.filter((text) => /#1 HighErrorRate/.test(text)).length === 2;
    });
    await until('the other two are counted', () =>
      [...thread('alerts', a.ts), ...thread('incidents', b.ts)].some((m) =>
        /Fired again 2 times/.test(wordsOf(m)),
      ),
    );
  });
});

describe('an issue of a private channel', () => {
  const hidden = /zebra|C0SECRETS1|secrets|U0BOB00001/i;

  it('shows nothing of itself in another channel but its number, status and verdict', async () => {
    const secret = alertmanagerAlert('HighErrorRate');
    const about = { title: 'zebra', fallback: 'zebra' };
    const attachments = (secret.attachments ?? []).map((one) => ({ ...Object(one), text: about.title }));
    const first = await around.workspace.post({ ...secret, channel: 'secrets', attachments });
    await seen(/#1 HighErrorRate/, 'secrets', first.ts);
    const second = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    const card = await seen(/belongs to issue #1, which lives in a private channel/, 'alerts', second.ts);
    expect(wordsOf(card)).toContain('HighErrorRate');
    await seen(/Verdict on \*#1\*/, 'alerts', second.ts);
    const home = await seen(/Ready to fix/, 'secrets', first.ts);
    await press('secrets', home, 'issue:resolve', BOB);
    await seen(/✅ Resolved/, 'alerts', second.ts);
    expect(everythingIn('alerts', second.ts)).not.toMatch(hidden);
    // What would have found it: the private channel itself says it all.
    expect(everythingIn('secrets', first.ts)).toMatch(hidden);

    const general = around.workspace.channels.general;
    await around.workspace.command({ as: ALICE, channel: general, command: '/issue', text: '1' });
    const shown = await until('the issue is shown', () => around.workspace.messages(general)[0]);
    expect(wordsOf(shown)).toMatch(/Issue #1[\s\S]*private channel/);
    expect(JSON.stringify(shown)).not.toMatch(/HighErrorRate|zebra|secrets|U0BOB00001/i);
  });
});
