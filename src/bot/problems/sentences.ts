import type { Problem } from './problem.ts';
import { consentOf } from './stored.ts';

/** For readers who may not know about the channels: only how many there are. */
export function publicSentences(problems: readonly Problem[]): string[] {
  const inChannels = problems.filter(({ channel }) => channel !== null);
  const unwatched = inChannels.filter(({ name }) => consentOf(name) !== null).length;
  const silent = inChannels.length - unwatched;
  return [
    ...problems.filter(({ channel }) => channel === null).map(({ sentence }) => sentence),
    ...(silent > 0 ? [`cannot post in ${counted(silent)}; messages are queued`] : []),
    ...(unwatched > 0
      ? [`not watching ${counted(unwatched, 'private ')}: a member has to agree first, with /gumshoe watch`]
      : []),
  ];
}

function counted(channels: number, kind = ''): string {
  return channels === 1 ? `1 ${kind}channel` : `${channels} ${kind}channels`;
}

/** For one person: problems of channels that they may not see are not among them. */
export async function sentencesFor(
  problems: readonly Problem[],
  { isAdmin, maySee }: { isAdmin: boolean; maySee: (channel: string) => Promise<boolean> },
): Promise<string[]> {
  const isVisible = await Promise.all(
    problems.map(async ({ channel }) => channel === null || isAdmin || maySee(channel)),
  );
  return problems.filter((_, index) => isVisible[index]).map(({ sentence }) => sentence);
}
