import { z } from 'zod';
import { truncateMrkdwn } from './slack-text.ts';
import { truncateJson } from './truncate-json.ts';

// Slack cuts a message's text at 40,000 characters; anything longer is not from Slack, or hostile.
const MAX_STRING = 50_000;
const MAX_URL = 4_000;
const MAX_ITEMS = 200;
/**
 * For a message's attachments, and for its blocks. An alert's facts come first; Slack allows many megabytes, and parsing
 * them all would let anyone who can post block everything else.
 */
const MOST_READ = { characters: 60_000, perString: 20_000, values: 5_000, depth: 24 };

/** Every control character but tab and newline. */
const CONTROL = /[^\P{Cc}\n\t]/gu;

function clean(text: string): string {
  return truncateMrkdwn(text, MAX_STRING).replace(CONTROL, '').toWellFormed();
}

const words = z.string().transform(clean).catch('');
/** A longer URL is dropped, because a truncated one is useless. */
const address = z.string().max(MAX_URL).transform(clean).catch('');
const scalar = z.union([z.string(), z.number(), z.boolean()]).transform((value) => clean(String(value)));
const unknowns = z
  .array(z.unknown())
  .catch([])
  .transform((items) => items.slice(0, MAX_ITEMS));

/** Items that do not parse are dropped; the others stay. */
function listOf<T extends z.ZodType>(item: T) {
  return unknowns.transform((items) =>
    items.flatMap((value): z.output<T>[] => {
      const parsed = item.safeParse(value);
      return parsed.success ? [parsed.data] : [];
    }),
  );
}

function beginningOfList<T extends z.ZodType>(item: T) {
  return z.preprocess((items) => truncateJson(items, MOST_READ), listOf(item));
}

const textObject = z
  .union([z.string(), z.object({ text: z.string() }).transform((object) => object.text)])
  .transform(clean)
  .catch('');

const Button = z.object({ url: address, text: textObject });

const Block = z.object({
  type: words,
  text: textObject,
  fields: listOf(z.object({ text: textObject })),
  /** In `context`, `actions` and `rich_text`; how they are read depends on the type of block. */
  elements: unknowns,
  accessory: Button.nullable().catch(null),
});
export type Block = z.output<typeof Block>;

const AttachmentField = z.object({ title: scalar.catch(''), value: scalar.catch('') });

const Attachment = z.object({
  color: words,
  pretext: words,
  author_name: words,
  title: words,
  title_link: address,
  text: words,
  fallback: words,
  footer: words,
  ts: z.coerce.number().nullable().catch(null),
  fields: listOf(AttachmentField),
  actions: listOf(Button),
  blocks: listOf(Block),
  /** Set where Slack or an app unfurled a link, or a message was shared. */
  from_url: words,
  original_url: words,
  is_app_unfurl: z.boolean().catch(false),
  is_msg_unfurl: z.boolean().catch(false),
});
export type Attachment = z.output<typeof Attachment>;

/** The parts of a Slack message that are used. A malformed part is dropped; it never fails the message. */
export const SlackMessage = z.object({
  subtype: words,
  user: words,
  username: words,
  bot_id: words,
  app_id: words,
  thread_ts: words,
  ts: words,
  text: words,
  bot_profile: z.object({ name: words, app_id: words }).nullable().catch(null),
  attachments: beginningOfList(Attachment),
  blocks: beginningOfList(Block),
  /** In `message_changed` and `message_deleted`: the message after and before. */
  message: z.unknown().optional(),
  previous_message: z.unknown().optional(),
});
export type SlackMessage = z.output<typeof SlackMessage>;

/** Who wrote a message: all that has to be read of most messages. */
export const Author = SlackMessage.pick({
  subtype: true,
  user: true,
  username: true,
  bot_id: true,
  app_id: true,
  bot_profile: true,
  message: true,
});
export type Author = z.output<typeof Author>;

/** Of a `context` block's elements: the texts; of an `actions` block's: the buttons that open a page. */
export const TextElement = z.object({ text: textObject });
export const ButtonElement = Button;
