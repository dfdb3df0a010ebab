import { amount, duration, joinNames, timeOfDay } from '../investigation/format.ts';
import { patternOf } from '../investigation/log-patterns.ts';
import { callersOf } from './about-issue.ts';
import { changes, effect } from './changes.ts';
import { state } from './cluster-state.ts';
import { file } from './files.ts';
import { advice, evidence, health, impact, onset, recovery, subjectOf } from './health.ts';
import { before, commands, issue, openIssues, related } from './issues.ts';
import { breakdown, comparison, extremes, metric, momentOf } from './series.ts';
import type { Tool } from './types.ts';
import type { Turn } from './understand.ts';

/** What depends on payments? */
const dependencies: Tool = {
  name: 'dependencies',
  example: 'What depends on {service}?',
  matches: ({ question }) =>
    /depend|upstream|downstream|topology|(?<!\b(?:on[- ]|I |we ))\bcall(?:s|ed|ers?)?\b|\bwhich services are there/iu.test(
      question,
    ),
  answer(turn, facts) {
    const service = subjectOf(turn, facts);
    const nodes = facts.view.services();
    const node = nodes.find(({ name }) => name === service);
    if (!node) {
      const calls = nodes.flatMap(({ name, calls: own }) =>
        own.length > 0 ? [`- ${name} calls ${joinNames(own)}`] : [],
      );
      const known = `Services I know: ${joinNames(nodes.map(({ name }) => name))}.`;
      return calls.length > 0
        ? [known, '', ...calls.slice(0, MOST_LINES)].join('\n')
        : `Which service? ${known}`;
    }
    const callers = nodes.filter(({ calls }) => calls.includes(node.name)).map(({ name }) => name);
    const [caller, callee] = turn.named;
    if (caller !== undefined && callee !== undefined && /^\W*(?:does|do|is|are)\b/iu.test(turn.question)) {
      if (facts.view.snapshot.edges.length === 0)
        return `I can’t tell whether ${caller} calls ${callee}: no source of telemetry shows calls.`;
      const calls = facts.view.node(caller)?.calls.includes(callee) === true;
      return calls ? `Yes: ${caller} calls ${callee}.` : `${caller} is not seen calling ${callee}.`;
    }
    const isKnown = facts.view.snapshot.edges.length > 0;
    const degraded = nodes
      .map(({ name }) => name)
      .filter((name) => name !== node.name && (facts.diagnose(name).incident?.chosen ?? '') === 'named');
    if (!isKnown && callers.length === 0)
      return `What ${node.name} calls, and who calls it, is not known: no source of telemetry shows calls.`;
    return [
      ...(node.calls.length > 0 || isKnown
        ? [`- **${node.name}** calls ${node.calls.length > 0 ? joinNames(node.calls) : 'no other service'}.`]
        : []),
      `- ${callersOf(node.name, callers, facts)}`,
      ...(degraded.length > 0 ? [`- Also degraded: ${joinNames(degraded)}.`] : []),
    ].join('\n');
  },
};

const MOST_LINES = 25;
const MOST_PATTERNS = 5;
const LONGEST = 200;

/** Show me the logs of orders. */
const logs: Tool = {
  name: 'logs',
  example: 'Show the logs of {service}',
  matches: ({ question }) => /\blogs?\b|\blog lines?\b|\bstack ?traces?\b|\bexceptions\b/iu.test(question),
  async answer(turn, facts) {
    const own = turn.services.length > 0 ? turn.services : (facts.scope?.causes ?? []);
    const service = own[0] ?? subjectOf(turn, facts);
    if (service === null) return 'The logs of which service?';
    const { window } = turn;
    const lines = (await facts.look(window, [service])).logs(service, window);
    const span = `the ${duration(window.to - window.from)} before ${momentOf(window.to, facts.now)}`;
    if (lines.length === 0)
      return `I have no log lines of ${service} in ${span}. Logs are read from Loki, VictoriaLogs or Elasticsearch, if one is connected.`;
    const bad = lines.filter(
      ({ level }) => level !== null && /^(?:warn|err|fatal|crit|severe|panic)/iu.test(level),
    );
    const shown = bad.length > 0 ? bad : lines;
    facts.evidenceStore.logs(service, shown);
    const patterns = [...Map.groupBy(shown, ({ message }) => patternOf(message)).values()].sort(
      (a, b) => b.length - a.length,
    );
    return [
      `**${service} logs** in ${span}: ${amount(lines.length, '{line}')}, ${amount(bad.length, '{error}')} or warnings. Most frequent first:`,
      '',
      ...patterns.slice(0, MOST_PATTERNS).map((some) => {
        const text = (some[0]?.message ?? '').slice(0, LONGEST).replaceAll('`', "'");
        return `- ${some.length} times, last at ${timeOfDay(some.at(-1)?.at ?? 0)}: \`${text}\``;
      }),
    ].join('\n');
  },
};

/** Thanks! */
const thanks: Tool = {
  name: 'thanks',
  example: '',
  offline: true,
  matches: ({ question }) =>
    /^\W*(?:many )?(?:thanks?(?: you| a lot| so much)?|thx|ty|cheers|great|nice|cool|perfect|good (?:job|bot)|well done|danke)\W*$/iu.test(
      question,
    ),
  answer: () => 'You’re welcome.',
};

/** The first that matches answers a question, or each part of it. The words of the later ones are less telling. */
export const TOOLS: readonly Tool[] = [
  thanks,
  commands,
  related,
  openIssues,
  file,
  before,
  comparison,
  extremes,
  effect,
  breakdown,
  logs,
  evidence,
  onset,
  advice,
  impact,
  dependencies,
  recovery,
  changes,
  issue,
  health,
  metric,
  state,
];

/** Where one question ends and the next begins. */
const PARTS =
  /\s*[,;?]\s+(?:and\s+)?|\s+and\s+(?=(?:is|are|was|were|what|who|why|when|since|how|did|does|which|show)\b)/iu;

/**
 * The tools that a question asks for by its words, one for each of its parts; none if it has no such words. Where the
 * state of a cluster is known, Kubernetes' own words ask for it.
 */
export function toolsFor(turn: Turn, hasState: boolean): readonly Tool[] {
  if (hasState && state.matches(turn)) return [state];
  const parts = turn.question.split(PARTS).filter((part) => part.includes(' '));
  const texts = parts.length > 1 ? parts : [turn.question];
  const found = texts.flatMap(
    (question) => TOOLS.find((tool) => tool !== state && tool.matches({ ...turn, question })) ?? [],
  );
  return [...new Set(found)];
}
