import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Workspace } from 'local-slack';
import { alertmanagerAlert } from '../alerts.ts';
import { chanceFrom } from '../chaos/random.ts';
import { doEverything } from './corpus.ts';
import { closeModals, pressEverything } from './crawl.ts';
import { faultsOf, startEnvironment } from './environment.ts';
import { startMutatedService } from './mutated-service.ts';
import { damageRows } from './rows.ts';

const ALICE = 'U0ALICE001';
const DM = 'D0ALICE001';
/** A service that was asked little would do no harm either. */
const FEWEST_MUTATED = 11;

/** What came of it, and how much was not as it should be. */
export interface Survived {
  problems: string[];
  mutated: number;
  output: string;
}

/** Has people look at whatever there is, and tools say something more. */
async function lookAround(workspace: Workspace, word: string): Promise<void> {
  const { alerts: channel, general } = workspace.channels;
  for (const name of ['FuzzErrors', `New${word}`]) await workspace.post(alertmanagerAlert(name));
  await workspace.post({
    channel: general,
    user: ALICE,
    text: `<@${workspace.botUserId}> what is open, ${word}?`,
  });
  await workspace.post({ channel: DM, user: ALICE, text: `which services are slow, ${word}?` });
  await workspace.openHome(ALICE);
  const done = new Set<string>();
  for (const text of ['list', '1', '2', 'results 1', 'results 2', 'reopen 1', 'resolve 2']) {
    await workspace.command({ as: ALICE, channel, command: '/issue', text });
    await closeModals(workspace, done);
  }
  for (const text of ['', 'status', 'audit', 'dry-run']) {
    await workspace.command({ as: ALICE, channel, command: '/gumshoe', text });
    await closeModals(workspace, done);
  }
  await pressEverything(workspace, done);
}

/**
 * The service answers in ways that no document describes, while people and tools go on, for so many rounds and until
 * there were enough such answers; then it is itself again.
 */
export async function playMutatedService(seed: number, rounds = 4): Promise<Survived> {
  const environment = await startEnvironment();
  const { workspace } = environment.around;
  const service = await startMutatedService(environment.around.service.url, chanceFrom(seed));
  const program = await environment.start({ ISSUE_SERVICE_URL: service.url });
  try {
    const isOver = (round: number) => round >= rounds && service.mutated >= FEWEST_MUTATED;
    for (let round = 0; !isOver(round) && program.ended() === null; round += 1) {
      await lookAround(workspace, `round${round}`);
      await sleep(1_000);
    }
    service.isMutating = false;
    const problems = await faultsOf(program, environment);
    return { problems, mutated: service.mutated, output: program.output() };
  } finally {
    await program.stop();
    await service.close();
    await environment.close();
  }
}

/** The program starts on a database of which every other row was written by a program of another version. */
export async function playDamagedRows(seed: number): Promise<Survived> {
  const environment = await startEnvironment();
  const { workspace } = environment.around;
  try {
    const first = await environment.start();
    await doEverything(workspace);
    await first.stop();
    const mutated = damageRows(join(environment.around.folder, 'gumshoe.db'), chanceFrom(seed));
    const second = await environment.start();
    await lookAround(workspace, 'after');
    const problems = await faultsOf(second, environment);
    await second.stop();
    return { problems, mutated, output: second.output() };
  } finally {
    await environment.close();
  }
}
