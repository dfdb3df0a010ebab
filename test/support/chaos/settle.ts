import { setTimeout as sleep } from 'node:timers/promises';
import { countUndelivered } from '../end-state.ts';
import { LONGEST_WAIT_MS } from '../longest-wait.ts';
import type { Environment } from './environment.ts';
import { type Rows, readRows } from './read-state.ts';

const LOOK_MS = 250;
/** What goes on changing for so long never ends: a message that is tried again and again, with another error each time. */
const LONGEST_MS = 3 * LONGEST_WAIT_MS;
/** More than a poll, which comes each second: what it finds would show. */
const STILL_MS = 1_500;

/** In these an issue has results to come, or to be announced, for as long as its version's end was not. */
const OF_INVESTIGATIONS = new Set(['investigating', 'ready_to_fix']);

export interface SettleOptions {
  signal?: AbortSignal | undefined;
}

/** Waits until the program has nothing left to do; answers what it still has when that gets no further. */
export async function settle(environment: Environment, { signal }: SettleOptions = {}): Promise<string[]> {
  let last = '';
  let since = Date.now();
  const hopelessAt = since + LONGEST_MS;
  while (signal?.aborted !== true) {
    const left = await unfinished(environment);
    const state = left.join('\n');
    if (state !== last) since = Date.now();
    last = state;
    const same = Date.now() - since;
    if (left.length === 0 && same >= STILL_MS) return left;
    if (same >= LONGEST_WAIT_MS || Date.now() > hopelessAt) return left;
    await sleep(LOOK_MS);
  }
  return [];
}

async function unfinished(environment: Environment): Promise<string[]> {
  const rows = await readRows(environment);
  const undelivered = countUndelivered(environment.around);
  return [...(undelivered > 0 ? [`${undelivered} events are not delivered`] : []), ...inRows(rows)];
}

/** What is still to be done, as the program knows it. */
export function inRows({ inbox, outbox, issues, questions, files, artifacts, channels }: Rows): string[] {
  return [
    ...inbox.filter(({ state }) => state === 'open').map(({ key }) => `delivery ${key} is open`),
    ...outbox
      .filter(({ state }) => state === 'due')
      .map(({ key, error }) => `message ${key} is due (${error ?? 'no error'})`),
    ...issues
      .filter(
        ({ state, wanted_status, status, version, ended_version }) =>
          state === 'pending' ||
          (state === 'created' &&
            (wanted_status !== null || (OF_INVESTIGATIONS.has(status) && ended_version < version))),
      )
      .map(({ id, title, status }) => `issue ${id} (${title}) is ${status}`),
    ...questions
      .filter(({ state }) => state === 'queued' || state === 'asking')
      .map(({ id, state }) => `question ${id} is ${state}`),
    ...files
      .filter(({ state }) => state === 'wanted' || state === 'processing')
      .map(({ key, state }) => `file ${key} is ${state}`),
    ...artifacts
      .filter(({ state }) => state === 'wanted')
      .map(({ owner, id }) => `artifact ${id} of ${owner} is wanted`),
    ...channels
      .filter(({ gap_from }) => gap_from !== null)
      .map(({ channel }) => `what was missed in ${channel} is not read`),
  ];
}
