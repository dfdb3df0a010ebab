import { isTitleOf, titleFrom } from '../formats/generic/layout.ts';
import { contentOf, isAuthored, SlackMessage } from '../message.ts';
import { parseAlert } from '../parse.ts';
import { type Alert, emptyAlert } from '../types.ts';
import type { Kind } from './kinds.ts';
import { type Learned, type LearnedReading, learn } from './learned.ts';
import { type Observation, observationOf } from './observation.ts';

/** A message of a tool that no format knows, and whose it is. */
export interface Observed {
  /** As a basis has it: the channel, and the sender's names. */
  sender: string;
  observation: Observation;
}

/** What is learned from a message event, or from its edit; `null` for people's, replies, and what a format of its own reads. */
export function observed(event: unknown, alert: Alert): Observed | null {
  const outer = SlackMessage.safeParse(event);
  if (!outer.success || alert.format !== 'generic') return null;
  const { channel, subtype, message } = outer.data;
  const parsed = subtype === 'message_changed' ? SlackMessage.safeParse(message) : outer;
  if (!parsed.success || !isAuthored(parsed.data)) return null;
  const content = contentOf({ ...parsed.data, channel });
  if (content.person || content.reply) return null;
  return { sender: [channel, ...content.names].join(' '), observation: observationOf(content, alert) };
}

/** The messages of one sender in order, each read with what the others taught. */
export function readHistory(events: readonly unknown[]): { alerts: Alert[]; learned: Learned } {
  const alerts = events.map((event) => parseAlert(event));
  const known = events.map((event, at) => observed(event, alerts[at] ?? emptyAlert('generic')));
  const learned = learn(
    'history',
    known.flatMap((one) => one?.observation ?? []),
  );
  const readings = [...learned.readings];
  return {
    learned,
    alerts: alerts.map((alert, at) => {
      const reading = known[at] === null ? undefined : readings.shift();
      return reading === undefined ? alert : withLearned(alert, reading, known[at]?.observation.lines ?? []);
    }),
  };
}

/** An alert as its sender's other messages explain it. */
export function withLearned(alert: Alert, reading: LearnedReading, lines: readonly string[]): Alert {
  if (alert.format !== 'generic') return alert;
  const { kind, fingerprint, environment, headline } = reading;
  const isLetterhead = headline !== null && alert.title !== null && isTitleOf(alert.title, lines[0] ?? '');
  const title =
    alert.title === null || (isLetterhead && headline !== lines[0]) ? titleFrom(headline ?? '') : alert.title;
  const read = {
    ...alert,
    kind,
    fingerprint,
    environment,
    title: kind === 'not_an_alert' ? alert.title : title,
  };
  if (reading.isConfirmed !== true) return read;
  // What tells its problems apart is not asked where a person said it.
  const { basis: _, isNameless: __, ...confirmed } = read;
  return confirmed;
}

/** What was learned, a line for each kind of message, for people. */
export function learnedLines({ kinds, pairs }: Learned): string[] {
  const shown = (kind: Kind) =>
    `“${kind.messages[0]?.headline ?? kind.messages[0]?.observation.lines[0] ?? ''}”`;
  return [
    ...kinds.map((kind) => `${kind.messages.length} × ${shown(kind)}: ${kind.messages[0]?.observation.kind}`),
    ...pairs.map(
      ({ trouble, recovery, ended }) => `${shown(recovery)} ends ${shown(trouble)} (${ended} times)`,
    ),
  ];
}
