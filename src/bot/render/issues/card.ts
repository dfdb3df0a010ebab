import type { ActionsBlock, Button, KnownBlock, PlanBlock, RichTextBlock, TaskCardBlock } from '@slack/types';
import { cutAtWord, displayName, oneLine } from '../../../lib/text.ts';
import { actionIds } from '../action-ids.ts';
import { date } from '../dates.ts';
import { bold, clean, literal } from '../escape.ts';
import { fitMessage } from '../fit.ts';
import { actions, button, columns, context, type Rendered, section } from '../rendered.ts';
import { verdictInBrief } from '../results/verdict.ts';
import type { CardView, PageView, ProgressOfInvestigation } from '../views.ts';
import { count, SIMULATED, statusWords } from '../words.ts';
import { historyLines, severityLine, short, value } from './card-lines.ts';
import { incidentLine } from './incident.ts';
import { moreElements } from './more.ts';
import { pageQuestion } from './owners.ts';
import { questionBlocks } from './record.ts';

const MAX_TITLE = 500;

/**
 * The card of an issue, edited in place in the alert's thread.
 * @param now milliseconds since the epoch
 */
export function renderCard(view: CardView, now: number): Rendered {
  const members = incidentLine(view.incident?.members ?? []);
  const blocks: KnownBlock[] = [
    ...(view.simulated ? [context(SIMULATED)] : []),
    section(bold(titleOf(view))),
    columns(facts(view)),
    ...(members === null ? [] : [section(members)]),
    ...(view.failure === null ? [] : [section(`⚠️ ${literal(view.failure.trim())}`)]),
    ...investigationBlocks(view),
    ...historyLines(view, now).map((line) => context(line)),
    ...buttonRow(view),
    ...(view.record?.asks ? questionBlocks(view.issueId) : []),
  ];
  const prefix = view.simulated ? `${SIMULATED}. ` : '';
  const text = `${prefix}${literal(titleOf(view))} · ${statusWords(short(view.status))}`;
  return fitMessage({ text, blocks });
}

type TitledView = Pick<CardView, 'number' | 'title'> & { service?: string | null };

/** `#12 Checkout answers 502`, on one line and cut; not escaped yet. */
export function titleOf({ number, title, service = null }: TitledView): string {
  const words = displayName({ title: clean(title).trim(), service }) || 'Untitled issue';
  return cutAtWord(oneLine(number === null ? words : `#${number} ${words}`), MAX_TITLE);
}

/** The steps of a requested investigation while it runs; then its outcome. */
function investigationBlocks({ investigation, status }: CardView): KnownBlock[] {
  if (investigation === null) return [];
  if ('results' in investigation) return [verdictInBrief(investigation.results)];
  return status === 'investigating' ? [planBlock(investigation.found)] : [];
}

function facts(view: CardView): string[] {
  return [
    `*Status*\n${statusWords(short(view.status))} · since ${date(view.statusSince)}`,
    `*Severity*\n${severityLine(view.severity, view.raisedFrom)}`,
    `*Environment*\n${value(view.environment)}`,
    ...(view.service === null ? [] : [`*Service*\n${value(view.service)}`]),
  ];
}

function buttonRow(view: CardView): ActionsBlock[] {
  if (view.issueId === '') return [];
  const elements = [
    ...buttonsFor(view),
    ...(view.offers.evidence ? [button('Evidence', actionIds.evidence, view.issueId)] : []),
    ...(view.seen ? [button('Seen before', actionIds.seenBefore, view.issueId)] : []),
    ...(view.status === 'resolved' ? [button('Write-up', actionIds.writeup, view.issueId)] : []),
    ...(view.offers.ticket ? [button('Ticket', actionIds.ticket, view.issueId)] : []),
    ...(view.offers.askOwner ? [button('Ask the owner', actionIds.askOwner, view.issueId)] : []),
    ...(view.offers.page ? [pageButton(view.issueId, view.offers.page)] : []),
    ...moreElements(view.issueId, view.offers),
  ];
  return elements.length === 0 ? [] : [actions(elements)];
}

/** Waking somebody is confirmed in a window of Slack's own. */
function pageButton(issueId: string, page: PageView): Button {
  const plain = (text: string) => ({ type: 'plain_text' as const, text });
  return {
    ...button('Page', actionIds.page, issueId),
    confirm: {
      title: plain('Wake somebody up?'),
      text: plain(pageQuestion(page)),
      confirm: plain('Page'),
      deny: plain('Cancel'),
    },
  };
}

function buttonsFor(view: CardView): Button[] {
  const { status, issueId } = view;
  // An attached issue is controlled from the other one.
  if (view.relations.attachedTo !== null) return [];
  const ask = button('Ask', actionIds.ask, issueId);
  // Remaining steps come first; once all are done, resolving is what is left.
  const isNext = view.progress === null || view.progress.complete;
  const resolve = (style?: 'primary') => button('Resolve', actionIds.resolve, issueId, style);
  const mute = button('Mute', actionIds.mute, issueId);
  const reopen = button('Reopen', actionIds.reopen, issueId);
  switch (status) {
    case 'ready_to_fix':
      return [resolve(isNext ? 'primary' : undefined), mute, ask];
    case 'no_cause':
    case 'not_investigated':
      return [ask, resolve(), mute];
    case 'resolved':
      return [reopen];
    case 'muted':
      return [reopen, resolve()];
    case 'failed':
      return [button('Try again', actionIds.retry, issueId, 'primary')];
    case 'filing':
    case 'deleted':
      return [];
    default:
      return view.progress?.complete === true ? [resolve('primary'), ask, mute] : [ask, resolve(), mute];
  }
}

interface Step {
  id: string;
  title: string;
  isDone: boolean;
  found: string;
}

/** The steps of an investigation under way, from what it has found so far. */
export function planBlock(found: ProgressOfInvestigation): PlanBlock {
  const steps = stepsOf(found);
  const last = steps.findLastIndex(({ isDone }) => isDone);
  return {
    type: 'plan',
    title: 'Investigation in progress',
    tasks: steps.map(({ id, title, found: words }, index): TaskCardBlock => {
      // What comes later in an investigation shows that what comes before is done.
      const status = index <= last ? 'complete' : index === last + 1 ? 'in_progress' : 'pending';
      const details = words === '' ? {} : { details: richText(words) };
      return { type: 'task_card', task_id: id, title, status, ...details };
    }),
  };
}

function stepsOf({ overview, evidence, ruledOut, causes }: ProgressOfInvestigation): Step[] {
  const looked = [
    ...(evidence > 0 ? [`${count(evidence, 'piece')} of evidence`] : []),
    ...(ruledOut > 0 ? [`${ruledOut} ruled out`] : []),
  ].join(', ');
  return [
    { id: 'alert', title: 'Read the alert', isDone: overview, found: '' },
    { id: 'telemetry', title: 'Query the telemetry', isDone: evidence + ruledOut > 0, found: looked },
    {
      id: 'causes',
      title: 'Weigh the causes',
      isDone: causes > 0,
      found: causes > 0 ? `${count(causes, 'cause')} and effects` : '',
    },
    { id: 'results', title: 'Write the results', isDone: false, found: '' },
  ];
}

function richText(text: string): RichTextBlock {
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
  };
}
