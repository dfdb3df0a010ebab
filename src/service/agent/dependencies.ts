import { z } from 'zod';
import { joinNames } from '../investigation/format.ts';
import { subjectOf } from './issue-scope.ts';
import { cannotTell, services, tool } from './tool.ts';
import type { Facts } from './types.ts';
import { isYesNo } from './understand.ts';
import { callersInWords } from './words/course.ts';

const MOST_LINES = 25;

/** What depends on payments? */
export const dependencies = tool({
  name: 'dependencies',
  answers: 'what a service calls and what calls it, or the whole map of services',
  example: 'What depends on {service}?',
  input: z.object({
    services,
    /** Whether it is asked if the first calls the second. */
    expectsCall: z.boolean().default(false),
  }),
  fill: ({ services: own, question }) => ({
    services: [...own],
    expectsCall: isYesNo(question) && own.length > 1,
  }),
  run: ({ services: own, expectsCall }, facts) => {
    const service = subjectOf({ services: own }, facts);
    const nodes = facts.view.services();
    const node = nodes.find(({ name }) => name === service);
    const isKnown = facts.view.snapshot.edges.length > 0;
    const calls = (one: string) => nodes.flatMap(({ name, calls: all }) => (all.includes(one) ? [name] : []));
    const chosen = node === undefined ? nodes : [node];
    const data = {
      seesCalls: isKnown,
      services: chosen.map(({ name, kind, calls: all }) => ({
        name,
        kind,
        calls: all,
        calledBy: calls(name),
      })),
    };
    if (node === undefined) return { data, text: wholeMap(facts) };
    const [caller, callee] = own;
    if (expectsCall && caller !== undefined && callee !== undefined) {
      if (!isKnown)
        return cannotTell(
          `I can’t tell whether ${caller} calls ${callee}: no source of telemetry shows which service calls which.`,
          data,
        );
      const does = facts.view.node(caller)?.calls.includes(callee) === true;
      return {
        data,
        says: { relation: 'calls', holds: does },
        text: does ? `${caller} calls ${callee}.` : `I see no calls from ${caller} to ${callee}.`,
      };
    }
    const callers = calls(node.name);
    if (!isKnown && callers.length === 0)
      return {
        data,
        text: `What ${node.name} calls and what calls it is unknown: no source of telemetry shows which service calls which.`,
      };
    const degraded = nodes
      .map(({ name }) => name)
      .filter((name) => name !== node.name && (facts.diagnose(name).incident?.chosen ?? '') === 'named');
    const text = [
      ...(node.calls.length > 0 || isKnown
        ? [`- **${node.name}** calls ${node.calls.length > 0 ? joinNames(node.calls) : 'no other service'}.`]
        : []),
      `- ${callersInWords(node.name, isKnown || callers.length > 0 ? callers : null)}`,
      ...(degraded.length > 0 ? [`- Also degraded: ${joinNames(degraded)}.`] : []),
    ].join('\n');
    return { data, text };
  },
});

function wholeMap({ view }: Facts): string {
  const nodes = view.services();
  const known = `Services I know: ${joinNames(nodes.map(({ name }) => name))}.`;
  const lines = nodes.flatMap(({ name, calls }) =>
    calls.length > 0 ? [`- ${name} calls ${joinNames(calls)}`] : [],
  );
  const more = lines.length > MOST_LINES ? [`- … and ${lines.length - MOST_LINES} more`] : [];
  return lines.length > 0
    ? [known, '', ...lines.slice(0, MOST_LINES), ...more].join('\n')
    : `Which service? ${known}`;
}
