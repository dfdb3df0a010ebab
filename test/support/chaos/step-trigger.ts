import { until } from '../until.ts';
import type { Button } from './buttons.ts';
import type { Driver } from './driver.ts';
import type { Problem } from './ledger.ts';

/** How the program is brought to a kind of step. */
export interface StepTrigger {
  /** Whether it must be up before. */
  needsProgram: boolean;
  make(driver: Driver): Promise<void>;
}

/** Whether the driver has noted that it did something. */
export function isNoted({ ledger }: Driver, what: string): boolean {
  return ledger.story.some((one) => one.what === what);
}

/** A problem of #alerts whose thread has such a button, and the button, once there is one. */
export function under(
  driver: Driver,
  actionId: string,
  which: (one: Problem) => boolean = () => true,
  choice = '',
): Promise<{ problem: Problem; button: Button }> {
  const alerts = driver.channel('alerts');
  return until(`there is ${actionId} under a problem`, () => {
    for (const problem of driver.ledger.problems) {
      if (problem.posts[0]?.channel !== alerts || !which(problem)) continue;
      const button = driver.buttonUnder(problem, actionId, choice);
      if (button) return { problem, button };
    }
    return null;
  });
}
