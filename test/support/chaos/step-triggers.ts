import { actionIds } from '../../../src/bot/render/action-ids.ts';
import { until } from '../until.ts';
import { buttonsIn, press } from './buttons.ts';
import { ALICE, BOB } from './driver.ts';
import { askDirectly, askInChannel } from './moves/asking.ts';
import { sendDigest, setDigest } from './moves/settings.ts';
import { pressTriggers } from './press-triggers.ts';
import { isNoted, type StepTrigger, under } from './step-trigger.ts';

const HELD = 3;

const alert: StepTrigger = {
  needsProgram: false,
  make: async (driver) => void (await driver.say(driver.newProblem(), 'fires', 'alerts')),
};

/** Something known in #alerts fires in a second channel, where it has not been seen yet. */
const elsewhere: StepTrigger = {
  needsProgram: false,
  make: async (driver) => {
    const { problem } = await under(
      driver,
      actionIds.everything,
      ({ posts: said, deleted }) => said.length === 1 && !deleted,
    );
    await driver.say(problem, 'fires', 'general');
  },
};

/** An alert that fires again has a line in the thread of its own message. */
const sign: StepTrigger = {
  needsProgram: true,
  make: async (driver) => {
    const { problem } = await under(driver, actionIds.everything, ({ deleted }) => !deleted);
    await driver.say(problem, 'fires', 'alerts');
  },
};

const notice: StepTrigger = {
  needsProgram: true,
  make: async (driver) => {
    const { problem, button } = await under(
      driver,
      actionIds.ask,
      ({ name }) => !isNoted(driver, `Ask under ${name}`),
    );
    driver.note(`Ask under ${problem.name}`);
    await press(driver.workspace, button, ALICE);
  },
};

const held: StepTrigger = {
  needsProgram: false,
  make: async (driver) => {
    for (let n = 0; n < HELD; n += 1) await driver.say(driver.newProblem(), 'fires', 'incidents');
  },
};

const suggestion: StepTrigger = {
  needsProgram: false,
  make: async (driver) => void (await driver.say(driver.newProblem(), 'fires', 'secrets')),
};

/** The raw JSON of a piece of evidence is sent as a file. */
const file: StepTrigger = {
  needsProgram: true,
  make: async (driver) => {
    const { workspace } = driver;
    // Of another problem each time: what is in a thread as a file already is not offered again.
    const { problem, button } = await under(
      driver,
      actionIds.evidence,
      ({ name }) => !isNoted(driver, `JSON of ${name}`),
    );
    driver.note(`JSON of ${problem.name}`);
    await press(workspace, button, ALICE);
    const [view, json] = await until('the evidence shows what can be had as JSON', () => {
      const open = workspace.views(ALICE).at(-1);
      const messages = [
        { channel: '', ts: '', type: 'message' as const, text: '', blocks: open?.modal.blocks ?? [] },
      ];
      const [found] = buttonsIn(messages, actionIds.rawJson);
      return open && found ? ([open, found] as const) : null;
    });
    const { block_id, action_id } = json;
    await workspace.viewAction({ as: ALICE, view_id: view.id, block_id, action_id, values: view.values });
  },
};

/** *Stop listening* under an answer in a channel is said in its thread. */
const aside: StepTrigger = {
  needsProgram: true,
  make: async (driver) => {
    const { ledger, workspace } = driver;
    const general = driver.channel('general');
    const button = await until('somebody can have it stop listening', () => {
      const threads = ledger.asked.filter(
        ({ channel, threadTs }) => channel === general && threadTs !== null,
      );
      const messages = threads.flatMap(({ channel, threadTs }) => driver.thread(channel, threadTs ?? ''));
      return buttonsIn(messages, actionIds.stopListening).at(-1);
    });
    await press(workspace, button, BOB);
  },
};

const triggers: Record<string, StepTrigger> = {
  ...pressTriggers,
  answer: { needsProgram: false, make: askInChannel },
  session: { needsProgram: false, make: askDirectly },
  aside,
  short_card: elsewhere,
  sign,
  verdict: elsewhere,
  notice,
  held,
  suggestion,
  digest: { needsProgram: true, make: sendDigest },
  announcement: { needsProgram: true, make: setDigest },
  file,
};

/** How to bring the program to a step; all that is not named comes with an alert. */
export function triggerOf(step: string): StepTrigger {
  return triggers[step.split(':')[0] ?? ''] ?? alert;
}
