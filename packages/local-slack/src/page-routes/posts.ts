import { renameSession, stopSession, viewFromPage } from '../agent/people.ts';
import { act } from '../interact/action.ts';
import { runCommand } from '../interact/command.ts';
import { openHome } from '../interact/home/open.ts';
import { react, say, stopAsPerson, uploadFromPage } from '../interact/message.ts';
import { actInView } from '../interact/modal/act.ts';
import { closeView } from '../interact/modal/close.ts';
import { submitView } from '../interact/modal/submit.ts';
import { changeContextFromPage, openFromPage } from '../interact/pane.ts';
import { runShortcut } from '../interact/shortcut.ts';
import { suggest } from '../interact/suggest.ts';
import type { AssistantOutcome, PageOutcome, SuggestOutcome } from '../page-api.ts';
import {
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
  RenameSessionRequest,
  ShortcutRequest,
  StopRequest,
  StopSessionRequest,
  SubmitRequest,
  SuggestRequest,
  UploadRequest,
  ViewActionRequest,
  ViewingRequest,
} from '../page-requests.ts';
import { actOnEntity } from '../work-objects/act.ts';
import { openEntity } from '../work-objects/open.ts';
import type { WorkspaceContext } from '../workspace-context.ts';

type Post = (
  context: WorkspaceContext,
  body: unknown,
) => Promise<PageOutcome | AssistantOutcome | SuggestOutcome>;

/** What the page may send, by the end of its path. */
export const POSTS: Readonly<Record<string, Post>> = {
  messages: (context, body) => say(context, MessageRequest.parse(body)),
  commands: (context, body) => runCommand(context, CommandRequest.parse(body)),
  actions: (context, body) => act(context, ActionRequest.parse(body)),
  suggestions: (context, body) => suggest(context, SuggestRequest.parse(body)),
  shortcuts: (context, body) => runShortcut(context, ShortcutRequest.parse(body)),
  reactions: (context, body) => react(context, ReactionRequest.parse(body)),
  entities: (context, body) => openEntity(context, EntityRequest.parse(body)),
  'entities/action': (context, body) => actOnEntity(context, EntityActionRequest.parse(body)),
  home: (context, body) => openHome(context, HomeRequest.parse(body)),
  'views/action': (context, body) => actInView(context, ViewActionRequest.parse(body)),
  'views/submit': (context, body) => submitView(context, SubmitRequest.parse(body)),
  uploads: (context, body) => uploadFromPage(context, UploadRequest.parse(body)),
  'streams/stop': (context, body) => stopAsPerson(context, StopRequest.parse(body)),
  assistant: (context, body) => openFromPage(context, PaneRequest.parse(body)),
  'assistant/context': (context, body) => changeContextFromPage(context, ContextRequest.parse(body)),
  'sessions/stop': (context, body) => stopSession(context, StopSessionRequest.parse(body)),
  'sessions/rename': (context, body) => renameSession(context, RenameSessionRequest.parse(body)),
  viewing: (context, body) => viewFromPage(context, ViewingRequest.parse(body)),
  'views/close': (context, body) => closeView(context, CloseRequest.parse(body)),
};
