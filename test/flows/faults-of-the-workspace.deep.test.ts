import type { PageFaults } from 'local-slack';
import { callPage, listenToPage, servePage } from 'local-slack/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { SERVICE_KEY, type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

/** Everybody who would be told that something is wrong with Slack. */
const ALICES_DM = 'D0ALICE001';
const EVENTS_ASTRAY: Partial<PageFaults> = { twins: true, shuffleMs: 300 };
const REPEATED = /^gumshoe_deliveries_total\{outcome="repeated"/;
const RATE_LIMITED = /^gumshoe_slack_calls_total\{.*outcome="rate_limited"/;
const UNCERTAIN = /^gumshoe_slack_calls_total\{.*outcome="ambiguous"/;

/** What goes wrong one after the other, the alert that comes then, and what the program counts it as. */
const PHASES: readonly { name: string; faults: Partial<PageFaults>; outcome: RegExp }[] = [
  { name: 'DiskFull', faults: { rateLimited: 1 }, outcome: RATE_LIMITED },
  { name: 'HighLatency', faults: { serverErrors: 1 }, outcome: UNCERTAIN },
  { name: 'QueueTooLong', faults: { resetsBefore: 1 }, outcome: UNCERTAIN },
  { name: 'CertificateExpires', faults: { resetsAfter: 1 }, outcome: UNCERTAIN },
  {
    name: 'PodRestarts',
    faults: { latencyMs: 50, rateLimited: 0.2, serverErrors: 0.2, resetsBefore: 0.1, resetsAfter: 0.2 },
    outcome: UNCERTAIN,
  },
];

/** What may be said of an alert while all goes well: where its issue stands, and what was found. */
const TRUE =
  /^#\d \w+ · checkout-api( · \S+ (Filing|Investigating|Ready to fix|Symptom)$|: root cause: Bad deploy of payments|: a symptom of #1$)/u;

interface Alert {
  ts: string;
  name: string;
}

let around: Surroundings;
let bot: Bot;

beforeEach(async () => {
  around = await startSurroundings('socket');
  bot = await startBotOn(around);
});

afterEach(async () => {
  await bot.stop();
  await around.close();
});

async function post(name: string): Promise<Alert> {
  const { ts } = await around.workspace.post(alertmanagerAlert(name));
  return { ts, name };
}

/** All that the service has. */
async function issues(): Promise<unknown[]> {
  const headers = { authorization: `Bearer ${SERVICE_KEY}` };
  const page = await (await fetch(`${around.service.url}/issues?limit=100`, { headers })).json();
  return z.object({ data: z.array(z.unknown()) }).parse(page).data;
}

/** How often the program has counted what begins so. */
async function counted(sample: RegExp): Promise<number> {
  const lines = (await (await fetch(`${bot.url}/metrics`)).text()).split('\n');
  const values = lines.filter((line) => sample.test(line)).map((line) => Number(line.split(' ').at(-1)));
  return values.reduce((sum, value) => sum + value, 0);
}

/** What the program has left of an alert; its words without what is this alert's own. */
function leftOf({ ts, name }: Alert) {
  const { workspace } = around;
  const root = workspace.messages(workspace.channels.alerts).find((message) => message.ts === ts);
  const own = new RegExp(`${name}|#\\d+|<!date[^>]*>`, 'gu');
  const [card, ...others] = repliesTo(around, ts).map((message) => wordsOf(message).replaceAll(own, '…'));
  return {
    reactions: root?.reactions?.map(({ name, count }) => `${name} ${count}`),
    card,
    others: others.map((words) => words.split(':', 2).join(':')),
  };
}

function isDone(alert: Alert): boolean {
  const { reactions = [], card = '', others } = leftOf(alert);
  // The one that it replaces goes after it is there.
  const isReplaced = reactions.length > 0 && !reactions.some((one) => one.startsWith('eyes'));
  return isReplaced && /Ready to fix|🔗 Symptom/u.test(card) && others.length > 0;
}

describe('while calls and events go wrong, as a person switched on with the page', () => {
  it('each alert has one card and one result in the end, as without, and nobody is notified of a problem', async () => {
    const page = await servePage(around.workspace);
    const heard = await listenToPage(page);
    const switchTo = async (faults: Partial<PageFaults>) =>
      expect(await callPage(page, 'stage/faults', faults)).toEqual({ ok: true });
    const first = await post('HighErrorRate');
    await until('all is said of the first alert', () => isDone(first));
    // The shop has one problem: what comes later has the same cause.
    const undisturbed = await post('HighMemory');
    await until('all is said of an undisturbed alert', () => isDone(undisturbed));

    const disturbed: Alert[] = [];
    for (const { name, faults, outcome } of PHASES) {
      const before = { hits: await counted(outcome), twins: await counted(REPEATED) };
      await switchTo({ ...EVENTS_ASTRAY, ...faults });
      disturbed.push(await post(name));
      await until(
        `${JSON.stringify(faults)} has hit`,
        async () => (await counted(outcome)) > before.hits + 1,
      );
      await until('a twin has come', async () => (await counted(REPEATED)) > before.twins);
    }
    await switchTo({});

    await until('all is said of every alert', () => disturbed.every(isDone));
    const said = heard().flatMap((event) => ('message' in event ? [event.message] : []));
    const own = said.filter(({ user }) => user === around.workspace.botUserId).map(({ text }) => text);
    expect(own.filter((text) => !TRUE.test(text))).toEqual([]);
    const expected = leftOf(undisturbed);
    expect(leftOf(first).others).toEqual([expect.stringContaining('root cause')]);
    expect(expected.card).toContain('A symptom of');
    expect(expected.others).toHaveLength(1);
    expect(disturbed.map(leftOf)).toEqual(disturbed.map(() => expected));
    expect(around.workspace.messages(around.workspace.channels.alerts)).toHaveLength(PHASES.length + 2);
    expect(around.workspace.messages(ALICES_DM)).toEqual([]);
    expect(await issues()).toHaveLength(PHASES.length + 2);
  });
});
