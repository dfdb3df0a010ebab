import { joinNames, timeOfDay } from '../../investigation/format.ts';
import type { Advice } from '../tools/advice.ts';
import { causeInWords, lookInWords, withoutCause } from './verdict.ts';

const MOST_PATHS = 3;

/** Nothing measures what nobody has done. */
export function untriedInWords(deed: string | null): string {
  return `I can’t tell what that would do: ${deed === null ? 'I see no sign that it was done' : `I see no ${deed}`} since this began, so its effect was never measured. These are the steps for the most likely cause:`;
}

/** What to do first; what is left of it, if the trouble is over. */
export function adviceInWords(found: Advice): string {
  const { verdict, unknown, service, state, endedBy, first, later, rollback } = found;
  const { number } = verdict;
  const caution = rollback === null ? '' : `${rollbackInWords(rollback)} `;
  const list = number === null ? '' : ` (checklist of #${number})`;
  if (first.length + later.length === 0) {
    if (number !== null)
      return `${caution}#${number} has no checklist. ${withoutCause(verdict)}${unknown === null ? '' : ` Look at ${unknown} itself.`}`;
    return lookInWords(
      verdict,
      `${caution}I have no steps to suggest${service === null ? '' : ` for ${service}`}.`,
    );
  }
  const cause = causeInWords(verdict) ?? '';
  if (state.is === 'over' && later.length > 0) {
    const after = endedBy === null ? '' : `, after “${endedBy.title}” at ${timeOfDay(endedBy.at)}`;
    return [
      `${caution}Nothing is urgent: it has been over since ${timeOfDay(state.since)}${after}. ${cause} Still to do${list}:`,
      '',
      ...(endedBy === null ? first.map(({ title }) => `- ${title}, if that has not been done`) : []),
      ...later.map(({ title, description }) => `- ${title}: ${description}`),
    ].join('\n');
  }
  return [
    `${caution}${cause} Do this first${list}:`.trim(),
    '',
    ...(first.length > 0 ? first : later).map(inFull),
    ...(first.length > 0 && later.length > 0
      ? ['', '**Later**', ...later.map(({ title }) => `- ${title}`)]
      : []),
  ].join('\n');
}

/** What the verdict would do instead of what somebody wants done; empty where it proposes nothing. */
export function otherwiseInWords({ verdict, first: [step] }: Advice): string {
  const cause = causeInWords(verdict);
  return cause === null || step === undefined
    ? ''
    : `${cause} Its checklist begins with another step: **${step.title}.**`;
}

export function rollbackInWords({
  change,
  services,
  migrations,
  files,
}: NonNullable<Advice['rollback']>): string {
  if (change === null) return `I see no deploy in ${joinNames([...services])} that could be rolled back.`;
  const to = change.before ?? 'the previous version (I don’t know its number)';
  const how = change.command === null ? '' : ` (\`${change.command}\`)`;
  const suspect = change.isProven ? '' : ' It is not proven to be the cause.';
  return `${change.title} can be rolled back to ${to}${how}.${suspect} ${riskInWords(migrations, files)}`;
}

function riskInWords(migrations: readonly string[] | null, files: number): string {
  if (migrations === null)
    return 'I can’t tell whether that is safe: I don’t know which files it changed, so it may contain a migration.';
  const some = migrations.slice(0, MOST_PATHS).map((path) => `\`${path}\``);
  if (some.length > 0) return `Careful: it changes ${joinNames(some)}, which a rollback does not undo.`;
  return files === 1
    ? 'The one file that it changes does not look like a migration.'
    : `None of the ${files} files that it changes looks like a migration.`;
}

function inFull({ title, description, steps }: Advice['first'][number]): string {
  const lines = steps.map((step, i) => {
    const content = step.type === 'command' ? `: \`${step.content}\`` : `. ${step.content}`;
    return `${i + 1}. ${step.title}${step.required ? '' : ' (optional)'}${content}`;
  });
  return [`**${title}.** ${description}`, '', ...lines].join('\n');
}
