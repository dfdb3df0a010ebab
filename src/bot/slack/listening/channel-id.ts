/** What Slack calls a conversation by: of a channel, a private one of old, a direct message. */
export const CHANNEL_ID = /^[CDG][A-Z0-9]{1,20}$/u;
