import { ALICE, BOB, DM, type Driver } from '../driver.ts';
import type { Move } from './move.ts';

const QUESTIONS = ['what is open', 'what changed in checkout-api', 'which services are slow'];

function question(driver: Driver): string {
  return `${driver.chance.one(QUESTIONS)}, please, ${driver.word()}?`;
}

/** A person writes something that is a question. */
async function write(
  driver: Driver,
  {
    channel,
    threadTs,
    before = '',
    as = ALICE,
  }: { channel: string; threadTs?: string; before?: string; as?: string },
): Promise<void> {
  const words = question(driver);
  const at = driver.now();
  const { ts } = await driver.workspace.post({
    channel,
    user: as,
    text: `${before}${words}`,
    ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
  });
  driver.ledger.asked.push({ words, channel, threadTs: threadTs ?? ts, certainty: driver.events, at });
  driver.note(`“${words}” is asked in ${channel} ${threadTs ?? ts}`);
}

const mention = ({ workspace }: Driver) => `<@${workspace.botUserId}> `;

export function askInChannel(driver: Driver): Promise<void> {
  return write(driver, { channel: driver.channel('general'), before: mention(driver), as: BOB });
}

const inChannel: Move = { name: 'a mention', weight: 4, needsProgram: false, make: askInChannel };

const underAnAlert: Move = {
  name: 'a mention in the thread of an alert',
  weight: 2,
  needsProgram: false,
  make: async (driver) => {
    const said = driver.chance.one(driver.ledger.problems)?.posts[0];
    if (said) await write(driver, { channel: said.channel, threadTs: said.ts, before: mention(driver) });
  },
};

export function askDirectly(driver: Driver): Promise<void> {
  return write(driver, { channel: DM });
}

const direct: Move = { name: 'a direct message', weight: 3, needsProgram: false, make: askDirectly };

const reply: Move = {
  name: 'a reply',
  weight: 3,
  needsProgram: false,
  make: async (driver) => {
    const threads = driver.ledger.asked.filter(
      ({ threadTs, channel }) => threadTs !== null && channel !== DM,
    );
    const { channel, threadTs } = driver.chance.one(threads) ?? {};
    // It mentions the bot: without that it would count only where the mention before it has been taken already.
    if (channel !== undefined && threadTs != null)
      await write(driver, { channel, threadTs, before: mention(driver) });
  },
};

const command: Move = {
  name: '/ask',
  weight: 3,
  needsProgram: true,
  make: async (driver) => {
    const words = question(driver);
    const channel = driver.channel('general');
    const at = driver.now();
    const outcome = await driver.workspace.command({ as: ALICE, channel, command: '/ask', text: words });
    const certainty = driver.certaintyOf(outcome);
    driver.ledger.asked.push({ words, channel, threadTs: null, certainty, at });
    driver.note(`/ask ${words}: ${certainty}`);
  },
};

export const askingMoves: readonly Move[] = [inChannel, underAnAlert, direct, reply, command];
