import { z } from 'zod';
import { each, type Steps } from '../shared/turns.ts';
import type { ReceivedAlert, WebhookReading } from './format.ts';
import {
  annotationMap,
  fromLabelMap,
  itemsOf,
  type Labels,
  labelMap,
  labelNamed,
  linksTo,
  moment,
  notAnObject,
  scalarText,
  sortedPairs,
  tooMany,
  webUrl,
} from './payload.ts';
import { toErrorMessage, toTitle } from './slack-text.ts';
import { type Alert, emptyAlert } from './types.ts';

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

const Group = z.object({
  alerts: z.unknown().optional(),
  status: scalarText,
  truncatedAlerts: z.number().int().positive().catch(0),
});

/** What a group of alerts is to its tool: where people configure it, and the rules that are no alerts. */
interface GroupOf {
  tool: string;
  /** Where a payload of one's own is set. */
  custom: string;
  tests: ReadonlySet<string>;
  onlyTests: string;
  /** Its setting for how many alerts a webhook holds. */
  limit: string;
}

/** A webhook with a group of alerts, each of them read by what `read` makes of the group. */
export function* readGroup(
  { tool, custom, tests, onlyTests, limit }: GroupOf,
  body: unknown,
  read: (real: readonly PrometheusAlert[], isOver: boolean) => (entry: PrometheusAlert) => ReceivedAlert,
): Steps<WebhookReading> {
  const parsed = Group.safeParse(body);
  if (!parsed.success) return notAnObject(tool);
  const { alerts, status, truncatedAlerts: left } = parsed.data;
  const list = yield* itemsOf(alerts, PrometheusAlert);
  if (list === null) {
    const why = `If ${custom}, remove it, or send it to a source with a field map.`;
    return { kind: 'refused', reason: `The body has no list \`alerts\`. ${why}` };
  }
  const real = list.items.filter(({ labels }) => !tests.has(labels.alertname ?? ''));
  if (real.length === 0)
    return { kind: 'nothing', reason: list.items.length > 0 ? onlyTests : 'Its list of alerts is empty.' };
  const notes = [
    ...(left > 0 ? [`${tool} left out ${left === 1 ? 'one alert' : `${left} alerts`} (\`${limit}\`).`] : []),
    ...(list.more > 0 ? [tooMany(list.more)] : []),
  ];
  const isOver = status === '' ? real.every(isResolved) : status.toLowerCase() === 'resolved';
  return {
    kind: 'alerts',
    alerts: yield* each(real, read(real, isOver)),
    ...(notes.length > 0 ? { note: notes.join(' ') } : {}),
  };
}
