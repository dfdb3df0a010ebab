import { z } from 'zod';
import { factNamed, factsOf, statedValue } from './facts.ts';
import type { ReceivedAlert } from './format.ts';
import { fingerprintOf } from './identity.ts';
import { type Attachment, attachmentText, type MessageContent } from './message.ts';
import {
  annotationMap,
  fromLabelMap,
  type Labels,
  labelMap,
  labelNamed,
  linksTo,
  moment,
  scalarText,
  sortedPairs,
  webUrl,
} from './payload.ts';
import { plainText, toDescription, toErrorMessage, toTitle } from './slack-text.ts';
import { severityOf } from './state.ts';
import { timestampIn } from './timestamps.ts';
import { type Alert, type AlertKind, emptyAlert } from './types.ts';

/** One alert of a group, as Prometheus' Alertmanager and Grafana write it in a webhook. */
export const PrometheusAlert = z.object({
  status: scalarText,
  labels: labelMap,
  annotations: annotationMap,
  startsAt: moment,
  generatorURL: webUrl,
  fingerprint: scalarText,
  /** The rest is Grafana's alone. */
  dashboardURL: webUrl,
  panelURL: webUrl,
  silenceURL: webUrl,
  valueString: scalarText,
});
export type PrometheusAlert = z.output<typeof PrometheusAlert>;

export function isResolved({ status }: PrometheusAlert): boolean {
  return status.toLowerCase() === 'resolved';
}

/** What it says, but for its identity. */
export function alertOf(format: string, entry: PrometheusAlert): Alert {
  const { labels, annotations } = entry;
  const { fields, tags } = fromLabelMap(labels);
  const summary = labelNamed(annotations, 'summary', 'title');
  const details = labelNamed(annotations, 'description', 'message') ?? summary;
  const title = titleOf(labels.alertname ?? '', summary ?? details ?? '');
  return {
    ...emptyAlert(format),
    ...fields,
    kind: isResolved(entry) ? 'resolved' : 'firing',
    title: title ?? 'Alert without a name',
    description: descriptionOf(annotations, entry.valueString) ?? title,
    triggeredAt: entry.startsAt,
    alertUrl: entry.generatorURL,
    errorMessage: toErrorMessage(details),
    tags,
  };
}

/** The rule and what it says now; not twice where the summary begins with the rule's name. */
function titleOf(name: string, summary: string): string | null {
  const isNamed = name !== '' && summary.toLowerCase().startsWith(name.toLowerCase());
  return toTitle((isNamed ? [summary] : [name, summary]).filter(Boolean).join(': '));
}

/** The pages that its annotations name, and those that Grafana adds. */
export function linksOfAlert(entry: PrometheusAlert): ReceivedAlert['links'] {
  const { annotations } = entry;
  return linksTo(
    ['Runbook', labelNamed(annotations, 'runbook_url', 'runbook')],
    ['Dashboard', entry.dashboardURL ?? labelNamed(annotations, 'dashboard_url', 'dashboard')],
    ['Panel', entry.panelURL],
    ['Source', entry.generatorURL],
    ['Silence', entry.silenceURL],
  );
}

/** Labels that both tools write for themselves are left out. */
export function withoutPrivate(labels: Labels): Labels {
  const isPrivate = (name: string) => name.startsWith('__');
  if (!Object.keys(labels).some(isPrivate)) return labels;
  return Object.fromEntries(Object.entries(labels).filter(([name]) => !isPrivate(name)));
}

const MAX_DESCRIPTION = 20_000;

/** What people wrote: the description first, then the other annotations by name, without links; then the values. */
function descriptionOf(annotations: Labels, values: string): string | null {
  const main = ['description', 'message', 'summary'];
  const texts = main.flatMap((name) => annotations[name] ?? []);
  const others = sortedPairs(withoutPrivate(annotations))
    .filter(([name, value]) => !main.includes(name) && !/^https?:/u.test(value))
    .map(([name, value]) => `${name}: ${value}`);
  const measured = values === '' ? [] : [`Values: ${values}`];
  return (
    [...new Set(texts), ...others, ...measured].join('\n\n').slice(0, MAX_DESCRIPTION).toWellFormed() || null
  );
}

/** The result of a check by Nagios or a relative (Checkmk, Icinga), of a host or of a service on it. */
interface Check {
  host: string;
  /** The check's own name (`disk /var`); `null` if the host itself is checked. */
  service: string | null;
  /** `OK`, `CRITICAL`, `DOWN`, …, as written. */
  state: string;
  /** Why it was sent (`PROBLEM`, `RECOVERY`, `ACKNOWLEDGEMENT`, …); `null` if only the state tells. */
  notification: string | null;
  /** The plugin's output. */
  output: string | null;
}

const OVER = /^(?:OK|UP)\b/iu;
const ON = /^(?:CRITICAL|WARNING|UNKNOWN|DOWN|UNREACHABLE)\b/iu;
const NOTED = /ACKNOWLEDGE|DOWNTIME|FLAPPING|CUSTOM/iu;

/** The alert for a check. Acknowledgements and downtimes repeat the bad state, and are not alerts. */
export function alertFromCheck(
  format: string,
  check: Check,
): Pick<Alert, 'kind' | 'title' | 'severity' | 'service' | 'host' | 'errorMessage' | 'fingerprint'> {
  const { host, service, state, output } = check;
  const kind = kindOf(check);
  return {
    kind,
    title: toTitle(service === null ? `${host} ${state}` : `${service} on ${host}`),
    severity: kind === 'resolved' ? null : (severityOf(state) ?? severityOf(leadOf(output ?? ''))),
    service,
    host,
    errorMessage: output,
    fingerprint: fingerprintOf(format, host, service ?? ''),
  };
}

function kindOf({ state, notification }: Check): AlertKind {
  const sent = notification?.toUpperCase();
  if (NOTED.test(`${notification ?? ''} ${state}`)) return 'not_an_alert';
  if (sent === 'RECOVERY' || (sent === undefined && OVER.test(state))) return 'resolved';
  return sent === 'PROBLEM' || (sent === undefined && ON.test(state)) ? 'firing' : 'not_an_alert';
}

/** Plugin output begins with the state: `CRITICAL - Host Unreachable`, `DISK WARNING: 9% left`. */
function leadOf(output: string): string {
  return /^(?:\w+ )?(CRITICAL|WARNING)\b/u.exec(output)?.[1] ?? '';
}

const TITLE = /^\s*(?:Host|Service) ([A-Z]{2,30})(?: \([^)\n]{1,40}\))? notification\b/iu;
const FOOTER = /^\s*(\w{2,20}) notification: (.*)$/su;
/** Lines of the second attachment that are not plugin output. */
const FURNITURE = /^(?:Url:|Please take a look:)/iu;

/**
 * The two attachments that the scripts of Nagios and Checkmk send: the problem, and `Additional Info`. The footer names
 * the tool; without a footer, the sender's name does.
 */
export function extractCheckNotification(
  { attachments, names }: MessageContent,
  format: string,
  tool: RegExp,
): Alert | null {
  const main = attachments.find(({ title }) => TITLE.test(plainText(title)));
  const sent = TITLE.exec(plainText(main?.title ?? ''))?.[1];
  if (main === undefined || sent === undefined) return null;
  const [signed, stamp] = signature(attachments);
  if (!(signed === null ? names : [signed]).some((name) => tool.test(name))) return null;

  const facts = factsOf(main.text);
  const host = factNamed(facts, 'host');
  const service = factNamed(facts, 'service');
  if (host === null) return null;
  const more = attachments.filter((part) => part !== main).map(({ text }) => text);
  const check = alertFromCheck(format, {
    host: host.value.replace(/ \(IP: [^)\n]{0,300}\)$/u, ''),
    service: service?.value ?? null,
    state: statedValue(facts, 'state') ?? '',
    notification: sent,
    output: toErrorMessage(outputOf(more.join('\n'))),
  });
  const text = attachments.map((part) => attachmentText({ ...part, footer: '' })).join('\n');
  return {
    ...emptyAlert(format),
    ...check,
    description: toDescription(text, check.title),
    triggeredAt: stamp === null ? null : timestampIn(stamp),
    alertUrl: service?.url ?? factNamed(factsOf(more.join('\n')), 'url')?.url ?? host.url,
  };
}

/** The tool and the time in a footer. */
function signature(attachments: readonly Attachment[]): [string, string] | [null, null] {
  for (const { footer } of attachments) {
    const [, name, stamp] = FOOTER.exec(footer) ?? [];
    if (name !== undefined && stamp !== undefined) return [name, stamp];
  }
  return [null, null];
}

function outputOf(mrkdwn: string): string {
  return plainText(mrkdwn)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !FURNITURE.test(line))
    .join('\n');
}

/** A CloudWatch alarm, as the tools that forward it describe it. */
export interface CloudWatchAlarm {
  name: string;
  /** `ALARM`, `OK` or `INSUFFICIENT_DATA`. */
  state: string;
  /** The account ID, if the message states it. */
  account: string | null;
  /** As in the message: a region code or a display name. */
  region: string | null;
  /** Why the state changed; it mentions the threshold in every state. */
  reason: string | null;
  alertUrl: string | null;
}

/** The alert for an alarm, identified by account, region and name. */
export function alertFromAlarm(format: string, alarm: CloudWatchAlarm): Alert {
  const { name, account, region, reason, alertUrl } = alarm;
  return {
    ...emptyAlert(format),
    kind: kindOfAlarm(alarm.state),
    title: toTitle(name),
    region,
    triggeredAt: timestampIn(reason ?? ''),
    alertUrl,
    errorMessage: toErrorMessage(reason),
    fingerprint: fingerprintOf(format, 'alarm', account ?? '', region ?? '', name),
  };
}

/** `INSUFFICIENT_DATA` is neither firing nor resolved. */
function kindOfAlarm(state: string): AlertKind {
  const word = state.toUpperCase();
  if (word === 'ALARM') return 'firing';
  return word === 'OK' ? 'resolved' : 'not_an_alert';
}
