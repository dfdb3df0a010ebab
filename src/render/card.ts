import type { Button, KnownBlock } from '@slack/types';
import { cutAtWord, oneLine } from '../lib/text.ts';
import { actionIds } from './action-ids.ts';
import { date } from './dates.ts';
import { bold, clean, literal, userMention } from './escape.ts';
import { fitMessage } from './fit.ts';
import { link } from './links.ts';
import { actions, button, columns, context, type Rendered, section } from './rendered.ts';
import type { CardView } from './views.ts';
import { count, SIMULATED, severityWords, statusWords } from './words.ts';

/** After this many milliseconds an investigation is said to take long (DESIGN section 4, *Watching*). */
const PATIENCE = 30 * 60_000;
const MAX_TITLE = 500;
const MAX_VALUE = 200;

/**
 * The card of an issue, edited in place in the alert's thread (DESIGN section 4, *Filing*).
 * @param now milliseconds since the epoch
 */
export function renderCard(view: CardView, now: number): Rendered {
  const title = bold(cutAtWord(oneLine(titleOf(view)), MAX_TITLE));
  const blocks: KnownBlock[] = [
    ...(view.simulated ? [context(SIMULATED)] : []),
    section(title),
    columns(facts(view)),
    ...(view.failure === null ? [] : [section(`⚠️ ${literal(view.failure.trim())}`)]),
    ...history(view, now).map((line) => context(line)),
    ...buttonRow(view),
  ];
  return fitMessage({ text: notification(view), blocks });
}

function titleOf(view: CardView): string {
  const title = clean(view.title).trim() || 'Untitled issue';
  return view.number === null ? title : `#${view.number} ${title}`;
}

function notification(view: CardView): string {
  const prefix = view.simulated ? `${SIMULATED}. ` : '';
  return `${prefix}${literal(cutAtWord(oneLine(titleOf(view)), MAX_TITLE))} · ${statusWords(short(view.status))}`;
}

function facts(view: CardView): string[] {
  return [
    `*Status*\n${statusWords(short(view.status))} · since ${date(view.statusSince)}`,
    `*Severity*\n${severityWords(short(view.severity))}`,
    `*Environment*\n${value(view.environment)}`,
    ...(view.service === null ? [] : [`*Service*\n${value(view.service)}`]),
  ];
}

function history(view: CardView, now: number): string[] {
  const lines: string[] = [];
  if (view.status === 'investigating' && now - view.statusSince > PATIENCE) {
    lines.push('Takes longer than 30 minutes. Results still come here.');
  }
  const repeats = repeatLine(view);
  if (repeats !== null) lines.push(repeats);
  if (view.recoveredAt !== null) lines.push(`The alert recovered · ${date(view.recoveredAt)}`);
  if (view.lastAction !== null) {
    const { userId, what, at } = view.lastAction;
    lines.push(`${userMention(userId)} ${value(what)} · ${date(at)}`);
  }
  const origin = originLine(view);
  if (origin !== null) lines.push(origin);
  return lines;
}

function repeatLine(view: CardView): string | null {
  if (view.repeats <= 0) return null;
  const last = view.lastRepeatAt === null ? '' : ` · last ${date(view.lastRepeatAt)}`;
  return `Fired again ${count(view.repeats, 'time')}${last}`;
}

function originLine(view: CardView): string | null {
  const source = view.source === null ? null : `From ${value(view.source)}`;
  const alert = view.alertUrl === null ? null : link(view.alertUrl, 'Open the alert');
  const parts = [source, alert].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(' · ');
}

function buttonRow(view: CardView): KnownBlock[] {
  const buttons = view.issueId === '' ? [] : buttonsFor(view.status, view.issueId);
  return buttons.length === 0 ? [] : [actions(buttons)];
}

function buttonsFor(status: string, issueId: string): Button[] {
  const ask = button('Ask', actionIds.ask, issueId);
  const mute = button('Mute', actionIds.mute, issueId);
  switch (status) {
    case 'ready_to_fix':
      return [button('Resolve', actionIds.resolve, issueId, 'primary'), mute, ask];
    case 'resolved':
    case 'muted':
      return [button('Reopen', actionIds.reopen, issueId)];
    case 'failed':
      return [button('Try again', actionIds.retry, issueId, 'primary')];
    case 'filing':
    case 'deleted':
      return [];
    default:
      return [ask, mute];
  }
}

function value(text: string): string {
  return literal(short(text)) || 'not stated';
}

function short(text: string): string {
  return cutAtWord(oneLine(text), MAX_VALUE);
}
