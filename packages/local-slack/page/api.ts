import type { z } from 'zod';
import { PAGE_ANSWERS, type PageAnswers, PageEvent, PageOutcome, SuggestOutcome } from '../src/page-api.ts';
import type { PageCalls } from '../src/page-requests.ts';
import type { Click } from './blocks/schema.ts';
import type { ElementState, Values } from './modal/input-schema.ts';

const RETRY_MS = 2_000;

/** An action in a modal: an input's state or a click's payload, with the values of all its inputs. */
export interface ViewAction {
  block_id: string;
  action_id: string;
  state: ElementState | (Omit<Click, 'block_id' | 'action_id'> & { type: string });
  values: Values;
}

/** What is typed into a list with options from the app, and the list's place. */
export type Search = ({ view_id: string } | { channel: string; message_ts: string }) & {
  block_id: string;
  action_id: string;
  value: string;
};

/** What the server says of something now. Rejects if it does not answer, or answers something else. */
export async function read<K extends keyof PageAnswers>(
  name: K,
  query: Readonly<Record<string, string>> = {},
): Promise<PageAnswers[K]> {
  const response = await fetch(`/page-api/${name}?${new URLSearchParams(query)}`);
  if (!response.ok) throw new Error(`The workspace answered ${response.status} to ${name}.`);
  return PAGE_ANSWERS[name].parse(await response.json());
}

/** Does something; no answer is an outcome, too. */
export function call<K extends keyof PageCalls>(name: K, body: PageCalls[K]): Promise<PageOutcome> {
  return post(name, body, PageOutcome);
}

/** Asks the app for the options of a list. */
export function suggest(body: Search & { as: string }): Promise<SuggestOutcome> {
  return post('suggestions', body, SuggestOutcome);
}

/** A call of the control panel. */
export function callPanel(name: string, body: object): Promise<PageOutcome> {
  return post(`stage/${name}`, body, PageOutcome);
}

async function post<T>(
  path: string,
  body: object,
  schema: z.ZodType<T>,
): Promise<T | { ok: false; error: string }> {
  try {
    const response = await fetch(`/page-api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const outcome = schema.safeParse(await response.json());
    if (outcome.success) return outcome.data;
    return {
      ok: false,
      error: `The workspace answered ${response.status} in a format that the page does not understand.`,
    };
  } catch {
    return { ok: false, error: 'The workspace did not respond. Is it still running?' };
  }
}

/** Live events until the returned function is called. It reconnects, and reports whether it is connected. */
export function listen(
  onEvent: (event: PageEvent) => void,
  onLink: (link: 'live' | 'offline') => void,
): () => void {
  let source: EventSource;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const connect = () => {
    source = new EventSource('/page-api/events');
    source.onopen = () => onLink('live');
    source.onmessage = ({ data }) => {
      const event = PageEvent.safeParse(parsed(data));
      if (event.success) onEvent(event.data);
    };
    source.onerror = () => {
      onLink('offline');
      // The browser reconnects by itself, except after an HTTP error, which closes the source for good.
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(connect, RETRY_MS);
    };
  };
  connect();
  return () => {
    clearTimeout(retry);
    source.close();
  };
}

function parsed(data: unknown): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    return null;
  }
}
