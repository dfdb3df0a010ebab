import type { Selectable } from 'kysely';
import { ChannelSettings, readSettings } from './channel-settings.ts';
import type { Database, Tables } from './tables.ts';

/** A channel known to Gumshoe: whether it is watched, and how. */
export interface Channel {
  channel: string;
  watched: boolean;
  settings: ChannelSettings;
  /** True until Slack says that it is public. */
  isPrivate: boolean;
}

/** How far a channel has been read. */
export interface ChannelPosition {
  /** The newest message handled; `null` before the first. */
  seenTs: string | null;
  /** Messages after this one are yet to be read from the history: set before a back-fill, cleared after it. */
  gapFrom: string | null;
}

const unknown = (channel: string): Channel => ({
  channel,
  watched: false,
  settings: ChannelSettings.parse({}),
  isPrivate: true,
});

/** Channels and their settings. */
export function channelStore(db: Database) {
  const all = db.selectFrom('channels').selectAll();
  const read = ({ channel, watched, settings, isPrivate }: Selectable<Tables['channels']>): Channel => ({
    channel,
    watched,
    settings: readSettings(settings),
    isPrivate,
  });
  const withoutGap = db
    .updateTable('channels')
    .set((e) => ({ gapFrom: e.ref('seenTs') }))
    .where('watched', '=', true)
    .where('gapFrom', 'is', null)
    .where('seenTs', 'is not', null);
  /** Changes settings, also of a channel that is not watched. */
  const change = async (
    channel: string,
    to: (settings: ChannelSettings) => ChannelSettings,
  ): Promise<void> => {
    const row = await db
      .selectFrom('channels')
      .select('settings')
      .where('channel', '=', channel)
      .executeTakeFirst();
    const settings = JSON.stringify(to(readSettings(row?.settings ?? '{}')));
    await db
      .insertInto('channels')
      .values({ channel, watched: false, settings })
      .onConflict((c) => c.column('channel').doUpdateSet({ settings }))
      .execute();
  };
  return {
    /** Unknown channels have the defaults, and are not watched. */
    get: async (channel: string): Promise<Channel> => {
      const row = await all.where('channel', '=', channel).executeTakeFirst();
      return row ? read(row) : unknown(channel);
    },

    /** How far a channel has been read. */
    position: async (channel: string): Promise<ChannelPosition> => {
      const row = await db
        .selectFrom('channels')
        .select(['seenTs', 'gapFrom'])
        .where('channel', '=', channel)
        .executeTakeFirst();
      return row ?? { seenTs: null, gapFrom: null };
    },

    watched: async (): Promise<(Channel & ChannelPosition)[]> => {
      const rows = await all.where('watched', '=', true).orderBy('channel').execute();
      return rows.map((row) => ({ ...read(row), seenTs: row.seenTs, gapFrom: row.gapFrom }));
    },

    /**
     * Watches a channel (`ALERT_CHANNELS`), unless somebody has already decided about it. Channels known only because
     * somebody asked about them count as undecided.
     */
    watchFromStart: async (channel: string, seenTs: string): Promise<void> => {
      await db
        .insertInto('channels')
        .values({ channel, watched: true, seenTs })
        .onConflict((c) =>
          c.column('channel').doUpdateSet({ watched: true, seenTs }).where('channels.seenTs', 'is', null),
        )
        .execute();
    },

    /**
     * Watches the channel with these settings. It starts from `seenTs`: anything posted before, or while it was
     * unwatched, stays unread.
     */
    watch: async (channel: string, settings: ChannelSettings, seenTs: string): Promise<void> => {
      const text = JSON.stringify(settings);
      await db
        .insertInto('channels')
        .values({ channel, watched: true, settings: text, seenTs })
        .onConflict((c) =>
          c.column('channel').doUpdateSet((e) => ({
            watched: true,
            settings: text,
            seenTs: e
              .case()
              .when('channels.watched', '=', true)
              .then(e.ref('channels.seenTs'))
              .else(seenTs)
              .end(),
          })),
        )
        .execute();
    },

    /** Stores that its issues may be named in answers elsewhere, and who agreed to it; `null` takes it back. */
    nameElsewhere: (
      channel: string,
      agreed: NonNullable<ChannelSettings['namedElsewhere']> | null,
    ): Promise<void> =>
      change(channel, ({ namedElsewhere: _, ...rest }) =>
        agreed === null ? rest : { ...rest, namedElsewhere: agreed },
      ),

    /** Channels that want to know what is about to break. */
    watchingSystems: async (): Promise<Channel[]> => {
      const rows = await all.orderBy('channel').execute();
      return rows.map(read).filter(({ settings }) => settings.systems !== undefined);
    },

    /** Stores that it wants to know, and who asked for it; `null` takes it back. */
    watchSystems: (channel: string, wanted: { by: string; at: number } | null): Promise<void> =>
      change(channel, ({ systems: _, ...rest }) => (wanted === null ? rest : { ...rest, systems: wanted })),

    /** Stores whether its digest says which alerts nobody needed. */
    setHygiene: (channel: string, hygiene: boolean): Promise<void> =>
      change(channel, (settings) => ({ ...settings, hygiene })),

    /** Stores how a sender's messages are read, and who confirmed it. */
    confirmSender: (
      channel: string,
      sender: string,
      confirmed: NonNullable<ChannelSettings['senders']>[string],
    ): Promise<void> =>
      change(channel, (settings) => ({
        ...settings,
        senders: { ...settings.senders, [sender]: confirmed },
      })),

    unwatch: async (channel: string): Promise<void> => {
      await db
        .updateTable('channels')
        .set({ watched: false, gapFrom: null })
        .where('channel', '=', channel)
        .execute();
    },

    /** A message was handled; does nothing if a newer one was already. */
    seen: async (channel: string, ts: string): Promise<void> => {
      await db
        .updateTable('channels')
        .set({ seenTs: ts })
        .where('channel', '=', channel)
        .where((e) => e.or([e('seenTs', 'is', null), e('seenTs', '<', ts)]))
        .execute();
    },

    /** Stores what Slack says about the channel; adds it, unwatched, if it is unknown. */
    learn: async (channel: string, isPrivate: boolean): Promise<void> => {
      await db
        .insertInto('channels')
        .values({ channel, watched: false, isPrivate })
        .onConflict((c) => c.column('channel').doUpdateSet({ isPrivate }))
        .execute();
    },

    /** Before a back-fill: records where every watched channel's gap begins; an earlier gap wins. */
    openGaps: async (): Promise<void> => {
      await withoutGap.execute();
    },

    /** Messages from now on in a channel may be missed; an earlier gap stays. */
    openGap: async (channel: string): Promise<void> => {
      await withoutGap.where('channel', '=', channel).execute();
    },

    closeGap: async (channel: string): Promise<void> => {
      await db.updateTable('channels').set({ gapFrom: null }).where('channel', '=', channel).execute();
    },
  };
}
