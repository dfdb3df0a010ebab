import type { Problem } from '../problems/problem.ts';
import { publicSentences } from '../problems/sentences.ts';

/** The state of the program. */
export interface Health {
  /** The phase of the process. */
  phase: 'starting' | 'running' | 'stopping';
  /** Checks what only an attempt shows, such as whether the database accepts a write. */
  check: () => Promise<void>;
  /** What does not work. */
  problems: () => readonly Problem[];
}

/** The response of `/readyz`. */
export interface Readiness {
  ready: boolean;
  reasons: string[];
  /** What does not work although deliveries can be taken. */
  degraded: string[];
}

/**
 * Ready means only that deliveries can be taken: a load balancer must not turn Slack away because the investigation
 * service is down.
 */
export async function readiness(health: Health): Promise<Readiness> {
  await health.check();
  const problems = health.problems();
  const reasons = [
    ...(health.phase === 'running' ? [] : [`Gumshoe is ${health.phase}`]),
    ...publicSentences(problems.filter(({ stopsDeliveries }) => stopsDeliveries)),
  ];
  const degraded = publicSentences(problems.filter(({ stopsDeliveries }) => !stopsDeliveries));
  return { ready: reasons.length === 0, reasons, degraded };
}
