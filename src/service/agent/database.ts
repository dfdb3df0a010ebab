import { z } from 'zod';
import type { LookedInside } from '../databases/databases.ts';
import { CAUSES, type DatabaseFact } from '../databases/fact.ts';
import { deedOf } from '../databases/fingerprint.ts';
import type { Connected } from '../databases/system.ts';
import { joinNames, timeOfDay } from '../investigation/format.ts';
import { type Found, services, tool } from './tool.ts';
import type { Facts } from './types.ts';
import type { Turn } from './understand.ts';

const MOST_SHOWN = 6;
const MOST_CONNECTED = 10;

const ASPECTS = [
  'any',
  'blocking',
  'slow',
  'connections',
  'memory',
  'replication',
  'queues',
  'changes',
] as const;
type Aspect = (typeof ASPECTS)[number];

/**
 * The questions that only the inside answers, the kinds of facts that do, and what was read for them. How much there is of
 * something is a metric, and asked elsewhere.
 */
const BY_ASPECT: Readonly<
  Record<
    Exclude<Aspect, 'any'>,
    { asks: RegExp; kinds: readonly DatabaseFact['kind'][]; read: RegExp; nothing: string }
  >
> = {
  blocking: {
    asks: /\b(?:who|what|which|whom|anybody|anyone|anything)\b.*\b(?:block(?:s|ed|ing)?|hold(?:s|ing)? (?:the|a|an|which) .*lock|lock(?:s|ed|ing)?)\b|\bblocking (?:sessions?|quer\w+|chains?)\b|\block (?:chains?|waits?)\b|\bdeadlock\w*|\bidle in transaction\b/iu,
    kinds: ['blocked-sessions', 'idle-in-transaction', 'connections-blocked', 'alarm'],
    read: /lock|alarm/u,
    nothing: 'No session blocks another',
  },
  changes: {
    asks: /\b(?:what|which|has|have|did|anything|something|was|were)\b.*\b(?:changed?|dropped|different)\b/iu,
    kinds: [],
    read: /^$/u,
    nothing: '',
  },
  connections: {
    asks: /\bwho(?:se)?\b.*\bconnect\w*|\b(?:what|which|who)\b.*\b(?:holds?|uses?|takes?|has|have|opens?|keeps?)\b.*\b(?:connections?|sessions?|clients?)\b|\bconnections? (?:used up|exhausted)\b|\bconnected to\b/iu,
    kinds: ['connections-used-up', 'connections-blocked', 'idle-in-transaction'],
    read: /connection/u,
    nothing: 'Connections are within their limits',
  },
  replication: {
    asks: /\breplica\w*|\bstandby\b|\bfollower\b|\breplication\b|\bslots?\b/iu,
    kinds: ['replication-behind', 'replica-without-source', 'log-kept-by-slot'],
    read: /replication|slots/u,
    nothing: 'No replica is behind',
  },
  memory: {
    asks: /\bwhy\b.*\b(?:full|memory|evict\w*|oom)\b|\b(?:what|which|who)\b.*\b(?:fills?|filling|memory|keys?|prefix\w*)\b|\bwithout (?:an )?(?:expiry|expiration|ttl)\b/iu,
    kinds: ['memory-full', 'save-failed', 'alarm'],
    read: /memory|keys|alarm/u,
    nothing: 'Memory is within its limit',
  },
  slow: {
    asks: /\b(?:slow\w*|heav(?:y|iest)|expensive|longest)\b|\b(?:which|what)\b.*\b(?:quer(?:y|ies)|statements?|commands?)\b|\bsequential scans?\b/iu,
    kinds: [
      'statement-slower',
      'statement-heavy',
      'sequential-scans',
      'slow-commands',
      'temporary-files',
      'blocked-sessions',
    ],
    read: /statement|scan|slow/u,
    nothing: 'No statement is slower than it was',
  },
  queues: {
    asks: /\b(?:who|which|what|does|has|is|are)\b.*\b(?:consum\w+|acknowledg\w+|redeliver\w*|poison\w*)\b/iu,
    kinds: [
      'queue-without-consumer',
      'queue-not-acknowledged',
      'queue-redelivered',
      'alarm',
      'connections-blocked',
    ],
    read: /queue|alarm/u,
    nothing: 'Every queue with messages has a consumer',
  },
};
const AMOUNT =
  /\bhow (?:many|much|full|often|long|fast)\b|\bper (?:second|minute)\b|\brate\b|\bnumber of\b/iu;

/** Names of products, and of what they are, as people write them. */
const PRODUCTS = {
  postgres: /\bpostgres(?:ql)?\b|\bpg\b/iu,
  mysql: /\bmysql\b|\bmariadb\b/iu,
  redis: /\bredis\b|\bvalkey\b|\bcache\b/iu,
  rabbitmq: /\brabbit(?:mq)?\b|\bbroker\b|\bqueues?\b/iu,
} as const;
const DATABASE = /\bdatabases?\b|\bdb\b|\bsql\b/iu;

const input = z.object({ services, about: z.enum(ASPECTS).default('any') });

/** Who blocks whom? What is slow in orders? Who is connected to postgres? Why is redis full? */
export const database = tool({
  name: 'database',
  answers:
    'the inside of a configured database or broker as it is now: who blocks whom, slow statements, connections, memory, replicas, queues, and what changed inside',
  example: 'Who blocks whom?',
  input,
  // What asks for it is known only where a database is configured: `insideAsked`.
  fill: ({ question, named: own }) => ({
    services: [...own, ...productsIn(question)],
    about: aspectIn(question),
  }),
  run: answer,
});

/** Whether a question is about the inside of one of these databases: it names one, and asks what only the inside shows. */
export function insideAsked(
  { question, named: own }: Pick<Turn, 'question' | 'named'>,
  all: readonly Named[],
): boolean {
  if (all.length === 0 || AMOUNT.test(question)) return false;
  const aspect = aspectIn(question);
  if (aspect === 'any') return false;
  const isNamed = named([...own, ...productsIn(question)], all).length > 0 || DATABASE.test(question);
  return isNamed || (own.length === 0 && (aspect === 'blocking' || aspect === 'replication'));
}

function productsIn(question: string): string[] {
  return Object.entries(PRODUCTS)
    .filter(([, words]) => words.test(question))
    .map(([system]) => system);
}

function aspectIn(question: string): Aspect {
  const found = Object.entries(BY_ASPECT).find(([, { asks }]) => asks.test(question))?.[0];
  return ASPECTS.find((aspect) => aspect === found) ?? 'any';
}

interface Named {
  name: string;
  system: string;
}

/** Those that are named, by their own names or their products'. */
function named<T extends Named>(names: readonly string[], all: readonly T[]): T[] {
  return all.filter(({ name, system }) => names.includes(name) || names.includes(system));
}

async function answer({ services: names, about }: z.output<typeof input>, facts: Facts): Promise<Found> {
  const { inside } = facts;
  if (inside === null)
    return {
      data: { connected: false },
      text: 'No database is connected, so I can’t see inside one: set `DATABASES`.',
    };
  const wanted = named(names, inside.all);
  const asked = wanted.length > 0 ? wanted : inside.all;
  const looked = await Promise.all(asked.map(({ name }) => inside.look(name, 'question')));
  for (const one of looked) for (const fact of relevant(one, about)) facts.evidenceStore.rows(fact);
  const isAbout = (one: LookedInside) =>
    relevant(one, about).length > 0 || (about === 'changes' && one.changes.length > 0);
  const shown = looked.length > 1 && looked.some(isAbout) ? looked.filter(isAbout) : looked;
  return {
    data: {
      databases: shown.map((one) => ({
        name: one.database,
        facts: relevant(one, about).map(({ kind, object, sentence, steps }) => ({
          kind,
          object,
          sentence,
          steps: steps.map(({ content }) => content),
        })),
        connected: one.connected.slice(0, MOST_CONNECTED),
        changes: one.changes.slice(-MOST_SHOWN).map((change) => ({
          what: deedOf(change),
          after: new Date(change.after).toISOString(),
          before: new Date(change.before).toISOString(),
        })),
        unread: one.unread,
        read: one.read,
      })),
    },
    text: shown.map((one) => told(one, about, looked.length > 1)).join('\n\n'),
  };
}

function relevant({ facts }: LookedInside, about: Aspect): DatabaseFact[] {
  if (about === 'any') return facts.slice(0, MOST_SHOWN);
  const { kinds } = BY_ASPECT[about];
  // That it refuses or hangs answers every question about it.
  return facts
    .filter(
      ({ kind }) =>
        kinds.includes(kind) ||
        kind === 'unreachable' ||
        kind === 'slow' ||
        (kind === 'connections-used-up' && facts.length === 1),
    )
    .slice(0, MOST_SHOWN);
}

function told(one: LookedInside, about: Aspect, isOneOfMany: boolean): string {
  const own = relevant(one, about);
  const head = isOneOfMany ? [`**${one.database}**`] : [];
  const facts = own.map(factLines);
  const others = one.facts.filter((fact) => !own.includes(fact) && fact.weight >= CAUSES);
  const also =
    others.length > 0 ? [`Also wrong there: ${others.map(({ sentence }) => sentence).join(' ')}`] : [];
  const changes = about === 'changes' || about === 'any' ? changeLines(one, about) : [];
  const connected = about === 'connections' ? connectedLines(one.connected) : [];
  const nothing =
    own.length === 0 && connected.length === 0 && about !== 'changes' ? [nothingIn(one, about)] : [];
  return [...head, ...facts, ...nothing, ...connected, ...changes, ...also, ...one.unread].join('\n');
}

function factLines({ sentence, steps }: DatabaseFact): string {
  return [
    `- ${sentence}`,
    ...steps
      .slice(0, 3)
      .map(
        ({ title, type, content, note }) =>
          `  - ${title}: ${type === 'info' ? content : `\`${content}\``}${note === undefined ? '' : ` (${note.replace(/\.$/u, '')})`}`,
      ),
  ].join('\n');
}

/** A negative sentence counts what was looked at. */
function nothingIn({ database, read }: LookedInside, about: Aspect): string {
  const of = about === 'any' ? read : read.filter((what) => BY_ASPECT[about].read.test(what));
  return of.length === 0
    ? `I can’t tell: I did not read that from ${database}.`
    : `${about === 'any' ? 'Nothing is wrong inside' : `${BY_ASPECT[about].nothing} in`} ${database} now: I looked at ${joinNames(of)}${about === 'blocking' ? ' once, so shorter waits may be missing' : ''}.`;
}

function changeLines({ database, changes, comparedWith }: LookedInside, about: Aspect): string[] {
  if (changes.length === 0)
    return about === 'changes'
      ? [
          comparedWith === null
            ? `I can’t tell what changed inside ${database}: I have no earlier state to compare with.`
            : `Nothing that I track changed inside ${database} since ${timeOfDay(comparedWith)}, nor in the days before, as far as I looked: settings, indexes, tables, limits, versions.`,
        ]
      : [];
  const shown = about === 'changes' ? changes.slice(-2 * MOST_SHOWN) : changes.slice(-3);
  return [
    `Changed inside ${database}:`,
    ...shown
      .toReversed()
      .map(
        (change) => `- ${deedOf(change)} between ${timeOfDay(change.after)} and ${timeOfDay(change.before)}`,
      ),
  ];
}

function connectedLines(connected: readonly Connected[]): string[] {
  if (connected.length === 0) return [];
  const shown = connected
    .slice(0, MOST_CONNECTED)
    .map(({ who, connections, doing }) => `- ${who}: ${connections}${doing === '' ? '' : ` (${doing})`}`);
  const more = connected.length - shown.length;
  return ['Connected:', ...shown, ...(more > 0 ? [`- ${more} more`] : [])];
}
