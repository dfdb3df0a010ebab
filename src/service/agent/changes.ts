import { z } from 'zod';
import { joinNames, timeOfDay } from '../investigation/format.ts';
import type { Change } from '../telemetry/model.ts';
import { isOfRuntime } from './catalog/find.ts';
import { echo } from './echo.ts';
import { concernedBy } from './issue-scope.ts';
import { momentOf } from './moment.ts';
import { sameAs } from './names.ts';
import { type Found, services, tool, window } from './tool.ts';
import { DEEDS, deedIn, effectOf } from './tools/effect.ts';
import { metricRows } from './tools/series.ts';
import { blamedAt, blameOf, isBlamedChange, verdictOf } from './tools/verdict.ts';
import type { Facts, IssueScope } from './types.ts';
import { changesCalledIn, changesNamedIn, MAY_BE_NAMED, mayNameChange } from './unknown.ts';
import { effectInWords } from './words/effect.ts';
import { blameInWords, withoutCause } from './words/verdict.ts';

const MOST_CHANGES = 10;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** How long before an issue changes are listed. */
const BEFORE_ONSET = 2 * HOUR;
/** Two sources see one deploy up to so far apart. */
const SAME_CHANGE = 5 * MINUTE;
/** Where nothing changed in the time that is asked about, the last one before is looked for so far back. */
const LAST_BEFORE = 7 * DAY;
const MOST_FILES = 3;
/** A cause is looked for so many calls away. */
const MOST_CALLS = 2;

const EARLIER = /\bbefore (?:that|this|it|then)\b/iu;

const input = z.object({
  services,
  ...window,
  /**
   * A list, whether what was done helped, which version runs, who did it or why, which commit, or what is known of a name
   * otherwise.
   */
  about: z.enum(['list', 'effect', 'version', 'who', 'why', 'commit', 'named']).default('list'),
  done: z.enum(DEEDS).nullable().default(null),
  version: z.string().max(50).nullable().default(null),
  earlier: z.boolean().default(false),
  /** The question, where it may name who made a change or its version. */
  asked: z.string().max(1_000).default(''),
});
type ChangesArgs = z.output<typeof input>;

/** What changed? Which deploy? Did the rollback help? */
export const changes = tool({
  name: 'changes',
  answers:
    'deploys, rollbacks, configuration and other changes over a time, of a service and what it depends on; which version runs; whether a rollback helped',
  example: 'What changed before 14:05?',
  input,
  fill: (turn, facts): z.input<typeof input> => {
    const { words, question } = turn;
    const about =
      turn.aspect === 'effect' || turn.aspect === 'who' || turn.aspect === 'why' || turn.aspect === 'named'
        ? turn.aspect
        : /\bcommit|\bprs?\b|\bpull request|\bdiff\b/iu.test(words)
          ? 'commit'
          : /\b(?:which|what)\b.*\bversions?\b|\bversions?\b.*\b(?:now|running|current|live|deployed|on|runs?)\b|\bcurrent version/iu.test(
                words,
              )
            ? 'version'
            : 'list';
    const earlier = EARLIER.test(question);
    const isPast = turn.at < facts.now;
    return {
      services: [...turn.services],
      about,
      done: deedIn(words),
      version: about === 'version' ? (/\bv?(\d+(?:\.\d+)+\S*)/iu.exec(question)?.[1] ?? null) : null,
      earlier,
      asked: mayNameChange(turn) ? question.slice(0, 1_000) : '',
      ...(turn.timed && !earlier
        ? { from: turn.window.from, to: isPast ? turn.window.to : facts.now + 1 }
        : {}),
    };
  },
  run: async (args, facts) => {
    if (args.about === 'effect' && facts.scope !== null) {
      const found = await effectOf(facts.scope, facts, args.done);
      return { data: { ...found }, ...effectInWords(found) };
    }
    const running = args.about === 'version' ? await runningOf(args, facts) : [];
    return running.length === 0 ? await listed(args, facts) : await versions(args, running, facts);
  },
});

type Running = { service: string; version: string; count: number };

const VERSION = ['version', 'image', 'image_tag', 'tag'];

/** What runs now, as a metric of what was built or a container's image says it. */
async function runningOf({ services: named }: ChangesArgs, facts: Facts): Promise<Running[]> {
  const services =
    named.length > 0 ? named : [facts.scope?.issue.service ?? facts.scope?.symptom ?? []].flat();
  const infos = [...(facts.catalog?.metrics.values() ?? [])].filter(
    ({ name }) => /_info$/u.test(name) && !isOfRuntime(name),
  );
  const all = services.map(async (service): Promise<Running[]> => {
    for (const { name, labels } of infos) {
      const by = VERSION.find((label) => label in labels);
      const own = Object.keys(labels).find((label) => labels[label]?.includes(service));
      if (by === undefined || own === undefined) continue;
      const where = `${own}=${JSON.stringify(service)}`;
      const rows = await metricRows(name, { how: 'count', by, where }, facts);
      if (rows.length > 0)
        return rows.map(({ labels: { [by]: value = '' }, now }) => ({
          service,
          version: value.replace(/^.*[:@](?=[^/]+$)/u, ''),
          count: now ?? 0,
        }));
    }
    return [];
  });
  return (await Promise.all(all)).flat();
}

async function versions({ version }: ChangesArgs, running: readonly Running[], facts: Facts): Promise<Found> {
  const changed = await facts.changes({ from: facts.now - 7 * DAY, to: facts.now + 1 });
  const since = (one: Running | undefined) => {
    const change = changed.findLast(
      ({ service, version }) => service === one?.service && version === one?.version,
    );
    return change === undefined ? '' : ` since ${momentOf(change.at, facts.now)}`;
  };
  const lines = running.map((one) => `- ${one.service}: ${one.version}${since(one)} (${one.count})`);
  const [first] = running;
  return {
    data: { running },
    ...(version !== null && {
      says: {
        relation: 'runs_version',
        holds: running.some((one) => one.version.replace(/^v/u, '') === version),
      },
    }),
    text:
      running.length === 1
        ? `${first?.service} ${since(first) === '' ? 'is' : 'has been'} running ${first?.version}${since(first)} (${first?.count} ${first?.count === 1 ? 'instance' : 'instances'}).`
        : ['Running now:', '', ...lines].join('\n'),
  };
}

async function listed(args: ChangesArgs, facts: Facts): Promise<Found> {
  const { scope, now } = facts;
  const own = args.services.length > 0 ? args.services : scope === null ? [] : concernedBy(scope);
  // The services and what they depend on; all where none is known.
  const around = own.length === 0 ? null : withCallees(own, facts);
  const isAround = ({ service }: Change) => around === null || service === null || around.includes(service);
  const named = await namedOf(args, facts);
  const isOfTime = named === null || args.from !== undefined;
  const over = isOfTime ? windowOf(args, facts) : { from: now - MAY_BE_NAMED, to: now + 1 };
  const isMeant = (change: Change) =>
    named === null
      ? isAround(change)
      : named.changes.some(({ at, title }) => at === change.at && title === change.title);
  const all = (await facts.changes(over)).filter(isMeant);
  const chosen = onceEach(all).reverse();
  const span = `from ${momentOf(over.from, now)} to ${momentOf(over.to, now)}`;
  const where =
    named !== null
      ? `of ${joinNames(named.names)}`
      : around === null
        ? 'in any service'
        : `in ${joinNames(around)}`;
  const ofBlame = scope === null || named !== null ? [] : blamedIn(args, scope);
  const recorded = recordedOf(args, chosen);
  const unrecorded = recorded.length > 0 ? undefined : UNRECORDED[args.about];
  const said = [unrecorded ?? [], recorded, ofBlame].flat();
  const first = said.length > 0 ? [...said, ''] : [];
  // That none is blamed comes before those that there are.
  const isOfNone = ofBlame.length > 0 && scope !== null && blamedAt(scope) === null;
  const blamed = chosen.length === 0 ? () => false : blamedOf(args, facts);
  const data = {
    from: new Date(over.from).toISOString(),
    to: new Date(over.to).toISOString(),
    services: around,
    changes: chosen.slice(0, 5 * MOST_CHANGES).map((change) => ({
      at: new Date(change.at).toISOString(),
      service: change.service,
      kind: change.kind,
      title: change.title,
      version: change.version,
      ref: change.ref,
      url: change.url,
      precedesTheProblem: blamed(change),
    })),
  };
  const lineOf = (change: Change) => {
    const isCause = blamed(change);
    const at = isCause && scope !== null ? (blamedAt(scope)?.at ?? change.at) : change.at;
    return `- ${momentOf(at, now)}: ${described(change, named !== null)}${isCause ? ' **(the problem started right after this)**' : ''}`;
  };
  if (chosen.length === 0) {
    const before = (await facts.changes({ from: over.from - LAST_BEFORE, to: over.from })).findLast(isMeant);
    const last = before === undefined ? [] : ['', 'The last one before that:', lineOf(before)];
    const none = `No changes ${where} ${span}.`;
    return {
      data,
      text: [...first, none, ...last].join('\n'),
      says: { relation: 'changed', holds: false, text: '' },
      isUnknown: unrecorded !== undefined,
    };
  }
  for (const change of chosen.slice(0, MOST_CHANGES)) facts.evidenceStore.change(change);
  const head =
    named === null
      ? `Changes ${where} ${span}, newest first:`
      : args.about === 'named'
        ? `I can’t tell from what is recorded. Of ${joinNames(named.names)} I know only these changes, newest first:`
        : `Changes ${where}${isOfTime ? ` ${span}` : ''}, newest first:`;
  const more = chosen.length > MOST_CHANGES ? ['', `… and ${chosen.length - MOST_CHANGES} more.`] : [];
  return {
    data,
    text: [
      ...first,
      head,
      '',
      ...chosen.slice(0, MOST_CHANGES).map(lineOf),
      ...more,
      ...(args.about === 'named' && facts.thread !== null
        ? ['', blameInWords(await blameOf(facts.thread, { named: [], asked: args.asked }, facts))]
        : []),
    ].join('\n'),
    says:
      args.about === 'named' || isOfNone
        ? null
        : {
            relation: args.version === null ? 'changed' : 'runs_version',
            holds: runs(args, chosen) ?? true,
          },
    isUnknown: unrecorded !== undefined || args.about === 'named',
  };
}

async function namedOf({ asked, about, version }: ChangesArgs, facts: Facts) {
  if (asked === '' || about === 'version' || version !== null) return null;
  const all = await facts.changes({ from: facts.now - MAY_BE_NAMED, to: facts.now + 1 });
  const services = facts.view.services().map(({ name }) => name);
  return (
    changesNamedIn(asked, all) ??
    (about === 'who' || about === 'why' ? changesCalledIn({ question: asked, services }, all) : null)
  );
}

/** What a change is called, with who made it; with what it replaced and touched where it is asked about. */
function described({ title, url, authors = [], before, files = [] }: Change, isInFull: boolean): string {
  const more = files.length > MOST_FILES ? ` and ${files.length - MOST_FILES} more` : '';
  const parts = [
    ...(authors.length === 0 ? [] : [`by ${joinNames([...authors])}`]),
    ...(isInFull && before != null ? [`before: ${before}`] : []),
    ...(isInFull && files.length > 0
      ? [
          `files: ${files
            .slice(0, MOST_FILES)
            .map((path) => echo(path))
            .join(', ')}${more}`,
        ]
      : []),
    ...(url === null ? [] : [url]),
  ];
  return parts.length === 0 ? title : `${title} (${parts.join('; ')})`;
}

/** Whether the version that is asked about is the newest of its service; `null` if none is. */
function runs({ version }: ChangesArgs, newestFirst: readonly Change[]): boolean | null {
  if (version === null) return null;
  const newest = Map.groupBy(
    newestFirst.filter((one) => one.version !== null),
    ({ service }) => service,
  );
  return [...newest.values()].some(([first]) => first?.version === version);
}

/** One deploy that two sources saw, or one source at two resolutions, has one time: the first. */
function onceEach(all: readonly Change[]): Change[] {
  const newest = new Map<string | null, Change>();
  return all.filter((change) => {
    const before = newest.get(change.service);
    const isSame =
      before !== undefined &&
      change.at - before.at <= SAME_CHANGE &&
      (change.title === before.title || (change.version !== null && change.version === before.version));
    if (!isSame) newest.set(change.service, change);
    return !isSame;
  });
}

/** Services and what they call, two calls away. */
function withCallees(own: readonly string[], { view }: Facts): string[] {
  let found = new Set(own);
  for (let calls = 0; calls < MOST_CALLS; calls++)
    found = new Set([...found, ...[...found].flatMap((name) => view.node(name)?.calls ?? [])]);
  return [...new Set([...found].flatMap((name) => sameAs(name, view.services())))];
}

/** The time that is named, else from before the issue on. */
function windowOf(args: ChangesArgs, facts: Facts): { from: number; to: number } {
  const { scope, now } = facts;
  if (args.earlier) {
    const at =
      scope === null
        ? facts.diagnose(args.services[0] ?? null).best?.candidate.onset
        : (blamedAt(scope)?.at ?? scope.onset);
    if (at !== undefined)
      return { from: at - (scope === null ? HOUR : BEFORE_ONSET), to: at - (scope === null ? 0 : MINUTE) };
  }
  if (args.from !== undefined || scope === null) {
    const to = args.to ?? now + 1;
    // What is asked of one service, or of who did it, may be of any time today.
    const back = args.services.length > 0 || args.about !== 'list' ? DAY : HOUR;
    return { from: args.from ?? to - back, to };
  }
  return { from: Math.min(scope.onset, now) - BEFORE_ONSET, to: now + 1 };
}

/** What the results blame comes first. */
function blamedIn({ from, earlier, services: named }: ChangesArgs, scope: IssueScope): string[] {
  const { issue } = scope;
  if (from !== undefined || earlier || named.some((name) => !scope.causes.includes(name))) return [];
  const blamed = blamedAt(scope);
  if (blamed !== null)
    return [`**${blamed.title}** at ${timeOfDay(blamed.at)} is blamed for #${issue.number}.`];
  return [
    `No change is blamed for #${issue.number}. ${issue.rootCauseSummary ?? withoutCause(verdictOf(scope))}`,
  ];
}

function blamedOf(
  { services: [service] }: ChangesArgs,
  { scope, diagnose }: Facts,
): (change: Change) => boolean {
  if (scope !== null) return (change) => isBlamedChange(change, scope);
  const { best } = diagnose(service ?? null);
  const blamed = best?.assessment.observations.find((observation) => observation.type === 'change');
  return ({ at, service: of }) => blamed?.change.at === at && blamed.change.service === of;
}

/** What is said first where nothing that is recorded of changes answers. */
const UNRECORDED: Partial<Record<ChangesArgs['about'], string>> = {
  effect: 'I can’t tell whether it helped without knowing which issue you mean.',
  why: 'I can’t tell why: changes are recorded with a title, authors and files, but no reason.',
  who: 'I can’t tell who: no change here names a person.',
  commit: 'I can’t tell which commit: no change here names one.',
  version: 'I can’t tell which version is running: no change in that time names one.',
};

/** What is asked of changes, as far as they record it. */
function recordedOf({ about }: ChangesArgs, chosen: readonly Change[]): string[] {
  if (about === 'who' && chosen.some(({ authors = [] }) => authors.length > 0))
    return ['Who is named wrote it, and may not be who deployed it.'];
  if (about === 'commit')
    return chosen
      .flatMap(({ ref, title }) => (ref === null ? [] : [`${title}: ${ref}`]))
      .slice(0, MOST_CHANGES);
  if (about !== 'version') return [];
  const versioned = chosen.filter(({ version }) => version !== null);
  return [...Map.groupBy(versioned, ({ service }) => service ?? '?')].map(
    ([service, [change]]) =>
      `${service} has been running ${change?.version} since ${timeOfDay(change?.at ?? 0)}.`,
  );
}
