import { duration } from '../../investigation/format.ts';
import { momentOf } from '../moment.ts';
import type { Runs } from '../tools/runs.ts';

/** When it ran last, how that went, and when it last succeeded. */
export function runsInWords({ name, started, state, reason, succeeded }: Runs, now: number): string {
  const at = (moment: number) => `${momentOf(moment, now)} (${duration(now - moment)} ago)`;
  const went = {
    failed: `failed${reason === null ? '' : ` (${reason})`}`,
    complete: 'succeeded',
    running: 'has not ended',
  };
  const how = state === null ? 'how it went is not exported' : `it ${went[state]}`;
  return [
    started === null
      ? `**${name}**: when it last started is not exported`
      : `**${name}** last started at ${at(started)}; ${how}.`,
    succeeded === null
      ? 'No successful run is recorded.'
      : `The last successful run ended at ${at(succeeded)}.`,
  ].join(' ');
}
