import type { Alert } from './types.ts';

/** An alert of which nothing is known yet; a format adds what its message says. */
export function blank(format: string): Alert {
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
