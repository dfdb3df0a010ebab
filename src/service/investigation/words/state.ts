import type { Evidence, Findings } from '../../../contract/schema.ts';
import type { Service, StateFinding } from '../../telemetry/model.ts';
import type { View } from '../../telemetry/view.ts';
import { capitalize } from '../format.ts';
import { callGraph } from '../ranking/share-blame.ts';
import type { IssueToInvestigate } from '../types.ts';
import { type FactStep, withFirst } from './fact-first.ts';
import { FAILING_LINES } from './lines.ts';
import { NO_CAUSE } from './nothing.ts';

/** What an issue is about, as far as the telemetry shows it. */
export interface Subject {
  issue: IssueToInvestigate;
  /** The service that it names; `null` if it names none that is known. */
  named: string | null;
  affected: readonly string[];
  /** When its symptom began; `null` if none was seen. */
  onset: number | null;
  /** Whether the cause that was found says only what is wrong, and not why. */
  isOpen: boolean;
  /** Whether all that speaks for that cause is that it came before. */
  isOnlyAfter: boolean;
  /** Whether it names no more than what the issue is about: any fact beneath it comes first. */
  isSymptom: boolean;
  view: View;
  id: () => string;
}

/** From this confidence on the state of the cluster is the cause; the metrics show what followed. */
const PROVES = 0.75;

/** From this confidence on it is a cause; below that it is what is wrong, and why is not known. */
const SHOWS = 0.6;

/**
 * Adds to findings what is wrong by itself, where it concerns the issue: the state of the cluster, and failing lines. A
 * proven state is the cause of what the metrics show. What is less sure is told all the same: it is a fact, whatever
 * explains it.
 */
export function withState(findings: Findings, state: readonly StateFinding[], subject: Subject): Findings {
  const hasCause = findings.rootCause.rootCauseSummary !== undefined;
  const shown = state.filter(
    ({ confidence, cause, source }) =>
      // What the alert measures is no cause of what it measures.
      !(hasCause && cause === 'alert') && (confidence >= SHOWS || source === undefined),
  );
  const relevant = shown
    .filter((finding) => concerns(finding, subject))
    .sort(
      (a, b) =>
        Number(b.confidence >= PROVES) - Number(a.confidence >= PROVES) ||
        Number(b.confidence > SHOWS) - Number(a.confidence > SHOWS) ||
        (a.since ?? 0) - (b.since ?? 0),
    )
    // Where something is known to be down, what it does no more is no news.
    .filter((one, i) => one.cause !== 'stopped' || i === 0);
  const first = relevant.find(({ isLeftover }) => isLeftover !== true);
  // That the issue's own service is down is what the issue says: what is wrong elsewhere lies beneath it.
  const beneath = first && relevant.find((one) => one !== first && isElsewhere(one, first, subject));
  const best = beneath ?? first;
  const elsewhere = shown
    .filter(
      (finding) =>
        !relevant.includes(finding) && finding.confidence >= (finding.since === undefined ? SHOWS : PROVES),
    )
    .slice(0, 3);
  const { rootCause } = findings;
  const known = {
    ...findings,
    rootCause: {
      ...rootCause,
      irrelevantEvidence: [
        ...rootCause.irrelevantEvidence,
        ...elsewhere.map((finding) => evidenceOf(finding, 'irrelevant')),
        ...(best?.ruledOut ?? []).map((text): Evidence => ruledOut(text)),
      ],
    },
  };
  const ordered = best === undefined ? relevant : [best, ...relevant.filter((one) => one !== best)];
  const evidence = ordered.slice(0, 3).map((finding) => evidenceOf(finding, 'relevant'));
  const own = shown.filter((finding) => isAboutSubject(finding, subject));
  if (best === undefined && !hasCause && own.length > 0) return withObservations(known, own, subject);
  if (best === undefined || (hasCause && best.confidence < PROVES && !isBeneath(best, subject)))
    return {
      ...known,
      rootCause: { ...known.rootCause, relevantEvidence: [...rootCause.relevantEvidence, ...evidence] },
    };
  const listed = best.evidence.map((one) => `- ${one}`);
  const said = beneath === undefined ? best.sentence : `${best.sentence} ${first?.sentence}`;
  // A fact elsewhere needs no change that merely came before it.
  const isDecoy = subject.isOnlyAfter && best.confidence >= PROVES && !isOf(best, subject);
  const told: Findings = {
    ...known,
    rootCause: {
      ...known.rootCause,
      incidentOverview: hasCause
        ? rootCause.incidentOverview
        : overviewOf(best, rootCause.incidentOverview, subject.issue),
      rootCauseSummary: hasCause && !isDecoy ? `${said} In the metrics: ${rootCause.rootCauseSummary}` : said,
      relevantEvidence: [...evidence, ...rootCause.relevantEvidence],
    },
  };
  // What follows from it is not mended where it shows; what is read of it stands beside what its kind needs.
  const isFollowing =
    (subject.isOpen || subject.isOnlyAfter || subject.isSymptom) &&
    best.confidence > SHOWS &&
    !isOf(best, subject);
  const isActedOn = findings.remediation.actions?.some(({ category }) => category === 'immediate') ?? false;
  const steps = best.source !== undefined && isActedOn && !isFollowing ? [] : stepsFor(best);
  const fact = {
    id: `state of ${best.object}`,
    title: `State of ${nameOf(best)}`,
    description: best.sentence,
    confidence: word(best.confidence),
    score: best.confidence,
    details: listed.join('\n'),
    evidence: [],
    action: {
      title: `${best.source === undefined ? 'Fix' : 'Look at'} ${nameOf(best)}`,
      description: best.sentence,
      told: [best.sentence, ...listed],
      steps,
    },
  };
  const shownAs = isDecoy ? withoutTriggers(told) : told;
  return withFirst(
    isFollowing && steps.length > 0 ? { ...shownAs, remediation: { actions: [] } } : shownAs,
    fact,
    subject,
  );
}

function withoutTriggers(findings: Findings): Findings {
  const { causalTree, causalTreeV2 } = findings;
  const triggers = new Set(
    causalTreeV2.nodes.flatMap(({ id, nodeType }) => (nodeType === 'trigger' ? [id] : [])),
  );
  return {
    ...findings,
    causalTree: {
      nodes: causalTree.nodes.filter(({ id }) => !triggers.has(id)),
      edges: causalTree.edges.filter(({ source }) => !triggers.has(source)),
    },
    causalTreeV2: {
      nodes: causalTreeV2.nodes.filter(({ id }) => !triggers.has(id)),
      edges: causalTreeV2.edges.filter(({ from }) => !triggers.has(from)),
    },
  };
}

/** Whether a fact of the cluster about something else stands beside one that only says that the issue's own service is down. */
function isElsewhere(one: StateFinding, best: StateFinding, subject: Subject): boolean {
  return (
    best.source !== undefined &&
    isOf(best, subject) &&
    one.source === undefined &&
    one.isLeftover !== true &&
    !isOf(one, subject)
  );
}

function word(confidence: number): string {
  return confidence >= PROVES ? 'high' : confidence >= 0.45 ? 'medium' : 'low';
}

/** The services that a finding is about, and those whose problem it explains. */
function servicesOf(
  { object, workload, explains = [] }: StateFinding,
  services: readonly Service[],
): Service[] {
  const apps = [object, ...explains]
    .filter((one) => one.startsWith('app/'))
    .map((one) => one.slice('app/'.length));
  return services.filter(
    (service) =>
      apps.some(
        (app) => service.name === app || service.aliases.includes(app) || service.workload?.name === app,
      ) ||
      (workload !== undefined &&
        service.workload?.namespace === workload.namespace &&
        service.workload.kind === workload.kind &&
        service.workload.name === workload.name),
  );
}

/** What departed at the alert's subject, where nothing says that it is the cause. */
function isAboutSubject(finding: StateFinding, { named, issue, view }: Subject): boolean {
  if (finding.cause !== 'departs') return false;
  const about = servicesOf(finding, view.services()).map((service) => service.name);
  return about.some((one) => one === named) || isNamed(finding, issue);
}

/** Whether an issue names a finding's object, in its words or in the labels of its alert. */
function isNamed({ object }: StateFinding, { title, description, context }: IssueToInvestigate): boolean {
  const tags = Array.isArray(context.tags) ? context.tags.join(' ') : '';
  const name = object.slice(object.indexOf('/') + 1).toLowerCase();
  const pattern = `(?<![\\w-])${name.replaceAll(/[^\w-]/gu, '.')}(?![\\w-])`;
  return new RegExp(pattern, 'u').test(`${title} ${description} ${tags}`.toLowerCase());
}

function withObservations(findings: Findings, own: readonly StateFinding[], subject: Subject): Findings {
  const { rootCause } = findings;
  return {
    ...findings,
    rootCause: {
      ...rootCause,
      // That nothing moved would not be true.
      incidentOverview: `${subject.issue.isQuestion === true ? '' : NO_CAUSE}${own.map(({ sentence }) => sentence).join(' ')}`,
      relevantEvidence: [
        ...rootCause.relevantEvidence,
        ...own.slice(0, 3).map((finding) => evidenceOf(finding, 'relevant')),
      ],
    },
  };
}

/** A symptom begins within so many milliseconds of its cause: samples are coarse. */
const AT_ONCE = 60_000;

/** Whether something came with the symptom, where nothing says who calls whom. */
function coincides({ since, confidence }: StateFinding, about: readonly string[], subject: Subject): boolean {
  const { onset, view } = subject;
  if (since === undefined || onset === null || Math.abs(since - onset) > AT_ONCE) return false;
  // What is certain may be beneath a queue, whose consumer nobody calls.
  if (subject.isOpen === true && confidence >= PROVES) return true;
  const connected = new Set(view.snapshot.edges.flatMap(({ caller, callee }) => [caller, callee]));
  return !about.some((one) => connected.has(one));
}

/** What measures its own failures is judged by them: what else departs there follows. */
function judgesItself(service: string, view: View): boolean {
  return view.series(service).some(({ signal }) => signal.measure === 'errors');
}

function concerns(finding: StateFinding, subject: Subject): boolean {
  const { issue, named, affected, view, onset } = subject;
  const { since, cause, source, confidence } = finding;
  if (since !== undefined && onset !== null && since > onset + AT_ONCE) return false;
  if (cause === 'alert' || cause === 'stopped' || cause === FAILING_LINES) return true;
  const about = servicesOf(finding, view.services()).map((service) => service.name);
  // What only departs, and is what shows the symptom, says nothing new.
  if (source !== undefined && confidence < PROVES)
    return (
      !about.some((one) => one === named || affected.includes(one) || judgesItself(one, view)) &&
      coincides(finding, about, subject)
    );
  return isNamed(finding, issue) || coincides(finding, about, subject) || isBelow(finding, about, subject);
}

/** Whether it is about what the issue's service or anything degraded depends on, as far as that is known. */
function isBelow(
  { confidence, namespace, cause }: StateFinding,
  about: readonly string[],
  { named, affected, view }: Subject,
): boolean {
  if (named === null)
    return affected.length === 0 ? confidence >= PROVES : about.some((one) => affected.includes(one));
  const { edges } = view.snapshot;
  const graph = callGraph(edges);
  const isReached = [named, ...affected].some((from) =>
    about.some((one) => graph.reachableFrom(from).has(one)),
  );
  // Who calls whom is not known: what is wrong in the same namespace may well be it.
  const home = view.node(named)?.workload?.namespace;
  const isAtHome = edges.length === 0 && home !== undefined && home === namespace;
  return isReached || (isAtHome && (confidence >= PROVES || cause.endsWith('crash_loop')));
}

function overviewOf(
  { sentence, confidence, cause, source }: StateFinding,
  looked: string,
  { isQuestion }: IssueToInvestigate,
): string {
  if (cause === FAILING_LINES)
    return isQuestion === true ? looked : `${sentence} ${looked.replace(NO_CAUSE, '')}`;
  return confidence >= SHOWS
    ? `${source === undefined ? 'The cluster' : 'The exported state'} itself shows what is wrong: ${sentence}`
    : `What is wrong is known, but not why: ${sentence}`;
}

/** Whether a fact lies beneath what was found, which is only its symptom. */
function isBeneath(finding: StateFinding, subject: Subject): boolean {
  if (finding.source !== undefined) return subject.isOpen && finding.since !== undefined;
  return subject.isSymptom && !isOf(finding, subject);
}

/** Whether it is about the issue's own service. */
function isOf(finding: StateFinding, { named, view }: Subject): boolean {
  return servicesOf(finding, view.services()).some(({ name }) => name === named);
}

/** As people call it: a service by its name, anything else of a cluster with its kind. */
function nameOf({ object }: StateFinding): string {
  return object.replace(/^app\//u, '');
}

function evidenceOf(finding: StateFinding, status: string): Evidence {
  const { sentence, evidence, confidence, cause } = finding;
  const what = cause === FAILING_LINES ? 'Errors logged by' : 'State of';
  return {
    title: status === 'relevant' ? `${what} ${nameOf(finding)}` : `Also wrong, elsewhere: ${nameOf(finding)}`,
    status,
    description: [sentence, ...evidence.map((one) => `${capitalize(one)}.`)].join(' '),
    confidence: word(confidence),
    artifacts: [],
  };
}

function ruledOut(text: string): Evidence {
  return {
    title: 'Ruled out in the cluster',
    status: 'irrelevant',
    description: `${capitalize(text)}.`,
    confidence: 'high',
    artifacts: [],
  };
}

/** What can be run about a finding, as far as names allow for a command; else the query that shows it. */
function stepsFor({ show, mend, query }: StateFinding): FactStep[] {
  const step = (title: string, type: string, content: string | null, label: string, required: boolean) =>
    content === null ? [] : [{ title, type, content, label, required }];
  return [
    ...step('Look at it', 'command', show, 'Run (optional)', false),
    ...step('Look at it', 'check', show === null ? (query ?? null) : null, 'Check', true),
    ...step('Fix it', 'command', mend, 'Run', true),
  ];
}
