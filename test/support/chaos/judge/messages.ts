import type { OwnMessage, SystemState } from '../read-state.ts';
import { threadsErased } from './deletions.ts';
import { type Difference, doubles, type Judge } from './difference.ts';

/** Each message of ours is one that was wanted, and stands once; each that was wanted stands. */
export const judgeMessages: Judge = ({ messages, outbox, shares, eyes }, ledger) => {
  const erased = threadsErased(ledger);
  const keyed = messages.filter(({ file_ids = [] }) => file_ids.length === 0);
  // With an issue go its results and the questions of its thread: what was said of them stands, and is edited no more.
  const known = keyed.filter(
    ({ key, channel, thread_ts }) =>
      !erased.has(`${channel}:${thread_ts}`) || !/^(?:answer|aside|result):/u.test(key ?? 'answer:'),
  );
  const keys = keyed.flatMap(({ key, channel }) => (key === null ? [] : [`${key} in ${channel}`]));
  return [
    // A stream that Slack ended by itself bears none; the outbox knows it all the same.
    ...known
      .filter(({ key, ts }) => key === null && !outbox.some(({ sent }) => sent.some((one) => one.ts === ts)))
      .map(({ channel, ts, text }) => ({ what: `the message ${ts} in ${channel} bears no key: ${text}` })),
    ...doubles(keys).map((key) => ({ what: `two messages are ${key}` })),
    ...doubles(shares).map((title) => ({ what: `the file ${title} was sent twice` })),
    ...known.flatMap((message) => orphan(message, outbox)),
    ...outbox.flatMap((row) => ofRow(row, keyed, eyes)),
  ];
};

/** Slack has it, and nobody knows of it: the next edit would go elsewhere. */
function orphan({ key, ts, channel }: OwnMessage, outbox: SystemState['outbox']): Difference[] {
  if (key === null) return [];
  const row = outbox.find((one) => key.startsWith(`${one.key}#`));
  const known = row?.sent.some((sent) => sent.ts === ts) === true;
  return known
    ? []
    : [{ at: row?.created_at, what: `the message ${key} (${ts} in ${channel}) is an orphan` }];
}

function ofRow(row: SystemState['outbox'][number], messages: OwnMessage[], eyes: Set<string>): Difference[] {
  const { key, kind, state, sending, error, sent, channel, created_at: at } = row;
  const wrong: Difference[] = [];
  if (state !== 'idle') wrong.push({ at, what: `${key} is ${state} (${error})` });
  if (kind === 'reaction') {
    const ts = key.split(':')[2] ?? '';
    if (!eyes.has(`${channel}:${ts}`)) wrong.push({ at, what: `there is no 👀 on ${ts}` });
    return wrong;
  }
  if (sending !== null) wrong.push({ at, what: `${key} is still being sent` });
  if (kind === 'file') return wrong;
  for (const [part, { ts }] of sent.entries()) {
    // An issue that moved to somebody's DM takes its later messages there.
    const stands = messages.some(
      (one) => one.ts === ts && (one.key ?? `${key}#${part}`) === `${key}#${part}`,
    );
    if (!stands) wrong.push({ at, what: `part ${part} of ${key} does not stand at ${ts}` });
  }
  return wrong;
}
