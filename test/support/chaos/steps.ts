import type { IntentKind } from '../../../src/bot/store/intents/payloads.ts';

/** Intents that become messages; a reaction and a file have steps of their own. */
const kinds: Record<Exclude<IntentKind, 'reaction' | 'file'>, true> = {
  alert: true,
  card: true,
  short_card: true,
  result: true,
  verdict: true,
  answer: true,
  aside: true,
  notice: true,
  held: true,
  suggestion: true,
  announcement: true,
  digest: true,
  sign: true,
};

export const messageKinds: readonly string[] = Object.keys(kinds);

/** Steps that a source names whole, in the order in which an alert or a question comes by them. */
const namedSteps = [
  'inbox: before store',
  'inbox: stored',
  'inbox: done',
  'backfill: read',
  'backfill: taken',
  'backfill: before close',
  'create: before send',
  'create: sent',
  'create: recorded',
  'watch: results fetched',
  'watch: recorded',
  'file: uploaded',
  'file: sent',
  'file: recorded',
  'answer: kept',
  'session: before send',
  'session: answered',
];

/** Those that come with what people press, after what an alert needs of them. */
const pressedSteps = [
  'reaction: before send',
  'reaction: sent',
  'artifacts: fetched',
  'artifacts: recorded',
  'tick: before store',
  'tick: stored',
  'untick: before store',
  'untick: stored',
  'vote: before store',
  'vote: stored',
  'status: before send',
  'status: sent',
  'status: recorded',
  'reinvestigate: before send',
  'reinvestigate: sent',
  'wanted status: before send',
  'wanted status: sent',
  'wanted status: recorded',
  'deletion: before send',
  'deletion: sent',
  'deletion: recorded',
  'settings: before store',
  'settings: stored',
  'digest times: before store',
  'digest times: stored',
  'home: before send',
  'home: sent',
];

/** Steps of every message: their names are made from the kind of the intent. */
const messageVerbs = ['before send', 'sent', 'recorded'];
const stepsOfKind = (kind: string) => messageVerbs.map((verb) => `${kind}: ${verb}`);
const messageSteps = messageKinds.filter((kind) => kind !== 'alert').flatMap(stepsOfKind);

/** Those that an alert of a webhook comes by; `test/flows/crash.deep.test.ts` ends the bot at each. */
export const webhookSteps: readonly string[] = [
  'webhook: before reading',
  'webhook: alert received',
  'webhook: done',
  ...stepsOfKind('alert'),
];

/** Every named step at which the program can be killed, by what comes by there. */
export const stepsOf = {
  'an alert or a question': namedSteps,
  'a message': messageSteps,
  'a press': pressedSteps,
} as const satisfies Record<string, readonly string[]>;

/** Planned work is no part of the random runs either: `test/flows/crash.deep.test.ts` ends the bot at these. */
const planSteps = ['plan: stored', 'plan: ended'];

/** Nor is a tool that pages: `test/bot/owners/paging.test.ts` sends again what may have arrived. */
const pageSteps = ['page: stored'];

/** A tracker is no part of the random runs: `test/bot/tickets` stops at these. */
const ticketSteps = ['ticket: made', 'ticket: recorded', 'ticket: commented'];

/** The embedded agent answers all at once, so that nothing is streamed: `stream-crash.test.ts` stops at these. */
const streamSteps = [
  'stream: before start',
  'stream: started',
  'stream: recorded',
  'stream: appended',
  'stream: stopped',
];

/** All of them; a test holds them equal to the sources. */
export const stepNames: readonly string[] = [
  ...Object.values(stepsOf).flat(),
  ...webhookSteps,
  ...ticketSteps,
  ...planSteps,
  ...pageSteps,
  ...streamSteps,
];
