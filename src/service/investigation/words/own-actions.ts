import type { Findings } from '../../../contract/schema.ts';
import { joinNames } from '../format.ts';
import type { OwnStep } from '../own-actions.ts';

type Action = NonNullable<Findings['remediation']['actions']>[number];

/** Puts the team's own step before all others; behind those of its action while it is not known that it would help. */
export function withOwnStep(findings: Findings, own: OwnStep | null, id: () => string): Findings {
  const [first, ...rest] = findings.remediation.actions;
  if (own === null || first === undefined || findings.rootCause.rootCauseSummary === undefined)
    return findings;
  const step = stepOf(own, id);
  const steps = own.isSuspected ? [...first.steps, step] : [step, ...first.steps];
  return { ...findings, remediation: { actions: [{ ...first, steps }, ...rest] } };
}

function stepOf(
  { title, content, isLink, missing, isSuspected }: OwnStep,
  id: () => string,
): Action['steps'][number] {
  const isWhole = missing.length === 0;
  const kind = isLink ? 'info' : isWhole ? 'command' : 'check';
  const left = `Fill in ${joinNames(missing)} yourself: telemetry has no value that is safe to put into a command.`;
  return {
    id: id(),
    title: isSuspected ? `${title} (if that is the cause)` : title,
    required: !isSuspected,
    type: kind,
    content: isWhole || isLink ? content : `\`${content}\``,
    helpMarkdown: ['From your `ACTIONS` file.', ...(isWhole ? [] : [left])].join(' '),
    label: kind === 'info' ? 'Open' : kind === 'command' ? 'Run' : 'Fill in and run',
  };
}
