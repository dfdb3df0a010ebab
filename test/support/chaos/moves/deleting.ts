import { actionIds } from '../../../../src/bot/render/action-ids.ts';
import { type Button, press } from '../buttons.ts';
import { ALICE, type Driver } from '../driver.ts';
import type { Problem } from '../ledger.ts';
import type { Move } from './move.ts';
import { windowOf } from './window.ts';

const DELETE = 'delete:';

/** *Delete…* in the menu of a card, once there is one; for admins. */
export function deletionUnder(driver: Driver, problem: Problem): Button | undefined {
  return driver.buttonUnder(problem, actionIds.more, DELETE);
}

/** Deletes an issue for good, and confirms it. */
export async function deleteIssue(driver: Driver, problem: Problem, choice: Button): Promise<void> {
  const { workspace, ledger } = driver;
  const issueId = choice.value.slice(DELETE.length);
  const isIt = (modal: { private_metadata?: string | undefined }) =>
    modal.private_metadata?.includes(issueId) ?? false;
  const view = await windowOf(workspace, ALICE, isIt, () => press(workspace, choice, ALICE));
  if (view === null) return;
  const at = driver.now();
  // What is said from now on may concern the next issue of the same alert.
  problem.deleted = true;
  const certainty = driver.certaintyOf(await workspace.submit({ as: ALICE, view_id: view.id, values: {} }));
  ledger.deleted.push({ issueId, certainty, at });
  driver.note(`${problem.name} is deleted: ${certainty}`);
}

const deletes: Move = {
  name: 'Delete…',
  weight: 0.7,
  needsProgram: true,
  make: async (driver) => {
    const problem = driver.chance.one(driver.ledger.problems);
    const choice = problem && deletionUnder(driver, problem);
    if (problem && choice) await deleteIssue(driver, problem, choice);
  },
};

export const deletingMoves: readonly Move[] = [deletes];
