import type { Remediation } from '../../../contract/schema.ts';
import type { Hypothesis } from '../hypothesis.ts';
import type { Remedy, Step } from '../kinds/observations.ts';
import type { IssueToInvestigate } from '../types.ts';

/** What to do about it: the fault kind's remedies, each with a prompt for a coding agent. */
export function remediationFor(
  best: Hypothesis,
  summary: string,
  issue: IssueToInvestigate,
  id: () => string,
): Remediation {
  return {
    actions: best.kind.remedies(best.candidate, best.assessment).map((remedy) => ({
      id: id(),
      uuid: id(),
      title: remedy.title,
      description: remedy.description,
      category: remedy.category,
      markdownPrompt: promptFor(remedy, best, summary, issue),
      steps: remedy.steps.map((step) => ({
        id: id(),
        title: step.title,
        required: step.required,
        type: step.type,
        content: step.content,
        helpMarkdown: step.help,
        label: labelOf(step),
      })),
    })),
  };
}

function labelOf(step: Step): string {
  const what = { info: 'Note', command: 'Run', check: 'Check' }[step.type];
  return step.required ? what : `${what} (optional)`;
}

function promptFor(
  remedy: Remedy,
  { assessment }: Hypothesis,
  summary: string,
  issue: IssueToInvestigate,
): string {
  return [
    `# ${remedy.title}`,
    '',
    `You are helping with an incident in ${issue.environment}: "${issue.title}".`,
    '',
    '## What we know',
    summary,
    ...assessment.observations.map((observation) => `- ${observation.title}. ${observation.description}`),
    '',
    '## What to do',
    remedy.description,
    ...remedy.steps.map((step, i) => `${i + 1}. ${step.title}: ${step.content}`),
    '',
    'Propose the change, say how you would verify it, and touch nothing else.',
  ].join('\n');
}
