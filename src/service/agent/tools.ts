import { quantile } from '../investigation/anomalies.ts';
import { amount, capitalize, duration, joinNames, timeOfDay } from '../investigation/format.ts';
import { movement } from '../investigation/kinds/observations.ts';
import { patternOf } from '../investigation/log-patterns.ts';
import { namedIn } from '../investigation/names.ts';
import type { Series, Signal } from '../telemetry/model.ts';
import type { Point } from '../telemetry/view.ts';
import { state } from './cluster-state.ts';
import {
  advice,
  earlierOf,
  evidence,
  HELPED,
  health,
  onset,
  reasonsFor,
  recordedCause,
  subjectOf,
} from './health.ts';
import type { Facts, IssueFilter, IssueOverview, Tool } from './types.ts';
import { type AttachedFile, type ErrorLine, errorLines, linesOf, type Turn } from './understand.ts';

const MOST_SERVICES = 20;

/** The error rate of payments in the last 30 minutes? */
const metric: Tool = {
  name: 'metric',
  example: 'Show the error rate of {service} in the last 30 minutes',
  matches: (turn) => turn.metricNamed !== null || nameIn(turn) !== null,
  async answer(turn, facts) {
    const name = nameIn(turn);
    if (name !== null) return byName(name, turn, facts);
    const profile = turn.metric;
    if (!profile) return 'Which metric?';
    const { measure, label } = profile;
    const reporting = facts.view
      .services()
      .map(({ name }) => name)
      .filter((name) => facts.view.seriesOf(name, measure) !== undefined);
    const subject = subjectOf(turn, facts);
    const asked = turn.services.length > 0 ? turn.services : subject === null ? [] : [subject];
    if (asked.length === 0)
      return `${capitalize(label)} of which service? ${reportedBy(reporting, 'These report it: ')}`;
    const { window } = turn;
    const view = await facts.look(window, asked);
    return asked
      .map((service) => {
        const series = view.seriesOf(service, measure);
        const points = series ? view.points(series, window) : [];
        const last = points.at(-1);
        if (!series || !last)
          return `${service} does not report ${label}. ${reportedBy(reporting, 'These do: ')}`;
        facts.evidenceStore.metric(series, window);
        return [
          ...levelsOf(series, points, turn, facts),
          ...percentileNote(turn.question, series.signal),
        ].join('\n');
      })
      .join('\n\n');
  },
};

/** The level of a series over the window in question, one line each. */
function levelsOf(
  { service, signal: { label, unit } }: Series,
  points: readonly Point[],
  { window }: Turn,
  { now }: Facts,
): string[] {
  const values = points.map(({ value }) => value);
  const highest = points.reduce((a, b) => (b.value > a.value ? b : a));
  return [
    `**${service} ${label}** in the ${duration(window.to - window.from)} before ${momentOf(window.to, now)}:`,
    '',
    `- last ${amount(values.at(-1) ?? Number.NaN, unit)}`,
    `- median ${amount(quantile(values, 0.5), unit)}`,
    `- max ${amount(highest.value, unit)} at ${timeOfDay(highest.at)}`,
    `- min ${amount(Math.min(...values), unit)}`,
  ];
}

/** `14:02 UTC`, with the date unless it is today. */
function momentOf(at: number, now: number): string {
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  return dayOf(at) === dayOf(now) ? timeOfDay(at) : `${timeOfDay(at)} on ${dayOf(at)}`;
}

/** A percentile other than the one asked for needs a note. */
function percentileNote(question: string, { measure, quantile: measured }: Signal): string[] {
  const asked = /\bp(\d\d(?:\.\d)?)\b/iu.exec(question)?.[1];
  if (asked === undefined || measure !== 'latency' || typeof measured !== 'number') return [];
  return Number(asked) === measured * 100
    ? []
    : ['', `The p${asked} is not read: this is the p${measured * 100}.`];
}

/** For a large system, only some are listed. */
function reportedBy(services: readonly string[], before: string): string {
  if (services.length === 0) return 'No service does.';
  const more = services.length > MOST_SERVICES ? ` and ${services.length - MOST_SERVICES} more` : '';
  return `${before}${more === '' ? joinNames(services) : services.slice(0, MOST_SERVICES).join(', ') + more}.`;
}

/** A Prometheus metric name: words of letters and digits joined by underscores. */
const METRIC_NAME = /\b[a-z][a-z0-9]*(?:[_:][a-z0-9]+)+\b/giu;
const MOST_SERIES = 5;

/** A metric by the name that its source has for it. */
async function byName(name: string, turn: Turn, facts: Facts): Promise<string> {
  const asked = turn.services.length > 0 ? turn.services : null;
  const view = await facts.look(turn.window, asked);
  const isNamed = ({ signal }: Series) => signal.name === name || signal.label === name;
  const services = asked ?? view.services().map((service) => service.name);
  const found = services
    .flatMap((service) => view.series(service).filter(isNamed))
    .map((series) => ({ series, points: view.points(series, turn.window) }))
    .filter(({ points }) => points.length > 0);
  if (found.length === 0) {
    const where = asked === null ? 'No service reports' : `${asked.join(', ')} does not report`;
    return `${where} a metric called ${name} in that time, as far as it was read.`;
  }
  for (const { series } of found.slice(0, MOST_SERIES)) facts.evidenceStore.metric(series, turn.window);
  const more = found.length > MOST_SERIES ? [`${found.length - MOST_SERIES} more services report it.`] : [];
  return [
    ...found
      .slice(0, MOST_SERIES)
      .map(({ series, points }) => levelsOf(series, points, turn, facts).join('\n')),
    ...more,
  ].join('\n\n');
}

function nameIn({ question, named }: Turn): string | null {
  return (
    [...question.matchAll(METRIC_NAME)].map(([name]) => name).find((name) => !named.includes(name)) ?? null
  );
}

const MOST_CHANGES = 10;
const HOUR = 3_600_000;

/** What changed? */
const changes: Tool = {
  name: 'changes',
  example: 'What changed before 14:05?',
  matches: ({ question }) => /\bchang|deploy|releas|roll(?:ed)? ?out|\bconfig|new version/iu.test(question),
  async answer(turn, facts) {
    const subject = subjectOf(turn, facts);
    const isOfIssue = turn.named.length === 0 && facts.issue !== null;
    const cause = isOfIssue ? recordedCause(facts.issue) : null;
    const services = facts.view.services().map(({ name }) => name);
    // What the investigation blamed is looked at as well, whoever calls whom.
    const blamedOnes = cause === null ? [] : namedIn(cause, services).map(({ service }) => service);
    const around =
      subject === null ? null : [...new Set([subject, ...calledBy(subject, facts), ...blamedOnes])];
    const first = cause === null ? [] : [cause, ''];
    const { best } = facts.diagnose(subject);
    const onset = /\bbefore (?:that|this|it|then)\b/iu.test(turn.question)
      ? best?.candidate.onset
      : undefined;
    const window = onset === undefined ? turn.window : { from: onset - HOUR, to: onset };
    const all = (await facts.look(window, [])).changes(window).reverse();
    const chosen =
      around === null ? all : all.filter(({ service }) => service === null || around.includes(service));
    const span = `from ${timeOfDay(window.from)} to ${timeOfDay(window.to)}`;
    const where = around === null ? 'in any service' : `in ${joinNames(around)}`;
    if (chosen.length === 0) return [...first, `No changes ${where} ${span}.`].join('\n');
    const blamed = best?.assessment.observations.find((observation) => observation.type === 'change');
    for (const change of chosen.slice(0, MOST_CHANGES)) facts.evidenceStore.change(change);
    const lines = chosen.slice(0, MOST_CHANGES).map((change) => {
      const isBlamed = blamed?.change.at === change.at && blamed.change.service === change.service;
      return `- ${timeOfDay(change.at)}: ${change.title}${isBlamed ? ' **(the problem starts right after this)**' : ''}`;
    });
    const more = chosen.length > MOST_CHANGES ? ['', `… and ${chosen.length - MOST_CHANGES} more.`] : [];
    return [...first, `Changes ${where} ${span}, newest first:`, '', ...lines, ...more].join('\n');
  },
};

/** Everything that a service calls, directly or indirectly. */
function calledBy(service: string, { view }: Facts): string[] {
  const found = new Set<string>();
  const visit = (name: string) => {
    for (const callee of view.node(name)?.calls ?? [])
      if (!found.has(callee)) {
        found.add(callee);
        visit(callee);
      }
  };
  visit(service);
  return [...found];
}

/** What depends on payments, and who is affected? */
const dependencies: Tool = {
  name: 'dependencies',
  example: 'What depends on {service}?',
  matches: ({ question }) => /depend|upstream|downstream|affect|impact|blast|\bcalls?\b/iu.test(question),
  answer(turn, facts) {
    const service = subjectOf(turn, facts);
    const nodes = facts.view.services();
    const node = nodes.find(({ name }) => name === service);
    if (!node) return `Which service? I know ${joinNames(nodes.map(({ name }) => name))}.`;
    const callers = nodes.filter(({ calls }) => calls.includes(node.name)).map(({ name }) => name);
    const degraded = nodes
      .map(({ name }) => name)
      .filter((name) => name !== node.name && (facts.diagnose(name).incident?.chosen ?? '') === 'named');
    return [
      `- **${node.name}** calls ${node.calls.length > 0 ? joinNames(node.calls) : 'no other service'}.`,
      `- ${callersOf(callers, facts)}.`,
      `- Also degraded: ${degraded.length > 0 ? joinNames(degraded) : 'no other service'}.`,
    ].join('\n');
  },
};

function callersOf(callers: readonly string[], { view }: Facts): string {
  if (callers.length > 0) return `Called by ${joinNames(callers)}`;
  return view.snapshot.edges.length === 0
    ? 'Who calls it is not known: no source of telemetry shows calls'
    : 'Called by no other service that telemetry shows';
}

const MINUTE = 60_000;
/** An older sample says nothing about now. */
const STALE = 5 * MINUTE;

/** Is it over? */
const recovery: Tool = {
  name: 'recovery',
  example: 'Is it over?',
  matches: ({ question }) =>
    HELPED.test(question) ||
    /\b(?:is|are|has|have)\s+(?:it|this|that|things|we|the \w+|[\w-]+)\s+(?:all\s+)?(?:over|recovered|resolved|fixed|cleared|stopped|ended|back to normal|healthy again|good again)\b|\bstill (?:happening|ongoing|going on|failing|broken|degraded|slow|down)\b|^\W*(?:all )?(?:over|recovered|fixed)\W*$/iu.test(
      question,
    ),
  answer(turn, facts) {
    const service = subjectOf(turn, facts);
    const { survey, incident } = facts.diagnose(service);
    const stale = staleSince(service, facts);
    if (stale !== null)
      return `I can’t tell: the newest sample of ${service ?? 'any service'} is from ${timeOfDay(stale)}.`;
    if (incident !== null && incident.chosen !== 'neighbour') {
      const { symptom, primary } = incident;
      facts.evidenceStore.metric(primary.series, { from: primary.onset - 25 * MINUTE, to: facts.now + 1 });
      const now = lastOf(primary.series);
      const level = now === null ? '' : `, and it is at ${amount(now, primary.series.signal.unit)} now`;
      return primary.end === null
        ? `**Ongoing.** ${movement(symptom, primary)} at ${timeOfDay(primary.onset)}${level} (normally ${amount(primary.before, primary.series.signal.unit)}).`
        : `**Over since ${timeOfDay(primary.end)}.** ${movement(symptom, primary)} at ${timeOfDay(primary.onset)}, and has been back to normal since then.`;
    }
    const what = service ?? 'Everything';
    return (
      earlierOf(service, facts) ??
      `${what} is healthy: nothing left its normal range in the last ${Math.round((facts.now - survey.window.from) / MINUTE)} min.`
    );
  },
};

/** The time of the newest sample, if that is too old to describe the present. */
function staleSince(service: string | null, { view, now }: Facts): number | null {
  const all = service === null ? view.snapshot.series : view.series(service);
  const newest = Math.max(...all.map(({ points: { times } }) => times.at(-1) ?? Number.NEGATIVE_INFINITY));
  return Number.isFinite(newest) && now - newest > STALE ? newest : null;
}

function lastOf({ points: { values } }: Series): number | null {
  return values.at(-1) ?? null;
}

const COMMAND = /^\W*(?:please\s+)?(?:delete|resolve|close|mute|unmute|reopen|set|mark)\b/iu;

/** What was #12? And, in an issue's thread: what is this about? */
const issue: Tool = {
  name: 'issue',
  example: 'What was #12?',
  offline: true,
  matches: ({ question, numberNamed, number, named }) =>
    numberNamed !== null ||
    (number !== null &&
      named.length === 0 &&
      /^why\b\W*$|root cause|what (?:happened|is this|was (?:it|this|that))|summar|this issue/iu.test(
        question,
      )),
  answer(turn, facts) {
    const { question, number, context } = turn;
    const { issue: brief } = facts;
    if (!brief)
      return context?.rootCause
        ? `#${number} ${context.title}: ${context.rootCause}`
        : `I can’t find issue #${number}. It may have been deleted, or belong to another organisation.`;
    const { title, status, severity, environment, rootCauseSummary, remediation } = brief;
    const cause =
      rootCauseSummary ??
      (status === 'investigating' ? 'still under investigation.' : 'the investigation found none.');
    const reasons = /^\W*why\W*$/iu.test(question) ? reasonsFor(turn, facts) : null;
    const actions =
      remediation.length === 0 ? [] : ['', '**Remediation**', ...remediation.map((action) => `- ${action}`)];
    return [
      ...(COMMAND.test(question) ? [`I’m read-only, so #${number} is unchanged.`, ''] : []),
      `**#${number} ${title}** (${status.replaceAll('_', ' ')}, ${severity}, ${environment})`,
      '',
      `**Root cause:** ${cause}`,
      ...actions,
      ...(reasons === null ? [] : ['', reasons]),
    ].join('\n');
  },
};

const USUAL = ['production', 'staging', 'development', 'test'];
const MOST_ISSUES = 15;
const STATUSES: readonly [RegExp, IssueFilter['status']][] = [
  [/\bmuted\b/iu, 'muted'],
  [/\b(?<!un)(?:resolved|closed|solved|fixed)\b/iu, 'resolved'],
  [/\b(?:being |still )?investigat(?:ed|ing)\b/iu, 'investigating'],
  [/\bready\b/iu, 'ready_to_fix'],
];
const ASKS =
  /\b(open|unresolved|outstanding)\b(?!\s+(?:connection|the)\b)|\b(list|which|any|how many|newest|latest|all)\b.*\bissues?\b|\b(?:what|which|how many|anything)\b.*\b(?:muted|resolved)\b/iu;

/** What is open? Which issues are muted? */
const openIssues: Tool = {
  name: 'open issues',
  example: 'What is open in staging?',
  offline: true,
  matches: ({ question, numberNamed }) => numberNamed === null && ASKS.test(question),
  async answer({ question, named }, { issues }) {
    const status = STATUSES.find(([word]) => word.test(question))?.[1] ?? 'open';
    const severity = /\b(low|medium|high)\b/iu.exec(question)?.[1]?.toLowerCase() ?? null;
    const everywhere = await issues.list({ status, environment: null, severity });
    const environment = environmentIn(question, everywhere.newest);
    const { newest, total } =
      environment === null ? everywhere : await issues.list({ status, environment, severity });
    const chosen = newest.filter(({ title }) => named.length === 0 || namedIn(title, named).length > 0);
    const number = named.length === 0 ? total : chosen.length;
    const what = [
      ...(severity === null ? [] : [`of ${severity} severity`]),
      ...(named.length === 0 ? [] : [`about ${named.join(' or ')}`]),
    ].map((part) => ` ${part}`);
    const where = environment === null ? '' : ` in ${environment}`;
    const state = status.replaceAll('_', ' ');
    if (number === 0) return `No issue${what.join('')} is ${state}${where}.`;
    const count = number === 1 ? 'One issue' : `${number} issues`;
    const shown = chosen.slice(0, MOST_ISSUES);
    const more = number > shown.length ? ['', `… and ${number - shown.length} more.`] : [];
    const head = `${count}${what.join('')} ${number === 1 ? 'is' : 'are'} ${state}${where}:`;
    return [head, '', ...shown.map(line), ...more].join('\n');
  },
};

function line({ number, title, status, severity, environment, rootCauseSummary }: IssueOverview): string {
  const cause = rootCauseSummary === null ? '' : `\n  ${rootCauseSummary}`;
  return `- **#${number}** ${title} (${status.replaceAll('_', ' ')}, ${severity}, ${environment})${cause}`;
}

/** The environment named, in full or by its beginning (`prod`). */
function environmentIn(question: string, some: readonly IssueOverview[]): string | null {
  const words = question.toLowerCase().split(/[^\w-]+/u);
  const known = [...new Set([...some.map(({ environment }) => environment), ...USUAL])];
  return (
    known.find((name) => words.includes(name.toLowerCase())) ??
    known.find((name) =>
      words.some((word) => ['prod', 'stage', 'dev'].includes(word) && name.startsWith(word.slice(0, 4))),
    ) ??
    null
  );
}

const MOST_FILES = 3;
const MOST_PATTERNS = 5;
const LONGEST = 300;
const THE_FILE =
  /\b(?:this|the|that|these|my|attached)\s+(?:\w+\s+)?(?:files?|logs?|attachments?|output|dump|trace(?:back)?|stack ?trace|csv|json|yaml|config)\b|\battach/iu;
const POINTS = /\b(?:this|it|here|in there)\b/iu;

/** What does this log say? */
const file: Tool = {
  name: 'file',
  example: 'What does this log say? (with a text file attached)',
  offline: true,
  matches: (turn) => {
    const { question, files, attached, named } = turn;
    if (files.length === 0) return false;
    if (files.some(({ name }) => question.toLowerCase().includes(name.toLowerCase()))) return true;
    return named.length === 0 && (THE_FILE.test(question) || (attached && POINTS.test(question)));
  },
  answer: (turn, { view }) => {
    const services = view.services().map(({ name }) => name);
    return chosen(turn)
      .map((one) => inFile(one, services))
      .join('\n\n');
  },
};

/** The files named by the question, or all of them. */
function chosen({ question, files }: Turn): readonly AttachedFile[] {
  const named = files.filter(({ name }) => question.toLowerCase().includes(name.toLowerCase()));
  return (named.length > 0 ? named : files).slice(0, MOST_FILES);
}

function inFile({ name, text }: AttachedFile, services: readonly string[]): string {
  const { all, warnings } = countLines(text);
  const errors = errorLines(text);
  const head = `${quoted(name)} has ${amount(all, '{line}')}`;
  const warn = warnings === 0 ? '' : ` and ${amount(warnings, '{warning}')}`;
  if (errors.length === 0) return `${head}${warn}, but no errors.`;
  const patterns = [...Map.groupBy(errors, ({ text: line }) => patternOf(line)).values()].sort(
    (a, b) => b.length - a.length,
  );
  const more = patterns.length - MOST_PATTERNS;
  const named = namedIn(errors.map((line) => line.text).join('\n'), services)
    .filter(({ score }) => score === 1)
    .map(({ service }) => service);
  return [
    `${head}, with ${amount(errors.length, '{error}')}${warn}. Most frequent first:`,
    '',
    ...patterns.slice(0, MOST_PATTERNS).map(described),
    ...(more > 0 ? [`- … and ${amount(more, '{other kind}')}`] : []),
    ...(named.length > 0
      ? [
          '',
          `They mention ${joinNames(named)}: ask me how ${named.length === 1 ? 'it is' : 'they are'} doing.`,
        ]
      : []),
  ].join('\n');
}

function described(lines: readonly ErrorLine[]): string {
  const [first] = lines;
  if (first === undefined) return '';
  const where =
    lines.length === 1 ? `line ${first.number}` : `${lines.length} times, first in line ${first.number}`;
  return `- ${where}: ${quoted(first.text)}`;
}

/** As code: file contents must not be read as Markdown. */
function quoted(text: string): string {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return `\`${short.toWellFormed().replaceAll('`', "'")}\``;
}

const WARNING = /\b(?:warn|warning)\b/iu;

/** The number of non-blank lines, and how many of them are warnings. */
function countLines(text: string): { all: number; warnings: number } {
  const lines = linesOf(text);
  const errors = new Set(errorLines(text).map(({ number }) => number));
  const warnings = lines.filter((line) => WARNING.test(line.text) && !errors.has(line.number)).length;
  return { all: lines.length, warnings };
}

/** Answer alone: the words of the others occur in what they are asked too. */
const ALONE: readonly Tool[] = [openIssues, file];
/** Answer together, each its part of a question. */
const TOGETHER: readonly Tool[] = [evidence, onset, advice, recovery, changes, dependencies];
/** One of them answers what is left. */
const OTHERS: readonly Tool[] = [issue, health, metric];

export const TOOLS: readonly Tool[] = [...ALONE, ...OTHERS, ...TOGETHER, state];

/**
 * The tools that a question asks for by its words; none if it has no such words. Where the state of a cluster is known,
 * Kubernetes' own words ask for it.
 */
export function toolsFor(turn: Turn, hasState: boolean): readonly Tool[] {
  if (hasState && state.matches(turn)) return [state];
  const alone = ALONE.find((tool) => tool.matches(turn));
  if (alone) return [alone];
  const together = TOGETHER.filter((tool) => tool.matches(turn));
  if (together.length === 0) return OTHERS.filter((tool) => tool.matches(turn)).slice(0, 1);
  return metric.matches(turn) && ![evidence, onset, advice].some((tool) => together.includes(tool))
    ? [...together, metric]
    : together;
}
