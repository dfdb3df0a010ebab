import { z } from 'zod';
import { confidenceOf } from '../investigation/confidence.ts';
import { relevantEvidence } from '../investigation/words/evidence.ts';
import { summaryOf } from '../investigation/words/headline.ts';
import { type Remedy, remediesOf } from '../investigation/words/remediation.ts';
import { checklistOf, type Deed, deedIn } from './about-issue.ts';
import { subjectOf } from './issue-scope.ts';
import { services, tool } from './tool.ts';
import type { Facts, IssueScope } from './types.ts';

export const advice = tool({
  name: 'advice',
  answers: 'what to do about a service or an issue: first steps, follow-up, commands to check and to fix',
  example: 'What should I do about {service}?',
  input: z.object({
    services,
    /** Whether it is asked if a step is safe. */
    safe: z.boolean().default(false),
    /** What somebody thinks of doing. */
    deed: z.enum(['rollback', 'restart']).nullable().default(null),
  }),
  fill: ({ question, services: own }) => ({
    services: [...own],
    safe: /\bsafe\b|\brisk/iu.test(question),
    deed: deedIn(question),
  }),
  run: async ({ services: own, safe, deed }, facts) => ({
    data: { issue: facts.scope?.issue.number ?? null, service: own[0] ?? facts.scope?.symptom ?? null },
    holds: facts.scope === null || deed === null || safe ? null : isOnChecklist(deed, facts.scope),
    text:
      facts.scope === null
        ? adviceFor({ services: own }, facts)
        : await checklistOf(facts.scope, facts, { rollback: safe || deed === 'rollback' }),
  }),
});

/** Whether it is among the first steps. */
function isOnChecklist(deed: Deed, { issue }: IssueScope): boolean | null {
  const first = (issue.findings?.remediation.actions ?? []).filter(
    ({ category }) => category === 'immediate',
  );
  if (first.length === 0) return null;
  return first.some(({ title }) => deedIn(title) === deed) ? true : null;
}

function adviceFor(args: { services: readonly string[] }, facts: Facts): string {
  const service = subjectOf(args, facts);
  const { survey, incident, best, others } = facts.diagnose(service);
  if (!incident || !best)
    return `${service ?? 'Everything'} is healthy right now, so there is nothing to do.`;
  const { view, evidenceStore } = facts;
  const remedies = remediesOf(best, facts.view.snapshot.logs.length > 0);
  const confidence = confidenceOf(best, incident, { gaps: view.gaps, others });
  relevantEvidence(best, incident, confidence, evidenceStore, survey, view);
  const later = remedies.filter(({ category }) => category === 'follow_up').map(({ title }) => `- ${title}`);
  return [
    `${summaryOf(best)} Do this first:`,
    '',
    ...remedies.filter(({ category }) => category === 'immediate').map(inFull),
    ...(later.length > 0 ? ['', '**Follow-up**', ...later] : []),
  ].join('\n');
}

function inFull({ title, description, steps }: Remedy): string {
  const lines = steps.map((step, i) => {
    const content = step.type === 'command' ? `\`${step.content}\`` : step.content;
    return `${i + 1}. ${step.title}${step.required ? '' : ' (optional)'}: ${content}`;
  });
  return [`**${title}.** ${description}`, '', ...lines].join('\n');
}
