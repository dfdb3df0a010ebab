import type { Remediation } from '../../contract/schema/results.ts';
import type { Remedy, Step } from './kinds/types.ts';
import type { IssueToInvestigate } from './types.ts';
import type { Case } from './verdict.ts';

/** What to do about it (contract, 2.7): the remedies of the kind of fault, each with a prompt for a coding agent. */
export function remediationFor(
  best: Case,
  summary: string,
  issue: IssueToInvestigate,
  id: () => string,
): Remediation {
  return {
    actions: best.kind.remedies(best.suspect, best.reading).map((remedy) => ({
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

function labelOf(checkpoint: Step): string {
  const what = { info: 'Know', command: 'Run', check: 'Check' }[checkpoint.type];
  return checkpoint.required ? what : `${what} (optional)`;
}

function promptFor(remedy: Remedy, { reading }: Case, summary: string, issue: IssueToInvestigate): string {
  return [
    `# ${remedy.title}`,
    '',
    `You help with an incident in ${issue.environment}: "${issue.title}".`,
    '',
    '## What is known',
    summary,
    ...reading.clues.map((clue) => `- ${clue.title}. ${clue.description}`),
    '',
    '## What to do',
    remedy.description,
    ...remedy.steps.map((step, i) => `${i + 1}. ${step.title}: ${step.content}`),
    '',
    'Propose the change, say how you would verify it, and do not touch anything else.',
  ].join('\n');
}
