import { BEYOND_CONTRACT, type Organization } from '../../contract/client/client.ts';
import type { CallReport } from '../../contract/client/guard.ts';
import type { DropReport } from '../../contract/client/http.ts';
import type { Logger } from '../shared/log.ts';
import type { Metrics } from '../shared/metrics.ts';
import { callWasMade } from '../shared/tracing/spans.ts';
import type { StatusTracker } from './status-tracker.ts';

export function keepCalls({
  log,
  metrics,
  statusTracker,
}: {
  log: Logger;
  metrics: Metrics;
  statusTracker: StatusTracker;
}) {
  return {
    onCall: (made: CallReport, organization: Organization): void => {
      if (!BEYOND_CONTRACT.has(made.operation)) statusTracker.serviceCalled(made, organization);
      metrics.count('gumshoe_service_calls_total', { operation: made.operation, outcome: made.outcome });
      // A call that was held back took no time, and would only make the service look fast.
      if (made.outcome !== 'CircuitOpenError') {
        traceCall(made);
        metrics.observe('gumshoe_service_call_seconds', made.ms / 1000, { operation: made.operation });
      }
      log.debug({ call: made, organization }, 'called the investigation service');
    },
    onDropped: (dropped: DropReport, organization: Organization): void =>
      log.warn({ dropped, organization }, 'dropped an unusable part of a service response'),
  };
}

function traceCall({ operation, ms, outcome, status, requestId }: CallReport): void {
  callWasMade(`service ${operation}`, ms, outcome === 'ok' ? null : outcome, {
    ...(status === null ? {} : { 'http.response.status_code': status }),
    ...(requestId === null ? {} : { 'gumshoe.service.request_id': requestId }),
  });
}
