import type { ModalView } from '@slack/types';
import type { IssueNumber } from '../../../lib/issue-number.ts';
import { clean } from '../escape.ts';
import { limits } from '../limits.ts';
import { fitModal } from '../modal.ts';
import { context } from '../rendered.ts';
import { verbatimContext, verbatimSection } from '../verbatim.ts';

/** There is nothing to submit, so it has no listener. */
const CALLBACK_ID = 'step:prompt';

/** The prompt of a remediation action; all texts are untrusted. */
interface PromptView {
  number: IssueNumber | null;
  action: string;
  prompt: string;
}

/** The prompt exactly as the service gave it, in as many parts as Slack needs, to be copied. */
export function promptModal({ number, action, prompt }: PromptView): ModalView {
  const title = number === null ? 'Prompt' : `Prompt of #${number}`;
  const name = clean(action).trim();
  return fitModal({
    callbackId: CALLBACK_ID,
    title,
    blocks: [
      context('Copy this for a coding agent or a colleague.'),
      ...(name === '' ? [] : [verbatimContext(name.slice(0, 500))]),
      ...inParts(clean(prompt), limits.sectionText).map(verbatimSection),
    ],
  });
}

/** Cut at line ends if possible; only the line ends at the cuts are lost. */
function inParts(text: string, max: number): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > max) {
    const line = rest.lastIndexOf('\n', max);
    const half = /[\ud800-\udbff]/u.test(rest.charAt(max - 1)) ? max - 1 : max;
    const end = line > 0 ? line : half;
    parts.push(rest.slice(0, end));
    rest = rest.slice(line > 0 ? end + 1 : end);
  }
  return [...parts, rest].filter((part) => part.trim() !== '');
}
