import { sql } from 'kysely';
import { z } from 'zod';
import { decodeStored } from '../../lib/decode-stored.ts';
import { ChannelSettings, readSettings } from './channel-settings.ts';
import type { Database } from './tables.ts';

const Patterns = z.array(z.string());

/** A channel that Gumshoe knows: whether it is watched, and how. */
export interface Channel {
  channel: string;
  watched: boolean;
  settings: ChannelSettings;
  /** Patterns of the settings that are switched off: they count as if they were not there. */
  patternsOff: string[];
  /** Until Slack has said that it is public. */
  isPrivate: boolean;
  /** The newest message taken in; `null` before the first. */
  seenTs: string | null;
  /** Messages after this one are still to be read from the history: set before a back-fill, cleared after it. */
  gapFrom: string | null;
}

export type ChannelStore = ReturnType<typeof channelStore>;

const unknown = (channel: string): Channel => ({
  channel,
  watched: false,
  settings: ChannelSettings.parse({}),
  patternsOff: [],
  isPrivate: true,
  seenTs: null,
  gapFrom: null,
});

/** The channels and their settings (DESIGN section 4, *Filing*). */
export function channelStore(db: Database) {
  const read = (row: {
    channel: string;
    watched: number;
    settings: string;
    patterns_off: string;
    is_private: number;
    seen_ts: string | null;
    gap_from: string | null;
  }): Channel => ({
    channel: row.channel,
    watched: row.watched === 1,
    settings: readSettings(row.settings),
    patternsOff: decodeStored(Patterns, row.patterns_off) ?? [],
    isPrivate: row.is_private === 1,
    seenTs: row.seen_ts,
    gapFrom: row.gap_from,
  });
  return {
    /** Unknown channels have the defaults, and are not watched. */
    get: async (channel: string): Promise<Channel> => {
      const row = await db
        .selectFrom('channels')
        .selectAll()
        .where('channel', '=', channel)
        .executeTakeFirst();
      return row ? read(row) : unknown(channel);
    },

    /** Every channel that Slack has told of, by whether it is private. */
    known: async (): Promise<{ channel: string; isPrivate: boolean }[]> => {
      const rows = await db.selectFrom('channels').select(['channel', 'is_private']).execute();
      return rows.map(({ channel, is_private }) => ({ channel, isPrivate: is_private === 1 }));
    },

    watched: async (): Promise<Channel[]> => {
      const rows = await db
        .selectFrom('channels')
        .selectAll()
        .where('watched', '=', 1)
        .orderBy('channel')
        .execute();
      return rows.map(read);
    },

    /**
     * Watches a channel from now on, unless somebody has decided about it before (`ALERT_CHANNELS`). One that is only
     * known, since somebody asked about it, has been decided about by nobody.
     */
    watchFromStart: async (channel: string, seenTs: string): Promise<void> => {
      await db
        .insertInto('channels')
        .values({ channel, watched: 1, seen_ts: seenTs })
        .onConflict((c) =>
          c
            .column('channel')
            .doUpdateSet({ watched: 1, seen_ts: seenTs })
            .where('channels.seen_ts', 'is', null),
        )
        .execute();
    },

    /**
     * Watches the channel with these settings. What was posted before a channel is first watched, or while it
     * was not, stays unread: it starts from `seenTs`.
     */
    watch: async (channel: string, settings: ChannelSettings, seenTs: string): Promise<void> => {
      const text = JSON.stringify(settings);
      const row = await db
        .selectFrom('channels')
        .select('patterns_off')
        .where('channel', '=', channel)
        .executeTakeFirst();
      const { include, exclude } = settings;
      // A pattern that was taken out and is put in again is tried again.
      const off = (decodeStored(Patterns, row?.patterns_off ?? '[]') ?? []).filter(
        (pattern) => include.includes(pattern) || exclude.includes(pattern),
      );
      const patterns_off = JSON.stringify(off);
      await db
        .insertInto('channels')
        .values({ channel, watched: 1, settings: text, seen_ts: seenTs })
        .onConflict((c) =>
          c.column('channel').doUpdateSet((e) => ({
            watched: 1,
            settings: text,
            patterns_off,
            seen_ts: e
              .case()
              .when('channels.watched', '=', 1)
              .then(e.ref('channels.seen_ts'))
              .else(seenTs)
              .end(),
          })),
        )
        .execute();
    },

    /** Switches a pattern off, until it is taken out of the settings. */
    switchOff: async (channel: string, pattern: string): Promise<void> => {
      await db
        .updateTable('channels')
        .set({ patterns_off: sql<string>`json_insert(patterns_off, '$[#]', ${pattern})` })
        .where('channel', '=', channel)
        .execute();
    },

    unwatch: async (channel: string): Promise<void> => {
      await db
        .updateTable('channels')
        .set({ watched: 0, gap_from: null })
        .where('channel', '=', channel)
        .execute();
    },

    /** A message was taken in; older ones than the newest change nothing. */
    seen: async (channel: string, ts: string): Promise<void> => {
      await db
        .updateTable('channels')
        .set({ seen_ts: ts })
        .where('channel', '=', channel)
        .where((e) => e.or([e('seen_ts', 'is', null), e('seen_ts', '<', ts)]))
        .execute();
    },

    /** What Slack says of the channel; adds it, unwatched, where it is not known yet. */
    learn: async (channel: string, isPrivate: boolean): Promise<void> => {
      const is_private = isPrivate ? 1 : 0;
      await db
        .insertInto('channels')
        .values({ channel, watched: 0, is_private })
        .onConflict((c) => c.column('channel').doUpdateSet({ is_private }))
        .execute();
    },

    /** Before a back-fill: remembers where every watched channel's gap begins, an earlier gap first. */
    openGaps: async (): Promise<void> => {
      await db
        .updateTable('channels')
        .set((e) => ({ gap_from: e.ref('seen_ts') }))
        .where('watched', '=', 1)
        .where('gap_from', 'is', null)
        .where('seen_ts', 'is not', null)
        .execute();
    },

    /** What comes from now on in a channel may be missed; an earlier gap stays. */
    openGap: async (channel: string): Promise<void> => {
      await db
        .updateTable('channels')
        .set((e) => ({ gap_from: e.ref('seen_ts') }))
        .where('channel', '=', channel)
        .where('watched', '=', 1)
        .where('gap_from', 'is', null)
        .where('seen_ts', 'is not', null)
        .execute();
    },

    closeGap: async (channel: string): Promise<void> => {
      await db.updateTable('channels').set({ gap_from: null }).where('channel', '=', channel).execute();
    },
  };
}
