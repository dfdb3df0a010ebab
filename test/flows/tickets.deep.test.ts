import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { type Child, KILLABLE, startChild, untilPrinted } from '../support/child.ts';
import { patientServer } from '../support/patient-server.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { scriptedTracker, settingsOf, TOKEN, wordsOfDocument } from '../support/trackers.ts';
import { until } from '../support/until.ts';

/** The four minutes between two looks at a ticket are a few seconds. */
const PACE = 20;
const ALICE = 'U0ALICE001';

let around: Surroundings;
let env: Record<string, string>;
let jira: ReturnType<typeof scriptedTracker>;
const stops: (() => unknown)[] = [];

beforeEach(async () => {
  around = await startSurroundings('socket', { pace: PACE });
  jira = scriptedTracker('jira', around.clock.now);
  const server = patientServer((request, response) => {
    void (async () => {
      const { method = 'GET', url = '/' } = request;
      const kept = ['authorization', 'content-type', 'user-agent', 'accept'];
      const headers = kept.flatMap((name): [string, string][] => {
        const value = request.headers[name];
        return typeof value === 'string' ? [[name, value]] : [];
      });
      const body = method === 'POST' ? { body: await text(request) } : {};
      const answer = await jira.fetch(`http://jira.test${url}`, { method, headers, ...body });
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(await answer.text());
    })();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = z.custom<AddressInfo>().parse(server.address());
  const { project, user } = settingsOf.jira;
  env = {
    ...around.env,
    POLL_CRON: '*/15 * * * * *',
    TICKETS: 'jira',
    JIRA_URL: `http://127.0.0.1:${port}`,
    JIRA_PROJECT: project,
    JIRA_USER: user,
    JIRA_TOKEN: TOKEN,
  };
});

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
  await around.close();
});

async function investigated() {
  const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
  const thread = () => repliesTo(around, ts);
  await until('results are there', () => /Do first:/u.test(thread().map(wordsOf).join('\n')));
  const card = () => thread().slice(0, 1).map(wordsOf).join('');
  return { thread, card };
}

function say(words: string) {
  const channel = around.workspace.channels.alerts;
  return around.workspace.command({ as: ALICE, channel, command: '/issue', text: words });
}

const said = () => around.workspace.messages(around.workspace.channels.alerts).map(wordsOf).join('\n');

const Row = z.looseObject({
  type: z.literal('actions'),
  block_id: z.string(),
  elements: z.array(z.looseObject({ action_id: z.string(), value: z.string().optional() })),
});

it('a ticket that is pressed for leads back, its state comes back, and it hears that the issue was resolved', async () => {
  const bot = await startBotOn({ ...around, env });
  stops.push(() => bot.stop());
  const { thread, card } = await investigated();
  // What is wrong is said to whoever asked, and on the card; once it is mended, asking again is enough.
  jira.state.demands = 'customfield_10050';
  await say('1 ticket');
  await until('it is said that it was refused', () =>
    /I could not create a ticket for #1/u.test(thread().map(wordsOf).join('\n')),
  );
  await until('the card says so', () =>
    /No ticket · ⚠️ Jira demands .*customfield_10050: Team is required\)/u.test(card()),
  );
  jira.state.demands = '';
  const [message] = thread();
  const buttons = (message?.blocks ?? []).flatMap((block) => Row.safeParse(block).data ?? []);
  const row = buttons.find(({ elements }) => elements.some(({ action_id }) => action_id === 'issue:ticket'));
  const button = row?.elements.find(({ action_id }) => action_id === 'issue:ticket');
  await around.workspace.action({
    as: ALICE,
    channel: around.workspace.channels.alerts,
    message_ts: message?.ts ?? '',
    block_id: row?.block_id ?? '',
    action_id: 'issue:ticket',
    value: button?.value ?? '',
  });
  await until('the card links to it', () => /🎫 .*FIX-12>: to do/u.test(card()));
  const [ticket] = jira.tickets;
  expect(ticket?.title).toMatch(/^HighErrorRate.* \(Gumshoe #1\)$/u);
  expect(ticket?.body).toMatch(/^Root cause: (?!not found).+$/mu);
  expect(ticket?.body).toMatch(/^☐ .+$/mu);
  expect(ticket?.body).toMatch(/\nSlack: https?:\/\/\S+\/archives\/\S+\nReference: gumshoe-[0-9a-f]{20}$/u);
  if (ticket) ticket.state = 'Done';
  await until('its state is back', () => /🎫 .*FIX-12>: done/u.test(card()));
  await say('resolve 1');
  const comments = () => (ticket?.comments ?? []).map(({ body }) => wordsOfDocument(JSON.parse(body)));
  await until('it is said there', () => comments().length > 0);
  await say('1 ticket');
  await until('there is one', () => /The ticket of #1: 🎫 .*FIX-12>: done/u.test(said()));
  expect(comments()).toEqual([expect.stringMatching(/^Resolved in Slack on .* UTC\. Root cause: .+/u)]);
  expect(jira.tickets).toHaveLength(1);
  expect(said()).not.toContain(TOKEN);
});

it.each(['ticket: made', 'ticket: commented'])(
  'killed at “%s”, it makes one ticket and one comment',
  async (step) => {
    let child: Child = startChild(KILLABLE, { ...env, KILL_AT: step });
    stops.push(async () => {
      child.process.kill('SIGKILL');
      await child.ended;
    });
    await untilPrinted(child, /started/u);
    const { card } = await investigated();
    await say('1 ticket');
    await until('there is a ticket', () => jira.tickets.length > 0);
    const restarted = async () => {
      expect(await child.ended).toBe('SIGKILL');
      child = startChild(KILLABLE, env);
      await untilPrinted(child, /started/u);
    };
    if (step !== 'ticket: commented') await restarted();
    await until('the card links to it', () => /🎫 .*FIX-12>: to do/u.test(card()));
    await say('resolve 1');
    await until('there is a comment', () => (jira.tickets[0]?.comments ?? []).length > 0);
    if (step === 'ticket: commented') {
      await restarted();
      jira.asked.length = 0;
    }
    // Whatever was left undone is done by the time of the next look.
    if (jira.tickets[0]) jira.tickets[0].state = 'Done';
    await until('it was looked at again', () => /🎫 .*FIX-12>: done/u.test(card()));
    expect(jira.tickets.map(({ comments }) => comments.length)).toEqual([1]);
  },
);
