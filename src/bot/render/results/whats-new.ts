import type { ContainerBlock } from '@slack/types';
import type { InvestigationResults } from '../../../contract/answers.ts';
import { cutEscaped } from '../cut.ts';
import { clean, literal } from '../escape.ts';
import { folded } from '../folded.ts';
import { body } from '../links.ts';
import { section } from '../rendered.ts';
import { pages } from './pages.ts';
import { passage, phrase } from './phrases.ts';
import { hasRootCause } from './verdict.ts';

const PAGE = 2400;
const MAX_ITEMS = 5;
const MAX_TITLE = 160;
const MAX_CAUSE = 400;

/** An older version of the results, for comparison. */
export interface OlderResults {
  version: number;
  results: InvestigationResults;
}

/** What changed since an older version, folded away: root cause, evidence, steps (DESIGN section 4, *Results*). */
export function whatsNew(before: OlderResults, now: InvestigationResults): ContainerBlock[] {
  const lines = [
    ...cause(before.results, now),
    ...evidence(before.results, now),
    ...listed('Steps', stepsOf(before.results), stepsOf(now)),
  ];
  const said = lines.length === 0 ? ['Same root cause, evidence and steps.'] : lines;
  return folded(`What changed since version ${before.version}`, pages(said, PAGE, 1).map(section));
}

function cause(before: InvestigationResults, now: InvestigationResults): string[] {
  const [was, is] = [before, now].map(({ rootCause }) => clean(rootCause?.rootCauseSummary ?? '').trim());
  if (was === is) return [];
  if (!hasRootCause(before.rootCause)) return ['• Root cause found; there was none before.'];
  const old = cutEscaped(body(passage(was, MAX_CAUSE * 4)), MAX_CAUSE);
  return [
    hasRootCause(now.rootCause) ? `• Different root cause. Before: ${old}` : `• Root cause withdrawn: ${old}`,
  ];
}

function evidence(before: InvestigationResults, now: InvestigationResults): string[] {
  const sides = (results: InvestigationResults) => ({
    counts: named(results.rootCause?.relevantEvidence ?? []),
    ruledOut: named(results.rootCause?.irrelevantEvidence ?? []),
  });
  const [was, is] = [sides(before), sides(now)];
  return [...listed('Evidence', was.counts, is.counts), ...listed('Ruled out', was.ruledOut, is.ruledOut)];
}

function named(list: readonly { title?: string | undefined; description?: string | undefined }[]): string[] {
  return list
    .map(({ title, description }) => phrase(title, MAX_TITLE) || phrase(description, MAX_TITLE))
    .filter((name) => name !== '');
}

function stepsOf({ remediation }: InvestigationResults): string[] {
  return (remediation?.actions ?? []).flatMap(({ title, steps = [] }) => {
    const action = phrase(title, MAX_TITLE);
    const names = steps.map((step) => phrase(step.title, MAX_TITLE) || phrase(step.content, MAX_TITLE));
    const shown = names.filter((name) => name !== '');
    if (shown.length === 0) return action === '' ? [] : [action];
    return shown.map((name) => (action === '' ? name : `${action}: ${name}`));
  });
}

/** One line for what is new, one for what is gone. */
function listed(what: string, was: readonly string[], is: readonly string[]): string[] {
  const side = (words: string, some: readonly string[]) => {
    if (some.length === 0) return [];
    const more = some.length > MAX_ITEMS ? ` … and ${some.length - MAX_ITEMS} more` : '';
    return [`• ${what} ${words}: ${some.slice(0, MAX_ITEMS).map(literal).join('; ')}${more}`];
  };
  const added = [...new Set(is)].filter((name) => !was.includes(name));
  const gone = [...new Set(was)].filter((name) => !is.includes(name));
  return [...side('added', added), ...side('dropped', gone)];
}
