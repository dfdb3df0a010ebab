import type { Button, KnownBlock } from '@slack/types';
import type { IssueNumber } from '../../shared/issue-number.ts';
import { actionIds } from '../action-ids.ts';
import { date } from '../dates.ts';
import { bold, channelMention, literal } from '../escape.ts';
import { fitMessage, notice } from '../fit.ts';
import { link } from '../links.ts';
import { actions, button, columns, context, type Rendered, section } from '../rendered.ts';
import type { CardView, PrivateCardView, ShortCardView } from '../views.ts';
import { SIMULATED, statusWords } from '../words.ts';
import { titleOf } from './card.ts';
import {
  actionLine,
  firedLine,
  muteLine,
  noteLine,
  recoveredLine,
  severityLine,
  short,
  value,
} from './card-lines.ts';
import { type HeadView, symptomLine } from './incident.ts';
import { moreElements } from './more.ts';
import { noteLines } from './notes.ts';

/** All that a short card offers: the buttons, and the one choice in its menu. */
export const shortCardActions = ['resolve', 'mute', 'reopen', 'notSame'] as const;

/**
 * The short card in a second channel's thread: it names the issue and is kept current.
 * Of an issue that lives in a private channel it shows nothing that was said there.
 */
export function renderShortCard(view: ShortCardView): Rendered {
  const lines = [
    homeLine(view),
    firedLine('Fired here', view.fired, view.lastFiredAt),
    view.status === 'muted' ? muteLine({ mutedUntil: view.mutedUntil, hidden: 0 }) : null,
    view.recoveredAt === null ? null : `The alert recovered · ${date(view.recoveredAt)}`,
    noteLine(view.note),
    actionLine(view.lastAction),
  ].filter((line) => line !== null);
  const elements = [
    ...buttonsFor(view),
    ...moreElements(view.issueId, {
      notSame: view.notSame,
      attach: false,
      investigateAgain: false,
      delete: false,
      evidence: false,
      attachTo: null,
    }),
  ];
  return card(view, [], lines, elements);
}

function card(
  view: Pick<
    ShortCardView,
    'number' | 'title' | 'status' | 'statusSince' | 'severity' | 'raisedFrom' | 'simulated'
  >,
  first: readonly string[],
  lines: readonly string[],
  elements: ReturnType<typeof moreElements>,
): Rendered {
  const blocks: KnownBlock[] = [
    ...(view.simulated ? [context(SIMULATED)] : []),
    section(bold(titleOf(view))),
    ...first.map((line) => section(line)),
    columns([
      `*Status*\n${statusWords(short(view.status))} · since ${date(view.statusSince)}`,
      `*Severity*\n${severityLine(view.severity, view.raisedFrom)}`,
    ]),
    ...lines.map((line) => context(line)),
    ...(elements.length === 0 ? [] : [actions(elements)]),
  ];
  const prefix = view.simulated ? `${SIMULATED}. ` : '';
  return fitMessage({
    text: `${prefix}${literal(titleOf(view))} · ${statusWords(short(view.status))}`,
    blocks,
  });
}

/** The card of a symptom: the issue that leads has thread, verdict and checklist. */
export function renderSymptomCard(view: CardView, head: HeadView): Rendered {
  const { issueId, status } = view;
  const lines = [
    firedLine('Fired again', view.repeats, view.lastRepeatAt),
    status === 'muted' ? muteLine(view) : null,
    recoveredLine(view),
    noteLine(view.note),
    actionLine(view.lastAction),
    ...noteLines(view.notes ?? []),
  ].filter((line) => line !== null);
  const elements = [
    ...buttonsFor({ status, issueId }),
    ...moreElements(issueId, { ...view.offers, notSame: true, attachTo: null }),
  ];
  // Why is said once, in the message below it.
  return card(view, [`*${symptomLine({ ...head, cause: null })}*`], lines, elements);
}

/** The short card once its message counts for another issue; `number` is `null` until that one has one. */
export function renderMovedCard(from: IssueNumber | null, to: IssueNumber | null): Rendered {
  const before = from === null ? 'the issue' : `#${from}`;
  const now = to === null ? 'its own issue' : `#${to}`;
  return notice(`This alert no longer counts toward ${before}; it now belongs to ${now}.`);
}

function homeLine({ number, home }: ShortCardView): string {
  const issue = number === null ? 'an issue' : `issue #${number}`;
  if (home === null) return `This alert belongs to ${issue} in a private channel`;
  const where = channelMention(home.channel);
  const card = home.url === null ? '' : ` · ${link(home.url, 'Open thread')}`;
  return `This alert belongs to ${issue} in ${where}${card}`;
}

function buttonsFor({ status, issueId }: Pick<ShortCardView, 'status' | 'issueId'>): Button[] {
  const mute = button('Mute', actionIds.mute, issueId);
  switch (status) {
    case 'ready_to_fix':
      return [button('Resolve', actionIds.resolve, issueId, 'primary'), mute];
    case 'resolved':
    case 'muted':
      return [button('Reopen', actionIds.reopen, issueId)];
    case 'filing':
    case 'failed':
    case 'deleted':
      return [];
    default:
      return [mute];
  }
}

/** An issue that lives in a private channel, shown elsewhere: nothing that was said there. */
export function renderPrivateCard(view: PrivateCardView): Rendered {
  const name = view.number === null ? 'This issue' : `Issue #${view.number}`;
  const prefix = view.simulated ? `${SIMULATED}. ` : '';
  return fitMessage({
    text: `${prefix}${name} · ${statusWords(short(view.status))}`,
    blocks: [
      ...(view.simulated ? [context(SIMULATED)] : []),
      section(`*${name}*`),
      columns([
        `*Status*\n${statusWords(short(view.status))}`,
        `*Severity*\n${severityLine(view.severity, null)}`,
        `*Environment*\n${value(view.environment)}`,
      ]),
      context('It belongs to a private channel; the details are only shown there.'),
    ],
  });
}
