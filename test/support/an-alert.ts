import type { Alert } from '../../src/alerts/types.ts';

/** An alert that says the least: what fires, and its identity. */
export function anAlert(overrides: Partial<Alert> = {}): Alert {
  return {
    kind: 'firing',
    format: 'alertmanager',
    title: 'CPU is high',
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
    fingerprint: 'cpu',
    ...overrides,
  };
}
