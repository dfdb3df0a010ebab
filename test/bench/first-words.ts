import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAnswerer } from '../../src/bot/asking/answerer.ts';
import { ask } from '../../src/bot/asking/ask.ts';
import { listen } from '../../src/bot/health/server.ts';
import { createLogger } from '../../src/bot/shared/log.ts';
import { createMetrics } from '../../src/bot/shared/metrics.ts';
import { createSlackClient } from '../../src/bot/slack/client.ts';
import { createStreams } from '../../src/bot/slack/delivery/content.ts';
import { createDelivery } from '../../src/bot/slack/delivery/deliver.ts';
import { createPace } from '../../src/bot/slack/delivery/pace.ts';
import { createMessages } from '../../src/bot/slack/messages/index.ts';
import { createRefusals, createSessions } from '../../src/bot/slack/sessions.ts';
import { changeIntent } from '../../src/bot/store/intents/channel-intents.ts';
import { openStore } from '../../src/bot/store/open.ts';
import { createWakeups } from '../../src/bot/store/wakeups.ts';
import { createServiceClient, createServices } from '../../src/contract/client/client.ts';
import { noCheckpoint as checkpoint, systemClock as clock } from '../../src/lib/clock.ts';
import { mayReadOf } from '../bot/slack/support/reading.ts';
import { grid } from './measure.ts';

/** Fewer than Slack lets streams begin within a minute. */
const QUESTIONS = 15;
const THINKS_MS = 30;
const SLOW_MS = 3_000;
const BUSY_CHANNELS = 10;
const ANNOUNCED = { what: 'paused', by: 'U1' } as const;

/** How long each answer's first words took, in milliseconds, sorted. */
export interface FirstWords {
  alone: number[];
  /** While Slack takes its time over posts in other channels. */
  busy: number[];
}

/** From the service's first delta of an answer in a direct message to Slack's `chat.startStream`, over loopback. */
export async function benchFirstWords(): Promise<FirstWords> {
  return { alone: await measure(0), busy: await measure(BUSY_CHANNELS) };
}

/** The table as text. */
export function firstWordsTable({ alone, busy }: FirstWords): string {
  const row = (name: string, times: number[]) => [name, at(times, 0.5), at(times, 1)];
  return grid([
    [
      'first words of an answer in a DM: ms from the service’s first delta to Slack’s startStream',
      'median',
      'longest (asked: < 300)',
    ],
    row('alone', alone),
    row(`while posts in ${BUSY_CHANNELS} other channels take ${SLOW_MS / 1_000} s each`, busy),
  ]);
}

function at(times: readonly number[], share: number): string {
  return (times[Math.ceil(share * times.length) - 1] ?? Number.NaN).toFixed(1);
}

async function measure(busyChannels: number): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-first-words-'));
  const times: number[] = [];
  let saidAt = 0;
  let heard = () => {};
  const agent = await listen(
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      setTimeout(() => {
        saidAt = performance.now();
        response.write('event: delta\ndata: {"delta":"The pool "}\n\n');
      }, THINKS_MS);
      heard = () => response.end('event: done\ndata: {"answer":"The pool is full."}\n\n');
    },
    0,
    '127.0.0.1',
  );
  const slackApi = await listen(
    (request, response) => {
      const answer = () =>
        response.end(JSON.stringify({ ok: true, ts: `${performance.now()}`, channel: 'D1' }));
      if (request.url?.endsWith('/chat.startStream')) {
        times.push(performance.now() - saidAt);
        heard();
      }
      request.resume();
      request.on('end', () => {
        response.setHeader('content-type', 'application/json');
        if (request.url?.endsWith('/chat.postMessage')) setTimeout(answer, SLOW_MS).unref();
        else answer();
      });
    },
    0,
    '127.0.0.1',
  );
  const wakeups = createWakeups();
  const store = await openStore({ file: join(folder, 'store.db'), clock, wakeups });
  const log = createLogger('silent');
  const metrics = createMetrics();
  const service = createServiceClient({ url: agent.url, apiKey: 'key', version: '2026-03-17', clock });
  const common = { store, clock, log, metrics, checkpoint };
  const slack = {
    client: createSlackClient({ token: 'xoxb-bench', apiUrl: `${slackApi.url}/`, log }),
    pace: createPace(),
    clock,
    log,
    metrics,
  };
  const delivery = createDelivery({
    ...common,
    slack,
    contentOf: createMessages({
      mayRead: mayReadOf({ store }),
      store,
      clock,
      identity: { botUserId: 'U0BOT', botId: 'B0BOT', teamId: 'T1' },
      simulated: false,
      nameOf: async () => null,
      permalink: (channel, ts) => `https://example.slack.com/archives/${channel}/p${ts}`,
      maxIssuesPerDay: 500,
      reactions: { causeFound: 'mag_right', noCause: 'shrug', resolved: 'white_check_mark' },
    }),
    onPlaced: async () => undefined,
    onRefused: async () => false,
    onParked: async () => false,
    onPosted: async () => undefined,
    onGone: async () => undefined,
    onStopped: async () => undefined,
    streams: createStreams(),
    sessions: createSessions({ slack, store, refusals: createRefusals({ clock, log }), checkpoint }),
    random: Math.random,
    wakeup: wakeups.outbox,
  });
  const services = createServices({ default: service });
  const answerer = createAnswerer({
    ...common,
    services,
    isPrivateChannel: async () => false,
    originOf: async () => ({ isPrivate: false }),
    asked: wakeups.asked,
    timeoutMs: 10_000,
    materials: {
      words: async (_conversation, { text }) => text,
      talk: async () => [],
      lookedAt: async () => null,
      owners: async () => [],
      file: async ({ name }) => ({ name, notRead: 'not here' }),
    },
  });
  delivery.start();
  answerer.start();
  try {
    for (let n = 0; n < QUESTIONS; n += 1) {
      for (let busy = 0; busy < busyChannels; busy += 1) {
        const cause = `busy:${n}:${busy}`;
        await store.outbox.want(changeIntent(cause, `C${busy}`, ANNOUNCED, clock.now()));
      }
      const asked = { id: `D1:${n}.0`, channel: 'D1', threadTs: `${n}.0`, asker: 'U1', text: 'why?' };
      await ask(asked, { store, clock, askPerUserHour: 1_000, askPerChannelHour: 1_000 });
      while ((await store.questions.get(asked.id))?.state !== 'complete') await clock.sleep(5);
    }
    return times.sort((a, b) => a - b);
  } finally {
    await answerer.stop();
    await delivery.stop();
    await service.close();
    await agent.close();
    await slackApi.close();
    await store.close();
    rmSync(folder, { recursive: true });
  }
}
