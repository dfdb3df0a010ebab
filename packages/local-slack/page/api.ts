import type { z } from 'zod';
import {
  AssistantAnswer,
  AssistantOutcome,
  HomeAnswer,
  MessagesAnswer,
  type PageAssistantThread,
  PageEvent,
  type PageHome,
  type PageMessage,
  PageOutcome,
  PageState,
  type PageView,
  SuggestOutcome,
  ViewsAnswer,
} from '../src/page-api.ts';
import type {
  ActionRequest,
  CloseRequest,
  CommandRequest,
  ContextRequest,
  EntityActionRequest,
  EntityRequest,
  HomeRequest,
  MessageRequest,
  PaneRequest,
  ReactionRequest,
  ShortcutRequest,
  StopRequest,
  UploadRequest,
} from '../src/page-requests.ts';
import type { ElementState, Values } from './modal/input-schema.ts';

const RETRY_MS = 2_000;

interface ClickedOption {
  text: { type: string; text: string };
  value?: string;
}

/** The payload of a click on an interactive element, besides its place. */
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

/** The calls of `page-api.ts`. `GET`s reject if the server does not answer; `POST`s return that as an outcome. */
export interface Api {
  state(): Promise<PageState>;
  messages(channel: string, thread: string | null): Promise<PageMessage[]>;
  send(body: MessageRequest): Promise<PageOutcome>;
  upload(body: UploadRequest): Promise<PageOutcome>;
  stopStream(body: StopRequest): Promise<PageOutcome>;
  run(body: CommandRequest): Promise<PageOutcome>;
  act(body: Click & Pick<ActionRequest, 'as' | 'channel' | 'message_ts'>): Promise<PageOutcome>;
  suggest(body: Search & { as: string }): Promise<SuggestOutcome>;
  shortcut(body: ShortcutRequest): Promise<PageOutcome>;
  react(body: ReactionRequest): Promise<PageOutcome>;
  openEntity(body: EntityRequest): Promise<PageOutcome>;
  actOnEntity(body: EntityActionRequest): Promise<PageOutcome>;
  /** The person's open modals, the top one last. */
  views(as: string): Promise<PageView[]>;
  /** The Home that the app has published for the person. */
  home(as: string): Promise<PageHome | null>;
  openHome(body: HomeRequest): Promise<PageOutcome>;
  /** The person's conversations with the app, the newest first. */
  assistants(as: string): Promise<PageAssistantThread[]>;
  beginChat(body: PaneRequest): Promise<AssistantOutcome>;
  lookAt(body: ContextRequest): Promise<PageOutcome>;
  actInView(body: ViewAction & { as: string; view_id: string }): Promise<PageOutcome>;
  submitView(body: CloseRequest & { values: Values }): Promise<PageOutcome>;
  closeView(body: CloseRequest): Promise<PageOutcome>;
  /** Live events until the returned function is called. It reconnects, and reports whether it is connected. */
  listen(onEvent: (event: PageEvent) => void, onLink: (link: 'live' | 'offline') => void): () => void;
}

/** The page's server is the one that served it. */
export const api: Api = {
  state: () => get('state', PageState),
  messages: async (channel, thread) => {
    const query = new URLSearchParams(thread === null ? { channel } : { channel, thread_ts: thread });
    return (await get(`messages?${query}`, MessagesAnswer)).messages;
  },
  send: (body) => post('messages', body),
  upload: (body) => post('uploads', body),
  stopStream: (body) => post('streams/stop', body),
  run: (body) => post('commands', body),
  act: (body) => post('actions', body),
  suggest: (body) => postFor('suggestions', body, SuggestOutcome),
  shortcut: (body) => post('shortcuts', body),
  react: (body) => post('reactions', body),
  openEntity: (body) => post('entities', body),
  actOnEntity: (body) => post('entities/action', body),
  views: async (as) => (await get(`views?${new URLSearchParams({ as })}`, ViewsAnswer)).views,
  home: async (as) => (await get(`home?${new URLSearchParams({ as })}`, HomeAnswer)).home,
  openHome: (body) => post('home', body),
  assistants: async (as) => {
    const { threads } = await get(`assistant?${new URLSearchParams({ as })}`, AssistantAnswer);
    return threads;
  },
  beginChat: (body) => postFor('assistant', body, AssistantOutcome),
  lookAt: (body) => post('assistant/context', body),
  actInView: (body) => post('views/action', body),
  submitView: (body) => post('views/submit', body),
  closeView: (body) => post('views/close', body),
  listen,
};

/** The response of a call, parsed by its schema; rejects if the server does not answer, or answers something else. */
export async function get<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const response = await fetch(`/page-api/${path}`);
  if (!response.ok) throw new Error(`The workspace answered ${response.status} to ${path}.`);
  return schema.parse(await response.json());
}

/** Makes a call; no answer is an outcome too. */
export function post(path: string, body: object): Promise<PageOutcome> {
  return postFor(path, body, PageOutcome);
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
      error: `The workspace answered ${response.status} in a format that the page does not understand.`,
    };
  } catch {
    return { ok: false, error: 'The workspace did not respond. Is it still running?' };
  }
}

function listen(onEvent: (event: PageEvent) => void, onLink: (link: 'live' | 'offline') => void): () => void {
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
