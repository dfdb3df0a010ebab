import type { Clock } from '../../../lib/clock.ts';
import { type BotControl, BotControlError } from '../../scenarios/bot-command.ts';
import type { PageBotCommand, PageBotState } from '../../slack/page-panel.ts';
import { type BotChild, forkBot } from './child-process.ts';

/** A little more than the bot gives itself for an ordered stop. */
const GRACE_MS = 10_000;

/** The bot as a process of its own, which others may kill. It is never started again by itself. */
export interface BotProcess extends BotControl {
  /** Where it listens; `null` while it does not run. */
  url(): string | null;
  /**
   * The first start, and what every later one runs with too.
   *
   * @param environment is added to this process's own; it reaches the bot alone.
   * @throws BotControlError where it ends before it is up; what it wrote says why.
   */
  start(environment: Record<string, string>): Promise<void>;
  /** Stops it in order, where it runs; it cannot be started any more. */
  close(): Promise<void>;
  /** Ends it this instant. */
  killNow(): void;
}

interface ProcessDeps {
  /** What it runs. */
  file: string;
  clock: Clock;
  /** Told, in a sentence, that it ended without anybody's wish. */
  onCrash: (sentence: string) => void;
}

/** Forks the process at once, so that it loads its program while what it needs is being made. */
export function createBotProcess({ file, clock, onCrash }: ProcessDeps): BotProcess {
  const listeners = new Set<() => void>();
  let environment: Record<string, string> = {};
  let life: BotChild | null = null;
  let state: PageBotState = 'down';
  let url: string | null = null;
  let closed = false;

  const become = (next: PageBotState) => {
    if (state === next) return;
    state = next;
    for (const listener of listeners) listener();
  };

  const fork = (): BotChild => {
    const own = forkBot(file);
    life = own;
    become('starting');
    void own.ended.then((how) => {
      const wasUp = state === 'running';
      life = null;
      url = null;
      become('down');
      if (wasUp) onCrash(`Gumshoe has ended by itself (${how}); what it wrote before says why.`);
    });
    return own;
  };

  const up = async (own: BotChild) => {
    const address = await own.start(environment);
    if (address === null)
      throw new BotControlError(
        'Gumshoe has ended before it was up. If nobody stopped it, what it wrote in the terminal says why.',
      );
    if (life !== own || state !== 'starting') return;
    url = address;
    become('running');
  };

  const start = async () => {
    if (closed) throw new BotControlError('Everything is being stopped.');
    if (life) throw new BotControlError(`Gumshoe is ${state} already.`);
    await up(fork());
  };

  const living = (): BotChild => {
    if (!life) throw new BotControlError('Gumshoe is down already.');
    return life;
  };

  const stop = async () => {
    const own = living();
    if (state !== 'stopping') {
      become('stopping');
      own.kill('SIGTERM');
    }
    const over = new AbortController();
    void own.ended.then(() => over.abort());
    await clock.sleep(GRACE_MS, over.signal).then(
      () => own.kill('SIGKILL'),
      () => undefined,
    );
    await own.ended;
  };

  const kill = async () => {
    const own = living();
    // Nobody has lost what is killed on purpose.
    become('stopping');
    own.kill('SIGKILL');
    await own.ended;
  };

  const deeds: Record<PageBotCommand, () => Promise<void>> = {
    start,
    stop,
    kill,
    restart: async () => {
      if (life) await stop();
      await start();
    },
  };

  const first = fork();
  return {
    state: () => state,
    url: () => url,
    run: (command) => deeds[command](),
    onChange: (listener) => void listeners.add(listener),
    start: (given) => {
      environment = given;
      return up(first);
    },
    close: async () => {
      closed = true;
      if (life) await stop();
    },
    killNow: () => life?.kill('SIGKILL'),
  };
}
