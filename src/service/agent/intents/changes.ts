import { joinNames, timeOfDay } from '../../investigation/format.ts';
import { subjectOf } from '../subject.ts';
import type { Intent, Tools } from '../types.ts';

const MOST = 10;
const HOUR = 3_600_000;

/** What changed? */
export const changes: Intent = {
  name: 'changes',
  example: 'What changed before 14:05?',
  matches: ({ question }) => /\bchang|deploy|releas|roll(?:ed)? ?out|\bconfig|new version/iu.test(question),
  async answer(turn, tools) {
    const subject = subjectOf(turn, tools);
    const around = subject === null ? null : [subject, ...calledBy(subject, tools)];
    const { best } = tools.diagnose(subject);
    const onset = /\bbefore (?:that|this|it|then)\b/iu.test(turn.question)
      ? best?.candidate.onset
      : undefined;
    const window = onset === undefined ? turn.window : { from: onset - HOUR, to: onset };
    const all = (await tools.look(window, [])).changes(window).reverse();
    const chosen =
      around === null ? all : all.filter(({ service }) => service === null || around.includes(service));
    const span = `from ${timeOfDay(window.from)} to ${timeOfDay(window.to)}`;
    const where = around === null ? 'in any service' : `in ${joinNames(around)}`;
    if (chosen.length === 0) return `No changes ${where} ${span}.`;
    const blamed = best?.assessment.observations.find((observation) => observation.type === 'change');
    for (const change of chosen.slice(0, MOST)) tools.evidenceStore.change(change);
    const lines = chosen.slice(0, MOST).map((change) => {
      const isBlamed = blamed?.change.at === change.at && blamed.change.service === change.service;
      return `- ${timeOfDay(change.at)}: ${change.title}${isBlamed ? ' **(the problem starts right after this)**' : ''}`;
    });
    const more = chosen.length > MOST ? ['', `… and ${chosen.length - MOST} more.`] : [];
    return [`Changes ${where} ${span}, newest first:`, '', ...lines, ...more].join('\n');
  },
};

/** Everything that a service calls, directly or indirectly. */
function calledBy(service: string, { view }: Tools): string[] {
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
