import type { PageMessage, PageState } from '../../src/page-api.ts';

/** The channel the page opens on: `#alerts`, else the first that is not a direct message. */
export function firstChannel(workspace: PageState): string | null {
  const channels = workspace.channels.filter((channel) => !channel.is_im);
  return (channels.find((channel) => channel.name === 'alerts') ?? channels[0])?.id ?? null;
}

/**
 * The newest alert with a thread: a top-level message of another app that was replied to; if
 * there is none, the newest message that was replied to. `null` if nothing was.
 */
export function newestAlertThread(messages: readonly PageMessage[], botUserId: string): string | null {
  const roots = messages.filter((message) => (message.reply_count ?? 0) > 0);
  const alerts = roots.filter((message) => message.bot_id !== undefined && message.user !== botUserId);
  return (alerts.at(-1) ?? roots.at(-1))?.ts ?? null;
}
