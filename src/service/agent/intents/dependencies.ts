import { listed } from '../../investigation/words.ts';
import { lookAt, subjectOf } from '../diagnosis.ts';
import type { Intent } from '../types.ts';

/** What depends on payments, and who is affected? */
export const dependencies: Intent = {
  name: 'dependencies',
  example: 'What depends on orders-db?',
  matches: ({ question }) => /depend|upstream|downstream|affect|impact|blast|\bcalls?\b/iu.test(question),
  answer(turn, tools) {
    const service = subjectOf(turn, tools);
    const nodes = tools.telemetry.services();
    const node = nodes.find(({ name }) => name === service);
    if (!node) return `Of which service? I know ${listed(nodes.map(({ name }) => name))}.`;
    const callers = nodes.filter(({ calls }) => calls.includes(node.name)).map(({ name }) => name);
    const unwell = nodes
      .map(({ name }) => name)
      .filter((name) => name !== node.name && (lookAt(name, turn, tools).scene?.chosen ?? '') === 'named');
    return [
      `- **${node.name}** calls ${node.calls.length > 0 ? listed(node.calls) : 'nothing'}.`,
      `- It is called by ${callers.length > 0 ? listed(callers) : 'nothing inside; it is where traffic comes in'}.`,
      `- Unwell at present: ${unwell.length > 0 ? listed(unwell) : 'none of the others'}.`,
    ].join('\n');
  },
};
