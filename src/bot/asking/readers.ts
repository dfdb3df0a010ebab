import type { Services } from '../../contract/client/client.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log.ts';
import type { Store } from '../store/open.ts';

/** Who reads what is said in a place. */
export interface Readers {
  channel: string;
  /** If there is only one reader: what they may see elsewhere, they may see here too. */
  person: string | null;
}

/** Whether all of them may see what a channel said. */
export type MaySee = (readers: Readers, channel: string) => Promise<boolean>;

/** What is needed to know which issues people may not hear of. */
export interface ConfidentialOptions {
  store: Pick<Store, 'issues' | 'channels' | 'results' | 'questions'>;
  services: Pick<Services, 'for'>;
  clock: Clock;
  log: Logger;
  maySee: MaySee;
}

/** @returns who reads the answers in a place if somebody asks */
export function readersOf({ channel, asker }: { channel: string; asker: string }): Readers {
  return { channel, person: channel.startsWith('D') ? asker : null };
}
