import type { Evidence } from '../../../contract/schema.ts';
import { relevantEvidence } from '../../investigation/evidence.ts';
import { capitalize } from '../../investigation/format.ts';
import { confidenceOf, headlineOf } from '../../investigation/hypotheses.ts';
import { ruledOut } from '../../investigation/ruled-out.ts';
import { subjectOf } from '../subject.ts';
import type { Intent } from '../types.ts';

/** How sure are you? What was ruled out? */
export const evidence: Intent = {
  name: 'evidence',
  example: 'What did you rule out for {service}?',
  matches: ({ question }) =>
    /\bruled? out\b|\bhow (?:sure|certain|confident)\b|\bare you (?:sure|certain)\b|\bconfidence\b|\bevidence\b|\bproof\b|\bhow do you know\b/iu.test(
      question,
    ),
  answer(turn, tools) {
    const service = subjectOf(turn, tools);
    const { survey, incident, best, others } = tools.diagnose(service);
    if (!incident || !best) return `${service ?? 'Everything'} is healthy, so there is no cause to look for.`;
    const { view, evidenceStore } = tools;
    const confidence = confidenceOf(best, incident, tools.view.gaps);
    const line = ({ title, description }: Evidence) => `- ${title}. ${description}`;
    return [
      `${capitalize(headlineOf(best))}, confidence **${confidence}**. Evidence:`,
      '',
      ...relevantEvidence(best, incident, confidence, evidenceStore, survey, view).map(line),
      '',
      '**Ruled out**',
      ...ruledOut(best, others, incident, survey, evidenceStore, view).map(line),
    ].join('\n');
  },
};
