import { joinNames } from '../../investigation/format.ts';
import { subjectOf } from '../subject.ts';
import type { Intent } from '../types.ts';

/** What depends on payments, and who is affected? */
export const dependencies: Intent = {
  name: 'dependencies',
  example: 'What depends on {service}?',
  matches: ({ question }) => /depend|upstream|downstream|affect|impact|blast|\bcalls?\b/iu.test(question),
  answer(turn, tools) {
    const service = subjectOf(turn, tools);
    const nodes = tools.view.services();
    const node = nodes.find(({ name }) => name === service);
    if (!node) return `Which service? I know ${joinNames(nodes.map(({ name }) => name))}.`;
    const callers = nodes.filter(({ calls }) => calls.includes(node.name)).map(({ name }) => name);
    const degraded = nodes
      .map(({ name }) => name)
      .filter((name) => name !== node.name && (tools.diagnose(name).incident?.chosen ?? '') === 'named');
    return [
      `- **${node.name}** calls ${node.calls.length > 0 ? joinNames(node.calls) : 'no other service'}.`,
      `- Called by ${callers.length > 0 ? joinNames(callers) : 'no other service: traffic enters here'}.`,
      `- Also degraded: ${degraded.length > 0 ? joinNames(degraded) : 'no other service'}.`,
    ].join('\n');
  },
};
