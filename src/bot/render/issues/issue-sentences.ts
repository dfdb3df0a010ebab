import { cutAtWord, oneLine } from '../../../lib/text.ts';
import type { IssueNumber } from '../../shared/issue-number.ts';
import { date } from '../dates.ts';
import { bold, clean } from '../escape.ts';
import { notice } from '../fit.ts';
import type { Rendered } from '../rendered.ts';
import { statusWords } from '../words.ts';

/** An issue as a sentence names it; `title` is untrusted, `null` if it may not be shown. */
export interface NamedIssue {
  number: IssueNumber;
  title: string | null;
}

const MAX_TITLE = 150;

/**
 * A status was set by command.
 *
 * @param mutedUntil in milliseconds since the epoch; `null` for no mute, or one that nothing ends.
 * @param isFiring whether it is resolved while its alert goes on
 * @param reopening the command that ends a mute, where nothing else does; `null` otherwise.
 */
export function statusIsNow(
  issue: NamedIssue,
  status: string,
  {
    mutedUntil,
    reopening,
    isFiring,
  }: { mutedUntil: number | null; reopening: string | null; isFiring: boolean },
): Rendered {
  const until = mutedUntil === null ? '' : ` until ${date(mutedUntil)}`;
  const noEnd =
    reopening === null ? '' : ` I did not file it, so I will not end its mute: use \`${reopening}\`.`;
  const still = isFiring ? ' Its alert has not recovered, as far as I know.' : '';
  return notice(`${named(issue)} is now ${statusWords(status)}${until}.${noEnd}${still}`);
}

/** It had that status before. */
export function statusWasSo(issue: NamedIssue, status: string): Rendered {
  return notice(`${named(issue)} is already ${statusWords(status)}.`);
}

/** It lives in a private channel, where it can be controlled and its results seen. */
export function onlyInItsChannel(number: IssueNumber): Rendered {
  return notice(`#${number} belongs to a private channel. Do that there.`);
}

/** It was filed from a channel that is, or may be, private, and there is no record of it here. */
export function onlyForItsMembers(number: IssueNumber): Rendered {
  return notice(`#${number} is visible only to members of its channel and to admins.`);
}

/** An attached issue is controlled from the issue it was attached to; `to` is `null` if that has no number yet. */
export function countsForAnother(number: IssueNumber, to: IssueNumber | null): Rendered {
  const other = to === null ? 'another issue' : `#${to}`;
  return notice(`#${number} is attached to ${other}. Use ${other} instead.`);
}

/** The create call is not answered yet, or its answer is still looked for. */
export function notFiledYet(number: IssueNumber): Rendered {
  return notice(`#${number} is still being filed. Try again in a minute.`);
}

/** There are no results of that version, or of none yet. */
export function noResults(
  issue: NamedIssue,
  { version, latest, status }: { version: number | null; latest: number; status: string },
): Rendered {
  if (version !== null && version > latest) {
    const there = latest === 1 ? 'one version' : `${latest} versions`;
    return notice(`${named(issue)} has ${there} of its results; there is no version ${version}.`);
  }
  if (status === 'investigating') {
    return notice(`${named(issue)} is still being investigated. Results will be posted in its thread.`);
  }
  return notice(
    `The service has no results for ${named(issue)}${version === null ? '' : `, version ${version}`}.`,
  );
}

export function onlyAdminsDelete(): Rendered {
  return notice('Only admins can delete issues. Anyone can resolve one.');
}

/** `#12 *Checkout is slow*`. */
export function named({ number, title }: NamedIssue): string {
  const words = title === null ? '' : bold(cutAtWord(oneLine(clean(title)), MAX_TITLE));
  return words === '' ? `#${number}` : `#${number} ${words}`;
}
