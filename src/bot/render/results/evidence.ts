import type { SectionBlock } from '@slack/types';
import type { Evidence, RootCause } from '../../../contract/schema/results.ts';
import { bold, literal } from '../escape.ts';
import { body } from '../links.ts';
import { columns, section } from '../rendered.ts';
import { itemsOf, pages } from './pages.ts';
import { confidence, passage, phrase, tags } from './phrases.ts';

const COLUMN = 1700;
const MAX_PAGES = 2;
const MAX_TITLE = 200;
const MAX_DESCRIPTION = 320;
const COUNTS = '*Evidence*';
const RULED_OUT = '*Ruled out*';

/** Evidence that counts beside evidence ruled out; what needs a second page stands below, side by side again. */
export function evidenceBlocks(rootCause: RootCause | undefined): SectionBlock[] {
  const counts = column(COUNTS, rootCause?.relevantEvidence ?? []);
  const ruledOut = column(RULED_OUT, rootCause?.irrelevantEvidence ?? []);
  const rows = Math.max(counts.length, ruledOut.length);
  return Array.from({ length: rows }, (_, row) => {
    const beside = [counts[row], ruledOut[row]].filter((page) => page !== undefined);
    // Alone in its row, a text takes the whole width.
    return beside.length === 2 ? columns(beside) : section(beside.join(''));
  });
}

function column(heading: string, evidence: readonly Evidence[]): string[] {
  const shared = sharedConfidence(evidence);
  const items = itemsOf(
    evidence,
    (one) => item(one, shared),
    (one) => /\S/u.test(one.title ?? '') || /\S/u.test(one.description ?? ''),
  );
  if (items.length === 0) return [];
  const [first, ...rest] = pages(items, COLUMN, MAX_PAGES);
  return [
    `${heading}${shared === undefined ? '' : ` · ${literal(shared)}`}\n${first}`,
    ...rest.map((page) => `${heading}, continued\n${page}`),
  ];
}

/** Said once above, where it is the same of all. */
function sharedConfidence([first, ...others]: readonly Evidence[]): string | undefined {
  const shared = confidence(first?.confidence);
  const isShared = others.length > 0 && others.every((one) => confidence(one.confidence) === shared);
  return isShared ? shared : undefined;
}

function item(evidence: Evidence, shared: string | undefined): string {
  const title = bold(phrase(evidence.title, MAX_TITLE));
  const description = body(passage(evidence.description, MAX_DESCRIPTION));
  const sure = confidence(evidence.confidence);
  const stated = tags(statusMark(evidence.status), sure === shared ? undefined : sure);
  if (title === '') return description === '' ? '' : `• ${description}${stated}`;
  return `• ${title}${stated}${description === '' ? '' : `\n${description}`}`;
}

// The column says as much already.
function statusMark(status: string | undefined): string | undefined {
  return /^(ir)?relevant$/iu.test(status?.trim() ?? '') ? undefined : status;
}
