import type { Alert } from './types.ts';

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
