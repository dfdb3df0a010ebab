import { joinNames, timeOfDay } from '../investigation/format.ts';
import type { Found, Tool } from './tool.ts';
import { type Choice, TOOLS } from './tools.ts';
import type { Facts, IssueLookup, IssueOverview, IssueRecord } from './types.ts';
import type { Turn } from './understand.ts';

/** A question for which something other than the rules may choose the tools. */
export interface RouteQuestion {
  question: string;
  /** The question before it in the conversation. */
  before: string | null;
  /** What people wrote in the thread. */
  talk: readonly string[];
  services: readonly string[];
  issues: readonly IssueOverview[];
  /** The issue that it is about. */
  issue: number | null;
  /** The tools that the rules choose. */
  hint: readonly string[];
  now: number;
}

/** The tools for a question with their arguments, and the issue that it is about. */
export interface Routed {
  issue: number | null;
  calls: { tool: Tool; args: Record<string, unknown> & { services: string[] } }[];
}

/** What is looked up for a question, and for which issue and services. */
export interface Plan {
  issue: IssueRecord | null;
  subject: readonly string[];
  /** What is said while it is looked up. */
  progress: string;
  lookups: readonly Lookup[];
}

interface Lookup {
  tool: Tool;
  /** The part of the question that it answers. */
  question: string;
  /** The service that it is about, if it is about one. */
  service: string | null;
  look(facts: Facts): Promise<Found>;
}

/**
 * As the rules understand the question.
 *
 * @param unknown what is said of a part that is about something that telemetry does not know; `null` of all others
 */
export function planOfRules(
  choices: readonly Choice[],
  { turn, issue, unknown }: { turn: Turn; issue: IssueRecord | null; unknown: readonly (string | null)[] },
): Plan {
  const subject =
    issue === null && turn.services.length === 0 ? (turn.context?.services ?? []) : turn.services;
  return {
    issue,
    subject,
    progress: progressOf(turn),
    lookups: choices.map(({ tool, turn: part }, i) => {
      const services = part.services === turn.services ? subject : part.services;
      const sentence = unknown[i] ?? null;
      return {
        tool,
        question: part.question,
        service: services[0] ?? null,
        look: async (facts) =>
          sentence === null ? tool.answer({ ...part, services }, facts) : { data: {}, text: sentence },
      };
    }),
  };
}

/** With the tools and arguments that were chosen otherwise. */
export async function planOfRoute(
  { issue, calls }: Routed,
  question: string,
  issueOfTurn: IssueRecord | null,
  issues: IssueLookup,
): Promise<Plan> {
  const subject = [...new Set(calls.flatMap(({ args }) => args.services))];
  return {
    issue: issue === null || issue === issueOfTurn?.number ? issueOfTurn : await issues.byNumber(issue),
    subject,
    progress: `Looking at ${whichServices(subject)} …`,
    lookups: calls.map(({ tool, args }) => ({
      tool,
      question,
      service: args.services[0] ?? null,
      look: (facts) => tool.call(args, facts),
    })),
  };
}

/** `Looking at payments, 10:00 to 10:15 UTC …` */
function progressOf({ services, window }: Turn): string {
  const { from, to } = window;
  return `Looking at ${whichServices(services)}, ${timeOfDay(from).replace(' UTC', '')} to ${timeOfDay(to)} …`;
}

function whichServices(services: readonly string[]): string {
  return services.length === 0 ? 'all services' : joinNames(services.slice(0, 3));
}

/** Whether the rules cannot be wrong: a question that was suggested, or one that only they answer. */
export function isCertain(
  question: string,
  choices: readonly Choice[],
  services: readonly string[],
): boolean {
  if (choices.some(({ tool }) => tool.name === 'help' || tool.name === 'file')) return true;
  const same = (example: string, service: string) =>
    example !== '' && example.replace('{service}', service).toLowerCase() === question.trim().toLowerCase();
  return TOOLS.some(({ example }) => ['', ...services].some((service) => same(example, service)));
}

/** Whether a route is what the rules do too: then they do it, since they read more in a question than its arguments. */
export function isAsRules({ issue, calls }: Routed, choices: readonly Choice[], turn: Turn): boolean {
  const subject = calls.flatMap(({ args }) => args.services);
  return (
    namesOf(calls) === namesOf(choices) &&
    subject.every((service) => turn.services.includes(service)) &&
    (issue === null || issue === turn.number)
  );
}

/** The names of tools, for a comparison. */
export function namesOf(chosen: readonly { tool: Tool }[]): string {
  return [...new Set(chosen.map(({ tool }) => tool.name))].sort().join('+');
}
