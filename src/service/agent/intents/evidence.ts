import type { Evidence } from '../../../contract/schema/results.ts';
import { relevantEvidence } from '../../investigation/evidence.ts';
import { ruledOut } from '../../investigation/ruled-out.ts';
import { confidenceOf } from '../../investigation/verdict.ts';
import { lookAt, subjectOf } from '../diagnosis.ts';
import type { Intent } from '../types.ts';

/** How sure are you? What was ruled out? */
export const evidence: Intent = {
  name: 'evidence',
  example: 'What did you rule out for payments?',
  matches: ({ question }) =>
    /\bruled? out\b|\bhow (?:sure|certain|confident)\b|\bare you (?:sure|certain)\b|\bconfidence\b|\bevidence\b|\bproof\b|\bhow do you know\b/iu.test(
      question,
    ),
  answer(turn, tools) {
    const service = subjectOf(turn, tools);
    const { survey, scene, best, others } = lookAt(service, turn, tools);
    if (!scene || !best)
      return `${service ?? 'Everything'} is well, so there is no cause to be sure of, and nothing to rule out.`;
    const { telemetry, cabinet } = tools;
    const confidence = confidenceOf(best, scene);
    const line = ({ title, description }: Evidence) => `- ${title ?? ''}. ${description ?? ''}`;
    return [
      `${best.kind.name} at ${best.suspect.node.name}, confidence **${confidence}**. What speaks for it:`,
      '',
      ...relevantEvidence(best, scene, confidence, cabinet, survey, telemetry).map(line),
      '',
      '**Ruled out**',
      ...ruledOut(best, others, scene, survey, cabinet, telemetry).map(line),
    ].join('\n');
  },
};
