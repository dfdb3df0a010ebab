import { type CheckResult, failed, passed } from '../../bot/slack/checks/result.ts';
import { systemClock } from '../../lib/clock.ts';
import { createBudget } from '../../service/telemetry/budget.ts';
import { openSources } from '../../service/telemetry/open-sources.ts';
import {
  hasSource,
  readTelemetrySettings,
  type TelemetrySettings,
} from '../../service/telemetry/settings.ts';

/** What checking one source may cost it. */
const LIMITS = { requests: 120, ms: 20_000 };

/** Each configured source of telemetry: whether it answers, what was recognised, and what is missing. */
export async function checkTelemetry(env: Record<string, string | undefined>): Promise<CheckResult[]> {
  const read = readTelemetrySettings(env);
  if ('problems' in read)
    return read.problems.map((problem) => failed('telemetry', problem, 'fix it and run this again'));
  const { each, close } = openSources(read.settings, systemClock);
  try {
    const results = await Promise.all(
      each.map(async (source): Promise<CheckResult> => {
        const budget = createBudget(LIMITS, { clock: systemClock });
        try {
          const { name, ok, summary, details } = await source.check(budget);
          return { name, ok, detail: summary, fix: null, notes: details };
        } finally {
          budget.end();
        }
      }),
    );
    return each.length === 0 ? [] : [...results, ...missingSources(read.settings)];
  } finally {
    await close();
  }
}

/** What other sources would add, with the variable that connects each. */
function missingSources(settings: TelemetrySettings): CheckResult[] {
  const { loki, tempo, jaeger, kubernetes, argocd, github, grafanaToken, changesToken, prometheus } =
    settings;
  const hasChanges = [kubernetes, argocd, github, grafanaToken, changesToken].some((one) => one !== null);
  const notes = [
    prometheus === null && 'No metrics: set PROMETHEUS_URL, such as PROMETHEUS_URL=http://prometheus:9090',
    loki === null && 'No logs: set LOKI_URL, such as LOKI_URL=http://loki:3100',
    tempo === null &&
      jaeger === null &&
      'No traces: set TEMPO_URL or JAEGER_URL, such as TEMPO_URL=http://tempo:3200',
    kubernetes === null &&
      'No events or ReplicaSets of Kubernetes: set KUBERNETES=in-cluster, or the path of a kubeconfig',
    !hasChanges &&
      'No deploys but those that metrics show: set ARGOCD_URL, GITHUB_REPOSITORIES or GRAFANA_URL with its token, or CHANGES_TOKEN for POST /changes',
  ].filter((note) => note !== false);
  const what = hasSource(settings)
    ? 'something to investigate is configured'
    : 'there is nothing to investigate';
  if (!hasSource(settings)) return [{ ...failed('telemetry', what, 'set PROMETHEUS_URL'), notes }];
  return notes.length === 0
    ? []
    : [{ ...passed('telemetry', `${what}; what else can be connected:`), notes }];
}
