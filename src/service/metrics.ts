import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** The service's metrics, in a separate registry. */
export interface ServiceMetrics {
  /** An investigation ended, after reading and reasoning for this long (seconds). */
  investigated(outcome: 'found' | 'nothing' | 'failed', seconds: number): void;
  /** What an investigation or an answer cost the sources. */
  spent(requests: number, samples: number): void;
  /** A source could not provide something. */
  gap(source: string, what: string): void;
  /** A pipeline reported a change. */
  changed(outcome: 'new' | 'repeated'): void;
  answered(outcome: 'answered' | 'failed'): void;
  /** A request to the model ended. */
  modelAsked(use: string, outcome: string): void;
  /** The model chose other tools for a question than the rules. */
  routedOtherwise(rules: string, model: string): void;
  databaseLooked(database: string, reason: string, outcome: string): void;
  /** A database operation failed, or a connection was lost. */
  databaseFailed(): void;
  /** The Prometheus text exposition. */
  text(): Promise<string>;
}

/** How often the event loop is looked at: each look wakes the process. */
const LOOP_RESOLUTION_MS = 100;

export function createServiceMetrics(): ServiceMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_RESOLUTION_MS });
  const investigations = new Counter({
    name: 'gumshoe_service_investigations_total',
    help: 'Investigations that ended, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'gumshoe_service_investigation_seconds',
    help: 'Time that an investigation reads telemetry and reasons about it',
    buckets: [0.1, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 90, 120],
    registers,
  });
  const requests = new Counter({
    name: 'gumshoe_service_telemetry_requests_total',
    help: 'Requests sent to sources of telemetry',
    registers,
  });
  const samples = new Counter({
    name: 'gumshoe_service_telemetry_samples_total',
    help: 'Samples read from sources of telemetry',
    registers,
  });
  const gaps = new Counter({
    name: 'gumshoe_service_telemetry_gaps_total',
    help: 'Telemetry that could not be read, by source and kind',
    labelNames: ['source', 'what'],
    registers,
  });
  const questions = new Counter({
    name: 'gumshoe_service_questions_total',
    help: 'Questions to the agent, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const changes = new Counter({
    name: 'gumshoe_service_changes_total',
    help: 'Changes reported at POST /changes, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const databaseFailures = new Counter({
    name: 'gumshoe_service_database_failures_total',
    help: 'Lost connections to the database, and failed statements',
    registers,
  });
  const databaseLooks = new Counter({
    name: 'gumshoe_service_database_looks_total',
    help: 'Looks into databases and brokers, by what led to them and outcome',
    labelNames: ['database', 'reason', 'outcome'],
    registers,
  });
  const modelRequests = new Counter({
    name: 'gumshoe_service_model_requests_total',
    help: 'Requests to the language model, by what it was asked for and outcome',
    labelNames: ['use', 'outcome'],
    registers,
  });
  const modelRoutes = new Counter({
    name: 'gumshoe_service_model_routes_total',
    help: 'Questions for which the language model chose other tools than the rules, by both choices',
    labelNames: ['rules', 'model'],
    registers,
  });
  return {
    investigated: (outcome, took) => {
      investigations.inc({ outcome });
      seconds.observe(took);
    },
    spent: (sent, read) => {
      requests.inc(sent);
      samples.inc(read);
    },
    gap: (source, what) => gaps.inc({ source, what }),
    changed: (outcome) => changes.inc({ outcome }),
    answered: (outcome) => questions.inc({ outcome }),
    modelAsked: (use, outcome) => modelRequests.inc({ use, outcome }),
    routedOtherwise: (rules, model) => modelRoutes.inc({ rules, model }),
    databaseLooked: (database, reason, outcome) => databaseLooks.inc({ database, reason, outcome }),
    databaseFailed: () => databaseFailures.inc(),
    text: () => registry.metrics(),
  };
}
