import type { z } from 'zod';
import type {
  AssistantOutcome,
  PageAssistantThread,
  PageEvent,
  PageHome,
  PageMessage,
  PageState,
  PageView,
  SuggestOutcome,
} from '../page-api.ts';
import type { ElementState, Values } from './modal/input-schema.ts';
import {
  assistantAnswer,
  assistantOutcome,
  homeAnswer,
  messagesAnswer,
  type Outcome,
  outcome as outcomeSchema,
  pageEvent,
  pageState,
  suggestOutcome,
  viewsAnswer,
} from './model/schema.ts';
import type { AppTab } from './model/state.ts';

const RETRY_MS = 2_000;

interface ClickedOption {
  text: { type: string; text: string };
  value?: string;
}

/** What a click on an interactive element says, beside where it stands. */
export interface Click {
  block_id: string;
  action_id: string;
  value?: string;
  selected_option?: ClickedOption;
  selected_options?: ClickedOption[];
  selected_date?: string | null;
  selected_time?: string | null;
  selected_date_time?: number | null;
  selected_user?: string | null;
  selected_channel?: string | null;
  selected_conversation?: string | null;
}

/** What is used in a modal: an input's state, or what a click says; and all that the modal's inputs hold. */
export interface ViewAction {
  block_id: string;
  action_id: string;
  state: ElementState | (Omit<Click, 'block_id' | 'action_id'> & { type: string });
  values: Values;
}

/** What is typed into a list whose options the app has, and where that stands. */
export type Search = ({ view_id: string } | { channel: string; message_ts: string }) & {
  block_id: string;
  action_id: string;
  value: string;
};

/** The calls of `page-api.ts`. The `GET`s reject when the server does not answer; the `POST`s say so as an outcome. */
export interface Api {
  state(): Promise<PageState>;
  messages(channel: string, thread: string | null): Promise<PageMessage[]>;
  send(body: { as: string; channel: string; text: string; thread_ts?: string }): Promise<Outcome>;
  /** A message with files; their `content` in base64. */
  upload(body: {
    as: string;
    channel: string;
    text: string;
    thread_ts?: string;
    files: { name: string; content: string }[];
  }): Promise<Outcome>;
  /** Stops a message of the app's that still grows. */
  stopStream(body: { as: string; channel: string; ts: string }): Promise<Outcome>;
  run(body: { as: string; channel: string; command: string; text: string }): Promise<Outcome>;
  act(body: Click & { as: string; channel: string; message_ts: string }): Promise<Outcome>;
  suggest(body: Search & { as: string }): Promise<SuggestOutcome>;
  shortcut(body: {
    as: string;
    callback_id: string;
    channel?: string;
    message_ts?: string;
  }): Promise<Outcome>;
  react(body: {
    as: string;
    channel: string;
    message_ts: string;
    name: string;
    on: boolean;
  }): Promise<Outcome>;
  /** The person's open modals, the one on top last. */
  views(as: string): Promise<PageView[]>;
  /** What the app has published on the person's Home. */
  home(as: string): Promise<PageHome | null>;
  /** Opens one of the app's tabs. */
  openHome(body: { as: string; tab: AppTab }): Promise<Outcome>;
  /** The person's conversations with the app, the newest first. */
  assistants(as: string): Promise<PageAssistantThread[]>;
  /** Begins a conversation in the app's pane, `channel` being where the person looks. */
  beginChat(body: { as: string; channel?: string }): Promise<AssistantOutcome>;
  /** The person looks elsewhere, with a conversation open in the pane. */
  lookAt(body: { as: string; thread_ts: string; channel: string }): Promise<Outcome>;
  actInView(body: ViewAction & { as: string; view_id: string }): Promise<Outcome>;
  submitView(body: { as: string; view_id: string; values: Values }): Promise<Outcome>;
  closeView(body: { as: string; view_id: string }): Promise<Outcome>;
  /** Live events until the returned function is called; reconnects by itself and tells when it is (not) connected. */
  listen(onEvent: (event: PageEvent) => void, onLink: (link: 'live' | 'offline') => void): () => void;
}

/** The page's server is the one it came from. */
export const api: Api = {
  state: () => get('state', pageState),
  messages: async (channel, thread) => {
    const query = new URLSearchParams(thread === null ? { channel } : { channel, thread_ts: thread });
    return (await get(`messages?${query}`, messagesAnswer)).messages;
  },
  send: (body) => post('messages', body),
  upload: (body) => post('uploads', body),
  stopStream: (body) => post('streams/stop', body),
  run: (body) => post('commands', body),
  act: (body) => post('actions', body),
  suggest: (body) => postFor('suggestions', body, suggestOutcome),
  shortcut: (body) => post('shortcuts', body),
  react: (body) => post('reactions', body),
  views: async (as) => (await get(`views?${new URLSearchParams({ as })}`, viewsAnswer)).views,
  home: async (as) => (await get(`home?${new URLSearchParams({ as })}`, homeAnswer)).home,
  openHome: (body) => post('home', body),
  assistants: async (as) => {
    const { threads } = await get(`assistant?${new URLSearchParams({ as })}`, assistantAnswer);
    return threads;
  },
  beginChat: (body) => postFor('assistant', body, assistantOutcome),
  lookAt: (body) => post('assistant/context', body),
  actInView: (body) => post('views/action', body),
  submitView: (body) => post('views/submit', body),
  closeView: (body) => post('views/close', body),
  listen,
};

/** What a call answers, read by its schema; rejects when the server does not answer, or otherwise. */
export async function get<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const response = await fetch(`/page-api/${path}`);
  if (!response.ok) throw new Error(`The workspace answered ${response.status} to ${path}.`);
  return schema.parse(await response.json());
}

/** Makes a call; that the server does not answer is an outcome, too. */
export function post(path: string, body: object): Promise<Outcome> {
  return postFor(path, body, outcomeSchema);
}

async function postFor<T>(
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
      error: `The workspace answered ${response.status} in a form the page does not know.`,
    };
  } catch {
    return { ok: false, error: 'The workspace did not answer. Is it still running?' };
  }
}

function listen(onEvent: (event: PageEvent) => void, onLink: (link: 'live' | 'offline') => void): () => void {
  let source: EventSource;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const connect = () => {
    source = new EventSource('/page-api/events');
    source.onopen = () => onLink('live');
    source.onmessage = ({ data }) => {
      const event = pageEvent.safeParse(parsed(data));
      if (event.success) onEvent(event.data);
    };
    source.onerror = () => {
      onLink('offline');
      // The browser tries again by itself, except after an HTTP error: then the source is closed for good.
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
