import type { Clock } from '../../../../lib/clock.ts';
import type { SetupSteps } from '../../../render/setup/setup.ts';
import type { Store } from '../../../store/open.ts';
import type { RuntimeStatus } from '../../status-tracker.ts';

/**
 * The steps of the first hour (docs/quickstart.md) and which of them are done, for the whole installation.
 *
 * @returns `null` once all are done, and two weeks after the first issue
 */
export async function setupSteps({
  store,
  clock,
  runtimeStatus,
  simulated,
}: {
  store: Store;
  clock: Clock;
  runtimeStatus: () => RuntimeStatus;
  simulated: boolean;
}): Promise<SetupSteps | null> {
  const progress = await store.setup.progress(clock.now());
  if (progress === null) return null;
  const answers = runtimeStatus().service.some(({ state }) => state === 'answers');
  return { ...progress, service: !simulated && (answers || progress.filed), simulated };
}
