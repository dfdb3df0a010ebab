import type { Organization, Services } from '../../contract/client/client.ts';
import { ServiceError } from '../../contract/client/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { cutAtWord, oneLine } from '../../lib/text.ts';
import { createWorkerLoop, type Worker } from '../../lib/worker-loop.ts';
import type { Logger } from '../shared/log.ts';
import { systemsIntent } from '../store/intents/channel-intents.ts';
import { systemsKey } from '../store/intents/keys.ts';
import { type SystemsLine, systemsLineOf } from '../store/intents/payloads.ts';
import type { Store } from '../store/open.ts';

const HOUR_MS = 60 * 60_000;
/** So soon a channel that begins to watch has its first look. */
const NEW_MS = 5_000;
const MOST_LINES = 20;
const MOST_CHARACTERS = 300;

/** Asked in words, so that any service that speaks the API can answer. */
export const QUESTION = 'What is about to break?';

interface Options {
  store: Store;
  services: Services;
  /** Whose agent a channel's questions go to. */
  organizationOf: (channel: string) => Promise<Organization>;
  clock: Clock;
  log: Logger;
}

/**
 * Asks the service's agent when a channel begins to watch, and at each full hour, what is about to break, and keeps one message
 * up to date in each channel that wants to know. Hours missed while the program was down are not made up for.
 */
export function createSystemsWatch(options: Options): Worker {
  const { store, clock, log } = options;
  let due = nextHour(clock.now());
  let newSince = clock.now();
  return createWorkerLoop({
    round: async (signal) => {
      const now = clock.now();
      const all = await store.channels.watchingSystems();
      const channels = now < due ? all.filter(({ settings }) => (settings.systems?.at ?? 0) > newSince) : all;
      newSince = now;
      if (now >= due) due = nextHour(now);
      await lookAtSystems(
        channels.map(({ channel }) => channel),
        options,
        signal,
      );
    },
    rest: (signal) => clock.sleep(NEW_MS, signal),
    onError: (error) => log.error({ err: error }, 'could not look at the systems'),
  });
}

function nextHour(now: number): number {
  return (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
}

/** One look for several channels: each organization's agent is asked once. */
export async function lookAtSystems(
  channels: readonly string[],
  { store, services, organizationOf, clock, log }: Options,
  signal?: AbortSignal,
): Promise<void> {
  const answers = new Map<string, Promise<Pick<SystemsLine, 'lines' | 'problem'>>>();
  for (const channel of channels) {
    const organization = await organizationOf(channel);
    const asked = answers.get(organization) ?? ask(services.for(organization), log, signal);
    answers.set(organization, asked);
    await show(channel, await asked, { store, now: clock.now() });
  }
}

async function ask(
  service: ReturnType<Services['for']>,
  log: Logger,
  signal: AbortSignal | undefined,
): Promise<Pick<SystemsLine, 'lines' | 'problem'>> {
  try {
    const { answer = '' } = await service.query.ask({ question: QUESTION }, signal);
    return { lines: linesOf(answer), problem: problemIn(answer) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    log.warn({ err: error }, 'the service did not say what is about to break');
    return { lines: [], problem: error.message };
  }
}

/** The items of the answer's list, without its emphasis. */
function linesOf(answer: string): string[] {
  return [...answer.matchAll(/^[-*] (?<line>\S.*)$/gmu)]
    .map(({ groups }) => cutAtWord(oneLine((groups?.line ?? '').replaceAll('**', '')), MOST_CHARACTERS))
    .slice(0, MOST_LINES);
}

/** What the answer could not tell, in its own words; only one that says so finds nothing. */
function problemIn(answer: string): string | null {
  const [first = ''] = answer.split('\n');
  const unread = /^Not looked at: (?<reason>.+)$/mu.exec(answer)?.groups?.reason;
  if (unread !== undefined) return unread;
  return linesOf(answer).length > 0 || first.startsWith('Nothing')
    ? null
    : first || 'The service answered nothing.';
}

/** Stores what the channel's message says now. There is none before something was found. */
async function show(
  channel: string,
  { lines, problem }: Pick<SystemsLine, 'lines' | 'problem'>,
  { store, now }: { store: Store; now: number },
): Promise<void> {
  await store.transaction(async (tx) => {
    const row = await tx.outbox.get(systemsKey(channel));
    const before = row === null ? null : systemsLineOf(row);
    if (before === null && lines.length === 0) return;
    // What could not be looked at is neither well nor over.
    const kept = problem === null || lines.length > 0 ? lines : (before?.lines ?? []);
    const clearSince = kept.length === 0 && problem === null ? (before?.clearSince ?? now) : null;
    const intent = systemsIntent(channel, { lines: kept, lookedAt: now, clearSince, problem }, now);
    if (row === null) await tx.outbox.want(intent);
    else await tx.outbox.replacePayload(intent);
  });
}
