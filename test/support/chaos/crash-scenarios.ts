import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { startAgent } from '../agent.ts';
import { alertmanagerAlert, corpusMessage, repliesTo, wordsOf } from '../alerts.ts';
import { type CrashingBot, startCrashingBot } from '../crashing-bot.ts';
import { countUndelivered, issuesOf, untilSettled } from '../end-state.ts';
import { projectFile } from '../files.ts';
import { type Mode, type Surroundings, startSurroundings } from '../program.ts';
import {
  ALICE,
  ALICES_DM,
  BOB,
  postsIn,
  type Thread,
  untilAnswered,
  untilAnswers,
  untilPosted,
} from '../talking.ts';
import { until } from '../until.ts';
import { webhookSteps } from './steps.ts';

const FIXTURE = 'test/bot/alerts/webhooks/fixtures/alertmanager/alertmanager-firing.json';
const { payload } = z.looseObject({ payload: z.unknown() }).parse(JSON.parse(projectFile(FIXTURE)));

interface Scene {
  around: Surroundings;
  /** Starts a bot that crashes at the step of this row, does what brings it there, and waits until it has. */
  crashes(act?: (bot: CrashingBot) => Promise<unknown>, env?: Record<string, string>): Promise<void>;
  /** Starts a bot that does not crash. */
  starts(env?: Record<string, string>): Promise<CrashingBot>;
}

export interface CrashScenario {
  what: string;
  steps: readonly string[];
  /** What people see in the end, whatever the step. */
  outcome: unknown;
  play(scene: Scene): Promise<unknown>;
  mode?: Mode;
  /** Of Slack; by default it goes on until the bot is back. */
  retryDelays?: readonly number[];
}

/** What a bot may be doing when it crashes, with each step of it. */
export const crashScenarios: readonly CrashScenario[] = [
  {
    what: 'an alert by webhook, which its tool sends again',
    steps: webhookSteps,
    outcome: { statuses: [202], messages: 1, cards: 1, issues: 1 },
    play: async ({ around, crashes, starts }) => {
      const alert = { title: 'Disk is full', fingerprint: 'disk', severity: 'high', status: 'firing' };
      await crashes(({ url }) => sendWebhook(url, 'generic', alert), webhookEnv(around));
      const { url } = await starts(webhookEnv(around));
      const statuses = [await sendWebhook(url, 'generic', alert)];
      await until('it has a card', () => cardsIn(around).length > 0);
      await untilSettled(around);
      const messages = inAlerts(around).filter((message) => wordsOf(message).includes('Disk is full'));
      const { length: issues } = await issuesOf(around);
      return { statuses, messages: messages.length, cards: cardsIn(around).length, issues };
    },
  },
  {
    what: 'an alert by webhook, which then comes by its Slack app',
    steps: ['webhook: alert received', 'alert: sent', 'alert: recorded', 'create: sent'],
    outcome: { numbers: ['#1 '], threads: 2 },
    play: async ({ around, crashes, starts }) => {
      await crashes(({ url }) => sendWebhook(url, 'alertmanager', payload), webhookEnv(around));
      await starts(webhookEnv(around));
      await around.workspace.post(corpusMessage('alertmanager', 'alertmanager-default-firing'));
      return repeatedOnce(around);
    },
  },
  {
    what: 'an alert by its Slack app, which then comes by webhook',
    steps: ['inbox: stored', 'create: sent', 'card: sent'],
    outcome: ['#1 '],
    play: async ({ around, crashes, starts }) => {
      await crashes(
        () => around.workspace.post(corpusMessage('alertmanager', 'alertmanager-default-firing')),
        webhookEnv(around),
      );
      const { url } = await starts(webhookEnv(around));
      expect(await sendWebhook(url, 'alertmanager', payload)).toBe(202);
      // Where the first has its issue already, the webhook is only counted; else it is a message with a sign.
      return (await repeatedOnce(around)).numbers;
    },
  },
  {
    what: 'a delivery over signed HTTP, which Slack sends again',
    steps: ['inbox: stored'],
    mode: 'http',
    retryDelays: Array<number>(600).fill(100),
    outcome: { investigations: [1], cards: 1 },
    play: async ({ around, crashes, starts }) => {
      await crashes(() => around.workspace.post(alertmanagerAlert('DiskFull')));
      const { url } = await starts();
      await until('the retry was known', async () =>
        /gumshoe_deliveries_total\{outcome="repeated"\} [1-9]/.test(
          await (await fetch(new URL('/metrics', url))).text(),
        ),
      );
      await until('it has a card', () => cardsIn(around).length > 0);
      await untilSettled(around);
      const investigations = (await issuesOf(around)).map(({ versions }) => versions);
      return { investigations, cards: cardsIn(around).length };
    },
  },
  {
    what: 'reading what was missed',
    steps: ['backfill: read', 'backfill: taken', 'backfill: before close'],
    retryDelays: [50, 50, 50],
    outcome: { cards: [1, 1, 1], repeats: [1], toTheRepeat: 1 },
    play: async ({ around, crashes, starts }) => {
      await (await starts()).stop();
      const missed: string[] = [];
      for (const name of ['DiskFull', 'HighLatency', 'QueueBacklog']) {
        missed.push((await around.workspace.post(alertmanagerAlert(name))).ts);
      }
      const repeat = await around.workspace.post(alertmanagerAlert('DiskFull'));
      await until('Slack has given up', () => countUndelivered(around) === 0);
      await crashes();
      await starts();
      const own = (ts: string) => repliesTo(around, ts).map(wordsOf);
      const ready = (ts: string) => own(ts).filter((words) => /Ready to fix|🔗 Symptom/u.test(words));
      for (const ts of missed) await until('each has its card', () => ready(ts).length > 0);
      const counted = () =>
        own(missed[0] ?? '').flatMap((words) => /Fired again (\d+) time/u.exec(words)?.[1] ?? []);
      await until('the repeat is counted', () => counted().length > 0);
      await untilSettled(around);
      return {
        cards: missed.map((ts) => ready(ts).length),
        repeats: counted().map(Number),
        toTheRepeat: own(repeat.ts).length,
      };
    },
  },
  {
    what: 'planned work that hides an outage until somebody ends it',
    steps: [
      'plan: stored',
      'announcement: before send',
      'announcement: sent',
      'announcement: recorded',
      'reaction: before send',
      'reaction: sent',
      'plan: ended',
      'create: before send',
      'create: sent',
      'create: recorded',
      'card: before send',
      'card: sent',
      'card: recorded',
    ],
    outcome: { planned: 1, over: 1, cards: 1, investigations: [1] },
    play: async ({ around, crashes, starts }) => {
      const { workspace } = around;
      const channel = workspace.channels.alerts;
      const said = (pattern: RegExp) => inAlerts(around).filter((message) => pattern.test(wordsOf(message)));
      const announced = () => said(/planned work on/u).find(({ ephemeral_to }) => ephemeral_to === undefined);
      // What people do goes on over the crash.
      let work: Promise<void> = Promise.resolve();
      const people = async () => {
        await workspace.command({
          as: BOB,
          channel,
          command: '/gumshoe',
          text: 'plan checkout* 2h "upgrade"',
        });
        await until('it is announced', () => announced() !== undefined);
        const { ts } = await workspace.post(alertmanagerAlert('HighErrorRate'));
        const held = () => inAlerts(around).find((message) => message.ts === ts)?.reactions ?? [];
        await until('its alert is held', () => held().some(({ name }) => name === 'double_vertical_bar'));
        const message = announced();
        const block = (message?.blocks ?? []).map(Object).find(({ type }) => type === 'actions');
        const { action_id, value } = Object(block?.elements[0]);
        const press = {
          as: BOB,
          channel,
          message_ts: message?.ts ?? '',
          block_id: block?.block_id,
          action_id,
          value,
        };
        // While nobody is connected, Slack says so to who presses; a press that was stored before the crash is no less taken.
        const isOver = () => /It is over/u.test(JSON.stringify(announced() ?? ''));
        await until('the press is taken', async () => isOver() || (await workspace.action(press)).ok);
      };
      await crashes(() => {
        work = people();
        return work;
      });
      await starts();
      await work;
      await until('it has a card', () => cardsIn(around).length > 0);
      await until('its end is told', () => said(/is over: 1 alert fired meanwhile/u).length > 0);
      await untilSettled(around);
      return {
        planned: said(/planned work on/u).filter(({ ephemeral_to }) => ephemeral_to === undefined).length,
        over: said(/is over: 1 alert fired meanwhile/u).length,
        cards: cardsIn(around).length,
        investigations: (await issuesOf(around)).map(({ versions }) => versions),
      };
    },
  },
  {
    what: 'sending a digest',
    steps: ['digest: before send', 'digest: sent', 'digest: recorded'],
    outcome: 1,
    play: async ({ around, crashes, starts }) => {
      const { workspace } = around;
      const channel = workspace.channels.alerts;
      const digests = () => inAlerts(around).filter((message) => /📊 \*Digest\*/u.test(wordsOf(message)));
      await crashes(() => workspace.command({ as: BOB, channel, command: '/gumshoe', text: 'digest now' }));
      await starts();
      await until('it is there', () => digests().length > 0);
      await untilSettled(around);
      return digests().length;
    },
  },
  {
    what: 'answers that have begun, which are begun again in their place, one each, in their order',
    steps: ['stream: appended'],
    outcome: {
      inChannel: ['Now in full, first.', 'Second.', 'Third.'],
      inDm: ['Now in full, to you.'],
      streaming: 0,
    },
    play: async ({ around, crashes, starts }) => {
      const agent = await startAgent(around.service.url);
      onTestFinished(() => agent.close());
      const env = { ISSUE_SERVICE_URL: agent.url };
      const say = async (channel: string, user: string, text: string, thread?: Thread): Promise<Thread> => {
        const under = thread === undefined ? {} : { thread_ts: thread.ts };
        const { ts } = await around.workspace.post({ channel, user, text, ...under });
        return { channel, ts: thread?.ts ?? ts };
      };
      const { general } = around.workspace.channels;
      const inChannel = await say(general, ALICE, `<@${around.workspace.botUserId}> what begins here?`);
      const inDm = await say(ALICES_DM, ALICE, 'what begins for me?');
      await crashes(async () => {
        (await agent.asked('what begins here?')).say('The first ');
        await untilPosted(around, inChannel, 'The first ▍');
        await say(general, BOB, 'and what waits behind it?', inChannel);
        await untilPosted(around, inChannel, '⏳ Queued');
        const streaming = await agent.asked('what begins for me?');
        streaming.say('Something ');
        expect((await untilPosted(around, inDm, 'Something')).streaming).toBe(true);
        streaming.say('else ');
      }, env);
      await say(general, ALICE, 'and what came meanwhile?', inChannel);
      expect(postsIn(around, inDm).map(({ streaming }) => streaming)).toEqual([true]);

      await starts(env);
      (await agent.asked('what begins for me?')).end('Now in full, to you.');
      (await agent.asked('what begins here?')).end('Now in full, first.');
      (await agent.asked('and what waits behind it?')).end('Second.');
      (await agent.asked('and what came meanwhile?')).end('Third.');
      await untilAnswers(around, inChannel, 'Now in full, first.', 'Second.', 'Third.');
      await untilAnswered(around, inDm, 'Now in full, to you.');
      await untilSettled(around);
      const texts = (thread: Thread) => postsIn(around, thread).map(({ text }) => text);
      const streaming = postsIn(around, inDm).filter((message) => message.streaming).length;
      return { inChannel: texts(inChannel), inDm: texts(inDm), streaming };
    },
  },
];

function webhookEnv({ workspace }: Surroundings): Record<string, string> {
  return { ALERT_WEBHOOK_TOKEN: 'the-token', ALERT_ROUTES: `*->${workspace.channels.alerts}` };
}

async function sendWebhook(url: string, source: string, body: unknown): Promise<number> {
  const { status } = await fetch(new URL(`/alerts/${source}`, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer the-token' },
    body: JSON.stringify(body),
  });
  return status;
}

const inAlerts = ({ workspace }: Surroundings) => workspace.messages(workspace.channels.alerts);

/** What stands in the threads of the alerts with the number of an issue. */
function cardsIn(around: Surroundings): string[] {
  const replies = inAlerts(around).flatMap(({ ts }) => repliesTo(around, ts).map(wordsOf));
  return replies.filter((words) => /#\d+ /u.test(words) && !/Results of/u.test(words));
}

/** The issues and the threads with an answer (a card, and a sign), once the second alert is counted as a repeat of the first. */
async function repeatedOnce(around: Surroundings): Promise<{ numbers: string[]; threads: number }> {
  await until('the later one is counted', () =>
    cardsIn(around).some((words) => /Fired again 1 time/u.test(words)),
  );
  await untilSettled(around);
  const numbers = new Set(cardsIn(around).flatMap((words) => words.match(/#\d+ /gu) ?? []));
  const threads = inAlerts(around).filter(({ reply_count }) => reply_count);
  return { numbers: [...numbers], threads: threads.length };
}

/** Plays a scenario with a crash at a step, and compares what people see in the end. */
export async function playCrash(scenario: CrashScenario, step: string): Promise<void> {
  const around = await startSurroundings(scenario.mode ?? 'socket', {
    ...(scenario.retryDelays ? { retryDelays: scenario.retryDelays } : {}),
  });
  onTestFinished(() => around.close());
  const start = async (options: Parameters<typeof startCrashingBot>[1]) => {
    const bot = await startCrashingBot(around, options);
    onTestFinished(() => bot.stop());
    return bot;
  };
  const outcome = await scenario.play({
    around,
    starts: (env = {}) => start({ env }),
    crashes: async (act, env = {}) => {
      const bot = await start({ env, crashAt: step });
      // It may end before those who act have their answer.
      const acted = act?.(bot).catch((error: unknown) => {
        if (!bot.hasCrashed()) throw error;
      });
      await Promise.race([acted, bot.crashed]);
      await until(`it crashes at ${step}`, () => bot.hasCrashed());
      await bot.crashed;
    },
  });
  expect(outcome).toEqual(scenario.outcome);
}
