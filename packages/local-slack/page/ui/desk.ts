import { createContext, useContext } from 'react';
import type {
  PageMessage,
  PageOutcome,
  PageSession,
  PageState,
  PageView,
  SuggestOutcome,
} from '../../src/page-api.ts';
import type { Search, ViewAction } from '../api.ts';
import type { Click } from '../blocks/schema.ts';
import type { Values } from '../modal/input-schema.ts';
import type { AppTab } from '../model/state.ts';

/** Shared by every part of the page: the workspace, the acting user, and their actions. */
export interface Desk {
  workspace: PageState;
  /** Id of the user whom the person acts as. */
  as: string;
  /** These resolve when the server has answered; on failure the banner says why, and they return `false`. */
  click(message: PageMessage, click: Click): Promise<boolean>;
  submit(typed: string, channel: string, thread: string | null): Promise<boolean>;
  /** With files; a command takes none. */
  upload(typed: string, files: readonly File[], channel: string, thread: string | null): Promise<boolean>;
  stopStream(message: PageMessage): Promise<boolean>;
  /** Slack's stop button of a thread in which an agent works. */
  stopSession(session: PageSession): Promise<boolean>;
  renameSession(session: PageSession, title: string): Promise<boolean>;
  react(message: PageMessage, name: string, on: boolean): Promise<boolean>;
  /** On a message, or global if that is `null`. */
  runShortcut(callbackId: string, message: PageMessage | null): Promise<boolean>;
  /** Asks the app for the options of a list, which shows any failure. */
  suggest(search: Search): Promise<SuggestOutcome>;
  /** Opens the app's Home, or the conversation with it. */
  openTab(tab: AppTab): void;
  /** What people have ticked and chosen on messages, while the page is open. */
  held: Map<string, Values>;
  openThread(message: PageMessage): void;
  /** Dismisses an ephemeral message. */
  dismiss(message: PageMessage): void;
  views: ViewCalls;
}

/** What can be done in a modal, which shows any failure. */
interface ViewCalls {
  act(viewId: string, action: ViewAction): Promise<PageOutcome>;
  submit(viewId: string, values: Values): Promise<PageOutcome>;
  /** It disappears from the page at once. */
  close(view: PageView): void;
}

export const DeskContext = createContext<Desk | null>(null);

export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (!desk) throw new Error('A part of the page stands outside <DeskContext>.');
  return desk;
}
