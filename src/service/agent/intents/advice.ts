import { relevantEvidence } from '../../investigation/evidence.ts';
import type { Remedy } from '../../investigation/kinds/types.ts';
import { confidenceOf } from '../../investigation/verdict.ts';
import { briefOf, lookAt, subjectOf } from '../diagnosis.ts';
import type { Intent, IssueBrief } from '../types.ts';

/** What should I do? */
export const advice: Intent = {
  name: 'advice',
  example: 'What should I do about payments?',
  matches: ({ question }) =>
    /what (?:should|can|do|must|shall) (?:i|we)|what now|what next|how (?:do|can|should|to)\b.*\b(?:fix|solve|repair|stop|mitigat|resolv)|\bfix\b|mitigat|remed|next step|roll ?back|\bsteps?\b/iu.test(
      question,
    ),
  answer(turn, tools) {
    const brief = turn.named.length > 0 && turn.numberNamed === null ? null : briefOf(turn, tools.issues);
    const service = subjectOf(turn, tools);
    const { survey, scene, best } = lookAt(service, turn, tools);
    const proposed = brief ? proposals(brief) : null;
    // A live cause counts where nothing is recorded, or where it is known which service is meant.
    if (!scene || !best || (brief && service === null))
      return proposed ?? `Nothing is wrong with ${service ?? 'any service'} now, so there is nothing to do.`;
    relevantEvidence(best, scene, confidenceOf(best, scene), tools.cabinet, survey, tools.telemetry);
    const remedies = best.kind.remedies(best.suspect, best.reading);
    const isKnown = brief?.remediation.every((title) => remedies.some((remedy) => remedy.title === title));
    const now = remedies.filter(({ category }) => category === 'immediate').map(inFull);
    const later = remedies
      .filter(({ category }) => category === 'follow_up')
      .map(({ title }) => `- ${title}`);
    return [
      ...(proposed === null || isKnown ? [] : [proposed, '']),
      `${best.suspect.node.name} ${best.reading.what}. So, at once:`,
      '',
      ...now,
      ...(later.length > 0 ? ['', '**When it is calm again**', ...later] : []),
    ].join('\n');
  },
};

function proposals({ number, remediation, rootCauseSummary }: IssueBrief): string | null {
  if (remediation.length === 0) return null;
  return [
    ...(rootCauseSummary === null ? [] : [`#${number} comes from this: ${rootCauseSummary}`, '']),
    `For #${number} the investigation proposes:`,
    '',
    ...remediation.map((title) => `- ${title}`),
  ].join('\n');
}

function inFull({ title, description, steps }: Remedy): string {
  const lines = steps.map((step, i) => {
    const content = step.type === 'command' ? `\`${step.content}\`` : step.content;
    return `${i + 1}. ${step.title}${step.required ? '' : ' (optional)'}: ${content}`;
  });
  return [`**${title}.** ${description}`, '', ...lines].join('\n');
}
