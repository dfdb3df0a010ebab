import { unescaped } from '../../../alerts/slack-text.ts';
import type { Deps } from '../../../deps.ts';
import { asksForMemory, REMEMBERED_DAYS, recall, seenBefore } from '../../../issues/memory.ts';
import { changeNote, MAX_NOTE, type NoteChange } from '../../../issues/notes.ts';
import { onlyInItsChannel } from '../../../render/issues/issue-sentences.ts';
import { memoryOfWhat, renderSeen } from '../../../render/issues/memory.ts';
import { noteChanged, noteWanted, notYourNote, renderNotes } from '../../../render/issues/notes.ts';
import { noTracker, ticketComes, ticketIsThere } from '../../../render/issues/ticket.ts';
import { unknownIssue } from '../../../render/notices.ts';
import type { Rendered } from '../../../render/rendered.ts';
import { writeupComes, writeupTooEarly } from '../../../render/results/writeup.ts';
import type { IssueNumber } from '../../../shared/issue-number.ts';
import { issueNumber } from '../../../shared/issue-number.ts';
import { writeupIntent } from '../../../store/intents/issue-intents.ts';
import type { Issue } from '../../../store/issues.ts';
import type { CommandCall } from '../../commands/command.ts';
import { onIssueAction } from '../../listening/issue-actions.ts';
import type { MessageEvent } from '../../listening/messages.ts';
import { notifyPerson, postEphemeral } from '../../listening/notify.ts';

/** What is wanted of an issue's record here, beside its status: its notes, or its write-up. */
export type RecordWish =
  | { verb: 'notes'; number: IssueNumber }
  | { verb: 'note'; number: IssueNumber; change: NoteChange | null }
  | { verb: 'writeup' | 'ticket'; number: IssueNumber };

/** `notes 12`, `12 note …`, `12 note edit 2 …`, `12 note delete 2`, `writeup 12`. Every answer is private. */
export async function answerFromRecord(wish: RecordWish, asked: CommandCall, deps: Deps): Promise<Rendered> {
  const { number } = wish;
  const issue = await deps.store.issues.byNumber(number);
  if (issue === null) return unknownIssue(String(number));
  if (!(await deps.mayRead({ channel: asked.channel }, issue))) return onlyInItsChannel(number);
  switch (wish.verb) {
    case 'notes':
      return renderNotes(number, await deps.store.notes.ofIssue(issue.id));
    case 'ticket':
      return wantTicket(issue, asked.userId, deps);
    case 'writeup':
      return wantWriteup(issue, asked, deps);
    case 'note': {
      if (wish.change === null) return noteWanted(asked.command, number, MAX_NOTE);
      const change =
        'text' in wish.change ? { ...wish.change, text: await asRead(wish.change.text, deps) } : wish.change;
      const by = { issueId: issue.id, who: asked.userId, cause: asked.cause };
      const done = await changeNote(by, change, deps);
      if (done !== null) return noteChanged(number, done, change.do, asked.command);
      return notYourNote(number, change.do === 'add' ? 0 : change.number);
    }
  }
}

/** The write-up as a file in the issue's thread; the same request twice is one file. */
async function wantWriteup(
  issue: Issue,
  { userId, cause }: Pick<CommandCall, 'userId' | 'cause'>,
  { store, clock }: Deps,
): Promise<Rendered> {
  if (issue.threadTs === null || issue.state === 'gone') return writeupTooEarly(issueNumber(issue));
  const at = clock.now();
  const before = await store.outbox.countWriteups();
  await store.transaction(async (tx) => {
    const intent = writeupIntent(issue, cause, at);
    if ((await tx.outbox.get(intent.key)) !== null) return;
    await tx.outbox.want(intent);
    await tx.audit.add({ at, who: userId, what: 'asked for the write-up', issueId: issue.id });
  });
  return writeupComes(issueNumber(issue), before);
}

/** A ticket at the tracker: one per issue, whoever asks and however often. */
async function wantTicket(issue: Issue, userId: string, deps: Deps): Promise<Rendered> {
  const number = issueNumber(issue);
  if (deps.tickets === null) return noTracker();
  if (issue.state !== 'created') return writeupTooEarly(number);
  const isNew = await deps.store.transaction(async (tx) => {
    const at = deps.clock.now();
    if (!(await tx.tickets.want(issue.id, userId, at))) return false;
    await tx.audit.add({ at, who: userId, what: 'asked for a ticket', issueId: issue.id });
    await tx.outbox.refreshCards(issue.id);
    return true;
  });
  if (isNew) {
    const { isPrivate } = await deps.store.channels.get(issue.channel);
    return ticketComes(number, isPrivate);
  }
  const row = await deps.store.tickets.get(issue.id);
  return row === null ? ticketComes(number) : ticketIsThere(number, row);
}

export const ticket = onIssueAction('ticket', async ({ issue, userId, respond }, deps) => {
  await notifyPerson(respond, await wantTicket(issue, userId, deps), deps);
});

export const writeup = onIssueAction('writeup', async (context, deps) => {
  await notifyPerson(context.respond, await wantWriteup(context.issue, context, deps), deps);
});

/** *Seen before* on a card: lists the earlier issues, privately, as far as the person may see them. */
export const seen = onIssueAction('seenBefore', async ({ issue, channel, userId, respond }, deps) => {
  await notifyPerson(respond, await memoryOf(issue, { channel, person: userId }, deps), deps);
});

async function memoryOf(
  issue: Issue,
  reader: { channel: string; person: string },
  deps: Deps,
): Promise<Rendered> {
  const may = (other: Issue) => deps.mayRead(reader, other);
  const endings = await seenBefore(issue, deps.clock.now(), deps.store, may);
  const listed = (await recall(endings, deps.store)).map((ending) => ({
    ...ending,
    url: ending.threadTs === null ? null : deps.permalink(ending.channel, ending.threadTs),
  }));
  return renderSeen(endings, listed, REMEMBERED_DAYS, issue.repeats);
}

const NOTE = /^note\s*[:–-]\s*(?<text>[\s\S]+)$/iu;

const MENTION = /<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>/gu;

/** A note as people read it in Slack, which sends ids, links in its own form and entities: so it is shown everywhere. */
async function asRead(text: string, { nameOf }: Pick<Deps, 'nameOf'>): Promise<string> {
  const ids = [...new Set([...text.matchAll(MENTION)].map(([, id = '']) => id))].slice(0, 20);
  const names = new Map(
    await Promise.all(ids.map(async (id): Promise<[string, string]> => [id, (await nameOf(id)) ?? id])),
  );
  return unescaped(
    text
      .replace(MENTION, (_, id: string) => `@${names.get(id) ?? id}`)
      .replace(/<#[A-Z0-9]+\|([^<>]+)>/gu, '#$1')
      .replace(/<(https?:[^<>|]+)(?:\|([^<>]*))?>/gu, (_, url: string, label?: string) =>
        label && label !== url ? `${label} (${url})` : url,
      ),
  );
}

/** Whether a mention may be one that `takeFromRecord` takes. */
export function isForRecord(question: string): boolean {
  return NOTE.test(question) || asksForMemory(question);
}

/**
 * A mention that is no question to the agent: `note: …` in an issue's thread is kept, and *has this happened before?* is
 * answered from what is stored, privately.
 *
 * @returns whether it was one
 */
export async function takeFromRecord(
  question: string,
  { channel, ts, thread_ts: threadTs }: MessageEvent,
  user: string,
  deps: Deps,
): Promise<boolean> {
  const typed = NOTE.exec(question)?.groups?.text?.trim();
  if (typed === undefined && !asksForMemory(question)) return false;
  const issue = threadTs === undefined ? null : await deps.store.issues.byThread(channel, threadTs);
  const answer = (rendered: Rendered) =>
    postEphemeral(rendered, { channel, user, threadTs: threadTs ?? null }, deps);
  if (issue === null) {
    await answer(memoryOfWhat());
    return true;
  }
  if (typed === undefined) {
    await answer(await memoryOf(issue, { channel, person: user }, deps));
    return true;
  }
  const cause = `${channel}:${ts}`;
  const text = (await asRead(typed, deps)).slice(0, MAX_NOTE);
  const number = await changeNote({ issueId: issue.id, who: user, cause }, { do: 'add', text }, deps);
  if (number !== null) await answer(noteChanged(issueNumber(issue), number, 'add', '/issue'));
  return true;
}
