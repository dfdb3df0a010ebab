import type { ContainerBlock } from '@slack/types';
import type { Evidence, RootCause } from '../../../contract/answers.ts';
import { bold } from '../escape.ts';
import { folded } from '../folded.ts';
import { body } from '../links.ts';
import { section } from '../rendered.ts';
import { itemsOf, pages } from './pages.ts';
import { confidence, passage, phrase, tags } from './phrases.ts';

const PAGE = 1700;
const MAX_PAGES = 2;
const MAX_TITLE = 200;
const MAX_DESCRIPTION = 320;

/** Supporting evidence, then evidence ruled out, both folded: the verdict comes first. */
export function evidenceBlocks(rootCause: RootCause | undefined): ContainerBlock[] {
  return [
    ...list('Evidence', rootCause?.relevantEvidence ?? []),
    ...list('Ruled out', rootCause?.irrelevantEvidence ?? []),
  ];
}

function list(heading: string, evidence: readonly Evidence[]): ContainerBlock[] {
  const shared = sharedConfidence(evidence);
  const items = itemsOf(
    evidence,
    (one) => item(one, shared),
    (one) => /\S/u.test(one.title ?? '') || /\S/u.test(one.description ?? ''),
  );
  const title = [heading, String(items.length), ...(shared === undefined ? [] : [shared])].join(' · ');
  return folded(title, pages(items, PAGE, MAX_PAGES).map(section));
}

/** Stated once above, if it is the same for all. */
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
