import { inTurns, type Steps } from '../shared/turns.ts';
import type { MessageContent } from './message.ts';
import type { Alert } from './types.ts';

/**
 * One tool: `formats/<name>.ts` and a line of `formats/index.ts`.
 *
 * @example
 * export const gatus: Format = {
 *   name: 'gatus', tool: 'Gatus',
 *   extract: (content) => { const found = TITLE.exec(content.title); return found && alertOf(found); },
 * };
 */
export interface Format {
  /** The name of its file. */
  name: string;
  /** What people call the tool; `null` if the format reads many tools' messages. */
  tool: string | null;
  /** Understands a message of this tool; `null` for every other message. Never throws. */
  extract(content: MessageContent): Alert | null;
  /** Its webhooks, if they are understood. */
  webhook?: WebhookFormat;
}

/** One tool's webhooks: `webhook` of its format, or a source with a field map. */
export interface WebhookFormat {
  /** As in `POST /alerts/<name>`, `ALERT_ROUTES` and `ALERT_WEBHOOK_SECRET_<NAME>`. */
  name: string;
  /** What people call the tool. */
  tool: string;
  /**
   * Understands a payload (parsed JSON, or a text that is not JSON). Never throws. The headers' names are in lower case;
   * a format reads only those that its tool describes the payload with (`sentry-hook-resource`).
   */
  read(payload: unknown, headers: Readonly<Record<string, string>>): WebhookReading;
  /** The same in steps, where a payload may hold many alerts. */
  steps?(payload: unknown): Steps<WebhookReading>;
}

/** What a payload says, read while other work goes on. */
export async function readInTurns(
  format: WebhookFormat,
  payload: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<WebhookReading> {
  return format.steps === undefined ? format.read(payload, headers) : inTurns(format.steps(payload));
}

/** What a payload says. All of it is untrusted. */
export type WebhookReading =
  /**
   * `note`: one sentence about the payload as a whole, such as alerts that the tool left out. `sentAt`: when it was sent, as
   * the places say that a field map names.
   */
  | { kind: 'alerts'; alerts: ReceivedAlert[]; note?: string; sentAt?: string[] }
  /** Understood, but about no alert (a ping, a new comment): it is accepted, and nothing follows. */
  | { kind: 'nothing'; reason: string }
  /** Amazon SNS asks whether the subscription is wanted; fetching `subscribeUrl` confirms it. */
  | { kind: 'confirm'; topicArn: string; subscribeUrl: string }
  /** Answered with 422 and this sentence. */
  | { kind: 'refused'; reason: string };

/** An alert from a webhook or from the scheduled pull, before it has a message in Slack. */
export interface ReceivedAlert {
  /** `not_an_alert` is an acknowledgement or another update. The fingerprint is the payload's own. */
  alert: Alert;
  /** What an acknowledgement or an update says, in one line for the card. */
  note: string | null;
  /** What the message shows: Alertmanager's labels, Datadog's tags … At most 256. */
  labels: Record<string, string>;
  /** How many more there were. */
  moreLabels?: number;
  /** What `ALERT_ROUTES` match on: all labels, as the payload has them. The first with a name counts. Not stored. */
  routing?: readonly Readonly<Record<string, string>>[];
  /** Further pages about the alert; `http` and `https` only. */
  links: { text: string; url: string }[];
  /**
   * The identities under which the tool's own Slack app writes the same alert, as `parseAlert` reads that message. Empty
   * where `alert` has that identity itself.
   */
  aliases: AlertAlias[];
  /** Whether everything that an alias stands for is over: the whole group of Alertmanager is resolved. */
  groupResolved: boolean;
}

/** An identity under which the tool's own Slack app writes an alert. */
export interface AlertAlias {
  fingerprint: string;
  environment: string | null;
  /** Whether it stands for this alert alone, whatever becomes of the others of its group. */
  alone?: true;
}
