import { relevantEvidence } from '../../investigation/evidence.ts';
import { confidenceOf, summaryOf } from '../../investigation/hypotheses.ts';
import type { Remedy } from '../../investigation/kinds/types.ts';
import { subjectOf } from '../subject.ts';
import type { Intent, IssueOverview } from '../types.ts';

/** What should I do? */
export const advice: Intent = {
  name: 'advice',
  example: 'What should I do about {service}?',
  matches: ({ question }) =>
    /what (?:should|can|do|must|shall) (?:i|we)|what now|what next|how (?:do|can|should|to)\b.*\b(?:fix|solve|repair|stop|mitigat|resolv)|\bfix\b|mitigat|remed|next step|roll ?back|\bsteps?\b/iu.test(
      question,
    ),
  answer(turn, tools) {
    const brief = turn.named.length > 0 && turn.numberNamed === null ? null : tools.issue;
    const service = subjectOf(turn, tools);
    const { survey, incident, best } = tools.diagnose(service);
    const proposed = brief ? proposals(brief) : null;
    // A live cause counts if nothing is recorded, or if the service in question is known.
    if (!incident || !best || (brief && service === null))
      return proposed ?? `${service ?? 'Everything'} is healthy right now, so there is nothing to do.`;
    relevantEvidence(
      best,
      incident,
      confidenceOf(best, incident, tools.view.gaps),
      tools.evidenceStore,
      survey,
      tools.view,
    );
    const remedies = best.kind.remedies(best.candidate, best.assessment);
    const isKnown = brief?.remediation.every((title) => remedies.some((remedy) => remedy.title === title));
    const now = remedies.filter(({ category }) => category === 'immediate').map(inFull);
    const later = remedies
      .filter(({ category }) => category === 'follow_up')
      .map(({ title }) => `- ${title}`);
    return [
      ...(proposed === null || isKnown ? [] : [proposed, '']),
      `${summaryOf(best)} Do this first:`,
      '',
      ...now,
      ...(later.length > 0 ? ['', '**Follow-up**', ...later] : []),
    ].join('\n');
  },
};

function proposals({ number, remediation, rootCauseSummary }: IssueOverview): string | null {
  if (remediation.length === 0) return null;
  return [
    ...(rootCauseSummary === null ? [] : [`Root cause of #${number}: ${rootCauseSummary}`, '']),
    `The investigation of #${number} suggests:`,
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
