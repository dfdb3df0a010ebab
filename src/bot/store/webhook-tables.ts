/** Tables for webhooks. */
export interface WebhookTables {
  webhooks: WebhooksTable;
  receivedAlerts: ReceivedAlertsTable;
  silences: SilencesTable;
}

/** A request with alerts from a monitoring tool, as it arrived. */
interface WebhooksTable {
  id: string;
  source: string;
  /** SHA-256 of the body, in hexadecimal digits. */
  digest: string;
  /** Emptied once it is handled. */
  body: string;
  /** The headers that describe the payload, as JSON. */
  headers: string;
  receivedAt: number;
  attempts: number;
  nextAt: number;
  /** `dead` when given up. */
  state: 'open' | 'done' | 'dead';
  error: string | null;
}

/** An alert from a webhook or from the scheduled pull. */
interface ReceivedAlertsTable {
  /** The webhook's id, and the alert's place in it. */
  id: string;
  source: string;
  /** What people call the tool. */
  tool: string;
  /** What it counts as; `null` if it is not about an alert. */
  identity: string | null;
  /** The alert with its labels and links, as JSON. */
  reading: string;
  /**
   * `unrouted`: no route names a channel; `posting`: its message is in the outbox; `posted`: it waits for its decision;
   * `decided`: its message is an alert like any other; `noted`: it has no message.
   */
  state: 'unrouted' | 'posting' | 'posted' | 'decided' | 'noted';
  channel: string | null;
  ts: string | null;
  /** When it recovered. */
  overAt: number | null;
  receivedAt: number;
  nextAt: number;
  attempts: number;
}

/** An Alertmanager silence that Gumshoe has made, or is about to make. */
interface SilencesTable {
  /** The issue, and a hash of the labels. */
  key: string;
  issueId: string;
  /** The Alertmanager's id; `null` until it has answered. */
  silenceId: string | null;
  until: number;
}
