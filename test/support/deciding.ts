import type { Alert } from '../../src/bot/alerts/types.ts';
import { considerMessage } from '../../src/bot/filing/carry-out.ts';
import type {
  ConsentOptions,
  DecideOptions,
  DecisionResult,
  Occurrence,
} from '../../src/bot/filing/occurrence.ts';
import type { PersonLimit } from '../../src/bot/filing/on-request.ts';
import { ChannelSettings } from '../../src/bot/store/channel-settings.ts';
import { anAlert } from './an-alert.ts';
import { openTestStore, type TestStore } from './open-test-store.ts';

/** A real store in which messages of a channel are decided on, one second after another. */
export interface Deciding extends TestStore {
  /** Sets what differs from the channel's defaults. */
  settings(overrides: Partial<ChannelSettings>, channel?: string): Promise<void>;
  /** A tool's message of that alert. */
  alert(alert?: Partial<Alert>, seen?: Partial<Occurrence>): Promise<DecisionResult & { ts: string }>;
  options: DecideOptions & ConsentOptions & PersonLimit;
}

export async function deciding(
  overrides: Partial<DecideOptions & ConsentOptions & PersonLimit> = {},
): Promise<Deciding> {
  const opened = await openTestStore();
  const { store, clock } = opened;
  const options = {
    clock,
    defaultEnvironment: 'production',
    maxIssuesPerDay: 500,
    needsConsent: async () => false,
    filePerUserHour: 30,
    ...overrides,
  };
  return {
    ...opened,
    options,
    settings: (changed, channel = 'C1') =>
      store.channels.watch(channel, ChannelSettings.parse(changed), '0.000000'),
    alert: async (alert = {}, seen = {}) => {
      await clock.sleep(1_000);
      const ts = seen.ts ?? (clock.now() / 1_000).toFixed(6);
      const message: Occurrence = {
        channel: 'C1',
        ts,
        threadTs: null,
        permalink: `https://acme.slack.com/archives/C1/p${ts.replace('.', '')}`,
        alert: anAlert(alert),
        sender: 'Alertmanager',
        byPerson: false,
        edited: false,
        note: null,
        ...seen,
      };
      return { ...(await considerMessage(message, { store, ...options })), ts };
    },
  };
}
