import { duration, joinNames, timeOfDay } from '../investigation/format.ts';
import type { Change } from '../telemetry/model.ts';
import { blamedAt, causeOf, effectOf, withoutCause } from './about-issue.ts';
import { momentOf } from './series.ts';
import type { Facts, IssueScope, Tool } from './types.ts';
import type { Turn } from './understand.ts';

const MOST_CHANGES = 10;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** How long before an issue changes are listed. */
const BEFORE_ONSET = 2 * HOUR;
const EARLIER = /\bbefore (?:that|this|it|then)\b/iu;

/** What changed? Which deploy? Who deployed it? */
export const changes: Tool = {
  name: 'changes',
  example: 'What changed before 14:05?',
  matches: ({ question }) =>
    /\bchang|deploy|releas|roll(?:ed|s)? ?(?:out|back)|rollout|\bconfig|\bversions?\b|\bcommit|\bmerged?\b|\bpushed\b|\bpr\b|\bpull request/iu.test(
      question,
    ),
  async answer(turn, facts) {
    const { scope } = facts;
    const around = scope === null ? aroundService(turn, facts) : aroundIssue(scope, facts);
    const window = windowOf(turn, facts);
    const all = (await facts.look(window, [])).changes(window).reverse();
    const chosen =
      around === null ? all : all.filter(({ service }) => service === null || around.includes(service));
    const span = `from ${momentOf(window.from, facts.now)} to ${momentOf(window.to, facts.now)}`;
    const where = around === null ? 'in any service' : `in ${joinNames(around)}`;
    const first = [...cannotTell(turn, chosen), ...(scope === null ? [] : blamedIn(turn, scope))];
    const head = first.length === 0 ? [] : [...first, ''];
    if (chosen.length === 0) return [...head, `No changes ${where} ${span}.`].join('\n');
    const isBlamed = blameOf(turn, facts);
    for (const change of chosen.slice(0, MOST_CHANGES)) facts.evidenceStore.change(change);
    const lines = chosen.slice(0, MOST_CHANGES).map((change) => {
      const link = change.url === null ? '' : ` (${change.url})`;
      const blamed = isBlamed(change);
      const at = blamed && scope !== null ? (blamedAt(scope)?.at ?? change.at) : change.at;
      return `- ${timeOfDay(at)}: ${change.title}${link}${blamed ? ' **(the problem starts right after this)**' : ''}`;
    });
    const more = chosen.length > MOST_CHANGES ? ['', `… and ${chosen.length - MOST_CHANGES} more.`] : [];
    return [...head, `Changes ${where} ${span}, newest first:`, '', ...lines, ...more].join('\n');
  },
};

/** The service in question and everything that it calls; `null` for all. */
function aroundService({ services: [service] }: Turn, { view }: Facts): string[] | null {
  if (service === undefined) return null;
  const found = new Set([service]);
  for (const name of found) for (const callee of view.node(name)?.calls ?? []) found.add(callee);
  return [...found];
}

/** The services of an issue and what they call; `null` for all where telemetry knows none of them. */
function aroundIssue({ services }: IssueScope, { view }: Facts): string[] | null {
  if (services.length === 0) return null;
  return [...new Set([...services, ...services.flatMap((name) => view.node(name)?.calls ?? [])])];
}

/** The time that is named, else from before the issue on. */
function windowOf(turn: Turn, facts: Facts): { from: number; to: number } {
  const { scope, now } = facts;
  if (EARLIER.test(turn.question)) {
    const at =
      scope === null
        ? facts.diagnose(turn.services[0] ?? null).best?.candidate.onset
        : (blamedAt(scope)?.at ?? scope.onset);
    if (at !== undefined)
      return { from: at - (scope === null ? HOUR : BEFORE_ONSET), to: at - (scope === null ? 0 : MINUTE) };
  }
  if (turn.timed || scope === null) return turn.window;
  return { from: Math.min(scope.onset, now) - BEFORE_ONSET, to: now + 1 };
}

/** What the results blame comes first. */
function blamedIn({ question, timed, named }: Turn, scope: IssueScope): string[] {
  const { issue } = scope;
  if (timed || EARLIER.test(question) || named.some((name) => !scope.causes.includes(name))) return [];
  const blamed = blamedAt(scope);
  if (blamed !== null)
    return [`**${blamed.title}** at ${timeOfDay(blamed.at)} is what #${issue.number} is put down to.`];
  return [causeOf(scope) ?? `No change is blamed for #${issue.number}. ${withoutCause(scope)}`];
}

function blameOf({ services: [service] }: Turn, { scope, diagnose }: Facts): (change: Change) => boolean {
  const known = scope === null ? null : blamedAt(scope);
  // At another resolution the same change is seen up to a few minutes apart.
  if (known !== null)
    return ({ at, title }) => title === known.title && Math.abs(at - known.at) <= 5 * MINUTE;
  if (scope !== null) return () => false;
  const { best } = diagnose(service ?? null);
  const blamed = best?.assessment.observations.find((observation) => observation.type === 'change');
  return ({ at, service: of }) => blamed?.change.at === at && blamed.change.service === of;
}

/** What is asked of a change and not recorded is said first. */
function cannotTell({ question }: Turn, chosen: readonly Change[]): string[] {
  if (/\bwho\b/iu.test(question)) {
    const written = chosen.flatMap(({ title, authors = [] }) =>
      authors.length === 0 ? [] : [`${title}: its commits are by ${joinNames(authors)}.`],
    );
    if (written.length > 0)
      return [...written.slice(0, MOST_CHANGES), 'Who deployed it, no change here says.'];
    const links = chosen.some(({ url }) => url !== null) ? ' The links below may say.' : '';
    return [`I can’t tell who: no change here names a person.${links}`];
  }
  if (/\bcommit|\bpr\b|\bpull request|\bdiff\b/iu.test(question)) {
    const refs = chosen.flatMap(({ ref, title }) => (ref === null ? [] : [`${title}: ${ref}`]));
    return refs.length > 0
      ? refs.slice(0, MOST_CHANGES)
      : ['I can’t tell which commit: no change here names one.'];
  }
  if (
    /\bversions?\b.*\b(?:now|running|current|live|deployed)\b|\bcurrent version|\bwhich version/iu.test(
      question,
    )
  ) {
    const newest = [
      ...Map.groupBy(
        chosen.filter(({ version }) => version !== null),
        ({ service }) => service ?? '?',
      ),
    ];
    if (newest.length === 0) return ['I can’t tell which version runs: no change in that time names one.'];
    return newest.map(
      ([service, [change]]) => `${service} runs ${change?.version} since ${timeOfDay(change?.at ?? 0)}.`,
    );
  }
  return [];
}

/** Asks whether what was done helped, not what to do. */
const HELPED =
  /\b(?:did|has|have|is|was|does)\b.*\b(?:help(?:ed|ing)?|work(?:ed|ing)?|any effect)\b|\b(?:since|after) the (?:roll ?back|revert|fix|restart|deploy)\b.*\b(?:better|ok|okay|fine|good)\b/iu;

/** Did the rollback help? */
export const effect: Tool = {
  name: 'effect',
  example: 'Did the rollback help?',
  matches: ({ question }) => HELPED.test(question),
  async answer(turn, facts) {
    if (facts.scope !== null) return effectOf(turn, facts.scope, facts);
    const {
      services: [service],
      window,
      timed,
    } = turn;
    const since = timed ? window : { from: facts.now - HOUR, to: facts.now + 1 };
    const done = (await facts.look(since, []))
      .changes(since)
      .filter((one) => service === undefined || one.service === service);
    const what = service ?? 'any service';
    if (done.length === 0)
      return `I see no rollback or other change in ${what} in the ${duration(since.to - since.from)} before ${timeOfDay(since.to)}.`;
    return `Which issue is that about? The last change in ${what} was ${done.at(-1)?.title} at ${timeOfDay(done.at(-1)?.at ?? 0)}.`;
  },
};
