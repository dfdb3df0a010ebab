import { webhookFormats } from '../../bot/alerts/formats/index.ts';
import type { Config } from '../../bot/config.ts';
import { NOT_UNDERSTOOD, seenLine } from '../../bot/render/systems/seen.ts';
import { type CheckResult, failed, passed } from '../../bot/slack/checks.ts';
import { TrackerError } from '../../bot/tickets/tracker.ts';
import { createTracker } from '../../bot/tickets/trackers.ts';
import { alertmanagerHeaders } from '../../bot/webhooks/alertmanager.ts';
import { plansOfIntervals, Status } from '../../bot/webhooks/alertmanager-plans.ts';
import { createAuthentication } from '../../bot/webhooks/authentication.ts';
import { maintenancesOf } from '../../bot/webhooks/status-pages.ts';
import { systemClock } from '../../lib/clock.ts';
import { checkDatabaseInside } from '../../service/databases/databases.ts';
import { Refused } from '../../service/databases/session.ts';
import type { DatabaseSettings } from '../../service/databases/settings.ts';
import { onBudget } from '../../service/telemetry/budget.ts';
import { openSources } from '../../service/telemetry/open-sources.ts';
import { seenOf } from '../../service/telemetry/seen.ts';
import {
  hasSource,
  readTelemetrySettings,
  type TelemetrySettings,
} from '../../service/telemetry/settings.ts';
import type { TelemetrySource } from '../../service/telemetry/source.ts';

const PATIENCE_MS = 15_000;

/** Whether a running Gumshoe serves agents at its port, and refuses them without a key. */
export async function checkMcp({
  mcp,
  port,
  host,
}: Pick<Config, 'mcp' | 'port' | 'host'>): Promise<CheckResult[]> {
  if (mcp === null) return [];
  const name = 'agents (POST /mcp)';
  const url = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}/mcp`;
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      body: '{}',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (status !== 401)
      return [failed(name, `${url} answers ${status} without a key`, 'restart Gumshoe with these settings')];
    const ways = [
      mcp.keys.length > 0 ? `${mcp.keys.length} keys` : '',
      mcp.signingSecrets.length > 0 ? 'Slackbot' : '',
    ];
    return [
      passed(name, `${url} answers ${ways.filter((way) => way !== '').join(' and ')}, and nobody else`),
    ];
  } catch {
    // Nor does it before the first start.
    return [passed(name, `nothing answers at ${url} yet; once Gumshoe runs, this checks who it lets in`)];
  }
}

/** Whether each source that something is configured for is on, and has a route. No call is made. */
export function checkWebhooks({
  slack,
  webhooks,
  alertRoutes,
}: Pick<Config, 'slack' | 'webhooks' | 'alertRoutes'>): CheckResult[] {
  const { isOn } = createAuthentication({
    settings: webhooks,
    clock: systemClock,
    fetchText: () => Promise.reject(new Error('the doctor fetches no certificates')),
  });
  const known = new Set([...webhookFormats.map(({ name }) => name), ...webhooks.maps.keys()]);
  // The local workspace routes everything to #alerts where nothing is routed.
  const isLocal = slack === null && alertRoutes.length === 0;
  const routed = new Set(isLocal ? ['*'] : alertRoutes.map(({ source }) => source));
  const named = new Set([...webhooks.secrets.keys(), ...webhooks.maps.keys(), ...routed]);
  if (webhooks.topics.length > 0) named.add('cloudwatch');
  named.delete('*');
  const each = [...named].sort().map((source): CheckResult => {
    const name = `webhooks of ${source}`;
    if (!known.has(source)) {
      return failed(
        name,
        'there is no such source',
        `correct its name (${[...known].sort().join(', ')}), or describe its payloads in ALERT_MAP_${source.toUpperCase()}`,
      );
    }
    if (!isOn(source)) {
      const secret =
        source === 'cloudwatch' ? 'ALERT_SNS_TOPICS' : `ALERT_WEBHOOK_SECRET_${source.toUpperCase()}`;
      return failed(
        name,
        'the source is off: no secret is configured for it',
        `set ${secret} or ALERT_WEBHOOK_TOKEN`,
      );
    }
    if (!routed.has(source) && !routed.has('*')) {
      return failed(
        name,
        'no route names a channel for its alerts, so they are kept without being posted',
        `add ${source}->CHANNEL_ID to ALERT_ROUTES`,
      );
    }
    return passed(name, `POST /alerts/${source} takes them${isLocal ? ', and they go to #alerts' : ''}`);
  });
  return webhooks.token === null ? each : [...each, checkSharedToken(routed, isLocal)];
}

/** `ALERT_WEBHOOK_TOKEN` turns every source on. */
function checkSharedToken(routed: ReadonlySet<string>, isLocal: boolean): CheckResult {
  const name = 'webhooks with ALERT_WEBHOOK_TOKEN';
  if (routed.has('*'))
    return passed(
      name,
      `POST /alerts/SOURCE takes every source${isLocal ? ', and alerts go to #alerts' : ''}`,
    );
  if (routed.size === 0)
    return failed(
      name,
      'no route names a channel, so alerts are kept without being posted',
      'add *->CHANNEL_ID to ALERT_ROUTES',
    );
  return passed(
    name,
    'POST /alerts/SOURCE takes every source; alerts of one without a route are kept without being posted',
  );
}

/** Whether the Alertmanager answers `GET /api/v2/status`. */
export async function checkAlertmanager(alertmanager: Config['alertmanager']): Promise<CheckResult[]> {
  if (alertmanager === null) return [];
  const { url } = alertmanager;
  const name = 'Alertmanager';
  try {
    const response = await fetch(`${url}/api/v2/status`, {
      headers: alertmanagerHeaders(alertmanager),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (response.ok) return [passed(name, 'it answers'), checkTimeIntervals(await response.json())];
    const fix =
      response.status === 401 || response.status === 403
        ? 'check ALERTMANAGER_TOKEN, or ALERTMANAGER_USER and ALERTMANAGER_PASSWORD'
        : 'check ALERTMANAGER_URL: /api/v2/status must be below it';
    return [failed(name, `it answers with ${response.status}`, fix)];
  } catch {
    return [failed(name, 'it cannot be reached', 'check ALERTMANAGER_URL and that it is up')];
  }
}

/** Whether what the Alertmanager mutes at times is understood. */
function checkTimeIntervals(status: unknown): CheckResult {
  const name = 'time intervals of the Alertmanager';
  try {
    const { length } = plansOfIntervals(Status.parse(status), Date.now());
    return passed(
      name,
      length === 0 ? 'none mutes a route now' : `${length} mute a route now: planned work here`,
    );
  } catch (error) {
    const why = error instanceof RangeError ? error.message : 'its configuration has another form';
    return failed(
      name,
      `they cannot be read (${why})`,
      'nothing but this is affected: plan such work with /gumshoe plan',
    );
  }
}

/** Whether the maintenances of status pages are read. */
export async function checkStatusPages(pages: Config['statusPages']): Promise<CheckResult[]> {
  return Promise.all(
    pages.map(async (page) => {
      const name = `maintenances of ${page.host}`;
      try {
        const found = await maintenancesOf(page);
        return passed(
          name,
          found === null
            ? 'its status page is none of Statuspage, so none is planned work'
            : `its status page has ${found.length} scheduled`,
        );
      } catch {
        return failed(
          name,
          'its status page cannot be reached',
          'check STATUS_PAGES, the network and HTTPS_PROXY',
        );
      }
    }),
  );
}

/** Whether tickets could be made; none is. */
export async function checkTickets(tickets: Config['tickets']): Promise<CheckResult[]> {
  if (tickets === null) return [];
  const tracker = createTracker(tickets);
  const name = `tickets in ${tracker.name}`;
  try {
    return [passed(name, await tracker.check())];
  } catch (error) {
    if (!(error instanceof TrackerError)) throw error;
    return [failed(name, error.what, error.fix ?? 'check the network and HTTPS_PROXY, and run this again')];
  }
}

const TRACING = 'OpenTelemetry';

/** Whether the receiver of the traces accepts an export without spans. */
export async function checkTracing(tracing: Config['tracing']): Promise<CheckResult[]> {
  if (tracing === null) return [];
  try {
    const response = await fetch(`${tracing.endpoint.replace(/\/+$/u, '')}/v1/traces`, {
      method: 'POST',
      headers: { ...tracing.headers, 'content-type': 'application/json' },
      body: '{"resourceSpans":[]}',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (response.ok) return [passed(TRACING, 'the receiver accepts traces')];
    const fix =
      response.status === 401 || response.status === 403
        ? 'check OTEL_EXPORTER_OTLP_HEADERS'
        : 'check OTEL_EXPORTER_OTLP_ENDPOINT: v1/traces must be below it, for OTLP over HTTP (often port 4318)';
    return [failed(TRACING, `the receiver answers with ${response.status}`, fix)];
  } catch {
    return [
      failed(
        TRACING,
        'the receiver cannot be reached',
        'check OTEL_EXPORTER_OTLP_ENDPOINT and that it is up',
      ),
    ];
  }
}

/** What checking one source may cost it. */
const LIMITS = { requests: 300, ms: 30_000 };

/** Each configured source of telemetry: whether it answers, what was recognized, and what is missing. */
export async function checkTelemetry(env: Record<string, string | undefined>): Promise<CheckResult[]> {
  const read = readTelemetrySettings(env);
  if ('problems' in read)
    return read.problems.map((problem) => failed('telemetry', problem, 'fix it and run this again'));
  const { source: whole, each, close } = openSources(read.settings, systemClock);
  try {
    const results = await Promise.all(
      each.map(async (source): Promise<CheckResult> => {
        const { name, ok, summary, details } = await onBudget(LIMITS, { clock: systemClock }, source.check);
        return { name, ok, detail: summary, fix: null, notes: details };
      }),
    );
    const { changesToken, changesSecrets } = read.settings;
    const reported = [
      ...(changesToken === null ? [] : [reportedChanges(env)]),
      ...(Object.keys(changesSecrets).length === 0 ? [] : [reportedFlags(env, changesSecrets)]),
    ];
    const inside = await Promise.all(read.settings.databases.map(checkInside));
    return each.length === 0
      ? [...inside, ...reported]
      : [
          ...results,
          ...(await checkSystems(whole)),
          ...inside,
          ...reported,
          ...missingSources(read.settings, results),
        ];
  } finally {
    await close();
  }
}

/** What is seen of each service, over all sources. */
async function checkSystems(source: TelemetrySource): Promise<CheckResult[]> {
  const { services, notes } = await onBudget(LIMITS, { clock: systemClock }, (budget) =>
    seenOf(source, systemClock.now(), budget),
  );
  const detail = `what is seen of each of ${services.length} services, and what is missing:`;
  const own = services.some(({ unread }) => unread.length > 0) ? [NOT_UNDERSTOOD] : [];
  const lines = services.map((one) => seenLine(one, 3));
  return services.length === 0 ? [] : [{ ...passed('systems', detail), notes: [...lines, ...notes, ...own] }];
}

/** How a pipeline reports a change: on the port of the one process, or at the service itself. */
function reportedChanges({
  ISSUE_SERVICE_URL,
  PORT = '3000',
}: Record<string, string | undefined>): CheckResult {
  const at = new URL('/changes', takenAt({ ISSUE_SERVICE_URL, PORT })).href;
  const change =
    '{"service": "ledger", "kind": "deploy", "title": "Deploy ledger 4.2.0", "version": "4.2.0"}';
  const curl = `curl --fail-with-body -X POST ${at} -H "Authorization: Bearer $CHANGES_TOKEN" -H 'Content-Type: application/json' -d '${change}'`;
  return { ...passed('changes', 'a pipeline reports what it rolled out like this:'), notes: [curl] };
}

/** Where tools for feature flags send what was changed. */
function reportedFlags(
  env: Record<string, string | undefined>,
  secrets: Readonly<Record<string, string>>,
): CheckResult {
  const notes = Object.keys(secrets).map((tool) => new URL(`/changes/${tool}`, takenAt(env)).href);
  return { ...passed('flags', 'changed feature flags are taken, signed, at:'), notes };
}

function takenAt({ ISSUE_SERVICE_URL: url, PORT = '3000' }: Record<string, string | undefined>): string {
  return url !== undefined && URL.canParse(url) ? url : `http://localhost:${PORT}`;
}

/** What other sources would add, with the variable that connects each. */
function missingSources(settings: TelemetrySettings, results: readonly CheckResult[]): CheckResult[] {
  const { loki, victorialogs, elasticsearch, logFiles, tempo, jaeger, kubernetes, argocd, github, gitlab } =
    settings;
  const { grafanaToken, changesToken, prometheus } = settings;
  const hasLogs =
    settings.journald ||
    logFiles.length > 0 ||
    [loki, victorialogs, elasticsearch].some((one) => one !== null);
  const hasChanges = [kubernetes, argocd, github, gitlab, grafanaToken, changesToken].some(
    (one) => one !== null,
  );
  const notes = [
    // What a Grafana reads, and what it lacks, is in its own line.
    grafanaToken === null &&
      prometheus === null &&
      'No metrics: set PROMETHEUS_URL, such as PROMETHEUS_URL=http://prometheus:9090, or GRAFANA_URL with GRAFANA_TOKEN',
    grafanaToken === null &&
      !hasLogs &&
      'No logs: set LOKI_URL, VICTORIALOGS_URL, ELASTICSEARCH_URL or LOG_FILES, such as LOKI_URL=http://loki:3100',
    grafanaToken === null &&
      tempo === null &&
      jaeger === null &&
      'No traces: set TEMPO_URL or JAEGER_URL, such as TEMPO_URL=http://tempo:3200',
    kubernetes === null &&
      'No events or ReplicaSets of Kubernetes: set KUBERNETES=in-cluster, or the path of a kubeconfig',
    !hasChanges &&
      'No deploys but those that metrics show: set ARGOCD_URL, GITHUB_REPOSITORIES, GITLAB_PROJECTS or GRAFANA_URL with its token, or CHANGES_TOKEN for POST /changes',
  ].filter((note) => note !== false);
  if (!hasSource(settings))
    return [{ ...failed('telemetry', 'there is nothing to investigate', 'set PROMETHEUS_URL'), notes }];
  if (!results.some(({ ok }) => ok))
    return [
      {
        ...failed('telemetry', 'no source answers, so nothing can be investigated', 'mend one of them'),
        notes,
      },
    ];
  return notes.length === 0 ? [] : [{ ...passed('telemetry', 'what else can be connected:'), notes }];
}

/** One of `DATABASES`: what it is, which right its account lacks, and whether it may write. */
async function checkInside(settings: DatabaseSettings): Promise<CheckResult> {
  const name = `database ${settings.name}`;
  try {
    const { version, missing, writes } = await checkDatabaseInside(settings);
    const notes = missing.map(({ what, grant }) => `${what}: ${grant}`);
    if (writes !== null)
      return {
        ...failed(
          name,
          `${version} answers, but its account may write: ${writes}`,
          'give it an account that may only read',
        ),
        notes,
      };
    const detail = `${version} answers${missing.length === 0 ? ', and all of it can be read' : '; what is missing:'}`;
    return { ...passed(name, detail), notes };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const fixes: Partial<Record<Refused['why'], string>> = {
      full: 'keep a connection for it, or make the pools of others smaller',
      slow: 'look at its load',
      unreachable: 'check that it runs and takes connections from here, and its address in DATABASES',
    };
    return failed(name, error.message.replace(/\.$/u, ''), fixes[error.why] ?? 'mend it and run this again');
  }
}
