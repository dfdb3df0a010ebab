import type { IssueNumber } from '../../../lib/issue-number.ts';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { clean, literal } from '../escape.ts';
import { fitMessage } from '../fit.ts';
import { link } from '../links.ts';
import { type Rendered, section } from '../rendered.ts';

/** A ticket at the tracker; texts are untrusted. */
export interface TicketView {
  /** `null` until it is made. */
  key: string | null;
  url: string | null;
  status: string | null;
  /** Why the last attempt failed. */
  failure: string | null;
}

const MAX = 200;

/** `🎫 FIX-12: done`; safe mrkdwn. */
export function ticketLine({ key, url, status, failure }: TicketView): string {
  const said = (text: string) => literal(cutAtWord(oneLine(clean(text)), MAX));
  const name = key === null ? 'Ticket: on its way' : url === null ? said(key) : link(url, key);
  const state = status === null ? '' : `: ${said(status)}`;
  return `🎫 ${name}${state}${failure === null ? '' : ` · ⚠️ ${said(failure)}`}`;
}

/** It is being made. */
export function ticketComes(number: IssueNumber | null): Rendered {
  return sentence(`I am making a ticket of ${named(number)}. Its card will link to it.`);
}

/** There is one already, or it is being made. */
export function ticketIsThere(number: IssueNumber | null, ticket: TicketView): Rendered {
  return sentence(`The ticket of ${named(number)}: ${ticketLine(ticket)}`);
}

/** No tracker is configured. */
export function noTracker(): Rendered {
  return sentence(
    'No tracker is configured. Ask whoever runs Gumshoe to set `TICKETS` to `github`, `jira` or `linear`.',
  );
}

function named(number: IssueNumber | null): string {
  return number === null ? 'this issue' : `#${number}`;
}

function sentence(text: string): Rendered {
  return fitMessage({ text, blocks: [section(text)] });
}
