import type { PageMessage, PageOutcome, SeedChannelName, Workspace } from 'local-slack';
import { type Button, buttonsIn } from './buttons.ts';
import type { Environment } from './environment.ts';
import type { Certainty, Ledger, Posted, Problem } from './ledger.ts';
import type { Chance } from './random.ts';
import { tools } from './tools.ts';

export const ALICE = 'U0ALICE001';
export const BOB = 'U0BOB00001';
export const DM = 'D0ALICE001';
const KINDS = ['HighErrorRate', 'LatencyHigh', 'QueueLag', 'DiskFull', 'PodRestarts'];

/** Does to the workspace what people and tools do, and keeps the ledger of it. */
export interface Driver {
  workspace: Workspace;
  ledger: Ledger;
  chance: Chance;
  /** How sure it is that an event is taken: Slack sends it again until then, or gives up. */
  events: Certainty;
  now(): number;
  channel(name: SeedChannelName): string;
  /** A word that nothing else bears. */
  word(): string;
  note(what: string): void;
  /** Somebody ran or pressed something: sure only where Slack heard the acknowledgement. */
  certaintyOf(outcome: PageOutcome): Certainty;
  newProblem(): Problem;
  say(problem: Problem, kind: Posted['kind'], where: SeedChannelName): Promise<string>;
  /** What stands in the thread of a message, its root first. */
  thread(channel: string, ts: string): PageMessage[];
  /** A button that stands in the thread of a problem's first message; `choice` is what its value begins with. */
  buttonUnder(problem: Problem, actionId: string, choice?: string): Button | undefined;
}

export function createDriver(environment: Environment, ledger: Ledger, chance: Chance): Driver {
  const { workspace } = environment.around;
  const { now } = environment.clock;
  let words = 0;
  const driver: Driver = {
    workspace,
    ledger,
    chance,
    events: environment.patient ? 'once' : 'at most once',
    now,
    channel: (name) => workspace.channels[name],
    word: () => {
      words += 1;
      return `q${inLetters(words)}x`;
    },
    note: (what) => ledger.story.push({ at: now(), what }),
    certaintyOf: (outcome) => (outcome.ok ? 'once' : 'at most once'),
    newProblem: () => {
      const name = `${chance.one(KINDS)}${driver.word()}`;
      const problem = { name, tool: chance.below(tools.length), posts: [], edited: false, deleted: false };
      ledger.problems.push(problem);
      return problem;
    },
    say: async (problem, kind, where) => {
      const channel = driver.channel(where);
      const at = now();
      const words = tools[problem.tool]?.[kind](problem.name);
      const { ts } = await workspace.post({ ...words, channel });
      problem.posts.push({ kind, channel, ts, at });
      driver.note(`${problem.name} ${kind} in ${where}, ${ts}`);
      return ts;
    },
    thread: (channel, ts) => workspace.messages(channel, ts),
    buttonUnder: ({ posts: [first] }, actionId, choice = '') => {
      const all = first ? buttonsIn(driver.thread(first.channel, first.ts), actionId) : [];
      return chance.one(all.filter(({ value }) => value.startsWith(choice)));
    },
  };
  return driver;
}

/** Numbers would be taken for readings, which differ from one firing to the next. From a to p: no word is a part of another. */
function inLetters(n: number): string {
  return [...n.toString(16)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join('');
}
