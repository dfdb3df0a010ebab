import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { grid } from '../measure.ts';
import { writeLargeSystem } from '../systems/large-system.ts';
import { hasPrometheus, servePrometheus } from '../systems/prometheus.ts';
import { SERVICE_KEY, startServiceOver } from '../systems/service-process.ts';
import { alertDelivery, questionDelivery, signed } from './deliveries.ts';
import { type Around, around, type Running, startProgram } from './program.ts';
import { overHttp } from './sending.ts';
import type { BenchPost } from './slack.ts';

const SERVICES = 12;
const INSTANCES = 3;
const MINUTE = 60_000;
/** Of the history, after the start: what is read lies in it for as long as the benchmark runs. */
const AHEAD_MS = 8 * MINUTE;
const TOKEN = 'token-of-the-benchmark';
const WITHIN_MS = 60_000;
/** A channel is watched from the start on, and a message's time is rounded down to a second here. */
const FROM_THE_START_MS = 3_000;

/** Milliseconds of each, in the order they were measured. */
export interface Verdicts {
  messageToCard: number[];
  cardToVerdict: number[];
  messageToVerdict: number[];
  webhookToVerdict: number[];
  commandToVerdict: number[];
  questionToSign: number[];
  questionToWord: number[];
}

/** A person waits for it, or an alert does. */
interface Asking {
  between: Around;
  running: Running;
  symptom: string;
}

/**
 * From what comes in to what people read, one after the other: bot and service as the image runs them, over a real Prometheus
 * with a dozen services, one of which has been failing for two minutes. `null` if there is no Prometheus here.
 */
export async function benchVerdicts(times: number): Promise<Verdicts | null> {
  if (!hasPrometheus()) return null;
  const to = Math.floor((Date.now() + AHEAD_MS) / MINUTE) * MINUTE;
  let symptom = '';
  const write = (path: string) => {
    const all = { from: to - 200 * MINUTE, to, stepMs: MINUTE };
    ({ symptom } = writeLargeSystem(path, { services: SERVICES, instances: INSTANCES, times: all }));
  };
  const prometheus = await servePrometheus([write]);
  const service = await startServiceOver(prometheus.url);
  const between = await around();
  const channels = Array.from({ length: times }, (_, n) => channelOf(n));
  const running = await startProgram(between, 'http', {
    ISSUE_SERVICE_URL: service.url,
    ISSUE_SERVICE_API_KEY: SERVICE_KEY,
    ALERT_CHANNELS: channels.join(','),
    ALERT_WEBHOOK_TOKEN: TOKEN,
    ALERT_ROUTES: '*->C0HOOKS',
  });
  try {
    await sleep(FROM_THE_START_MS);
    return await measured({ between, running, symptom }, times);
  } finally {
    await running.stop();
    await between.close();
    await service.stop();
    await prometheus.stop();
  }
}

async function measured(asking: Asking, times: number): Promise<Verdicts> {
  const found: Verdicts = {
    messageToCard: [],
    cardToVerdict: [],
    messageToVerdict: [],
    webhookToVerdict: [],
    commandToVerdict: [],
    questionToSign: [],
    questionToWord: [],
  };
  for (let n = 0; n < times; n += 1) {
    const message = await byMessage(asking, n);
    found.messageToCard.push(message.card - message.sent);
    found.cardToVerdict.push(message.verdict - message.card);
    found.messageToVerdict.push(message.verdict - message.sent);
    const webhook = await byWebhook(asking, n);
    found.webhookToVerdict.push(webhook.verdict - webhook.sent);
    const command = await byCommand(asking, n);
    found.commandToVerdict.push(command.verdict - command.sent);
    const question = await byQuestion(asking);
    found.questionToSign.push(question.sign);
    found.questionToWord.push(question.word);
  }
  return found;
}

/** By the machine's clock, in milliseconds. */
interface Moments {
  sent: number;
  card: number;
  verdict: number;
}

/** Storms and budgets are a channel's: each alert has its own. */
function channelOf(n: number): string {
  return `C0VERDICT${n}`;
}

function byMessage({ between, running, symptom }: Asking, n: number): Promise<Moments> {
  const line = overHttp(running.url, 1);
  return followed(between, async (sent) => {
    await line.send(alertDelivery('FIRING', n, Math.floor(sent / 1000), channelOf(n), symptom));
    await line.close();
  });
}

function byWebhook({ between, running, symptom }: Asking, n: number): Promise<Moments> {
  const labels = { alertname: `Latency${n}`, service: symptom, severity: 'critical', env: 'production' };
  return followed(between, async (sent) => {
    const startsAt = new Date(sent).toISOString();
    const alert = { status: 'firing', labels, annotations: { summary: 'It is slow' }, startsAt };
    await accepted(
      fetch(`${running.url}/alerts/alertmanager`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          version: '4',
          status: 'firing',
          alerts: [{ ...alert, fingerprint: `f${n}` }],
        }),
      }),
    );
  });
}

function byCommand({ between, running, symptom }: Asking, n: number): Promise<Moments> {
  const form = new URLSearchParams({
    command: '/investigate',
    text: `Errors on ${symptom}, report ${n} service:${symptom}`,
    channel_id: channelOf(n),
    channel_name: 'bench',
    user_id: 'U1',
    user_name: 'someone',
    team_id: 'T0BENCH',
    api_app_id: 'A1',
    trigger_id: `${n}.1`,
    response_url: `${between.slack.apiUrl}respond`,
  }).toString();
  return followed(between, async (sent) => {
    const headers = signed(form, sent, 'application/x-www-form-urlencoded');
    await accepted(fetch(`${running.url}/slack/events`, { method: 'POST', headers, body: form }));
  });
}

/** Milliseconds until Slack shows that it is worked on, and until the first words are there. */
async function byQuestion({ between, running, symptom }: Asking): Promise<{ sign: number; word: number }> {
  const line = overHttp(running.url, 1);
  const { slack } = between;
  const [streams, posts, signs] = [slack.streams().length, slack.posts().length, slack.processing().length];
  const sent = Date.now();
  await line.send(questionDelivery(Math.floor(sent / 1000), `What changed in ${symptom}?`));
  // An answer that is there as a whole is posted without a stream.
  const posted = () => slack.posts().slice(posts).find(isOf('answer:'))?.at;
  const sign = await waitFor(
    'a sign',
    () => slack.processing()[signs] ?? slack.streams()[streams] ?? posted(),
  );
  const word = await waitFor('an answer', () => slack.streams()[streams] ?? posted());
  await line.close();
  return { sign: sign - sent, word: word - sent };
}

/** Sends it, and waits for the card and the verdict that are posted for it. */
async function followed({ slack }: Around, send: (sent: number) => Promise<void>): Promise<Moments> {
  const before = slack.posts().length;
  const sent = Date.now();
  const posted = (kind: string) => slack.posts().slice(before).find(isOf(kind))?.at;
  await send(sent);
  const card = await waitFor('the card', () => posted('card:'));
  return { sent, card, verdict: await waitFor('the verdict', () => posted('result:')) };
}

const Metadata = z.looseObject({ event_payload: z.looseObject({ key: z.string() }) });

/** Messages whose key begins so. */
function isOf(kind: string): (post: BenchPost) => boolean {
  return ({ metadata }) => {
    const read = Metadata.safeParse(metadata);
    return read.success && read.data.event_payload.key.startsWith(kind);
  };
}

async function accepted(request: Promise<Response>): Promise<void> {
  const answer = await request;
  await answer.text();
  if (!answer.ok) throw new Error(`answered with ${answer.status}`);
}

async function waitFor<T>(what: string, found: () => T | undefined): Promise<T> {
  const until = Date.now() + WITHIN_MS;
  for (;;) {
    const value = found();
    if (value !== undefined) return value;
    if (Date.now() > until) throw new Error(`waited in vain for ${what}`);
    await sleep(5);
  }
}

/** The table as text. */
export function verdictsTable(found: Verdicts | null): string {
  if (found === null) return 'No `prometheus` and `promtool` here: apt-get install prometheus.';
  const row = (name: string, times: readonly number[], asked: string) => {
    const sorted = times.toSorted((a, b) => a - b);
    const at = (share: number) => (sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN).toFixed(0);
    return [name, at(0.5), at(0.95), asked];
  };
  return grid([
    [`a dozen services, ${found.messageToCard.length} of each`, 'median ms', 'p95 ms', 'asked'],
    row('alert message to card', found.messageToCard, ''),
    row('card to verdict in the thread', found.cardToVerdict, ''),
    row('alert message to verdict', found.messageToVerdict, '< 3,000 / 5,000'),
    row('webhook to verdict', found.webhookToVerdict, '< 3,000 / 5,000'),
    row('/investigate to verdict', found.commandToVerdict, ''),
    row('question to *processing* in Slack', found.questionToSign, '< 500'),
    row('question to first word', found.questionToWord, ''),
  ]);
}
