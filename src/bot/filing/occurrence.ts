import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { decodeStored } from '../../lib/decode-stored.ts';
import type { ReceivedAlert } from '../alerts/format.ts';
import type { FieldMap } from '../alerts/formats/generic/webhook.ts';
import type { Observed } from '../alerts/senders/history.ts';
import { type Alert, emptyAlert } from '../alerts/types.ts';
import type { AlertRow, Decision } from '../store/alerts.ts';
import type { Reason } from '../store/reasons.ts';

/**
 * An alert as it occurs, which `gather` and `decide` take: a message, one that somebody picked (🔍, *File it*), or what a
 * webhook or the pull reported and has no message of its own yet (`report`).
 */
export interface Occurrence {
  channel: string;
  /** For a report: the placeholder of its message until that is posted. */
  ts: string;
  /** The root of its thread; `null` for a top-level message. */
  threadTs: string | null;
  permalink: string | null;
  alert: Alert;
  /** The tool's name as people see it; `null` for a person. */
  sender: string | null;
  /** Written by a person: filed automatically only if the channel includes people. */
  byPerson: boolean;
  /** Its author may not file: a guest, or somebody from another organization. */
  byExternalUser?: boolean;
  /** The message was edited (many tools show a recovery that way); its current state is what counts. */
  edited: boolean;
  /** What an acknowledgement or update says about its alert, in one line. */
  note: string | null;
  /** Of a tool that no format knows: what its next messages are explained with. */
  observed?: Observed;
  /** It came by webhook, or by the pull, and not as a message. */
  report?: Report;
}

/** What a webhook, or the pull of an Alertmanager, brings: an alert that has no message of its own yet. */
export interface Report {
  /** Stable: the same alert of the same webhook again is received once. */
  id: string;
  source: string;
  reading: ReceivedAlert;
  /** Milliseconds. */
  at: number;
  delivery: Delivery;
  /** Where a route sends it; `null` if none does. */
  channel: string | null;
}

/** What arrived together. More than the channel has room for gets one message, not one each. */
export interface Delivery {
  /** How many of its alerts fire. */
  firing: number;
  /** How many of them have messages of their own, so far. */
  own: number;
  /** Whether members of a channel have agreed to issues: until then nothing of it is held or filed. */
  hasConsent: (channel: string) => boolean;
}

/** Slack's `ts` has six decimals, the placeholder of a message still to be posted nine, and that of an alert without any message more. */
const DECIMALS = { posted: 6, awaited: 9 };

/** The `ts` of a report until its own message is posted: it orders like one. */
export function tsOfReport(at: number, id: string): string {
  const digits = BigInt(`0x${createHash('sha256').update(id).digest('hex').slice(0, 12)}`) % 1_000_000n;
  return `${Math.floor(at / 1_000)}.${String(at % 1_000).padStart(3, '0')}${String(digits).padStart(6, '0')}`;
}

/** The one after it, if that is taken. */
export function nextTs(ts: string): string {
  const [seconds = '', fraction = ''] = ts.split('.');
  const next = BigInt(seconds + fraction) + 1n;
  return `${next / 1_000_000_000n}.${String(next % 1_000_000_000n).padStart(9, '0')}`;
}

/** The same of a report that is held without a message of its own. */
export function tsWithoutMessage(awaited: string): string {
  return `${awaited}000`;
}

/** Whether Slack has a message with this `ts`. */
export function hasMessage(ts: string): boolean {
  return decimalsOf(ts) <= DECIMALS.posted;
}

/** Whether Slack has, or is to get, a message for this `ts`. */
export function getsMessage(ts: string): boolean {
  return decimalsOf(ts) <= DECIMALS.awaited;
}

/** Whether this `ts` is the placeholder of a message that is still to be posted. */
export function awaitsMessage(ts: string): boolean {
  return getsMessage(ts) && !hasMessage(ts);
}

function decimalsOf(ts: string): number {
  return ts.split('.')[1]?.length ?? 0;
}

/** The outcome for a message, and the reason. */
export interface DecisionResult {
  decision: Decision;
  reason: Reason;
  issueId: string | null;
  /** The held batch that it is in. */
  holdId?: string;
  /** It is not waiting there, because its recovery arrived first. */
  isOver?: boolean;
  /** To be offered to its author: a *File it* button that only they see. */
  offerToAuthor?: boolean;
}

export interface DecideOptions {
  clock: Clock;
  /** If neither the message nor the channel states one. */
  defaultEnvironment: string;
  /** New issues in 24 hours across the workspace; more are held. */
  maxIssuesPerDay: number;
  permalink?: (channel: string, ts: string) => string;
  /** Of `ALERT_MAP_<NAME>`: how the messages of senders are read. */
  webhooks?: { maps: ReadonlyMap<string, Pick<FieldMap, 'messages'>> };
}

export interface ConsentOptions {
  /** Whether nothing may be filed from a channel until a member agrees that its issues may be named elsewhere. */
  needsConsent: (channel: string) => Promise<boolean>;
}

const words = z.string().nullable();

const values = z.array(z.object({ key: z.string(), text: z.string() }));

/** An alert as it is stored with its decision. */
const StoredAlert = z.object({
  kind: z.enum(['firing', 'resolved', 'not_an_alert']),
  format: z.string(),
  title: words,
  description: words,
  severity: z.enum(['low', 'medium', 'high']).nullable(),
  environment: words,
  service: words,
  triggeredAt: words,
  alertUrl: words,
  runbookUrl: z.string().exactOptional(),
  host: words,
  region: words,
  version: words,
  traceId: words,
  spanId: words,
  errorType: words,
  errorMessage: words,
  tags: z.array(z.string()),
  fingerprint: words,
  basis: z
    .object({
      source: z.string(),
      of: z.array(z.string()),
      by: values,
      left: values,
      isStated: z.literal(true).exactOptional(),
    })
    .exactOptional(),
  isNameless: z.literal(true).exactOptional(),
  isContradicted: z.literal(true).exactOptional(),
}) satisfies z.ZodType<Alert>;

const DAMAGED = 'Alert with damaged stored text';

/**
 * The alert of a stored decision, as parsed then. If it is damaged, what the row's other columns say: it still counts
 * toward its issue, and can be filed with a link to its message.
 */
export function alertOf(row: Pick<AlertRow, 'alert' | 'kind' | 'format' | 'fingerprint'>): Alert {
  return readAlert(row.alert) ?? remains(row);
}

/** `null` if it is not in the form that this program writes. */
export function readAlert(json: string): Alert | null {
  return decodeStored(StoredAlert, json);
}

function remains({ kind, format, fingerprint }: Pick<AlertRow, 'kind' | 'format' | 'fingerprint'>): Alert {
  const known = StoredAlert.shape.kind.safeParse(kind).data ?? 'not_an_alert';
  return { ...emptyAlert(format), kind: known, fingerprint, title: DAMAGED };
}

/** The message of a stored decision. */
export function seenOfRow(row: AlertRow, permalink: string | null): Occurrence {
  return {
    channel: row.channel,
    ts: row.ts,
    threadTs: row.threadTs,
    permalink,
    alert: alertOf(row),
    sender: row.sender,
    byPerson: false,
    edited: false,
    note: null,
  };
}

const Reading = z.object({
  alert: StoredAlert,
  note: z.string().nullable(),
  labels: z.record(z.string(), z.string()),
  moreLabels: z.number().exactOptional(),
  links: z.array(z.object({ text: z.string(), url: z.string() })),
  aliases: z.array(
    z.object({
      fingerprint: z.string(),
      environment: z.string().nullable(),
      alone: z.literal(true).exactOptional(),
    }),
  ),
  groupResolved: z.boolean(),
}) satisfies z.ZodType<ReceivedAlert>;

/** A received alert as it was stored; `null` once its words are erased. */
export function readReading(json: string): ReceivedAlert | null {
  return decodeStored(Reading, json);
}

/** Whether a received alert is the one with these labels; a webhook may have added those of its route. */
export function hasLabels(
  { labels: received }: Pick<ReceivedAlert, 'labels'>,
  wanted: Readonly<Record<string, string>>,
): boolean {
  const pairs = Object.entries(wanted);
  return pairs.every(([name, value]) => received[name] === value);
}
