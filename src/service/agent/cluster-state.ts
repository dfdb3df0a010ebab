import type { StateFinding } from '../telemetry/model.ts';
import type { Facts, Tool } from './types.ts';
import type { Turn } from './understand.ts';

const ASKS =
  /\b(?:pending|crash(?:es|ing|[- ]?loop\w*)|not (?:ready|scheduled|starting)|unschedulable|image ?pull\w*|evicted|namespace|pods?|quota|kubernetes|k8s)\b/iu;
const RESTARTS = /\brestart|crash/iu;
const MOST = 5;
/** What is less sure than this is not worth an answer of its own. */
const LEAST = 0.4;

/** Why is payments pending? What is wrong in namespace shop? Which pods restart? */
export const state: Tool = {
  name: 'state',
  example: 'Why is {service} pending?',
  matches: ({ question }) => ASKS.test(question),
  answer: async (turn, facts) => {
    const answer = await facts.state();
    if (answer === null) return 'No Kubernetes cluster is configured, so I cannot see its state.';
    if (!answer.known) return `I can’t read the state of the cluster right now. ${answer.reason}`;
    const { found, where } = concerned(
      turn,
      answer.value.filter(({ confidence }) => confidence >= LEAST),
      facts,
    );
    const missing =
      answer.caveats.length === 0
        ? []
        : ['', `Not everything could be read: ${answer.caveats.slice(0, 2).join(' ')}`];
    if (found.length === 0)
      return [`The state of the cluster shows nothing wrong${where}.`, ...missing].join('\n');
    const more = found.length - MOST;
    return [
      `**${found.length === 1 ? 'One thing is' : `${found.length} things are`} wrong${where}:**`,
      '',
      ...found.slice(0, MOST).map(described),
      ...(more > 0 ? [`- … and ${more} more`] : []),
      ...missing,
    ].join('\n');
  },
};

function concerned(
  turn: Turn,
  all: readonly StateFinding[],
  { view }: Facts,
): { found: StateFinding[]; where: string } {
  const namespace = /\bnamespace\s+[`"']?([a-z0-9-]+)/iu.exec(turn.question)?.[1];
  if (namespace !== undefined)
    return {
      found: all.filter((one) => one.namespace === namespace || one.object === `namespace/${namespace}`),
      where: ` in namespace ${namespace}`,
    };
  if (turn.named.length > 0) {
    const names = turn.named.flatMap((name) => [
      name,
      ...(view.node(name)?.aliases ?? []),
      view.node(name)?.workload?.name ?? name,
    ]);
    return {
      found: all.filter(({ object, explains = [] }) =>
        names.some((name) => [object, ...explains].includes(`app/${name}`)),
      ),
      where: ` with ${turn.named.join(' or ')}`,
    };
  }
  if (RESTARTS.test(turn.question))
    return {
      found: all.filter(({ evidence }) => evidence.some((one) => /restarts|Liveness|BackOff/u.test(one))),
      where: '',
    };
  return { found: [...all], where: '' };
}

function described({ sentence, evidence, show, mend, confidence }: StateFinding): string {
  const sure = confidence >= 0.75 ? '' : ' (not certain)';
  const commands = [show, mend].filter((one) => one !== null).map((one) => `\`${one}\``);
  return [
    `- ${sentence}${sure}`,
    ...evidence.slice(0, 2).map((one) => `  - ${one}`),
    ...(commands.length > 0 ? [`  - ${commands.join(', then ')}`] : []),
  ].join('\n');
}
