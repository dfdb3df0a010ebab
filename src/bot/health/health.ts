/** The state of the program. */
export interface Health {
  /** The phase of the process. */
  phase: 'starting' | 'running' | 'stopping';
  /** Whether Slack can deliver: the socket is open, or HTTP is served. */
  slackConnected: boolean;
  /** Why not, in words; `null` if that is unknown, or if it can. */
  slackFailure: string | null;
  /** Sentences about what is failing although deliveries can be taken. */
  degraded: () => string[];
  /** Whether the database accepts a write. */
  writable: () => Promise<boolean>;
  /** What to do if it is not; about a file, if not said. */
  notWritable?: string;
}

/** The response of `/readyz`. */
export interface Readiness {
  ready: boolean;
  reasons: string[];
  degraded: string[];
}

const NOT_WRITABLE =
  'cannot write to the database: check free disk space, and that no other process has it locked';

/**
 * Ready means only that deliveries can be taken: a load balancer must not turn Slack away because the investigation
 * service is down.
 */
export async function readiness(health: Health): Promise<Readiness> {
  const reasons: string[] = [];
  if (health.phase !== 'running') reasons.push(`Gumshoe is ${health.phase}`);
  if (!health.slackConnected) {
    reasons.push(
      ['Slack is not connected', ...(health.slackFailure === null ? [] : [health.slackFailure])].join(': '),
    );
  }
  if (!(await health.writable())) reasons.push(health.notWritable ?? NOT_WRITABLE);
  return { ready: reasons.length === 0, reasons, degraded: health.degraded() };
}

/** Sentences about what is failing although deliveries can be taken, from any component. */
export interface Degraded {
  /** Called on each read; returns `null` while nothing is failing. The result removes the source again. */
  add(source: () => string | string[] | null): () => void;
  /** In the order in which the sources were added. */
  read(): string[];
}

export function createDegraded(): Degraded {
  const sources = new Set<() => string | string[] | null>();
  return {
    add: (source) => {
      sources.add(source);
      return () => void sources.delete(source);
    },
    read: () => [...sources].flatMap((source) => source() ?? []),
  };
}
