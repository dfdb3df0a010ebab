import { z } from 'zod';
import type { ServiceOwner } from '../../contract/schema.ts';
import { isNamed, matches } from '../../lib/owners.ts';
import { joinNames } from '../investigation/format.ts';
import { concernedBy } from './issue-scope.ts';
import { hostsOf, isRunOf, knownAs } from './names.ts';
import { services, tool } from './tool.ts';
import type { Facts } from './types.ts';

/** What is owned. What stands for the issue, or for its service, names nothing else. */
const OWNED =
  /\b(?:owns?|owners? of|runs?|holds?|for|of|maintains?|about)\s+(?:the\s+|(that|this|our)\s+)?(?!(?:this|that|it|these|those|the|issue|service|alert|now|today|tonight|us|here|whom?)\b)([a-z0-9](?:[\w.-]*\w)?)/iu;

const OWNER = /^(?:label_|annotation_)?(?:team|owner|owned_by|squad)$/u;
const OWNED_THING = /^(?:deployment|statefulset|daemonset|service|service_name|app|application|workload)$/u;
const MOST_METRICS = 2;
const MINUTE = 60_000;

/** Who owns what, as labels of metrics say it: `kube_deployment_labels{label_team="…"}`. */
async function labelled({ catalog, evaluate, now }: Facts): Promise<ServiceOwner[]> {
  const metrics = [...(catalog?.metrics.values() ?? [])].flatMap(({ name, labels }) => {
    const [owner, thing] = [OWNER, OWNED_THING].map((pattern) =>
      Object.keys(labels).find((label) => pattern.test(label)),
    );
    return owner === undefined || thing === undefined ? [] : [{ name, owner, thing }];
  });
  const found: ServiceOwner[] = [];
  for (const { name, owner, thing } of metrics.slice(0, MOST_METRICS)) {
    const expression = `group by (${thing}, ${owner}) (${name}{${owner}!=""})`;
    const reading = await evaluate(expression, { from: now - MINUTE, to: now + 1 });
    for (const { labels } of reading.known ? reading.value : [])
      found.push({ ...NOBODY, service: labels[thing] ?? '', name: labels[owner] ?? '' });
  }
  return found;
}

/** Who owns this? Whom do I wake? */
export const owners = tool({
  name: 'owners',
  answers: 'who owns a service or what an issue is about, and who is on call for it',
  example: 'Who owns {service}?',
  input: z.object({
    services,
    /** What the question names and no telemetry knows. */
    other: z.string().max(200).nullable().default(null),
    /** Whether it is asked of the issue of the conversation. */
    isOfThread: z.boolean().default(true),
    /** Whether that may be a part of what the issue is about: `that certificate`. */
    isPart: z.boolean().default(false),
    onCall: z.boolean().default(false),
  }),
  isOffline: true,
  fill: ({ question, named, numberNamed, threadNumber }) => ({
    services: [...named],
    other: OWNED.exec(question)?.[2] ?? null,
    isOfThread: numberNamed === null || numberNamed === threadNumber,
    isPart: OWNED.exec(question)?.[1] !== undefined,
    onCall: /\bon[- ]?call\b|\b(?:call|wake|page)\b/iu.test(question),
  }),
  run: async ({ services: named, other, isOfThread, isPart, onCall }, facts) => {
    const { thread } = facts;
    const ofWord = other === null ? [] : [other];
    const asked = named.length > 0 ? named : ofWord;
    const ofNames = await ownersOf(asked, facts);
    const ofNamed = ofNames.length > 0 || asked === ofWord ? ofNames : await ownersOf(ofWord, facts);
    const isOfIssue = ofNamed.length === 0 && (asked.length === 0 || (named.length === 0 && isPart));
    const told = isOfIssue && isOfThread ? facts.owners : [];
    const involved = thread === null ? [] : [thread.issue.service ?? '', ...concernedBy(thread)];
    const ofIssue = !isOfIssue || told.length > 0 ? told : await ownersOf(involved, facts);
    const found = ofNamed.length > 0 ? ofNamed : ofIssue;
    const subject = asked.length > 0 ? joinNames(asked) : thread === null ? 'it' : `#${thread.issue.number}`;
    const unknown = `I don’t know who owns ${subject}`;
    const isUnknown = onCall && found.every((one) => one.on_call.length === 0);
    return {
      data: { owners: found },
      text:
        found.length === 0
          ? `${unknown}: add it to the \`OWNERS\` file.`
          : [
              ...(isOfIssue && asked.length > 0 ? [`${unknown}.`] : []),
              ownedInWords(found),
              ...(isUnknown ? ['I don’t know who is on call.'] : []),
              ...(thread !== null && found.some(({ channel }) => channel !== null)
                ? ['The card links to the channel to ask in.']
                : []),
            ].join(' '),
    };
  },
});

/** Owners of these by any of their names, as the client says, else as a file does, else as labels do. */
export async function ownersOf(names: readonly string[], facts: Facts): Promise<ServiceOwner[]> {
  const asked = [...new Set(names.filter((name) => name !== ''))];
  const ofFile = facts.owned.map(({ services: service, name }) => ({ ...NOBODY, service, name }));
  for (const told of [() => facts.owners, () => ofFile, () => labelled(facts)]) {
    const all = asked.length === 0 ? [] : await told();
    const found = asked.flatMap((name) => ownersAmong(all, name, facts));
    if (found.length > 0) return found;
  }
  return [];
}

const NOBODY = { on_call: [], channel: null };

/** Of what is called so, or in part, by its own name, else by its hosts and pods; who owns all of any kind comes last. */
function ownersAmong(all: readonly ServiceOwner[], name: string, { view }: Facts): ServiceOwner[] {
  const isCalled = (is: (one: string) => boolean) => view.services().filter((one) => knownAs(one).some(is));
  const own = isCalled((one) => one === name);
  const things = own.length > 0 ? own : isCalled((one) => isRunOf(name, one));
  const called = things.flatMap(knownAs).flatMap((one) => [one, ...hostsOf({ name: one })]);
  for (const isOf of things.length === 0 ? [isNamed] : [isNamed, matches])
    for (const some of [[name], called]) {
      const found = some.flatMap(
        (one) => all.find(({ service }) => service !== null && isOf(service, one)) ?? [],
      );
      const teams = [...new Map(found.map((one) => [one.name, one])).values()];
      if (teams.length > 0) return teams.map((one) => (teams.length === 1 ? { ...one, service: name } : one));
    }
  return [];
}

/** `**team-print** owns plate-sender; on call: Ana.` Empty for none. */
export function ownedInWords(found: readonly ServiceOwner[]): string {
  return [...new Map(found.map((one) => [`${one.service} ${one.name}`, one])).values()]
    .map(
      ({ service, name, on_call: people }) =>
        `**${name}** owns ${service ?? 'it'}${people.length === 0 ? '' : `; on call: ${joinNames(people)}`}.`,
    )
    .join(' ');
}
