/** Whether a message reports an alert, its recovery, or neither (an acknowledgement is neither). */
export type AlertKind = 'firing' | 'resolved' | 'not_an_alert';

/** As in the service's contract, 2.5. */
export type Severity = 'low' | 'medium' | 'high';

/** A value of a message or a payload, with the words of its key: `data.pool.name` is `data pool name`. */
export interface Value {
  key: string;
  text: string;
}

/** What a fingerprint is made of where the message states no identity of its own. */
export interface Basis {
  /** Who sends such alerts: a webhook's source, or a sender in a channel. A replica of 1.1 reads no basis without it. */
  source: string;
  /** The first parts of the fingerprint. */
  of: string[];
  /** The values that identify the alert, in their canonical form. */
  by: Value[];
  /** What was left out because it changes while a problem goes on, as written. */
  left: Value[];
  /** The message states an identity, the last part of `of`; the values only tell objects under it apart. */
  isStated?: true;
}

/**
 * How Gumshoe understands one Slack message. `null` and `[]` where the
 * message does not say. All text is untrusted, and unescaped (`&amp;` has become `&`).
 */
export interface Alert {
  kind: AlertKind;
  /** The name of the format that parsed it, a folder of `formats/`. */
  format: string;
  title: string | null;
  description: string | null;
  severity: Severity | null;
  environment: string | null;
  service: string | null;
  /** ISO 8601 in UTC; only if the message states a time. */
  triggeredAt: string | null;
  alertUrl: string | null;
  /** Of its runbook, if it links to one. */
  runbookUrl?: string;
  host: string | null;
  region: string | null;
  version: string | null;
  traceId: string | null;
  spanId: string | null;
  errorType: string | null;
  errorMessage: string | null;
  tags: string[];
  /** Identity of the alert, the same for its repeats and its recovery; `null` if the message is about no alert. */
  fingerprint: string | null;
  basis?: Basis;
  /** The message names no object: all that look like it in its channel are one problem. */
  isNameless?: true;
  /** What it says of its state contradicts itself, and it could be either: it is read as firing. */
  isContradicted?: true;
}

/** An alert with no known fields; a format fills in what its message states. */
export function emptyAlert(format: string): Alert {
  return {
    kind: 'not_an_alert',
    format,
    title: null,
    description: null,
    severity: null,
    environment: null,
    service: null,
    triggeredAt: null,
    alertUrl: null,
    host: null,
    region: null,
    version: null,
    traceId: null,
    spanId: null,
    errorType: null,
    errorMessage: null,
    tags: [],
    fingerprint: null,
  };
}
