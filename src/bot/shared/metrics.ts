import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '../../lib/clock.ts';

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
  gumshoe_alertmanager_pulls_total: ['Pulls from the Alertmanager, by outcome', ['outcome']],
  gumshoe_mcp_calls_total: ['Calls of tools at `POST /mcp`, by tool', ['tool']],
  gumshoe_alertmanager_silences_total: ['Silences at the Alertmanager, by outcome', ['outcome']],
  gumshoe_received_alerts_total: ['Alerts from webhooks, by source and outcome', ['source', 'outcome']],
  gumshoe_alerts_total: ['Messages, by decision', ['decision', 'format']],
  gumshoe_service_calls_total: ['Calls to the investigation service', ['operation', 'outcome']],
  gumshoe_slack_calls_total: ['Calls to the Slack Web API', ['method', 'outcome']],
  gumshoe_posts_total: ['Outbox intents delivered, by outcome', ['kind', 'outcome']],
  gumshoe_spans_lost_total: ['Spans that the OpenTelemetry receiver did not accept', []],
  gumshoe_polls_total: ['Polls, by outcome', ['outcome']],
  gumshoe_service_troubles_total: ['Problems with the investigation service, by trouble', ['trouble']],
  gumshoe_questions_total: ['Questions to the agent, by outcome', ['outcome']],
  gumshoe_agent_context_reads_total: [
    'Threads and files read for the agent, by outcome',
    ['kind', 'outcome'],
  ],
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
  gumshoe_slack_troubles: 'Open problems with Slack: channels that cannot be posted in, missing scopes',
  gumshoe_plans_unreadable: 'Stored planned work that cannot be read and keeps no alert quiet',
  gumshoe_issues_watched: 'Issues the poller watches',
  gumshoe_issues_pending: 'Issues still to be created at the investigation service',
  gumshoe_event_loop_lag_seconds: 'Longest time the event loop was blocked in the last minutes',
  gumshoe_service_troubles: 'Open problems with the investigation service: down, its API key, a permission',
} as const;

/** Seconds, for machine work and for what people wait for. */
const QUICK = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const WAITS = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600];

const histograms = {
  gumshoe_ack_seconds: ['Time from receiving a delivery to having stored it', QUICK, ['operation']],
  gumshoe_service_call_seconds: ['Duration of a call to the investigation service', QUICK, ['operation']],
  gumshoe_poll_seconds: ['Duration of a poll that succeeded', [...QUICK, 30, 60], []],
  gumshoe_alert_to_card_seconds: ['Time from an alert to its card', WAITS, []],
  gumshoe_alert_to_verdict_seconds: ['Time from an alert to the first results of its issue', WAITS, []],
  gumshoe_question_to_first_word_seconds: ['Time from a question to the first word of its answer', WAITS, []],
} as const;

type CounterName = keyof typeof counters;
type GaugeName = keyof typeof gauges;
type HistogramName = keyof typeof histograms;

/**
 * How often the event loop is looked at. Each look wakes the process: at ten milliseconds, two histograms were most of what an
 * idle bot costs.
 */
const LOOP_RESOLUTION_MS = 100;

/** Prometheus metrics in a separate registry, so that two programs in one process do not share them. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_RESOLUTION_MS });
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
  for (const [name, [help, buckets, labelNames]] of Object.entries(histograms)) {
    const options = { name, help, buckets: [...buckets], labelNames: [...labelNames], registers };
    made.histograms.set(name, new Histogram(options));
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

/** A stall is reported for at least this long, so that every scraper of the metrics sees it. */
const SHOWN_MS = 60_000;

export interface EventLoopWatch {
  /** The longest stall of the last one to two minutes, or since the previous call if that is longer ago; seconds. */
  lagSeconds(): number;
  close(): void;
}

/**
 * Measures how long the event loop is blocked: while it is, Slack waits for acknowledgements, for three seconds at most.
 *
 * @param delays the histogram of delays between turns, in nanoseconds
 */
export function watchEventLoop(
  clock: Pick<Clock, 'now'>,
  delays: Pick<
    ReturnType<typeof monitorEventLoopDelay>,
    'max' | 'count' | 'reset' | 'enable' | 'disable'
  > = monitorEventLoopDelay({
    resolution: LOOP_RESOLUTION_MS,
  }),
): EventLoopWatch {
  delays.enable();
  let before = 0;
  let since = clock.now();
  return {
    lagSeconds: () => {
      const now = delays.count === 0 ? 0 : Math.max(0, delays.max / 1e9 - LOOP_RESOLUTION_MS / 1_000);
      const longest = Math.max(before, now);
      if (clock.now() - since >= SHOWN_MS) {
        before = now;
        since = clock.now();
        delays.reset();
      }
      return longest;
    },
    close: () => void delays.disable(),
  };
}

/** Exports it as `gumshoe_event_loop_lag_seconds`. */
export function showEventLoopLag(metrics: Metrics, watch: EventLoopWatch): EventLoopWatch {
  metrics.beforeRead(() => metrics.gauge('gumshoe_event_loop_lag_seconds', watch.lagSeconds()));
  return watch;
}
