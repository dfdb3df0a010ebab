import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Labels of one sample: short values of bounded cardinality, never ids. */
type Labels = Record<string, string>;

/** The bot's metrics, behind a small interface, so that the library can be replaced. */
export interface Metrics {
  count(name: CounterName, labels?: Labels, by?: number): void;
  gauge(name: GaugeName, value: number): void;
  observe(name: HistogramName, seconds: number, labels?: Labels): void;
  /** Registers a measurement to take just before the metrics are read. */
  beforeRead(measure: () => void): void;
  /** The Prometheus text exposition. */
  text(): Promise<string>;
}

const counters = {
  gumshoe_deliveries_total: ['Deliveries from Slack, by outcome', ['outcome']],
  gumshoe_listener_failures_total: ['Deliveries whose handling failed', []],
  gumshoe_webhooks_total: ['Webhooks, by source and outcome', ['source', 'outcome']],
  gumshoe_alertmanager_pulls_total: ['Looks at the Alertmanager, by outcome', ['outcome']],
  gumshoe_received_alerts_total: ['Alerts from webhooks, by source and outcome', ['source', 'outcome']],
  gumshoe_alerts_total: ['Messages, by decision', ['decision', 'format']],
  gumshoe_service_calls_total: ['Calls to the investigation service', ['operation', 'outcome']],
  gumshoe_slack_calls_total: ['Calls to the Slack Web API', ['method', 'outcome']],
  gumshoe_posts_total: ['Outbox intents delivered, by outcome', ['kind', 'outcome']],
  gumshoe_pictures_total: ['Pictures for messages, by outcome', ['outcome']],
  gumshoe_polls_total: ['Polls, by outcome', ['outcome']],
  gumshoe_service_troubles_total: ['Problems with the investigation service, by trouble', ['trouble']],
  gumshoe_questions_total: ['Questions to the agent, by outcome', ['outcome']],
  gumshoe_materials_total: ['Threads and files read for the agent, by outcome', ['kind', 'outcome']],
  gumshoe_backfilled_channels_total: ['Channels backfilled after a gap, by outcome', ['outcome']],
  gumshoe_backfilled_messages_total: ['Missed messages found by backfill, by outcome', ['outcome']],
  gumshoe_refused_people_total: [
    'Actions refused to people, by reason: guest, external, not_admin, not_member, too_fast, filed_enough',
    ['reason'],
  ],
  gumshoe_socket_disconnects_total: ['Socket Mode connections that ended', []],
  gumshoe_database_connections_lost_total: ['Connections to the database that were lost', []],
} as const;

const gauges = {
  gumshoe_outbox_due: 'Intents waiting to be delivered',
  gumshoe_leader: 'Whether this replica leads: it posts, files, asks and polls (1 or 0)',
  gumshoe_replicas: 'Replicas that work on the same database',
  gumshoe_inbox_unfinished: 'Stored deliveries not yet handled',
  gumshoe_slack_troubles: 'Blockers in Slack: channels that cannot be posted in, missing scopes',
  gumshoe_issues_watched: 'Issues the poller watches',
  gumshoe_issues_pending: 'Issues still to be created at the investigation service',
  gumshoe_event_loop_lag_seconds: 'Longest time the event loop was blocked in the last minutes',
  gumshoe_service_troubles: 'Open problems with the investigation service: down, its API key, a permission',
} as const;

const histograms = {
  gumshoe_ack_seconds: 'Time from receiving a delivery to having stored it',
  gumshoe_service_call_seconds: 'Duration of a call to the investigation service',
} as const;

type CounterName = keyof typeof counters;
type GaugeName = keyof typeof gauges;
type HistogramName = keyof typeof histograms;

/** Prometheus metrics in a registry of their own, so that two programs in one process do not share them. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const measures: (() => void)[] = [];
  const made = {
    counters: new Map<string, Counter>(),
    gauges: new Map<string, Gauge>(),
    histograms: new Map<string, Histogram>(),
  };
  for (const [name, [help, labelNames]] of Object.entries(counters)) {
    made.counters.set(name, new Counter({ name, help, labelNames: [...labelNames], registers }));
  }
  for (const [name, help] of Object.entries(gauges)) {
    made.gauges.set(name, new Gauge({ name, help, registers }));
  }
  for (const [name, help] of Object.entries(histograms)) {
    made.histograms.set(name, new Histogram({ name, help, labelNames: ['operation'], registers }));
  }
  return {
    count: (name, labels = {}, by = 1) => made.counters.get(name)?.inc(labels, by),
    gauge: (name, value) => made.gauges.get(name)?.set(value),
    observe: (name, seconds, labels = {}) => made.histograms.get(name)?.observe(labels, seconds),
    beforeRead: (measure) => void measures.push(measure),
    text: () => {
      for (const measure of measures) measure();
      return registry.metrics();
    },
  };
}
