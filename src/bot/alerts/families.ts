import { z } from 'zod';
import type { ReceivedAlert } from './format.ts';
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
