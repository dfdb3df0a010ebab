import { type Dispatch, useMemo } from 'react';
import type { PageOutcome, PageState } from '../../src/page-api.ts';
import { call, read, suggest } from '../api.ts';
import { channelsFor, isWithApp } from '../model/place.ts';
import type { Change } from '../model/state.ts';
import { encodeText, namesOf, splitCommand, tooLarge } from '../model/texts.ts';
import type { Desk } from './desk.ts';
import { composerIn, threadPart } from './keyboard.tsx';

/** Turns the person's actions into calls, and shows failures in the banner. */
export function useDeskCalls(
  workspace: PageState | null,
  as: string,
  held: Desk['held'],
  dispatch: Dispatch<Change>,
): Desk | null {
  return useMemo(() => {
    if (!workspace) return null;
    const told = async (outcome: Promise<PageOutcome> | PageOutcome): Promise<boolean> => {
      const result = await outcome;
      dispatch(result.ok ? { type: 'dismiss' } : { type: 'failed', error: result.error });
      return result.ok;
    };
    return {
      workspace,
      as,
      click: ({ channel, ts }, click) => told(call('actions', { as, channel, message_ts: ts, ...click })),
      submit: (typed, channel, thread) => told(submit(workspace, as, typed, channel, thread)),
      upload: (typed, files, channel, thread) =>
        told(upload(workspace, { as, channel, ...inThread(thread) }, typed, files)),
      stopStream: ({ channel, ts }) => told(call('streams/stop', { as, channel, ts })),
      stopSession: ({ channel, thread_ts }) => told(call('sessions/stop', { as, channel, thread_ts })),
      renameSession: ({ channel, thread_ts }, title) =>
        told(call('sessions/rename', { as, channel, thread_ts, title })),
      react: ({ channel, ts }, name, on) =>
        told(call('reactions', { as, channel, message_ts: ts, name, on })),
      runShortcut: (callback_id, message) => {
        const where = message === null ? {} : { channel: message.channel, message_ts: message.ts };
        return told(call('shortcuts', { as, callback_id, ...where }));
      },
      suggest: (search) => suggest({ as, ...search }),
      // The Home itself tells the app that it is open, also for the user the person acts as next.
      openTab: (tab) =>
        tab === 'home' ? dispatch({ type: 'open_tab', tab }) : void openMessages(as, told, dispatch),
      held,
      openThread: ({ ts, thread_ts }) => {
        dispatch({ type: 'open_thread', thread: thread_ts ?? ts });
        // Once it is drawn, it can be written in.
        requestAnimationFrame(() => composerIn(threadPart())?.focus());
      },
      dismiss: (message) => dispatch({ type: 'dismiss_message', message }),
      views: {
        act: (view_id, action) => call('views/action', { as, view_id, ...action }),
        submit: (view_id, values) => call('views/submit', { as, view_id, values }),
        close: ({ id, user }) => {
          dispatch({ type: 'event', event: { type: 'view_closed', user, id } });
          // If the workspace no longer knows it, it is already closed.
          void call('views/close', { as, view_id: id });
        },
      },
    };
  }, [workspace, as, held, dispatch]);
}

/** The person's conversation with the app; opened now if there is none yet. */
async function openMessages(
  as: string,
  told: (outcome: Promise<PageOutcome>) => Promise<boolean>,
  dispatch: Dispatch<Change>,
): Promise<void> {
  if (!(await told(call('home', { as, tab: 'messages' })))) return;
  const workspace = await read('state');
  dispatch({ type: 'workspace', workspace });
  const direct = channelsFor(workspace, as).find(isWithApp);
  if (direct) dispatch({ type: 'open_channel', channel: direct.id });
}

function inThread(thread: string | null): { thread_ts?: string } {
  return thread === null ? {} : { thread_ts: thread };
}

async function upload(
  workspace: PageState,
  place: { as: string; channel: string; thread_ts?: string },
  typed: string,
  files: readonly File[],
): Promise<PageOutcome> {
  const text = encodeText(typed, namesOf(workspace));
  const error = tooLarge(files);
  if (error !== null) return { ok: false, error };
  try {
    return await call('uploads', { ...place, text, files: await encodeFiles(files) });
  } catch {
    return { ok: false, error: 'A file could not be read. Was it moved or deleted?' };
  }
}

function submit(
  workspace: PageState,
  as: string,
  typed: string,
  channel: string,
  thread: string | null,
): Promise<PageOutcome> | PageOutcome {
  const command = splitCommand(typed);
  if (!command) {
    const text = encodeText(typed, namesOf(workspace));
    return call('messages', { as, channel, text, ...inThread(thread) });
  }
  if (!workspace.commands.some((known) => known.command === command.command)) {
    return {
      ok: false,
      error: `${command.command} is not a command in this workspace. To send it as a message, put a space in front of it.`,
    };
  }
  if (thread !== null) {
    return {
      ok: false,
      error: `${command.command} does not work in threads: Slack has no slash commands there. Use it in the channel.`,
    };
  }
  return call('commands', { as, channel, ...command });
}

/** Files as the page sends them, in base64. Rejects if one cannot be read. */
function encodeFiles(files: readonly File[]): Promise<{ name: string; content: string }[]> {
  return Promise.all(files.map(async (file) => ({ name: file.name, content: await base64(file) })));
}

function base64(file: File): Promise<string> {
  const reader = new FileReader();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ''));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(file);
  return promise;
}
