import type { IssueNumber } from '../../shared/issue-number.ts';
import { quoted } from '../escape.ts';
import { notice } from '../fit.ts';
import { link } from '../links.ts';
import type { Rendered } from '../rendered.ts';

/** A ticket at the tracker; texts are untrusted. */
export interface TicketView {
  /** `failed` until somebody has mended what the tracker refuses. */
  state?: 'wanted' | 'made' | 'failed' | 'gone';
  /** `null` until it is made. */
  key: string | null;
  url: string | null;
  status: string | null;
  failure: string | null;
}

const MAX = 200;
const MAX_FAILURE = 500;
const AGAIN = 'Once that is fixed, press *Ticket* or repeat the command.';

/** `🎫 FIX-12: done`; safe mrkdwn. */
export function ticketLine({ state, key, url, status, failure }: TicketView): string {
  const isOver = state === 'failed' && key === null;
  const none = isOver ? 'No ticket' : 'Ticket: on its way';
  const name = key === null ? none : url === null ? quoted(key, MAX) : link(url, key);
  const words = status === null ? '' : `: ${quoted(inSentence(status), MAX)}`;
  const problem = failure === null ? '' : ` · ⚠️ ${quoted(failure, MAX_FAILURE)}${isOver ? ` ${AGAIN}` : ''}`;
  return `🎫 ${name}${words}${problem}`;
}

/** `In Progress` as it would be inside of a sentence; `QA` stays. */
function inSentence(status: string): string {
  return status.replace(/(?<!\p{L})\p{Lu}\p{Ll}+(?!\p{L})/gu, (word) => word.toLowerCase());
}

/** It is being made. */
export function ticketComes(number: IssueNumber | null, isPrivate = false): Rendered {
  const readers = isPrivate
    ? ' This channel is private, and whoever reads the tracker will see the issue’s title, cause and checklist there.'
    : '';
  return notice(`I am creating a ticket for ${named(number)}. Its card will link to it.${readers}`);
}

/** There is one already, or it is being made. */
export function ticketIsThere(number: IssueNumber | null, ticket: TicketView): Rendered {
  return notice(`The ticket of ${named(number)}: ${ticketLine(ticket)}`);
}

/** The tracker refuses it until somebody mends something. */
export function ticketRefused(number: IssueNumber | null, ticket: TicketView): Rendered {
  return notice(
    `I could not create a ticket for ${named(number)}. ${ticketLine({ ...ticket, state: 'failed' })}`,
  );
}

export function noTracker(): Rendered {
  return notice(
    'No tracker is configured. Ask whoever runs Gumshoe to set `TICKETS` to `github`, `jira` or `linear`.',
  );
}

function named(number: IssueNumber | null): string {
  return number === null ? 'this issue' : `#${number}`;
}
