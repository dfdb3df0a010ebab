import { formats } from '../../alerts/formats/index.ts';
import type { Alert } from '../../alerts/types.ts';
import type { Deps } from '../../deps.ts';
import { type DryRunDecision, type DryRunIssue, decideInDryRun } from '../../filing/dry-run.ts';
import type { Occurrence } from '../../filing/occurrence.ts';
import { usageDryRun } from '../../render/admin/usage.ts';
import { slackIsBusy } from '../../render/alerts/already-filed.ts';
import { inviteFirst, needsChannel } from '../../render/issues/steering-notices.ts';
import type { Rendered } from '../../render/rendered.ts';
import { type DryRunRow, renderDryRun } from '../../render/settings/dry-run.ts';
import { issueNumber } from '../../shared/issue-number.ts';
import type { Subcommand } from '../commands/command.ts';
import { classifySlackError } from '../errors.ts';
import { historyMessage, isOwn, MessageEvent, requestedMessage } from '../listening/messages.ts';
import { notifyPerson, postEphemeral } from '../listening/notify.ts';
import { timeOfTs } from '../timestamp.ts';

const USUAL = 50;
const MOST = 100;
const NOT_THERE = new Set(['not_in_channel', 'channel_not_found']);

export const dryRun: Subcommand = {
  example: 'dry-run 50',
  does: 'shows what I would do with the latest messages here, without filing anything',
  run: async (asked, deps) => {
    const { words, channel, respond } = asked;
    const number = words === '' ? USUAL : Number(words);
    if (!Number.isInteger(number) || number < 1 || number > MOST) {
      return notifyPerson(respond, usageDryRun(MOST), deps);
    }
    if (channel.startsWith('D')) return notifyPerson(respond, needsChannel(), deps);
    const messages = await read(channel, number, deps);
    if ('refused' in messages) return notifyPerson(respond, messages.refused, deps);
    const { watched } = await deps.store.channels.get(channel);
    const paused = (await deps.store.flags.paused()) !== null;
    const rows = await decideInDryRun(messages.seen, deps);
    const shown = await Promise.all(
      rows.map((row) => rowOf(row, messages.words.get(row.seen.ts) ?? '', deps)),
    );
    const place = { channel, user: asked.userId, threadTs: null };
    for (const message of renderDryRun({ rows: shown, watched, paused, simulated: deps.simulated }))
      await postEphemeral(message, place, deps);
  },
};

interface Messages {
  /** Oldest first. */
  seen: Occurrence[];
  /** How each message begins, by its `ts`. */
  words: Map<string, string>;
}

/** Reads the channel's last messages, except our own. */
async function read(channel: string, limit: number, deps: Deps): Promise<Messages | { refused: Rendered }> {
  try {
    const { messages = [] } = await deps.client.conversations.history({ channel, limit });
    const words: Messages['words'] = new Map();
    const seen = messages.flatMap((message) => {
      const raw = { ...message };
      const event = MessageEvent.safeParse({ ...raw, channel });
      if (!event.success || isOwn(event.data, deps.identity)) return [];
      words.set(event.data.ts, requestedMessage(raw, channel, deps)?.alert.title ?? '');
      return historyMessage(raw, channel, deps) ?? [];
    });
    return { seen: seen.reverse(), words };
  } catch (error) {
    const failure = classifySlackError(error);
    if (failure.kind === 'refused' && NOT_THERE.has(failure.error)) return { refused: inviteFirst(channel) };
    if (failure.kind === 'rate_limited') return { refused: slackIsBusy(failure.retryAfterMs) };
    throw error;
  }
}

async function rowOf(
  { seen, decision, reason, before, issue }: DryRunDecision,
  title: string,
  deps: Deps,
): Promise<DryRunRow> {
  const { alert, sender, channel, ts, permalink } = seen;
  const format = formats.find(({ name }) => name === alert.format)?.tool ?? null;
  return {
    at: timeOfTs(ts),
    title,
    url: permalink ?? deps.permalink(channel, ts),
    tool: format ?? sender,
    read: readAs(alert),
    decision,
    before,
    reason,
    issue: issue === null ? null : await issueName(issue, deps),
  };
}

/** What the message was understood to report: `firing · high · checkout · production`. */
function readAs({ kind, severity, service, environment }: Alert): string {
  if (kind === 'not_an_alert') return '';
  return [kind, severity, service, environment].filter((part) => part !== null).join(' · ');
}

async function issueName(issue: DryRunIssue, { store }: Deps): Promise<string> {
  if ('nth' in issue) return `new ${issue.nth}`;
  const known = await store.issues.get(issue.id);
  const number = known === null ? null : issueNumber(known);
  return number === null ? 'being filed' : `#${number}`;
}
