import type { ServiceOwner } from '../../contract/schema.ts';
import { joinNames } from '../investigation/format.ts';
import type { Budget } from '../telemetry/budget.ts';
import type { TelemetrySource } from '../telemetry/source.ts';
import type { Catalog } from './catalog/find.ts';
import { concernedBy } from './issue-scope.ts';
import type { IssueScope } from './types.ts';
import type { Turn } from './understand.ts';

/** What is owned. What stands for the issue, or for its service, names nothing else. */
const OWNED =
  /\b(?:owns?|owners? of|for|of|maintains?|about)\s+(?:the\s+)?(?!(?:this|that|it|these|those|the|issue|service|alert|now|today|tonight|us|here|whom?)\b)([a-z0-9](?:[\w.-]*\w)?)/iu;

const OWNER = /^(?:label_|annotation_)?(?:team|owner|owned_by|squad)$/u;
const OWNED_THING = /^(?:deployment|statefulset|daemonset|service|service_name|app|application|workload)$/u;
const MOST_METRICS = 2;
const MINUTE = 60_000;

/** Who owns what, as labels of metrics say it: `kube_deployment_labels{label_team="…"}`. */
export async function ownersLabelled(
  telemetry: TelemetrySource,
  catalog: Catalog | null,
  { now, budget }: { now: number; budget: Budget },
): Promise<ServiceOwner[]> {
  const labelled = [...(catalog?.metrics.values() ?? [])].flatMap(({ name, labels }) => {
    const [owner, thing] = [OWNER, OWNED_THING].map((pattern) =>
      Object.keys(labels).find((label) => pattern.test(label)),
    );
    return owner === undefined || thing === undefined ? [] : [{ name, owner, thing }];
  });
  const found: ServiceOwner[] = [];
  for (const { name, owner, thing } of labelled.slice(0, MOST_METRICS)) {
    const expression = `group by (${thing}, ${owner}) (${name}{${owner}!=""})`;
    const reading = await telemetry.evaluate?.(expression, { from: now - MINUTE, to: now + 1 }, budget);
    for (const { labels } of reading?.known ? reading.value : [])
      found.push({ service: labels[thing] ?? '', name: labels[owner] ?? '', on_call: [], channel: null });
  }
  return found;
}

/** Who owns what a question names, else what its issue is about: as the client says, else as labels do. */
export function ownersInWords(
  { question, named, numberNamed, threadNumber }: Turn,
  { told, labelled }: { told: readonly ServiceOwner[]; labelled: readonly ServiceOwner[] },
  scope: IssueScope | null,
): string {
  const issue = scope?.issue ?? null;
  const other = OWNED.exec(question)?.[1];
  const asked = named.length > 0 ? named : other === undefined ? [] : [other];
  const names = asked.map((name) => name.toLowerCase());
  const isOfThread = numberNamed === null || numberNamed === threadNumber;
  const involved = scope === null ? [] : [scope.issue.service, ...concernedBy(scope)];
  const ownedBy = (owners: readonly ServiceOwner[], own: readonly (string | null | undefined)[]) =>
    [...new Set(own)].flatMap((name) => owners.filter(({ service }) => service?.toLowerCase() === name));
  const byClient = names.length > 0 ? ownedBy(told, names) : isOfThread ? told : [];
  const found = byClient.length > 0 ? byClient : ownedBy(labelled, names.length > 0 ? names : involved);
  if (found.length === 0) {
    const subject = asked.length > 0 ? joinNames([...asked]) : issue === null ? 'it' : `#${issue.number}`;
    return `I don’t know who owns ${subject}: add it to the \`OWNERS\` file.`;
  }
  const sentences = [...new Map(found.map((one) => [`${one.service} ${one.name}`, one])).values()].map(
    ({ service, name, on_call: onCall }) =>
      `**${name}** owns ${service ?? 'it'}${onCall.length === 0 ? '' : `; on call: ${joinNames(onCall)}`}`,
  );
  const isUnknown = /\bon[- ]?call\b/iu.test(question) && found.every((one) => one.on_call.length === 0);
  return `${sentences.join('. ')}.${isUnknown ? ' I don’t know who is on call.' : ''}${
    issue !== null && found.some(({ channel }) => channel !== null)
      ? ' The card links to the channel to ask in.'
      : ''
  }`;
}
