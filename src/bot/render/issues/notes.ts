import type { IssueNumber } from '../../shared/issue-number.ts';
import { date } from '../dates.ts';
import { quoted, userMention } from '../escape.ts';
import { fitMessage, notice } from '../fit.ts';
import { inSections, type Rendered } from '../rendered.ts';

/** What somebody wrote down about an issue; `text` is untrusted, times in milliseconds. */
export interface NoteView {
  number: number;
  /** `null` where a mention would notify them. */
  who: string | null;
  text: string;
  at: number;
  editedAt: number | null;
}

const NEWEST = 3;
const MAX_SHOWN = 300;

/** The newest notes, in lines of safe mrkdwn; older ones are counted. */
export function noteLines(notes: readonly NoteView[]): string[] {
  const older = notes.length - NEWEST;
  const lines = notes.slice(-NEWEST).map(noteLine);
  return older > 0 ? [`📝 ${older} earlier in the write-up`, ...lines] : lines;
}

function noteLine({ number, who, text, at, editedAt }: NoteView): string {
  const by = who === null ? '' : ` · ${userMention(who)}`;
  const edited = editedAt === null ? '' : ' · edited';
  return `📝 ${number}. ${quoted(text, MAX_SHOWN)}${by} · ${date(at)}${edited}`;
}

export function noteChanged(
  issue: IssueNumber | null,
  number: number,
  done: 'add' | 'edit' | 'delete',
  command: string,
): Rendered {
  const did = { add: 'Noted', edit: 'Edited', delete: 'Deleted' }[done];
  const of = issue === null ? '' : ` of #${issue}`;
  const more =
    done === 'delete' || issue === null
      ? ''
      : ` Change it with \`${command} ${issue} note edit ${number} …\`, or delete it with \`${command} ${issue} note delete ${number}\`.`;
  return notice(`${did}: note ${number}${of}.${more}`);
}

export function notYourNote(issue: IssueNumber, number: number): Rendered {
  return notice(`You have no note ${number} on #${issue}. Only its author can edit or delete a note.`);
}

/** There is no text, or too much of it. */
export function noteWanted(command: string, issue: IssueNumber, max: number): Rendered {
  return notice(
    `Write the note after the command, up to ${max} characters: \`${command} ${issue} note We rolled back at 14:20\`.`,
  );
}

export function renderNotes(issue: IssueNumber, notes: readonly NoteView[]): Rendered {
  if (notes.length === 0) return notice(`#${issue} has no notes yet.`);
  const text = `Notes of #${issue}`;
  return fitMessage({
    text,
    blocks: inSections([`*${text}*`, ...notes.map(noteLine)]),
  });
}
