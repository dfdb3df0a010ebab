/** A workspace: one organization of people and channels. */
export interface Team {
  id: string;
  name: string;
  domain: string;
}

/** A person, or an app's bot user. */
export interface User {
  id: string;
  team_id: string;
  name: string;
  real_name: string;
  email: string;
  is_bot: boolean;
  is_admin: boolean;
  /** A guest. */
  is_restricted: boolean;
  /** Somebody of another organization, here through a shared channel. */
  is_stranger: boolean;
  /** Six hex digits without `#`. */
  color: string;
  tz: string;
  /** On bot users only. */
  bot_id?: string;
}

/** A channel or a conversation of two. */
export interface Channel {
  id: string;
  name: string;
  topic: string;
  creator: string;
  /** Seconds since the epoch. */
  created: number;
  is_im: boolean;
  is_private: boolean;
  is_archived: boolean;
  /** Only some may post, and the app is none of them. */
  is_restricted?: boolean;
  /** In a conversation of two: the person who is not the app. */
  im_user: string | null;
}

/** A block of Block Kit that has passed `validate/`. */
export interface Block {
  type: string;
  block_id?: string | undefined;
  [field: string]: unknown;
}

/** A legacy attachment. */
export interface Attachment {
  [field: string]: unknown;
}

export interface Metadata {
  event_type?: string | undefined;
  event_payload?: Record<string, unknown> | undefined;
}

/** How an app's message says which app wrote it. */
export interface BotProfile {
  id: string;
  app_id: string;
  name: string;
  deleted: boolean;
  updated: number;
  team_id: string;
  icons: { image_48: string };
}

/** A message as Slack gives it, without what depends on others: reactions and counts of replies. */
export interface Message {
  type: 'message';
  subtype?: string;
  ts: string;
  thread_ts?: string;
  parent_user_id?: string;
  user?: string;
  username?: string;
  bot_id?: string;
  app_id?: string;
  bot_profile?: BotProfile;
  icons?: { emoji?: string };
  team?: string;
  client_msg_id?: string;
  text: string;
  blocks?: Block[];
  attachments?: Attachment[];
  /** Ids of the files that it shows. */
  file_ids?: string[];
  edited?: { user: string; ts: string };
  /** On the tombstone of a deleted root. */
  hidden?: true;
  /** On a `channel_join`: who brought the user in. */
  inviter?: string;
  metadata?: Metadata;
  /** Of a message that came as a stream; `errored` if nobody ended it in time. */
  streaming_state?: 'in_progress' | 'completed' | 'errored';
}

/** The app whose manifest the workspace runs. */
export interface App {
  id: string;
  name: string;
  bot_id: string;
  bot_user_id: string;
}

/** The secrets between the workspace and the app; local, and made for each database file. */
export interface Credentials {
  botToken: string;
  appToken: string;
  signingSecret: string;
}
