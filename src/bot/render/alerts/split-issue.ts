import type { InputBlock, ModalView, PlainTextOption } from '@slack/types';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import type { IssueNumber } from '../../shared/issue-number.ts';
import { date } from '../dates.ts';
import { clean, quoted } from '../escape.ts';
import { field, plain } from '../inputs.ts';
import { link } from '../links.ts';
import { fitModal } from '../modal.ts';
import { context, section } from '../rendered.ts';
import { viewIds } from '../view-ids.ts';

export interface RepeatView {
  channel: string;
  ts: string;
  /** Milliseconds since the epoch. */
  at: number;
  title: string;
  url: string;
  /** Its text equals that of the alert the issue was filed for. */
  readsTheSame: boolean;
}

/** State for the submissions of both modals. */
export interface AboutIssue {
  issueId: string;
  channel: string;
}

/** Ids of the inputs, each its block's and its element's. */
export const apartInputs = { repeat: 'repeat', issue: 'issue', number: 'number' } as const;

const MAX_TITLE = 120;
const MAX_OPTION = 60;
const SAME_WORDS =
  '≈ marks alerts that look the same as the one the issue was filed for. From now on, such alerts go to the newer issue.';

/** *These are two problems*: choose the repeat that gets its own issue. */
export function notSameModal(
  about: AboutIssue & { number: IssueNumber | null },
  repeats: readonly RepeatView[],
): ModalView {
  const { issueId, channel, number } = about;
  const issue = number === null ? 'this issue' : `#${number}`;
  return fitModal({
    callbackId: viewIds.notSame,
    title: 'These are two problems',
    submit: 'Split off',
    privateMetadata: JSON.stringify({ issueId, channel }),
    blocks: [
      section(
        `Which of these does not belong to ${issue}? It gets its own issue and investigation, and alerts like it go there from now on. What tells the problems of a sender apart can be said once for all, in \`/gumshoe\` under *Senders*.`,
      ),
      choice(
        apartInputs.repeat,
        'Alert that is another problem',
        repeats.map((repeat, index) => ({
          text: plain(cutAtWord(`${index + 1}. ${mark(repeat)}${oneLine(clean(repeat.title))}`, MAX_OPTION)),
          value: `${repeat.channel}:${repeat.ts}`,
        })),
        false,
      ),
      ...repeats.map((repeat, index) =>
        context(
          `${index + 1}. ${date(repeat.at)} · ${link(repeat.url, 'Show it')} · ${mark(repeat)}${quoted(repeat.title, MAX_TITLE)}`,
        ),
      ),
      ...(repeats.some(({ readsTheSame }) => readsTheSame) ? [context(SAME_WORDS)] : []),
    ],
  });
}

/** *Attach to #n*: one of the channel's open issues, or a number. */
export function attachModal(
  about: AboutIssue & { number: IssueNumber | null },
  open: readonly { number: IssueNumber; title: string }[],
): ModalView {
  const { issueId, channel, number } = about;
  const issue = number === null ? 'this issue' : `#${number}`;
  const options = open.map((one) => ({
    text: plain(cutAtWord(`#${one.number} ${oneLine(clean(one.title))}`, MAX_OPTION)),
    value: String(one.number),
  }));
  return fitModal({
    callbackId: viewIds.attach,
    title: 'The same problem',
    submit: 'Attach',
    privateMetadata: JSON.stringify({ issueId, channel }),
    blocks: [
      section(
        `Which issue is ${issue} the same problem as? If that is about another service, ${issue} becomes a symptom of it. Otherwise its alerts count there from now on, and ${issue} is resolved.`,
      ),
      ...(options.length === 0
        ? []
        : [choice(apartInputs.issue, 'Open issue in this channel', options, true)]),
      field(
        {
          name: apartInputs.number,
          label: options.length > 0 ? 'Or any issue number' : 'Issue number',
        },
        {
          type: 'plain_text_input',
          action_id: apartInputs.number,
          max_length: 20,
          placeholder: plain('As shown on its card'),
        },
        options.length > 0,
      ),
    ],
  });
}

/** One of several; if there is only one and it is required, it is preselected. */
function choice(name: string, label: string, options: PlainTextOption[], optional: boolean): InputBlock {
  const [first] = options;
  const only = !optional && options.length === 1 && first ? { initial_option: first } : {};
  return field({ name, label }, { type: 'static_select', action_id: name, options, ...only }, optional);
}

function mark({ readsTheSame }: RepeatView): string {
  return readsTheSame ? '≈ ' : '';
}
