import { z } from 'zod';
import { emptyAlert } from '../../empty-alert.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import {
  fromLabelMap,
  itemsOf,
  type Labels,
  labelMap,
  notAnObject,
  receivedAlert,
  scalarText,
  sortedPairs,
  webUrl,
} from '../../payload.ts';
import {
  alertOf,
  isResolved,
  linksOfAlert,
  PrometheusAlert,
  withoutPrivate,
} from '../../prometheus-alert.ts';
import { bracketedState } from '../../state.ts';
import { toErrorMessage, toTitle } from '../../text-fields.ts';
import type { AlertAlias, ReceivedAlert, WebhookFormat, WebhookReading } from '../../webhook-format.ts';
import { groupFingerprint, ruleUidIn } from './group-identity.ts';
import { legacyFingerprint, legacyKind } from './legacy.ts';

const Payload = z.object({
  alerts: z.unknown().optional(),
  status: scalarText,
  title: scalarText,
  truncatedAlerts: z.number().int().positive().catch(0),
  /** Before unified alerting: one rule. */
  ruleName: scalarText,
  ruleUrl: webUrl,
  state: scalarText,
  message: scalarText,
  tags: labelMap,
});
type Payload = z.output<typeof Payload>;

/** Raised by Grafana itself where a rule's query fails or finds nothing. */
const SYNTHETIC = /^Datasource(?:Error|NoData)$/u;

/** Grafana's webhook contact point; the payload of Grafana before version 8 is understood too. */
export const grafanaWebhook: WebhookFormat = { name: 'grafana', tool: 'Grafana', read };

function read(body: unknown): WebhookReading {
  const parsed = Payload.safeParse(body);
  if (!parsed.success) return notAnObject('Grafana');
  const payload = parsed.data;
  const entries = itemsOf(payload.alerts, PrometheusAlert);
  if (entries === null && payload.ruleName !== '') return legacy(payload);
  if (entries === null)
    return {
      kind: 'refused',
      reason:
        'The body has no list `alerts`. If the contact point has a custom payload, remove it, or send it to a source with a field map.',
    };
  const real = entries.filter(({ labels }) => labels.alertname !== 'TestAlert');
  if (real.length === 0)
    return {
      kind: 'nothing',
      reason: entries.length > 0 ? 'It is a test notification.' : 'Its list of alerts is empty.',
    };
  const groupResolved =
    payload.status === '' ? real.every(isResolved) : payload.status.toLowerCase() === 'resolved';
  const aliases = aliasOf(payload, real, groupResolved);
  const left = payload.truncatedAlerts;
  return {
    kind: 'alerts',
    alerts: real.map((entry) => received(entry, aliases, groupResolved)),
    ...(left > 0 ? { note: `Grafana left out ${left === 1 ? 'one alert' : `${left} alerts`}.` } : {}),
  };
}

function received(entry: PrometheusAlert, aliases: AlertAlias[], groupResolved: boolean): ReceivedAlert {
  const name = entry.labels.alertname ?? '';
  const labels = withoutPrivate(entry.labels);
  return receivedAlert({
    alert: {
      ...alertOf('grafana', { ...entry, labels }),
      errorType: SYNTHETIC.test(name) ? name : null,
      fingerprint: identityOf(entry, labels),
    },
    labels,
    links: linksOfAlert(entry),
    aliases,
    groupResolved,
  });
}

/** The rule and the labels. */
function identityOf({ generatorURL, fingerprint }: PrometheusAlert, labels: Labels): string {
  const pairs = sortedPairs(labels).flat();
  return fingerprintOf(
    'grafana-alert',
    ruleUidIn(generatorURL ?? '') ?? '',
    ...(pairs.length > 0 ? pairs : [fingerprint]),
  );
}

/** The message of Grafana's Slack contact point: identified by what all alerts share, its environment that of those firing. */
function aliasOf({ title }: Payload, entries: readonly PrometheusAlert[], resolved: boolean): AlertAlias[] {
  const firing = resolved ? [] : entries.filter((entry) => !isResolved(entry));
  const shared = sharedLabels(entries).map(([name, value]) => `${name}=${value}`);
  const links = entries.map(({ generatorURL }) => generatorURL ?? '');
  const shown = Object.fromEntries(sharedLabels(firing.length > 0 ? firing : entries));
  return [
    {
      fingerprint: groupFingerprint(links, shared, bracketedState(title)?.name ?? title.trim()),
      environment: fromLabelMap(shown).fields.environment,
    },
  ];
}

function sharedLabels([first, ...others]: readonly PrometheusAlert[]): [string, string][] {
  return Object.entries(withoutPrivate(first?.labels ?? {})).filter(([name, value]) =>
    others.every(({ labels }) => labels[name] === value),
  );
}

/** One rule of Grafana before version 8, with the identity of its message. */
function legacy({ ruleName, ruleUrl, state, message, tags }: Payload): WebhookReading {
  if (/^test notification$/iu.test(ruleName))
    return { kind: 'nothing', reason: 'It is a test notification.' };
  const kind = legacyKind(state);
  const title = toTitle(ruleName);
  const { fields, tags: others } = fromLabelMap(tags);
  const alert = {
    ...emptyAlert('grafana'),
    ...fields,
    kind,
    title,
    description: message || title,
    alertUrl: ruleUrl,
    errorMessage: toErrorMessage(message),
    tags: others,
    fingerprint: legacyFingerprint(ruleUrl ?? '', ruleName),
  };
  const aliases = alert.environment === null ? [] : [{ fingerprint: alert.fingerprint, environment: null }];
  const note = kind === 'not_an_alert' ? `State changed to ${state || 'an unknown one'}` : null;
  return { kind: 'alerts', alerts: [receivedAlert({ alert, note, labels: tags, aliases })] };
}
