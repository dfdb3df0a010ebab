import type { Change, ServiceNode, Telemetry, Window } from '../telemetry/telemetry.ts';
import { type Anomaly, anomaliesIn } from './anomalies.ts';
import { SIGNALS } from './signals.ts';

/** One look at the whole system. */
export interface Survey {
  window: Window;
  /** Milliseconds: what the issue was triggered by happened then. */
  trigger: number;
  nodes: ReadonlyMap<string, ServiceNode>;
  /** All anomalies in the window, by service. */
  anomalies: ReadonlyMap<string, readonly Anomaly[]>;
  changes: readonly Change[];
}

const MINUTE = 60_000;

/** Looks at every metric that the investigator understands, from 90 minutes before the trigger to 10 after it. */
export function survey(telemetry: Telemetry, triggeredAt: number, now: number): Survey {
  // A monitoring tool's clock may be ahead of ours.
  const trigger = Math.min(triggeredAt, now);
  const window = { from: trigger - 90 * MINUTE, to: Math.min(now, trigger + 10 * MINUTE) };
  const nodes = new Map(telemetry.services().map((node) => [node.name, node]));
  const anomalies = new Map<string, Anomaly[]>();
  for (const name of nodes.keys()) {
    const reported = new Set(telemetry.metricNames(name).map((metric) => metric.name));
    anomalies.set(
      name,
      SIGNALS.filter(({ metric }) => reported.has(metric)).flatMap((signal) =>
        anomaliesIn(telemetry.metric(name, signal.metric, window), signal),
      ),
    );
  }
  return { window, trigger, nodes, anomalies, changes: telemetry.changes(window) };
}
