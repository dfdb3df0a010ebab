import type { Clock } from '../../../lib/clock.ts';
import { type BotControl, BotControlError } from '../../scenarios/bot-command.ts';
import type { PageBotDeed, PageBotState } from '../../slack/page-stage.ts';
import { type Life, startLife } from './life.ts';

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
  begin(environment: Record<string, string>): Promise<void>;
  /** Stops it in order, where it runs; it cannot be started any more. */
  close(): Promise<void>;
  /** Ends it this instant. */
  abandon(): void;
}

interface ProcessDeps {
  /** What it runs. */
  file: string;
  clock: Clock;
  /** Told, in a sentence, that it ended without anybody's wish. */
  onLost: (sentence: string) => void;
}

/** Forks the process at once, so that it loads its program while what it needs is being made. */
export function createBotProcess({ file, clock, onLost }: ProcessDeps): BotProcess {
  const listeners = new Set<() => void>();
  let environment: Record<string, string> = {};
  let life: Life | null = null;
  let state: PageBotState = 'down';
  let url: string | null = null;
  let closed = false;

  const become = (next: PageBotState) => {
    if (state === next) return;
    state = next;
    for (const listener of listeners) listener();
  };

  const fork = (): Life => {
    const own = startLife(file);
    life = own;
    become('starting');
    void own.ended.then((how) => {
      const wasUp = state === 'running';
      life = null;
      url = null;
      become('down');
      if (wasUp) onLost(`Gumshoe has ended by itself (${how}); what it wrote before says why.`);
    });
    return own;
  };

  const up = async (own: Life) => {
    const address = await own.begin(environment);
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

  const living = (): Life => {
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

  const deeds: Record<PageBotDeed, () => Promise<void>> = {
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
    do: (deed) => deeds[deed](),
    onChange: (listener) => void listeners.add(listener),
    begin: (given) => {
      environment = given;
      return up(first);
    },
    close: async () => {
      closed = true;
      if (life) await stop();
    },
    abandon: () => life?.kill('SIGKILL'),
  };
}
