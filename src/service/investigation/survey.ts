import type { Change, Window } from '../telemetry/model.ts';
import type { ServiceNode, View } from '../telemetry/view.ts';
import { type Anomaly, anomaliesIn } from './anomalies.ts';

/** One look at the whole system. */
export interface Survey {
  window: Window;
  /** Milliseconds: when the issue was triggered. */
  trigger: number;
  nodes: ReadonlyMap<string, ServiceNode>;
  /** All anomalies in the window, by service. */
  anomalies: ReadonlyMap<string, readonly Anomaly[]>;
  changes: readonly Change[];
}

const MINUTE = 60_000;

/** Surveys every series of every service, from 90 minutes before the trigger on. */
export function survey(view: View): Survey {
  const window = { from: view.trigger - 90 * MINUTE, to: view.window.to };
  const nodes = new Map(view.services().map((node) => [node.name, node]));
  const anomalies = new Map<string, Anomaly[]>();
  for (const name of nodes.keys()) {
    anomalies.set(
      name,
      view.series(name).flatMap((series) => anomaliesIn(series, view.points(series, window))),
    );
  }
  return { window, trigger: view.trigger, nodes, anomalies, changes: view.changes(window) };
}
