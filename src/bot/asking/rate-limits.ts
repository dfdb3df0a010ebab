import type { Aggregates } from '../store/open.ts';

const HOUR_MS = 60 * 60_000;
const MINUTE_MS = 60_000;

/** How many questions are asked within an hour, at most. */
export interface RateLimits {
  perUserHour: number;
  perChannelHour: number;
}

/** Why a question is not asked: a sentence with when to try again; `null` if it may be. */
export async function overRateLimit(
  tx: Pick<Aggregates, 'questions'>,
  { asker, channel }: { asker: string; channel: string },
  { perUserHour, perChannelHour }: RateLimits,
  now: number,
): Promise<string | null> {
  const since = now - HOUR_MS;
  // With it as many as may be: there is room again once it is an hour old.
  const own = await tx.questions.nthBy(asker, since, perUserHour);
  if (own !== null) {
    return `You have asked ${counted(perUserHour)} in the last hour, the limit per person. Try again ${wait(own - since)}.`;
  }
  const here = await tx.questions.nthIn(channel, since, perChannelHour);
  if (here !== null) {
    const were = perChannelHour === 1 ? 'was' : 'were';
    return `${counted(perChannelHour)} ${were} asked here in the last hour, the limit per channel. Try again ${wait(here - since)}.`;
  }
  return null;
}

function counted(questions: number): string {
  return questions === 1 ? '1 question' : `${questions} questions`;
}

function wait(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS));
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
}
